import type { Instant } from '../time.ts';
import type { Estimate, Range } from './estimate.ts';
import { readFrom } from './reading.ts';
import { ESTIMATED_MS } from './when-estimated.ts';

/** Why an amount is not known. */
export const UNKNOWN_SPEND = [
  'not_over',
  'being_estimated',
  'not_estimated',
  'no_budget',
  'few_days',
  'still_paused',
  'not_read_yet',
  'paused_too_long',
  'not_read',
] as const;
export type UnknownSpend = (typeof UNKNOWN_SPEND)[number];

/** The user's pauses in one outage, of ad accounts with this currency and time zone. */
export interface PausesOfZone {
  /** Null: not known. */
  timeZone: string | null;
  /** When the last of them ended; null: one of them goes on. */
  until: Instant | null;
}

type Amounts = Record<'notSpent' | 'later' | 'kept' | 'protected', Range | null>;

export interface KnownSpend extends Amounts {
  /** Of the first amount that is not known; null: all are. */
  unknown: UnknownSpend | null;
  /** About when the rest is known; null: that is not known either. */
  knownAt: Instant | null;
  inputs: Omit<Estimate, keyof Amounts> | null;
}

const NONE: Amounts = { notSpent: null, later: null, kept: null, protected: null };

/** What is known of what the pauses of one outage in one currency kept from being spent. */
export function knownSpend(
  { endedAt, pauses }: { endedAt: Instant | null; pauses: readonly PausesOfZone[] },
  estimate: Estimate | null,
  now: Instant,
): KnownSpend {
  const { notSpent, later, kept, protected: saved } = estimate ?? NONE;
  const hasBudget = estimate !== null && estimate.withoutBudget < estimate.campaigns;
  const because = (unknown: UnknownSpend | null, knownAt: Instant | null = null): KnownSpend => ({
    ...{ notSpent: hasBudget ? notSpent : null, later, kept, protected: saved },
    ...{ unknown, knownAt, inputs: estimate },
  });
  if (endedAt === null) return because('not_over');
  const isFinal = now > endedAt + ESTIMATED_MS;
  if (estimate === null) return because(isFinal ? 'not_estimated' : 'being_estimated');
  if (!hasBudget) return because('no_budget');
  if (estimate.basis === 'budget') return because('few_days');
  if (kept !== null) return because(null);
  const ends = pauses.flatMap(({ until }) => until ?? []);
  if (ends.length < pauses.length) return because(isFinal ? 'paused_too_long' : 'still_paused');
  if (isFinal) return because('not_read');
  const times = pauses.map(({ timeZone, until }) => readFrom(timeZone ?? 'UTC', (until ?? now) - 1));
  const knownAt = Math.max(...times);
  return because('not_read_yet', knownAt > now ? knownAt : null);
}
