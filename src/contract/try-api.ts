import * as z from 'zod/mini';
import { NO_DELIVERY } from '#core/account-delivery.ts';
import { DRY_RUN_REASONS } from '#core/outages/reasons.ts';
import { callsFor } from './endpoint.ts';
import { ifKnown, orNull } from './known.ts';
import { campaignId, done, instant, spend } from './shapes.ts';

const { get, post } = callsFor('user');

const named = z.object({ id: z.string(), name: z.string() });

const undeliveredOne = z.object({
  id: z.string(),
  name: z.string(),
  /** When a campaign ended or starts; absent: it is not for that reason. */
  at: z.optional(instant),
});

export const LIVE_TEST_STATES = ['pausing', 'paused', 'resuming', 'resumed', 'kept', 'ended'] as const;

const liveTest = z.object({
  id: z.string(),
  campaign: named,
  adAccount: named,
  /**
   * `kept`: an outage has kept the pause. `ended`: it ended otherwise, see `reason`. Null: the page does not know it yet.
   */
  state: orNull(z.enum(LIVE_TEST_STATES)),
  startedAt: instant,
  /** When SmartPause resumes it; null: kept by an outage. */
  until: z.nullable(instant),
  pausedAt: z.nullable(instant),
  resumedAt: z.nullable(instant),
  /** How it ended otherwise than by its resume; null: it did not. */
  reason: z.nullable(z.string()),
  /** Meta refuses the resume, in these words, and it is tried again then. Absent: no. */
  refused: z.optional(z.object({ words: z.nullable(z.string()), retryAt: z.nullable(instant) })),
});
export type LiveTest = z.output<typeof liveTest>;

const UNREAD_BECAUSE = ['limit', 'app_limit', 'suspended'] as const;
export type UnreadBecause = (typeof UNREAD_BECAUSE)[number];

const dryRunAccount = z.object({
  id: z.string(),
  name: z.string(),
  /** When Meta was asked for its campaigns; null: never. */
  readAt: z.nullable(instant),
  /** Its campaigns could not be read now: they are as of `readAt`. */
  isUnread: z.boolean(),
  /** Why they were not asked for: a limit of the ad account, or Meta's word against our app. Absent: Meta was asked. */
  unreadBecause: ifKnown(z.enum(UNREAD_BECAUSE)),
  /** Why Meta delivers nothing there, so that `paused` saves nothing; absent: it delivers, or it is not known. */
  noDelivery: ifKnown(z.enum(NO_DELIVERY)),
  currency: z.optional(z.string()),
  /** Those of `notPaused` that run and would run on; absent: the server does not say. */
  spending: z.optional(spend),
  /** Highest budget first. */
  paused: z.array(named),
  /** One group per reason. */
  notPaused: z.array(
    z.object({ reason: orNull(z.enum(DRY_RUN_REASONS)), campaigns: z.array(undeliveredOne) }),
  ),
});
export type DryRunAccount = z.output<typeof dryRunAccount>;

/** Trying SmartPause without an outage. A part of its own, which only the pages that use it load. */
export const tryApi = {
  /** Which campaigns would be paused if Meta's status met the threshold now; changes nothing. */
  dryRun: get('/api/dry-run', { reply: z.object({ at: instant, accounts: z.array(dryRunAccount) }) }),
  /** The newest live test. */
  liveTest: get('/api/live-test', { reply: z.object({ test: orNull(liveTest) }) }),
  startLiveTest: post('/api/campaigns/{id}/live-test', {
    params: z.object({ id: campaignId }),
    reply: z.extend(done, { test: orNull(liveTest) }),
  }),
  /** Resumes the campaign of the running test now. */
  endLiveTest: post('/api/live-test/end', { reply: z.extend(done, { test: orNull(liveTest) }) }),
};
