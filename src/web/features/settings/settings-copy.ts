import type { ResumeSettings } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { resumeTime } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import { atOrOnTime, timeUntil } from '../../lib/times.ts';

export const THRESHOLD_WORDS: Record<Threshold, string> = {
  LOW: 'Low',
  MEDIUM: 'Medium (recommended)',
  HIGH: 'High',
};

export const THRESHOLD_SENTENCES: Record<Threshold, string> = {
  LOW: 'Low: pause when Meta reports low, medium or high disruptions. Most protective.',
  MEDIUM: 'Medium: pause when Meta reports medium or high disruptions.',
  HIGH: 'High: pause only when Meta reports high disruptions. Smaller ones are ignored.',
};

/** The current effect: 'If an outage ended now, campaigns would resume at 9:47 PM EST.' */
export function resumeSentence(settings: ResumeSettings, now: Instant): string {
  const opening = 'If an outage ended now, campaigns would resume';
  if (settings.mode === 'instant') return `${opening} immediately.`;
  const at = resumeTime(settings, now);
  return `${opening} ${atOrOnTime(at, now)}, ${timeUntil(at, now)}.`;
}
