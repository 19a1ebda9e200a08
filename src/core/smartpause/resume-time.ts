import { nextOneMinutePastMidnight } from '../new-york.ts';
import type { ResumeSettings } from '../settings.ts';
import { delayMs } from '../settings.ts';
import type { Instant } from '../time.ts';
import { earliest } from '../time.ts';
import { knownZone, nextDayIn } from '../time-zone.ts';
import type { Threshold } from './level.ts';
import { meetsThreshold } from './level.ts';
import type { Cause, Signal } from './signals.ts';
import { besideWord, statusFor } from './signals.ts';
import type { Status } from './status.ts';

/**
 * When holds are due, counted from the end of the match (ENG-06 to 08).
 * @param timeZone of their ad account; null: not known
 */
export function resumeTime(
  settings: ResumeSettings,
  matchEndedAt: Instant,
  timeZone: string | null,
): Instant {
  switch (settings.mode) {
    case 'instant':
      return matchEndedAt;
    case 'delay':
      return matchEndedAt + delayMs(settings.delay);
    case 'next_day': {
      const zone = settings.zone === 'account' ? knownZone(timeZone) : null;
      return zone === null ? nextOneMinutePastMidnight(matchEndedAt) : nextDayIn(zone, matchEndedAt);
    }
  }
}

/**
 * Null while the threshold is met (ENG-09) and, after a restore, until the status is known. Derived from the
 * status, so an edit of the resume settings applies at once. If the end of the match is unknown, the resume is due now.
 */
export function resumeAt(
  status: Status,
  { threshold, resume, timeZone }: { threshold: Threshold; resume: ResumeSettings; timeZone: string | null },
): Instant | null {
  if (status.knownIsFromBackup && status.effective === 'UNKNOWN') return null;
  if (meetsThreshold(status.known, threshold)) return null;
  return resumeTime(resume, status.matchSince[threshold] ?? 0, timeZone);
}

interface HoldToResume {
  cause: Cause;
  decidedAt: Instant;
  threshold: Threshold;
  resume: ResumeSettings;
  timeZone: string | null;
  signals: readonly Signal[];
  /** The user's word keeps it paused. */
  isWanted: boolean;
  /** Beside the user's word, the match that lasts leaves the campaign running: it was resumed in it. */
  isLeftAlone: boolean;
}

/**
 * `resumeAt` of a hold. The end of the user's own word resumes what it has paused at once, unless the page's match
 * goes on or ended after the hold began.
 */
export function holdResumeAt(status: Status, hold: HoldToResume, now: Instant): Instant | null {
  const { signals, isWanted } = hold;
  if (isWanted) return null;
  const view = statusFor(status, besideWord(signals), now);
  return isOfWordAlone(view, hold) ? now : resumeAt(view, hold);
}

/** No match keeps what the user's word has paused, and none has ended since it began. */
export function isOfWordAlone(
  { known, matchSince }: Status,
  hold: Pick<HoldToResume, 'cause' | 'threshold' | 'decidedAt' | 'isLeftAlone'>,
): boolean {
  const { cause, threshold, decidedAt, isLeftAlone } = hold;
  if (cause !== 'user' || isLeftAlone) return cause === 'user';
  return !meetsThreshold(known, threshold) && (matchSince[threshold] ?? 0) <= decidedAt;
}

/** `resumeAt` of the first of the holds in ad accounts of these zones; empty: none is known. */
export function firstResumeAt(
  status: Status,
  choice: { threshold: Threshold; resume: ResumeSettings },
  zones: readonly (string | null)[],
): Instant | null {
  return earliest(orUnknown(zones).map((timeZone) => resumeAt(status, { ...choice, timeZone })));
}

/** `resumeTime` of the same. */
export function firstResumeTime(
  settings: ResumeSettings,
  matchEndedAt: Instant,
  zones: readonly (string | null)[],
): Instant {
  return Math.min(...orUnknown(zones).map((timeZone) => resumeTime(settings, matchEndedAt, timeZone)));
}

function orUnknown(zones: readonly (string | null)[]): readonly (string | null)[] {
  return zones.length === 0 ? [null] : zones;
}
