import type { KnownLevel } from '#core/smartpause/level.ts';

const WORDS: readonly [RegExp, KnownLevel][] = [
  // 'Resolved: Major outage' is over: this pattern comes before the severities.
  [/^(recently )?resolved\b/, 'UP'],
  [/^no known issues\b/, 'UP'],
  [/\bmajor (disruptions?|outages?)\b/, 'HIGH_DISRUPTION'],
  [/\bhigh disruptions?\b/, 'HIGH_DISRUPTION'],
  [/\bmedium disruptions?\b/, 'MEDIUM_DISRUPTION'],
  [/\blow disruptions?\b/, 'LOW_DISRUPTION'],
];

/**
 * 'Recovering…', 'Recovering from an outage': the outage is still open, and its level is stated elsewhere.
 */
export function isRecovering(phrase: string): boolean {
  return /^\s*recovering\b/i.test(phrase);
}

/** The level of a phrase on the status page; null: an unknown phrase. */
export function levelOfPhrase(phrase: string): KnownLevel | null {
  const words = phrase.trim().toLowerCase().replace(/\s+/g, ' ');
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

const EXCERPT_MOST = 80;

/** Limits the length of text from the page, which is stored and shown. */
export function excerpt(text: string): string {
  const words = text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  return words.length > EXCERPT_MOST ? `${words.slice(0, EXCERPT_MOST).toWellFormed()}…` : words;
}
