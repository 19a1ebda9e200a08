import type { Instant } from './time.ts';
import { minutes, seconds } from './time.ts';

export const TIERS = ['development_access', 'standard_access'] as const;
export type Tier = (typeof TIERS)[number];

/** The last usage that the platform reported for an ad account's rate limit. */
export interface Usage {
  tier: Tier | null;
  /** Highest percentage of the limiters; 100 and above means blocked. */
  percent: number;
  /** When the platform allows calls again; null: not stated. */
  regainAt: Instant | null;
  /** When the percentage has decayed to zero. */
  resetAt: Instant | null;
  at: Instant;
}

/** Score points of the Marketing API: a read costs 1, a write 3. */
const WRITE_COST = 3;
const READ_COST = 1;
const MAX_SCORE: Record<Tier, number> = { development_access: 60, standard_access: 9000 };
const BLOCK_MS: Record<Tier, number> = { development_access: seconds(300), standard_access: seconds(60) };
const DECAY_MS = seconds(300);

/** Largest number of operations in one batch call. */
export const BATCH_MAX = 50;

/**
 * Status writes that fit into the account's remaining allowance. Infinity without a report: the platform
 * sends usage headers only after enough calls.
 */
export function writesAllowed(usage: Usage | null, now: Instant): number {
  if (usage === null) return Infinity;
  if (usage.regainAt !== null && usage.regainAt > now) return 0;
  if (isOver(usage, now)) return Infinity;
  if (usage.tier === null) return usage.percent >= 100 ? 0 : Infinity;
  const left = MAX_SCORE[usage.tier] * (1 - usage.percent / 100) - READ_COST;
  return Math.max(0, Math.floor(left / WRITE_COST));
}

/** When an account without allowance is tried again: after all usage has decayed. */
export function allowanceReturnsAt({ regainAt, resetAt }: Usage, now: Instant): Instant {
  const hint = Math.max(regainAt ?? 0, resetAt ?? 0);
  return hint > now ? hint : now + DECAY_MS;
}

/** The shortest block after a rate limit error, unless the error itself states a time. */
export function blockMs(tier: Tier | null): number {
  return tier === null ? minutes(1) : BLOCK_MS[tier];
}

function isOver(usage: Usage, now: Instant): boolean {
  return now >= (usage.resetAt ?? usage.at + DECAY_MS);
}
