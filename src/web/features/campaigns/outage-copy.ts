import type { UserStatus } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import type { AccessState } from '#core/platform-access.ts';
import type { ResumeSettings } from '#core/settings.ts';

export interface OutageCopy {
  title: string;
  color: 'yellow' | 'red';
  text: string;
  /** None of the running campaigns is protected: the user can choose some. */
  isUnprotected: boolean;
  /** Meta rejects the token: a new login is needed. */
  needsLogin: boolean;
}

const ACTIVATED = 'SmartPause Activated - Threshold Matched';

/** The banner while the threshold is met. A server of the specification sends no counts. */
export function matchedCopy(user: UserStatus, access: AccessState): OutageCopy {
  const flags = { isUnprotected: false, needsLogin: false };
  const activated = { title: ACTIVATED, color: 'yellow', ...flags } as const;
  if (user.protectedRunning === 0) {
    if (user.running !== 0) return unprotectedCopy(user.running, access === 'expired');
    return { ...activated, text: 'None of your campaigns is running, so there is nothing to pause.' };
  }
  const held = heldCopy(user);
  const waiting = user.notYetPaused?.count ?? 0;
  const stays = finalCopy(user.pauseRefused ?? 0);
  if (held === null && waiting === 0 && stays !== null) return { ...activated, text: stays };
  if (held === null && waiting === 0)
    return { ...activated, text: 'No campaign is paused by SmartPause right now.' };
  const isRefused = access === 'expired';
  const sentences = isRefused
    ? [held, refusedCopy(waiting, held === null), stays]
    : [held, pausingCopy(user, held === null), resumedCopy(user), stays];
  const text = sentences.filter((sentence) => sentence !== null).join(' ');
  return { ...activated, text, needsLogin: isRefused };
}

const RENEW_FIRST = ' Meta no longer accepts our access, so renew it first.';

function unprotectedCopy(running: number | undefined, isRefused: boolean): OutageCopy {
  const [whose, spend] =
    running === undefined
      ? ['none of your campaigns', 'What is running keeps spending.']
      : running === 1
        ? ['your running campaign', 'It keeps spending.']
        : [`none of your ${figure(running)} running campaigns`, 'They keep spending.'];
  const isOn = running === 1 ? `SmartPause is off for ${whose}` : `SmartPause is on for ${whose}`;
  return {
    title: 'Nothing is protected in this disruption',
    color: 'red',
    text: `Meta’s status meets your threshold, but ${isOn}. ${spend}${isRefused ? RENEW_FIRST : ''}`,
    // Without access a choice would pause nothing.
    isUnprotected: !isRefused,
    needsLogin: isRefused,
  };
}

/** '3 campaigns paused in 2 accounts.'; null: none. */
function heldCopy({ heldCampaigns, heldAccounts, notYetPaused }: UserStatus): string | null {
  if (heldCampaigns === undefined || heldAccounts === undefined)
    return notYetPaused === undefined ? 'Campaigns with SmartPause on that were running are paused.' : null;
  if (heldCampaigns === 0) return null;
  return `${counted(heldCampaigns, 'campaign')} paused in ${counted(heldAccounts.length, 'account')}.`;
}

const BECAUSE = {
  no_answer: ' Meta isn’t responding, so we keep trying.',
  limit: ' Meta’s rate limit for the ad account is reached, so we continue when Meta allows it.',
};

function pausingCopy({ notYetPaused }: UserStatus, isFirst: boolean): string | null {
  if (notYetPaused === undefined) return null;
  const { count, because } = notYetPaused;
  return `Pausing ${campaignsOrMore(count, isFirst)}.${because === null ? '' : BECAUSE[because]}`;
}

/** Without a usable token nothing is paused or resumed. */
function refusedCopy(waiting: number, isFirst: boolean): string {
  const what =
    waiting === 0 ? 'They can’t be resumed' : `${campaignsOrMore(waiting, isFirst)} can’t be paused`;
  return `${what}: Meta no longer accepts our access.`;
}

/** An email names them, with Meta's own words. */
function finalCopy(refused: number): string | null {
  if (refused === 0) return null;
  const goOn =
    refused === 1 ? 'It keeps running and isn’t protected.' : 'They keep running and aren’t protected.';
  return `Meta refused to pause ${counted(refused, 'campaign')}. ${goOn}`;
}

function campaignsOrMore(count: number, isFirst: boolean): string {
  return isFirst ? counted(count, 'campaign') : `${figure(count)} more`;
}

function resumedCopy({ resumeSettings, heldCampaigns, notYetPaused }: UserStatus): string {
  const isOne = (heldCampaigns ?? 0) + (notYetPaused?.count ?? 0) === 1;
  return `${isOne ? 'It resumes' : 'They resume'} ${whenResumed(resumeSettings)} the outage ends.`;
}

/** '5 minutes after', to be followed by what ends. */
export function whenResumed(settings: ResumeSettings): string {
  switch (settings.mode) {
    case 'instant':
      return 'as soon as';
    case 'next_day':
      return 'at 12:01 AM EST on the day after';
    case 'delay': {
      const { value, unit } = settings.delay;
      return `${counted(value, unit.replace(/s$/, ''))} after`;
    }
  }
}

/** The banner below the threshold. A scheduled resume may be hours away: its own banner says when. */
export function belowCopy({ resumeAt, outageThreshold }: UserStatus): string {
  const scheduled = resumeAt === null ? '' : ' as scheduled';
  return `Your campaigns remain active or are resuming${scheduled}, because the status is below your threshold (${outageThreshold}).`;
}

/** The banner while Meta's status is unknown. */
export function unknownCopy(user: UserStatus | undefined): string {
  const first = 'We can’t read Meta’s status page. No campaigns will be paused until we can.';
  if (user === undefined) return first;
  if (user.resumeAt !== null) return `${first} Scheduled resumes still run on time.`;
  const { heldCampaigns = 0 } = user;
  if (heldCampaigns === 0) return first;
  return `${first} ${counted(heldCampaigns, 'campaign')} ${heldCampaigns === 1 ? 'stays' : 'stay'} paused until then.`;
}
