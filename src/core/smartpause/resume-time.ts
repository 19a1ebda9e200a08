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
  /** What was true of the match when the threshold was last edited; null: it never was. */
  thresholdEdit: ThresholdEdit | null;
}

export interface ThresholdEdit {
  /** When the match ended that was the last one by then, under whatever thresholds; null: not that we know of. */
  matchEndedAt: Instant | null;
  /** Since when the new threshold had been met, or not met: as long as that stands, nothing has happened since. */
  matchSince: Instant | null;
}

/**
 * When this person's holds are due; null while the threshold is met (ENG-09), and after a restore until the status is known. Derived from the status each
 * time it is asked, so an edit of the settings recomputes it from the same moment and nothing can go stale.
 * An end of match that we never saw (null) lies in the past: due at once.
 */
export function resumeAt(status: Status, choice: ResumeChoice): Instant | null {
  if (status.knownIsFromBackup && status.effective === 'UNKNOWN') return null;
  if (meetsThreshold(status.known, choice.threshold)) return null;
  return resumeTime(choice.resume, matchEndedAt(status, choice) ?? 0);
}

/** A level that fell below the threshold before the person had chosen it ended no match of theirs. */
function matchEndedAt(
  status: Status,
  { threshold, thresholdEdit }: Pick<ResumeChoice, 'threshold' | 'thresholdEdit'>,
): Instant | null {
  const since = status.matchSince[threshold];
  return thresholdEdit !== null && thresholdEdit.matchSince === since ? thresholdEdit.matchEndedAt : since;
}

/**
 * What an edit of the threshold means for the moment from which a resume is counted: raised out of a match, the match
 * ends now; edited while a resume is scheduled, it stays scheduled from the same moment, whenever the new threshold
 * was met before.
 */
export function afterThresholdEdit(
  before: Pick<ResumeChoice, 'threshold' | 'thresholdEdit'>,
  threshold: Threshold,
  status: Status,
  now: Instant,
): ThresholdEdit | null {
  if (threshold === before.threshold) return before.thresholdEdit;
  const wasMatched = meetsThreshold(status.known, before.threshold);
  return {
    matchEndedAt: wasMatched ? now : matchEndedAt(status, before),
    matchSince: status.matchSince[threshold],
  };
}
