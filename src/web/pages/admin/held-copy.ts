import type { HeldEntry } from '#contract/admin.ts';
import type { HoldState } from '#core/smartpause/hold.ts';
import type { Instant } from '#core/time.ts';
import { LEVEL_WORDS } from '#core/labels.ts';
import { atTime, timeUntil } from '../../text/times.ts';

export const STATE_WORDS: Record<HoldState, { word: string; color: string }> = {
  pausing: { word: 'Pausing', color: 'yellow' },
  paused: { word: 'Paused', color: 'orange' },
  resuming: { word: 'Resuming', color: 'blue' },
  resumed: { word: 'Resumed', color: 'green' },
};

const THRESHOLD_WORDS = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' } as const;

/** 'High disruption met the Medium threshold.' */
export function whyCopy({ why: { level, threshold }, isTest }: Pick<HeldEntry, 'why' | 'isTest'>): string {
  if (isTest === true) return 'Live test by the advertiser.';
  const what = level === null ? 'A disruption' : LEVEL_WORDS[level];
  return `${what} met the ${THRESHOLD_WORDS[threshold]} threshold.`;
}

/** When the campaign resumes, or which condition its resume waits for. */
export function outlookCopy({ outlook: { kind, at } }: Pick<HeldEntry, 'outlook'>, now: Instant): string {
  const then = at === null ? null : Date.parse(at);
  const when = then === null ? '' : `${timeUntil(then, now)} (${atTime(then, now)})`;
  const until = then === null ? '' : ` until ${atTime(then, now)}`;
  switch (kind) {
    case 'due':
      return then === null ? 'Due now' : `Due now; next retry ${when}`;
    case 'scheduled':
      return then === null ? 'Resumes later' : `Resumes ${when}`;
    case 'matched':
      return 'Waiting: the disruption still meets the threshold';
    case 'unknown':
      return 'Waiting: the status is unknown, and the last known level meets the threshold';
    case 'limited':
      return `Due, but blocked by Meta’s rate limit${until}`;
    case 'login':
      return 'Waiting for the advertiser to reconnect Meta (token rejected)';
    case 'access_lost':
      return 'Waiting for the advertiser: Meta denies access to the ad account';
    case 'verifying':
      return `No longer held; checked again when no late write can arrive${until}`;
    case 'restoring':
      return `A late write undid a change made outside SmartPause; restoring it${until}`;
    case 'turned_off':
      return `SmartPause was turned off; waiting for Meta to confirm the last write${until}`;
  }
}
