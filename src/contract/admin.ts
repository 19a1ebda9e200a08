import * as z from 'zod/mini';
import { HOLD_STATES } from '#core/smartpause/hold.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { OUTLOOKS } from '#core/smartpause/outlook.ts';
import { RETRIED_PARTS, STUCK_PARTS } from './failing.ts';
import { instant } from './shapes.ts';

/** So many entries make a page of a long list. */
export const PAGE_SIZE = 50;
/** Beyond so many it is not counted any further. */
export const COUNTED_MAX = 10_000;
export const SEARCH_MAX = 100;

/** Names one row, or where a page ended: ids of ours and of the ad platform, with nothing else in them. */
const rowId = z.string().check(z.regex(/^(act_)?\d{1,32}$/, 'an id is a row of digits'));
const ownId = z.string().check(z.regex(/^\d{1,18}$/, 'a place in the list is a row of digits'));
// The database knows no zero byte.
const search = z
  .string()
  .check(z.maxLength(SEARCH_MAX), z.regex(/^[^\0]*$/, 'a name has no zero byte in it'));

const who = z.object({ id: z.string(), name: z.string() });
/** The name is null where we have forgotten the campaign. */
const which = z.object({ id: z.string(), name: z.nullable(z.string()) });

export const HELD_STATES = [...HOLD_STATES, 'in_doubt'] as const;
export type HeldState = (typeof HELD_STATES)[number];
export const HELD_ORDERS = ['newest', 'oldest'] as const;

export const heldQuery = z.object({
  /** A part of the name, or an id of ours or Meta's. */
  person: z.optional(search),
  /** A part of the name, or the id of a campaign or an ad account. */
  campaign: z.optional(search),
  state: z.optional(z.enum(HELD_STATES)),
  order: z.optional(z.enum(HELD_ORDERS)),
  after: z.optional(ownId),
});
export type HeldQuery = z.output<typeof heldQuery>;

export const heldEntry = z.object({
  id: z.string(),
  person: who,
  campaign: which,
  accountId: z.string(),
  state: z.enum(HOLD_STATES),
  /** When it was known to be paused, or else when that was decided. */
  since: instant,
  /** For which level, which met which threshold of then. */
  why: z.object({ level: z.nullable(z.enum(LEVELS)), threshold: z.enum(THRESHOLDS) }),
  /** A write of ours has not been answered. */
  inDoubt: z.boolean(),
  outlook: z.object({
    kind: z.enum(OUTLOOKS),
    /** When that is, or is over; null: it depends on something else. */
    at: z.nullable(instant),
  }),
  /** Whether the subscription allows that something new is paused; what is held is resumed without it, too. */
  isProtected: z.boolean(),
  lastError: z.nullable(z.string()),
});
export type HeldEntry = z.output<typeof heldEntry>;

export const heldPage = z.object({
  held: z.array(heldEntry),
  /** Where the next page begins; null: this is the last. It may bring nothing, where names are looked for among very many. */
  next: z.nullable(z.string()),
  /** So many people have such a name that only the first of them were looked at. */
  hasMorePeople: z.boolean(),
});
export type HeldPage = z.output<typeof heldPage>;

export const stuckParams = z.object({ part: z.enum(STUCK_PARTS) });
export const stuckQuery = z.object({ after: z.optional(rowId) });

export const stuckEntry = z.object({
  /** Of the ad account, the hold, the mail or the person: by it this one is tried again. */
  id: z.string(),
  /** Whom it concerns; of an ad account the first few who have it. */
  people: z.array(who),
  accountId: z.nullable(z.string()),
  campaign: z.nullable(which),
  /** The kind of a mail or of leaving. */
  kind: z.nullable(z.string()),
  since: z.nullable(instant),
  failures: z.number(),
  lastError: z.nullable(z.string()),
  /** When it comes round by itself; null: not any more. */
  nextAt: z.nullable(instant),
  /** Meta's limit: until then it is left alone. */
  blockedUntil: z.nullable(instant),
  /** The process that took it, and has not given it back in time. */
  silentWorker: z.nullable(z.string()),
});
export type StuckEntry = z.output<typeof stuckEntry>;

export const stuckPage = z.object({ stuck: z.array(stuckEntry), next: z.nullable(z.string()) });
export type StuckPage = z.output<typeof stuckPage>;

export const retryBody = z.object({
  part: z.enum(RETRIED_PARTS),
  /** Left out: all of that part. */
  id: z.optional(rowId),
});
export type RetryBody = z.output<typeof retryBody>;

export const retried = z.object({
  /** How many are due now. */
  count: z.number(),
  /** How many Meta's limit keeps from that, and until when the first of them. */
  blocked: z.number(),
  blockedUntil: z.nullable(instant),
});
export type Retried = z.output<typeof retried>;

/** What the status page said of one watched service. */
const serviceAnswer = z.object({
  service: z.string(),
  /** Null: not understood. */
  level: z.nullable(z.enum(LEVELS)),
  /** In the page's own words, the service's line first. */
  said: z.array(z.string()),
});

export const statusHistory = z.object({
  /** Of the process that reads the page; null: none does. */
  reader: z.nullable(z.string()),
  /** The newest first; readings that brought the same one after the other are one. */
  answers: z.array(
    z.object({
      id: z.string(),
      firstAt: instant,
      lastAt: instant,
      times: z.number(),
      level: z.enum(LEVELS),
      message: z.string(),
      services: z.array(serviceAnswer),
      /** What could not be had of the page; null: nothing. */
      trouble: z.nullable(z.string()),
      tookMs: z.number(),
      longestMs: z.number(),
    }),
  ),
  /** The newest first. */
  changes: z.array(
    z.object({
      id: z.string(),
      at: instant,
      trueLevel: z.enum(LEVELS),
      directive: z.nullable(z.string()),
      effective: z.enum(LEVELS),
      known: z.enum(LEVELS),
      message: z.string(),
    }),
  ),
});
export type StatusHistory = z.output<typeof statusHistory>;

/** Counted up to `COUNTED_MAX`: one more than that means 'more'. */
const count = z.number();
const line = z.object({ count, oldestAt: z.nullable(instant) });

export const queueState = z.object({
  /** Ad accounts that could be worked on now. */
  due: line,
  /** By process; `until`: when the first of its leases ends. */
  workers: z.array(z.object({ name: z.string(), count, until: instant })),
  /** To be looked at later, and when the next ones are. */
  waiting: z.object({ count, next: z.array(z.object({ accountId: z.string(), at: instant })) }),
  /** Due, and left alone since Meta's limit is used up. */
  blocked: z.object({ count, until: z.nullable(instant) }),
  mails: z.object({
    /** Acts may still join these. */
    open: line,
    due: line,
    /** For their next try. */
    waiting: line,
    beingSent: line,
  }),
  jobs: z.array(
    z.object({ job: z.string(), due: count, oldestAt: z.nullable(instant), nextAt: z.nullable(instant) }),
  ),
});
export type QueueState = z.output<typeof queueState>;
