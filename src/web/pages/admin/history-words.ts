import type { StatusHistory } from '#contract/admin.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { counted, durationWords } from '#core/words.ts';
import { atTime } from '../../times.ts';

type Answer = StatusHistory['answers'][number];

/** What the page said of one service, in its own words. */
export function saidWords(
  { said, level }: Answer['services'][number],
  { trouble }: Pick<Answer, 'trouble'>,
): string {
  if (said.length === 0) return trouble === null ? 'not on the page' : 'not read';
  const quoted = said.map((words) => words.replace(/^(outage: )?(.*)$/, '$1“$2”')).join(', ');
  return level === null ? `${quoted}, not understood` : quoted;
}

/** When it began to answer so, and for how long it did. */
export function answerTimes({ firstAt, lastAt, times }: Answer, isNewest: boolean, now: Instant): string {
  const [first, last] = [Date.parse(firstAt), Date.parse(lastAt)];
  if (isNewest && times > 1) return `Since ${atTime(first, now)}`;
  if (times === 1) return `${atTime(first, now)}, ${relativeTime(first, now)}`;
  return `${atTime(first, now)}, for ${durationWords(last - first)}`;
}

/** How often it was asked, and how long that took. */
export function readingWords({ times, tookMs, longestMs }: Answer): string {
  if (times === 1) return `1 reading, ${tookMs} ms`;
  return `${counted(times, 'reading')}, the last in ${tookMs} ms, ${longestMs} ms at most`;
}
