import type { Instant } from '../time.ts';
import { earliest, days, minutes } from '../time.ts';
import type { Threshold } from './level.ts';
import { THRESHOLDS, meetsThreshold } from './level.ts';
import type { Status } from './status.ts';

/** `user`: the user's own word, 'Pause all now'. `early_warning`: what calls, canary and delivery say together. */
export const SIGNAL_SOURCES = ['user', 'calls', 'canary', 'delivery', 'early_warning'] as const;
export type SignalSource = (typeof SIGNAL_SOURCES)[number];

/** Why a campaign is paused for a user. A live test is none of these, and has the first. */
export const CAUSES = ['status', 'user', 'early_warning'] as const;
export type Cause = (typeof CAUSES)[number];

/** A signal that acts for a user, beside the status page: the user's own word, or an early warning that pauses. */
export interface Signal {
  source: Extract<SignalSource, 'user' | 'early_warning'>;
  since: Instant;
  /** May lie in the future; null: it goes on. */
  until: Instant | null;
}

/** A chosen end of the user's own word. */
export const WORD_MIN_MS = minutes(5);
export const WORD_MAX_MS = days(30);

export function isOn({ since, until }: Signal, now: Instant): boolean {
  return since <= now && (until === null || until > now);
}

/** The user's own word that acts now; null: there is none. */
export function wordOf(signals: readonly Signal[], now: Instant): Signal | null {
  return signals.find((one) => one.source === 'user' && isOn(one, now)) ?? null;
}

export function besideWord(signals: readonly Signal[]): Signal[] {
  return signals.filter(({ source }) => source !== 'user');
}

/**
 * When the first of them ends, or begins: the clock of another process may be some milliseconds ahead. Null: none is known
 * to.
 */
export function nextChange(signals: readonly Signal[], now: Instant): Instant | null {
  return earliest(
    signals.map(({ since, until }) => (since > now ? since : (until ?? 0) > now ? until : null)),
  );
}

/** A user's view of the status: a signal that acts meets every threshold, also while the page is UNKNOWN or overridden. */
export function statusFor(status: Status, signals: readonly Signal[], now: Instant): Status {
  if (signals.length === 0) return status;
  const matchSince = Object.fromEntries(
    THRESHOLDS.map((one) => [one, changedAt(status, one, signals, now)]),
  ) as Status['matchSince'];
  if (!signals.some((one) => isOn(one, now))) return { ...status, matchSince };
  return { ...status, known: 'HIGH_DISRUPTION', effective: 'HIGH_DISRUPTION', matchSince };
}

/**
 * Since when the user has, or has no, match: of the page's match and the signals in a row. The end of the user's word is no
 * end of a match: it resumes its own holds at once, and delays no other one.
 */
function changedAt(
  { known, matchSince }: Status,
  threshold: Threshold,
  signals: readonly Signal[],
  now: Instant,
): Instant | null {
  const since = matchSince[threshold];
  const isMet = meetsThreshold(known, threshold);
  const [word, warnings] = [wordOf(signals, now), besideWord(signals)];
  const acting = warnings.filter((one) => isOn(one, now));
  if (!isMet && acting.length === 0)
    return word?.since ?? latest([since, ...warnings.map((one) => endOf(one, now))]);
  // The page's match has begun before our records.
  if (isMet && since === null) return word?.since ?? null;
  let begin = Math.min(...(isMet && since !== null ? [since] : []), ...acting.map((one) => one.since));
  const earlier = warnings.filter((one) => !isOn(one, now)).toSorted((a, b) => b.since - a.since);
  for (const one of earlier) if ((one.until ?? now) >= begin) begin = Math.min(begin, one.since);
  // The word is newer than what the user resumed before it, and an outage than what they resumed in the word.
  return Math.max(begin, word?.since ?? begin);
}

function endOf({ until }: Signal, now: Instant): Instant | null {
  return until !== null && until <= now ? until : null;
}

function latest(times: readonly (Instant | null)[]): Instant | null {
  const known = times.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
}
