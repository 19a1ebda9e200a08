import { nextOneMinutePastMidnight } from '../new-york.ts';
import type { ResumeSettings } from '../settings.ts';
import { delayMs } from '../settings.ts';
import type { Instant } from '../time.ts';
import type { Threshold } from './level.ts';
import { meetsThreshold } from './level.ts';
import type { Status } from './status.ts';

/** When holds are due, counted from the end of the match (ENG-06 to 08). */
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
  /** The match when the threshold was last edited; null: it was never edited. */
  thresholdEdit: ThresholdEdit | null;
}

export interface ThresholdEdit {
  /** End of the last match before the edit, under any threshold; null: unknown. */
  matchEndedAt: Instant | null;
  /**
   * Since when the new threshold had been met or not met. While this is unchanged, no match started or ended
   * since.
   */
  matchSince: Instant | null;
}

/**
 * Null while the threshold is met (ENG-09) and, after a restore, until the status is known. Derived from the
 * status, so settings edits apply at once. If the end of the match is unknown, the resume is due now.
 */
export function resumeAt(status: Status, choice: ResumeChoice): Instant | null {
  if (status.knownIsFromBackup && status.effective === 'UNKNOWN') return null;
  if (meetsThreshold(status.known, choice.threshold)) return null;
  return resumeTime(choice.resume, matchEndedAt(status, choice) ?? 0);
}

/** If the level fell below the threshold before the user chose it, no match of this user ended. */
function matchEndedAt(
  status: Status,
  { threshold, thresholdEdit }: Pick<ResumeChoice, 'threshold' | 'thresholdEdit'>,
): Instant | null {
  const since = status.matchSince[threshold];
  return thresholdEdit !== null && thresholdEdit.matchSince === since ? thresholdEdit.matchEndedAt : since;
}

/**
 * Keeps the start of the resume delay across a threshold edit. An edit that ends a match counts from now; an
 * edit while a resume is scheduled keeps the earlier start.
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
