import type { LastKnown } from '#contract/shapes.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';

const SILENCE: Record<LastKnown['because'], string> = {
  no_answer: 'Meta does not answer.',
  limit: 'Meta’s limit for this ad account is used up.',
};

export function silenceWords(because: LastKnown['because']): string {
  return SILENCE[because];
}

/** 'This list is from 3 minutes ago.' */
export function ageWords(at: Instant, now: Instant): string {
  const ago = now - at < minutes(1) ? 'less than a minute ago' : relativeTime(at, now);
  return `This list is from ${ago}.`;
}
