import type { KnownLevel, Level } from '#core/smartpause/level.ts';

const WORDS: readonly [RegExp, KnownLevel][] = [
  // 'Resolved: Major outage' is over: this comes before the severities.
  [/^(recently )?resolved\b/, 'UP'],
  [/^no known issues\b/, 'UP'],
  [/\bmajor (disruptions?|outages?)\b/, 'HIGH_DISRUPTION'],
  [/\bhigh disruptions?\b/, 'HIGH_DISRUPTION'],
  [/\bmedium disruptions?\b/, 'MEDIUM_DISRUPTION'],
  [/\blow disruptions?\b/, 'LOW_DISRUPTION'],
];

/** 'Recovering…', 'Recovering from an outage': the outage is still open, and its level is said elsewhere. */
export function isRecovering(phrase: string): boolean {
  return /^\s*recovering\b/i.test(phrase);
}

/** The level that a phrase of the status page stands for. A phrase we do not know tells us nothing: UNKNOWN. */
export function levelOfPhrase(phrase: string): Level {
  const words = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'UNKNOWN';
}
