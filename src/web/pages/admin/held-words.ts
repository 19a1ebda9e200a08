import type { HeldEntry } from '#contract/admin.ts';
import type { HoldState } from '#core/smartpause/hold.ts';
import type { Instant } from '#core/time.ts';
import { LEVEL_WORDS } from '#core/words.ts';
import { atTime, timeUntil } from '../../text/times.ts';

export const STATE_WORDS: Record<HoldState, { word: string; color: string }> = {
  pausing: { word: 'Pausing', color: 'yellow' },
  paused: { word: 'Paused', color: 'orange' },
  resuming: { word: 'Resuming', color: 'blue' },
};

const THRESHOLD_WORDS = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' } as const;

/** Why the campaign is paused: 'High disruption met the threshold Medium.' */
export function whyWords({ why: { level, threshold } }: Pick<HeldEntry, 'why'>): string {
  const what = level === null ? 'A disruption' : LEVEL_WORDS[level];
  return `${what} met the threshold ${THRESHOLD_WORDS[threshold]}.`;
}

/** When the campaign resumes, or what the resume waits for. */
export function outlookWords({ outlook: { kind, at } }: Pick<HeldEntry, 'outlook'>, now: Instant): string {
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
    case 'watched':
      return `Resumed; watching for a late write${until}`;
    case 'given_up':
      return `Changed outside SmartPause; watching for a late write${until}`;
    case 'turned_off':
      return `SmartPause was turned off; waiting for open writes${until}`;
  }
}
