import { figure, namesLabel } from '#core/labels.ts';
import type { Failure } from '../bulk/run.ts';
import type { ResumeFailures } from './turn-off-and-resume.ts';

/** More different reasons than this are not read. */
const REASONS = 3;

interface SameReason {
  names: string;
  count: number;
  reason: string;
}

/** The failed campaigns by reason, most campaigns first; the last entry may join several, without a reason. */
export function byReason(failed: readonly Failure<{ name: string }>[]): SameReason[] {
  const groups = [...Map.groupBy(failed, ({ reason }) => reason)].sort(([, a], [, b]) => b.length - a.length);
  const others = groups.length <= REASONS ? [] : groups.splice(REASONS - 1).flatMap(([, group]) => group);
  if (others.length > 0) groups.push(['', others]);
  return groups.map(([reason, group]) => ({
    names: namesLabel(group.map(({ target }) => target)),
    count: group.length,
    reason,
  }));
}

/** After SmartPause was turned off: what was not resumed, or may not have been, and why. */
export function failedResumeCopy({ stillPaused, unknown }: ResumeFailures): string[] {
  return [
    ...byReason(stillPaused).flatMap(({ names, count, reason }) => {
      const [they, them] = count === 1 ? ['it stays', 'it'] : ['they stay', 'them'];
      return [
        `${figure(count)} not resumed: ${names}. SmartPause is off for ${them} now, so ${they} paused until you resume ${them}.`,
        reason,
      ];
    }),
    ...byReason(unknown).flatMap(({ names, reason }) => [
      `No clear response about ${names}: check the list.`,
      reason,
    ]),
  ];
}
