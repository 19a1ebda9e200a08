import { clockTime, fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { counted, figure } from '#core/words.ts';
import type { ToldCampaign } from './acts.ts';
import { byAccount, dashboard, refusedWords } from './acts.ts';
import type { Mail } from './blocks.ts';

interface UnknownFacts {
  publicUrl: string;
  since: Instant;
  held: readonly ToldCampaign[];
  /** How many of them Meta does not let SmartPause change now. */
  unreachable: number;
}

export function unknownMail(facts: UnknownFacts): Mail {
  const count = counted(facts.held.length, 'campaign');
  const stay = facts.held.length === 1 ? 'stays' : 'stay';
  const { unreachable } = facts;
  const reachable = facts.held.length - unreachable;
  const which = unreachable > 0 ? `${figure(reachable)} of them` : facts.held.length === 1 ? 'it' : 'them';
  const manual =
    'To get a campaign back sooner: turn SmartPause off for it. It then stays paused until you press Manual Resume, which works at once.';
  const promise = `When the status is known again and below your threshold, SmartPause resumes ${which} and we'll email you again.`;
  return {
    subject: `Still paused: Meta's status cannot be read since ${clockTime(facts.since)}`,
    preview:
      reachable > 0
        ? `${count} ${stay} paused. To get one back, turn SmartPause off for it.`
        : 'Meta refuses SmartPause the access: log in to SmartPause again.',
    title: `SmartPause keeps ${count} paused`,
    blocks: [
      {
        kind: 'status',
        level: 'UNKNOWN',
        text: `Meta's status page could not be read or understood since ${fullTime(facts.since)}.`,
      },
      {
        kind: 'text',
        text: [
          `The last known disruption met your threshold, so ${count} ${stay} paused.`,
          ...(reachable > 0 ? [promise] : []),
          ...(unreachable > 0 ? [refusedWords(unreachable)] : []),
        ].join(' '),
      },
      ...byAccount('Still paused', facts.held),
      ...(reachable > 0 ? [{ kind: 'text', text: manual } as const] : []),
      dashboard(facts.publicUrl),
    ],
  };
}

export function accountLostMail(facts: { publicUrl: string; held: readonly ToldCampaign[] }): Mail {
  const count = counted(facts.held.length, 'campaign');
  const them = facts.held.length === 1 ? 'it' : 'them';
  return {
    subject: `Still paused: SmartPause can no longer reach ${count}`,
    preview: 'Meta refuses us the ad account, so nothing can be resumed there.',
    title: `SmartPause can no longer reach ${count}`,
    blocks: [
      {
        kind: 'text',
        text: `SmartPause had paused ${them}, and Meta now refuses us the ad account: your own access to it may have been removed. SmartPause keeps trying, and resumes ${them} when it can. Until then please look at ${them} in Ads Manager, or ask the owner of the ad account.`,
      },
      ...byAccount('Still paused', facts.held),
      dashboard(facts.publicUrl),
    ],
  };
}
