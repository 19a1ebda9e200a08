import { clockTime, fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { counted, figure } from '#core/labels.ts';
import type { NotifiedCampaign } from './campaigns.ts';
import { byAccount, dashboard, refusedCopy } from './campaigns.ts';
import type { Notification } from './blocks.ts';

interface UnknownFacts {
  publicUrl: string;
  since: Instant;
  held: readonly NotifiedCampaign[];
  /** Campaigns that Meta does not let SmartPause change now. */
  unreachable: number;
}

export function unknownNotification(facts: UnknownFacts): Notification {
  const count = counted(facts.held.length, 'campaign');
  const stay = facts.held.length === 1 ? 'stays' : 'stay';
  const { unreachable } = facts;
  const reachable = facts.held.length - unreachable;
  const which = unreachable > 0 ? `${figure(reachable)} of them` : facts.held.length === 1 ? 'it' : 'them';
  const manual = 'To resume a campaign sooner, turn SmartPause off for it, then press Manual Resume.';
  const promise = `When the status is known again and below your threshold, SmartPause resumes ${which} and we'll email you again.`;
  return {
    subject: `Still paused: Meta's status has been unknown since ${clockTime(facts.since)}`,
    preview:
      reachable > 0
        ? `${count} ${stay} paused. To resume one yourself, turn SmartPause off for it.`
        : 'Meta denies SmartPause access. Please log in to SmartPause again.',
    title: `${count} still paused by SmartPause`,
    blocks: [
      {
        kind: 'status',
        level: 'UNKNOWN',
        text: `we haven't been able to read Meta's status page since ${fullTime(facts.since)}.`,
      },
      [
        `The last known disruption met your threshold, so ${count} ${stay} paused.`,
        ...(reachable > 0 ? [promise] : []),
        ...(unreachable > 0 ? [refusedCopy(unreachable)] : []),
      ].join(' '),
      ...byAccount('Still paused', facts.held),
      ...(reachable > 0 ? [manual] : []),
      dashboard(facts.publicUrl),
    ],
  };
}

export function accountLostNotification(facts: {
  publicUrl: string;
  held: readonly NotifiedCampaign[];
}): Notification {
  const count = counted(facts.held.length, 'campaign');
  const them = facts.held.length === 1 ? 'it' : 'them';
  return {
    subject: `Still paused: SmartPause lost access to ${count}`,
    preview: "Meta denies us access to the ad account, so we can't resume anything there.",
    title: `SmartPause lost access to ${count}`,
    blocks: [
      `SmartPause had paused ${them}, and Meta now denies us access to the ad account. Your own access may have been removed. SmartPause keeps trying and resumes ${them} when it can. Until then, check ${them} in Ads Manager or ask the owner of the ad account.`,
      ...byAccount('Still paused', facts.held),
      dashboard(facts.publicUrl),
    ],
  };
}

/** Meta asks the user to confirm the ad account, and refuses every change until then. */
export function accountBlockedNotification(facts: {
  publicUrl: string;
  account: string;
  held: readonly NotifiedCampaign[];
}): Notification {
  const { account, held } = facts;
  const [stay, them] = held.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  const paused = `${counted(held.length, 'campaign')} ${stay} paused until then. You can also resume ${them} in Ads Manager.`;
  return {
    subject: `Not protected: confirm ${account} in Ads Manager`,
    preview: "Until you do, SmartPause can't pause or resume campaigns there.",
    title: `Confirm ${account} in Ads Manager`,
    blocks: [
      `Meta refuses our changes in ${account} until you confirm your account in Ads Manager. Until then, SmartPause can't pause campaigns there in an outage, or resume them.`,
      'Open Ads Manager and follow the steps that Meta shows there. SmartPause notices by itself: while there is something to pause or resume, we try once an hour.',
      ...(held.length === 0 ? [] : [paused, ...byAccount('Still paused', held)]),
      dashboard(facts.publicUrl),
    ],
  };
}
