import { nextOneMinutePastMidnight } from '../new-york.ts';
import type { ResumeSettings } from '../settings.ts';
import { delayMs } from '../settings.ts';
import type { Instant } from '../time.ts';
import type { Threshold } from './level.ts';
import { meetsThreshold } from './level.ts';
import type { Status } from './status.ts';

/** When holds are to be resumed, from the moment the match ended (ENG-06 to 08). */
export function resumeTime(settings: ResumeSettings, matchEndedAt: Instant): Instant {
  switch (settings.mode) {
    case 'instant':
      return matchEndedAt;
    case 'delay':
      return matchEndedAt + delayMs(settings.delay);
    case 'next_day':
      return nextOneMinutePastMidnight(matchEndedAt);
  }
}

export interface ResumeChoice {
  threshold: Threshold;
  resume: ResumeSettings;
  /** Set when the person raised the threshold out of a match, so that the match ended by that edit. */
  matchEndedByEditAt: Instant | null;
}

/**
 * When this person's holds are due; null while the threshold is met (ENG-09). Derived from the status each
 * time it is asked, so an edit of the settings recomputes it from the same moment and nothing can go stale.
 * An end of match that we never saw (null) lies in the past: due at once.
 */
export function resumeAt(status: Status, choice: ResumeChoice): Instant | null {
  if (meetsThreshold(status.known, choice.threshold)) return null;
  const endedAt = Math.max(status.matchSince[choice.threshold] ?? 0, choice.matchEndedByEditAt ?? 0);
  return resumeTime(choice.resume, endedAt);
}

/**
 * What an edit of the threshold means for the moment from which a resume is counted: raised out of a match, the match
 * ends now; edited while a resume is scheduled, it stays scheduled from the same moment, also when the new threshold
 * was never met.
 */
export function matchEndAfterEdit(
  before: Pick<ResumeChoice, 'threshold' | 'matchEndedByEditAt'>,
  threshold: Threshold,
  status: Status,
  now: Instant,
): Instant | null {
  if (threshold === before.threshold) return before.matchEndedByEditAt;
  if (meetsThreshold(status.known, before.threshold)) {
    return meetsThreshold(status.known, threshold) ? before.matchEndedByEditAt : now;
  }
  const ends = [before.matchEndedByEditAt, status.matchSince[before.threshold]].filter((at) => at !== null);
  return ends.length === 0 ? null : Math.max(...ends);
}
