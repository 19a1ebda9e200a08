import * as z from 'zod/mini';
import { HOLD_STATES } from '#core/smartpause/hold.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { OUTLOOKS } from '#core/smartpause/outlook.ts';
import { RETRIED_PARTS } from './failing.ts';
import { instant } from './shapes.ts';

export const PAGE_SIZE = 50;

const ownId = z.string().check(z.regex(/^\d{1,18}$/, 'an id is a row of digits'));
const rowId = z.string().check(z.regex(/^(act_)?\d{1,32}$/, 'an id is a row of digits'));
const user = z.object({ id: z.string(), name: z.string() });
/** The name is null for a campaign that is no longer stored. */
const campaign = z.object({ id: z.string(), name: z.nullable(z.string()) });

export const heldQuery = z.object({ after: z.optional(ownId) });

export const heldEntry = z.object({
  id: z.string(),
  user: user,
  campaign,
  accountId: z.string(),
  state: z.enum(HOLD_STATES),
  /** When the pause was confirmed, or else decided. */
  since: instant,
  /** The level, and the threshold at that time that it met. */
  why: z.object({ level: z.nullable(z.enum(LEVELS)), threshold: z.enum(THRESHOLDS) }),
  /** A live test, not an outage. Absent: it is none. */
  isTest: z.optional(z.literal(true)),
  /** Meta has not answered a write. */
  isUnconfirmed: z.boolean(),
  /** What ends the hold, and when; null: it depends on something else. */
  outlook: z.object({ kind: z.enum(OUTLOOKS), at: z.nullable(instant) }),
  lastError: z.nullable(z.string()),
});
export type HeldEntry = z.output<typeof heldEntry>;

export const heldPage = z.object({
  held: z.array(heldEntry),
  /** Where the next page begins; null: this is the last. */
  next: z.nullable(z.string()),
});
export type HeldPage = z.output<typeof heldPage>;

export const problem = z.object({
  /** One of `FAILING_PARTS`, or one that a newer server knows. */
  part: z.string(),
  /** Id of the ad account, hold, email or user; null: the problem concerns the whole installation. */
  id: z.nullable(z.string()),
  /** For an ad account, its first few users. */
  users: z.array(user),
  accountId: z.nullable(z.string()),
  campaign: z.nullable(campaign),
  /** Kind of the email or of the request to leave. */
  kind: z.nullable(z.string()),
  since: z.nullable(instant),
  failures: z.number(),
  /** Contains no names and no addresses. */
  lastError: z.nullable(z.string()),
  /** The next automatic retry; null: there is none. */
  nextAt: z.nullable(instant),
  /** Meta's rate limit ends then. */
  blockedUntil: z.nullable(instant),
});
export type Problem = z.output<typeof problem>;

export const problems = z.object({
  /** Widest impact first; at most `PAGE_SIZE` of each part. */
  problems: z.array(problem),
  /** Metrics count all of them. */
  hasMore: z.boolean(),
});
export type Problems = z.output<typeof problems>;

export const retryBody = z.object({ part: z.enum(RETRIED_PARTS), id: rowId });
export type RetryBody = z.output<typeof retryBody>;

export const retried = z.object({
  isDue: z.boolean(),
  /** Meta's rate limit prevents the retry until then. */
  blockedUntil: z.nullable(instant),
});
export type Retried = z.output<typeof retried>;
