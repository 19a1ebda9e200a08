import * as z from 'zod/mini';
import { SMART_PAUSE_SETTINGS } from '#core/campaign.ts';
import { ACCESS_STATES } from '#core/platform-access.ts';
import { DEFAULT_DELAY, DEFAULT_RESUME, DEFAULT_THRESHOLD, DELAY_MAX, DELAY_UNITS } from '#core/settings.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { PLAN_TYPES, SUBSCRIPTION_STATUSES } from '#core/billing/subscription.ts';

/** Ids of the ad platform are digits of no promised length; they are never numbers here. */
export const campaignId = z.string().check(z.regex(/^\d{1,32}$/, 'a campaign id is a row of digits'));
export const adAccountId = z
  .string()
  .check(z.regex(/^act_\d{1,32}$/, "an ad account id looks like 'act_123'"));

const delay = z.object({ value: z.int().check(z.minimum(1)), unit: z.enum(DELAY_UNITS) }).check(
  z.refine(({ value, unit }) => value <= DELAY_MAX[unit], {
    message: `at most ${DELAY_MAX.minutes} minutes, ${DELAY_MAX.hours} hours or ${DELAY_MAX.days} days`,
    path: ['value'],
  }),
);

/** 'next-day' is another spelling of 'next_day' in the specification; both are taken, one is sent. */
export const resumeSettings = z.pipe(
  z.transform((input) =>
    isObject(input) && input['mode'] === 'next-day' ? { ...input, mode: 'next_day' } : input,
  ),
  z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('instant') }),
    z.object({ mode: z.literal('next_day') }),
    z.object({ mode: z.literal('delay'), delay: z._default(delay, DEFAULT_DELAY) }),
  ]),
);

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export const settingsBody = z.object({
  resumeSettings,
  outageThreshold: z.enum(THRESHOLDS),
  email: z.email().check(z.maxLength(254)),
});
export type SettingsBody = z.output<typeof settingsBody>;

/** Our server sends UTC; any other time that `new Date` understands is read as the same instant in UTC. */
export const instant = z.pipe(
  z.transform((input) => {
    if (typeof input !== 'string' && typeof input !== 'number') return input;
    // Seconds, unless they would lie millennia ahead.
    const date = new Date(typeof input === 'number' && Math.abs(input) < 1e11 ? input * 1000 : input);
    return Number.isNaN(date.getTime()) ? input : date.toISOString();
  }),
  z.iso.datetime(),
);

/** An id is text here, also when a server sends it as a number. */
export const id = z.pipe(
  z.transform((input) => (typeof input === 'number' ? String(input) : input)),
  z.string(),
);
/** Why Meta does not do or tell what it is asked for. */
const SILENCES = ['no_answer', 'limit'] as const;

// A server that answers only the fields of the specification leaves the others out: they are optional, or have a default.

export const user = z.object({
  name: z.string(),
  isInitialized: z.boolean(),
  roles: z._default(z.array(z.string()), []),
  /** How good Meta's permission still is: with 'stale' and 'expired' the person should log in again. */
  access: z._default(z.enum(ACCESS_STATES), 'ok'),
  /** What was asked for and is not finished yet: until then SmartPause does nothing new. */
  leaving: z._default(z.nullable(z.enum(['deauthorize', 'delete'])), null),
});
export type User = z.output<typeof user>;

/** The user, or an object with the user in it. */
export const me = z.pipe(
  z.transform((input) => (isObject(input) && !('user' in input) ? { user: input } : input)),
  z.object({ user }),
);

/** Only `status` and `message` are in the specification: the page works without the rest. */
export const platformStatus = z.object({
  success: z.optional(z.boolean()),
  status: z.enum(LEVELS),
  message: z.string(),
  /** What the platform's status page says of the status, word for word. */
  quote: z.optional(z.string()),
  /** When the platform's status page was last read, and since when it has been like this. */
  checkedAt: z.optional(z.nullable(instant)),
  since: z.optional(z.nullable(instant)),
  /** An administrator has set it, whatever Meta says; left out while nobody has. */
  isOverridden: z.optional(z.boolean()),
});
export type PlatformStatus = z.output<typeof platformStatus>;

/** As they are read: a delay without a valid value is the default (SET-04). */
const shownResumeSettings = z.pipe(
  z.transform((input): unknown => {
    if (input === null || input === undefined) return DEFAULT_RESUME;
    const isDelay = isObject(input) && input['mode'] === 'delay';
    return isDelay && !delay.safeParse(input['delay']).success ? { ...input, delay: DEFAULT_DELAY } : input;
  }),
  resumeSettings,
);

export const userStatus = z.object({
  resumeSettings: shownResumeSettings,
  outageThreshold: z.pipe(
    z.transform((input) => input ?? DEFAULT_THRESHOLD),
    z.enum(THRESHOLDS),
  ),
  email: z._default(z.nullable(z.string()), null),
  /** When everything held for this person is to be resumed; null while matched or when nothing is held. */
  resumeAt: z._default(z.nullable(instant), null),
  /** While matched: campaigns that are to be paused and, as far as is known, still run; left out: there is none. */
  notYetPaused: z.optional(z.object({ count: z.number(), because: z.nullable(z.enum(SILENCES)) })),
});
export type UserStatus = z.output<typeof userStatus>;

/** An account without a name is called by its id. */
export const adAccount = z.pipe(
  z.transform((input) =>
    isObject(input) && (input['name'] ?? '') === '' ? { ...input, name: input['id'] } : input,
  ),
  z.object({ id, name: id, currency: z.optional(z.string()) }),
);
export type AdAccount = z.output<typeof adAccount>;

export const smartPauseSetting = z.pipe(
  z.transform((input) => (typeof input === 'string' ? input.toUpperCase() : input)),
  z.enum(SMART_PAUSE_SETTINGS),
);

/** What is shown is the last that Meta told us, and from then: it does not tell us anything newer. */
export const lastKnown = z.object({
  at: instant,
  because: z.enum(SILENCES),
});
export type LastKnown = z.output<typeof lastKnown>;

export const campaign = z.object({
  id,
  name: z.string(),
  status: z.string(),
  objective: z._default(z.string(), ''),
  smartPauseSetting,
  /** Per day in the minor unit of the account's currency; null when the budget is kept elsewhere. */
  dailyBudget: z.optional(z.nullable(z.number())),
  /** Whether SmartPause paused it and will resume it; left out: not known. */
  held: z.optional(z.boolean()),
  /** A legacy Advantage+ campaign: Meta refuses changes to it through its API. Left out: it can be changed. */
  isLegacyAdvantage: z.optional(z.boolean()),
});
export type Campaign = z.output<typeof campaign>;

/** A status that is not in the list is read as 'unknown' (SET-08). */
const subscriptionStatus = z.pipe(
  z.transform((input) =>
    typeof input === 'string' && !SUBSCRIPTION_STATUSES.some((known) => known === input) ? 'unknown' : input,
  ),
  z.enum(SUBSCRIPTION_STATUSES),
);

export const subscription = z.object({
  status: subscriptionStatus,
  planType: z.enum(PLAN_TYPES),
  currentPeriodEnd: instant,
  /** When it was cancelled; it may run on until currentPeriodEnd. */
  canceledAt: z._default(z.nullable(instant), null),
  trialEnd: z._default(z.nullable(instant), null),
  /** Whether it is charged again at the period's end; an admin grant is not. Left out: not known. */
  renews: z.nullish(z.boolean()),
});
export type Subscription = z.output<typeof subscription>;

export const subscriptionState = z.object({
  hasActiveSubscription: z.boolean(),
  /** Null: there never was one. */
  subscription: z._default(z.nullable(subscription), null),
  /** Whether a new subscription would begin with a free trial: once per person. */
  isTrialAvailable: z.nullish(z.boolean()),
  /** Whether there is anything to manage in the billing portal. */
  hasPortal: z.nullish(z.boolean()),
});
export type SubscriptionState = z.output<typeof subscriptionState>;

export const checkoutBody = z.object({ planType: z.enum(PLAN_TYPES) });

/** What must be typed to delete an account. */
export const DELETION_PHRASE = 'DELETE MY ACCOUNT';
/** The phrase may be left out by programs; where it is sent it must be exact. */
export const deletionBody = z.optional(
  z.object({ confirmation: z.optional(z.literal(DELETION_PHRASE, `type exactly ${DELETION_PHRASE}`)) }),
);

/**
 * The response to an action. The specification does not show it: each one is a success, except with `success: false`.
 * @param shape what our own server sends besides `success`; each field must have a fallback
 */
export function doneWith<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.pipe(
    z.transform((input): Record<string, unknown> => {
      const fields = isObject(input) ? input : {};
      return { ...fields, success: fields['success'] !== false };
    }),
    z.object({ success: z.literal(true), ...shape }),
  );
}

export const sessionId = z.string().check(z.regex(/^\d{1,18}$/, 'a session id is a row of digits'));
export const sessionEntry = z.object({
  id: z.string(),
  device: z.string(),
  startedAt: instant,
  /** Exact to five minutes. */
  lastUsedAt: instant,
  expiresAt: instant,
  isCurrent: z.boolean(),
});
export type SessionEntry = z.output<typeof sessionEntry>;

export const deletionCode = z
  .string()
  .check(z.regex(/^[0-9A-Z]{20}$/, 'a confirmation code has 20 letters and digits'));
export const deletionStatus = z.object({
  confirmationCode: z.string(),
  requestedAt: instant,
  /** Null: it is under way, or was superseded. */
  finishedAt: z.nullable(instant),
  /** The person had logged in again after asking for it, so nothing was deleted. */
  isSuperseded: z.boolean(),
});
export type DeletionStatus = z.output<typeof deletionStatus>;
