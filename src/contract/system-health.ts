import * as z from 'zod/mini';
import { instant } from './shapes.ts';

const part = {
  needsAttention: z.boolean(),
  /** The oldest of what is counted; null: there is none, or its time is not known. */
  oldest: z.nullable(instant),
};

/** The parts that can fail, with the numbers of the metrics. Every part retries by itself. */
export const systemHealth = z.object({
  statusPage: z.object({
    needsAttention: z.boolean(),
    /** When the page was last read; null: never. */
    readAt: z.nullable(instant),
    /** What could not be read; null: nothing. */
    trouble: z.nullable(z.string()),
    /** The watched services that were not found or not understood. */
    missing: z.array(z.string()),
  }),
  /** Ad accounts that are due and that no worker has begun. */
  queue: z.object({ ...part, due: z.number() }),
  /** Ad accounts whose last read or write failed. */
  accounts: z.object({ ...part, failing: z.number() }),
  holds: z.object({
    ...part,
    pausing: z.number(),
    paused: z.number(),
    resuming: z.number(),
    notResumable: z.number(),
  }),
  /** Writes that Meta has not confirmed for a minute. */
  writes: z.object({ ...part, unconfirmed: z.number() }),
  /** Waiting, of these those that were refused before, and those that were abandoned in the last day. */
  emails: z.object({ ...part, waiting: z.number(), retried: z.number(), failed: z.number() }),
  tokens: z.object({ ...part, refused: z.number(), undecryptable: z.number() }),
  /** Users who are deauthorizing or deleting their account. */
  leaving: z.object({ ...part, users: z.number(), failing: z.number() }),
  /** Subscriptions that could not be read from Stripe. */
  subscriptions: z.object({ ...part, failing: z.number() }),
});
export type SystemHealth = z.output<typeof systemHealth>;
