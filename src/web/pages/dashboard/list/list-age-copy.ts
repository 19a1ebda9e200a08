import type { LastKnown } from '#contract/shapes.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';

const SILENCE: Record<LastKnown['because'], string> = {
  no_answer: 'Can’t reach Meta.',
  limit: 'Meta’s rate limit for this ad account is reached.',
};

export function silenceCopy(because: LastKnown['because']): string {
  return SILENCE[because];
}

/** 'Showing data from 3 minutes ago.' */
export function ageLabel(at: Instant, now: Instant): string {
  const ago = now - at < minutes(1) ? 'less than a minute ago' : relativeTime(at, now);
  return `Showing data from ${ago}.`;
}
