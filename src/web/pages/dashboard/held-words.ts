import type { Instant } from '#core/time.ts';
import { counted } from '#core/words.ts';
import { atTime } from '../../text/times.ts';

/** For somebody without a subscription: what is paused, and that it will not stay so. */
export function heldWords(
  count: number,
  resumeAt: Instant | null,
  now: Instant,
): { title: string; text: string } {
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  const when =
    resumeAt === null
      ? 'when the disruption is over, as you chose in Settings'
      : `at ${atTime(resumeAt, now)}, because the disruption is over`;
  return {
    title: `${counted(count, 'campaign')} ${are} paused by SmartPause right now`,
    text: `SmartPause still resumes ${them} ${when}: you need no subscription for that.`,
  };
}
