import type { HeldEntry, HeldState } from '#contract/admin.ts';
import type { HoldState } from '#core/smartpause/hold.ts';
import type { Instant } from '#core/time.ts';
import { LEVEL_WORDS } from '#core/words.ts';
import { atTime, timeUntil } from '../../times.ts';

export const STATE_WORDS: Record<HoldState, { word: string; color: string }> = {
  pausing: { word: 'Pausing', color: 'yellow' },
  paused: { word: 'Paused', color: 'orange' },
  resuming: { word: 'Resuming', color: 'blue' },
};

export const STATE_FILTER_WORDS: Record<HeldState, string> = {
  pausing: 'Pausing',
  paused: 'Paused',
  resuming: 'Resuming',
  in_doubt: 'In doubt',
};

const THRESHOLD_WORDS = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' } as const;

/** Why it is held: 'High disruption met the threshold Medium'. */
export function whyWords({ why, isProtected }: Pick<HeldEntry, 'why' | 'isProtected'>): string {
  const threshold = `the threshold ${THRESHOLD_WORDS[why.threshold]}`;
  const met =
    why.level === null ? `A disruption met ${threshold}` : `${LEVEL_WORDS[why.level]} met ${threshold}`;
  return isProtected ? `${met}.` : `${met}. There is no subscription any more, so nothing new is paused.`;
}

/** When it is due to be resumed, or what that waits for. */
export function outlookWords({ outlook: { kind, at } }: Pick<HeldEntry, 'outlook'>, now: Instant): string {
  const then = at === null ? null : Date.parse(at);
  const when = then === null ? '' : `${timeUntil(then, now)} (${atTime(then, now)})`;
  const until = then === null ? '' : `, until ${atTime(then, now)} at the latest`;
  switch (kind) {
    case 'due':
      return then === null ? 'Due now' : `Due now; the next try is ${when}`;
    case 'scheduled':
      return then === null ? 'Resumes later' : `Resumes ${when}`;
    case 'matched':
      return 'Not resumed yet: the disruption still meets the threshold';
    case 'unknown':
      return 'Not resumed yet: the status is unknown, and the last known level meets the threshold';
    case 'limited':
      return `Due, but Meta’s limit for the ad account is used up${then === null ? '' : `; it ends ${when}`}`;
    case 'login':
      return 'Waits for its person to log in again: Meta takes our token no longer';
    case 'access_lost':
      return 'Waits for its person: Meta refuses them the ad account';
    case 'watched':
      return `Resumed; watched for a write that could still arrive${until}`;
    case 'given_up':
      return `Set by somebody’s hand; watched for a write that could still undo that${until}`;
    case 'turned_off':
      return `SmartPause was turned off; ends when no write is under way${until}`;
  }
}
