import * as z from 'zod/mini';
import { NO_DELIVERY } from '#core/account-delivery.ts';
import { SMART_PAUSE_SETTINGS, UNDELIVERED } from '#core/campaign.ts';
import { UNREACHED } from '#core/confirmation.ts';
import { ACCESS_STATES } from '#core/platform-access.ts';
import {
  DAY_ZONES,
  DEFAULT_DELAY,
  DEFAULT_RESUME,
  DEFAULT_THRESHOLD,
  DELAY_MAX,
  DELAY_UNITS,
  EARLY_WARNING_CHOICES,
} from '#core/settings.ts';
import { NOT_PROTECTED } from '#core/outages/reasons.ts';
import { KNOWN_LEVELS, LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { LEAVING_OBSTACLES, RESUME_DELAYS } from '#core/smartpause/resume-delay.ts';
import { PLAN_TYPES, SUBSCRIPTION_STATUSES } from '#core/billing/subscription.ts';
import { ifKnown, orNull } from './known.ts';

/** Platform ids are digit strings without a guaranteed length; never convert them to numbers. */
export const campaignId = z.string().check(z.regex(/^\d{1,32}$/, 'a campaign id is a row of digits'));
export const adAccountId = z
  .string()
  .check(z.regex(/^act_\d{1,32}$/, "an ad account id looks like 'act_123'"));

/** PostgreSQL stores no character 0. */
export const storedText = (max: number) =>
  z.string().check(z.maxLength(max), z.regex(/^[^\0]*$/, 'no character 0'));

const delay = z.object({ value: z.int().check(z.minimum(1)), unit: z.enum(DELAY_UNITS) }).check(
  z.refine(({ value, unit }) => value <= DELAY_MAX[unit], {
    message: `at most ${DELAY_MAX.minutes} minutes, ${DELAY_MAX.hours} hours or ${DELAY_MAX.days} days`,
    path: ['value'],
  }),
);

export const resumeSettings = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('instant') }),
  z.object({
    mode: z.literal('next_day'),
    /** Whose midnight; absent: New York's. Capability `account_day`. */
    zone: z.optional(z.enum(DAY_ZONES)),
  }),
  z.object({ mode: z.literal('delay'), delay: z._default(delay, DEFAULT_DELAY) }),
]);

/** Clients may spell 'next_day' as 'next-day'. */
const writtenResumeSettings = z.pipe(
  z.transform((sent: unknown) => (isNextDay(sent) ? { ...(sent as object), mode: 'next_day' } : sent)),
  resumeSettings,
);
const isNextDay = (sent: unknown) => (sent as { mode?: unknown } | null)?.mode === 'next-day';

export const settingsBody = z.object({
  resumeSettings: writtenResumeSettings,
  outageThreshold: z.enum(THRESHOLDS),
  email: z.email().check(z.maxLength(254)),
  /** Turns SmartPause on for campaigns that are new in an ad account; absent: stays as it is. */
  onForNewCampaigns: z.optional(z.boolean()),
  /** Emails a summary of each month; absent: stays as it is. */
  monthlySummary: z.optional(z.boolean()),
  /** What an early warning does; absent: stays as it is. */
  earlyWarning: z.optional(z.enum(EARLY_WARNING_CHOICES)),
});
export type SettingsBody = z.output<typeof settingsBody>;

/** Sent in UTC. Services return milliseconds; another server may send seconds or a time with an offset. */
export const instant = z.pipe(
  z.transform((input) => {
    if (typeof input !== 'string' && typeof input !== 'number') return input;
    // Small numbers are seconds, large ones are milliseconds.
    const date = new Date(typeof input === 'number' && Math.abs(input) < 1e11 ? input * 1000 : input);
    return Number.isNaN(date.getTime()) ? input : date.toISOString();
  }),
  z.iso.datetime(),
);

/** Why Meta does not provide the requested data or change; `app_limit`: SmartPause's own limit is reached, or nearly. */
const SILENCES = ['no_answer', 'limit', 'app_limit'] as const;

/** Features of our server beyond the specification. The page hides a feature that the server does not name. */
export const CAPABILITIES = [
  'account_day',
  'activity',
  'activity_log',
  'campaign_changes',
  'destinations',
  'early_warning',
  'evidence',
  'pause_all',
  'read_campaign',
  'replay',
  'sessions',
  'test_run',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

// A server that follows only the specification omits the other fields: they are optional or have a default.

export const user = z.object({
  name: z.string(),
  isInitialized: z.boolean(),
  roles: z._default(z.array(z.string()), []),
  /** State of Meta's permission; with 'stale' and 'expired' the user should log in again. */
  access: z._default(z.catch(z.enum(ACCESS_STATES), 'ok'), 'ok'),
  /** The permission of Meta that SmartPause lacks, such as 'ads_management'; then `access` is 'expired'. */
  missingPermission: z.optional(z.string()),
  /** A pending request to leave: until it is completed, SmartPause starts nothing new. */
  leaving: z._default(orNull(z.enum(['deauthorize', 'delete'])), null),
  /** Names of `CAPABILITIES`; a newer server may send others. */
  capabilities: z._default(z.array(z.string()), []),
});
export type User = z.output<typeof user>;

/** SmartPause's own suspicion, apart from Meta's words. */
export const warning = z.object({
  since: instant,
  /** It pauses campaigns of those who want that; otherwise it notifies. */
  pauses: z.boolean(),
  /** Full sentences: which calls fail, for how many businesses, since when, and what the delivery shows. */
  evidence: z.string(),
});
export type Warning = z.output<typeof warning>;

/** Only `status` and `message` are in the specification: the page works without the rest. */
export const platformStatus = z.object({
  success: z.optional(z.boolean()),
  status: z.catch(z.enum(LEVELS), 'UNKNOWN'),
  message: z.string(),
  /** Verbatim text of the platform's status page. */
  quote: z.optional(z.string()),
  /** When the status page was last read, and since when the status is unchanged. */
  checkedAt: z.optional(z.nullable(instant)),
  since: z.optional(z.nullable(instant)),
  /** An admin override is active; absent: none. */
  isOverridden: z.optional(z.boolean()),
  /** In a disruption: the services above UP on Meta's page; absent: not known, or an override. */
  down: ifKnown(z.array(z.object({ name: z.string(), level: z.enum(KNOWN_LEVELS) }))),
  /** Since when the status is at this level or a worse one, or the override was set; absent: not known. */
  downSince: z.optional(instant),
  /** An outage is suspected before Meta's page says so; absent: none is, or early warnings are only recorded. */
  warning: ifKnown(warning),
});
export type PlatformStatus = z.output<typeof platformStatus>;

export const spend = z.object({ count: z.number(), budget: z.number(), unknownBudgets: z.number() });

const heldAccount = z.object({
  id: z.string(),
  name: z.string(),
  count: z.number(),
  /** When they are due; absent: at the user's `resumeAt`. */
  resumeAt: z.optional(instant),
  /** What delays the scheduled resume; absent: nothing is known to delay it. */
  delayedBy: ifKnown(z.enum(RESUME_DELAYS)),
  /** What keeps them paused if the user leaves now; absent: nothing is known to. */
  leavingObstacle: ifKnown(z.enum(LEAVING_OBSTACLES)),
  /** Those that another tool has off, and when the last of them is resumed at the latest; absent: none. */
  postponed: z.optional(z.object({ count: z.number(), until: instant })),
  currency: z.optional(z.string()),
  /** Such as 'Europe/Berlin'; absent: not known. */
  timeZone: z.optional(z.string()),
  /** Of their daily budgets; absent: unknown. */
  spend: z.optional(spend),
  /** Meta delivers nothing there, so they count neither as protected nor as saved; absent: it does, or it is not known. */
  deliversNothing: z.optional(z.literal(true)),
});
export type HeldAccount = z.output<typeof heldAccount>;

const coverage = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.optional(z.string()),
  /** Such as 'Europe/Berlin'; absent: not known. */
  timeZone: z.optional(z.string()),
  isUnread: z.optional(z.literal(true)),
  protected: spend,
  open: spend,
  blocked: spend,
  resumed: z.optional(spend),
  checking: z.optional(spend),
});

export const userStatus = z.object({
  /** Null, of both: the page does not know it yet. A default would be saved over the user's choice. */
  resumeSettings: z._default(orNull(resumeSettings), DEFAULT_RESUME),
  outageThreshold: z._default(orNull(z.enum(THRESHOLDS)), DEFAULT_THRESHOLD),
  email: z._default(z.nullable(z.string()), null),
  /**
   * Why emails may not arrive there, and when the last link was asked for, or since when it is refused. Absent: none is known.
   * `former`: the confirmed address that gets every email besides, until the new one is confirmed.
   */
  unreached: ifKnown(
    z.object({ why: z.enum(UNREACHED), at: z.nullable(instant), former: z.optional(z.string()) }),
  ),
  /** Whether SmartPause turns on for new campaigns; absent: the server has no such setting. */
  onForNewCampaigns: z.optional(z.boolean()),
  /** Whether a summary of each month is emailed; absent: the server sends none. */
  monthlySummary: z.optional(z.boolean()),
  /** What an early warning does for this user; absent: the server has none. */
  earlyWarning: ifKnown(z.enum(EARLY_WARNING_CHOICES)),
  /** Whether they do that at all; false: they are only recorded. */
  earlyWarningsAct: z.optional(z.boolean()),
  /** When the first holds of this user are due; null while matched or without holds. */
  resumeAt: z._default(z.nullable(instant), null),
  /** Whether the user has ever turned SmartPause on or off for a campaign; absent: unknown. */
  hasChosenCampaigns: z.optional(z.boolean()),
  /** A live test has paused and resumed a campaign; absent: none has, or unknown. */
  hasTested: z.optional(z.literal(true)),
  /** While matched: campaigns that should be paused but, as far as known, still run; absent: none. */
  notYetPaused: z.optional(z.object({ count: z.number(), because: orNull(z.enum(SILENCES)) })),
  /** While matched: running campaigns whose pause Meta refused for good; absent: none. */
  pauseRefused: z.optional(z.number()),
  /** Campaigns that SmartPause has paused for this user; absent: unknown. */
  heldCampaigns: z.optional(z.number()),
  /** Their ad accounts, most campaigns first; absent: unknown. */
  heldAccounts: z.optional(z.array(heldAccount)),
  /** Ad accounts with campaigns that have `refused` or `notResumed`; absent: none, or unknown. */
  refusingAccounts: z.optional(z.array(z.string())),
  /** Campaigns whose resume Meta refused for good; absent: none, or unknown. */
  notResumed: z.optional(z.number()),
  /** While matched: campaigns with SmartPause on that are running or held; absent: unknown. */
  protectedRunning: z.optional(z.number()),
  /** The running campaigns by ad account (`Coverage` in the core); absent: unknown. */
  coverage: z.optional(z.array(coverage)),
  /** The user has chosen 'Pause all now', and how many campaigns it keeps paused. Absent: no, or not known. */
  pausedAll: ifKnown(z.object({ since: instant, until: z.nullable(instant), campaigns: z.number() })),
  /** How many campaigns an early warning has paused, and no disruption on Meta's page. Absent: none, or unknown. */
  pausedEarly: z.optional(z.number()),
  /** Meta refuses SmartPause itself: nothing can be paused or resumed for anyone. Absent: not known to be so. */
  isSuspended: z.optional(z.literal(true)),
});
export type UserStatus = z.output<typeof userStatus>;

export const adAccount = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.optional(z.string()),
  /** Campaigns with SmartPause on, also where it cannot pause them, but none without delivery; absent: unknown. */
  protectedCampaigns: z.optional(z.number()),
  /** Why SmartPause cannot pause campaigns there; absent: not known to be so. */
  notProtected: ifKnown(z.enum(NOT_PROTECTED)),
  /** Why Meta delivers nothing there; absent: it delivers, or it is not known. */
  noDelivery: ifKnown(z.enum(NO_DELIVERY)),
});
export type AdAccount = z.output<typeof adAccount>;

/** The data is from Meta's last response at this time; newer data is not available. */
export const lastKnown = z.object({
  at: instant,
  because: orNull(z.enum([...SILENCES, 'no_access'])),
});
export type LastKnown = z.output<typeof lastKnown>;

export const campaign = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  objective: z._default(z.string(), ''),
  /** Always sent; absent: the page does not know it yet. */
  smartPauseSetting: ifKnown(z.enum(SMART_PAUSE_SETTINGS)),
  /** Per day, in the minor unit of the account's currency; null: the budget is kept elsewhere. */
  dailyBudget: z.optional(z.nullable(z.number())),
  /** Whether SmartPause paused it and will resume it; absent: unknown. */
  held: z.optional(z.boolean()),
  /** When SmartPause paused it. Absent: it is not held, or unknown. */
  heldSince: z.optional(instant),
  /** The user's own word has paused it: 'Pause all now'. Absent: not known to be so. */
  isPausedAll: z.optional(z.boolean()),
  /** An early warning has paused it, and no disruption on Meta's page. Absent: not known to be so. */
  isPausedEarly: z.optional(z.boolean()),
  /** SmartPause paused it for another user and will resume it. Absent: not known to be so. */
  heldByOther: z.optional(z.boolean()),
  /** The user's own pause or resume, which Meta has not confirmed yet. Absent: none. */
  pendingStatus: ifKnown(z.enum(['ACTIVE', 'PAUSED'])),
  /** A legacy Advantage+ campaign: Meta's API refuses changes to it. Absent: it can be changed. */
  isLegacyAdvantage: z.optional(z.boolean()),
  /** Meta does not deliver it now: since when, or until when. Absent: not known to be so. */
  undelivered: ifKnown(z.object({ why: z.enum(UNDELIVERED), at: instant })),
  /** A live test of the user: SmartPause resumes it then. Absent: none runs. */
  testUntil: z.optional(instant),
  /** It is held, Meta shows it running, and its activity log names no change after our pause. Absent: no. */
  isBeingChecked: z.optional(z.boolean()),
  /** When another tool has it off, in the ad account's time zone, such as 'Europe/Berlin'. Absent: not known to be so. */
  otherSchedule: z.optional(z.object({ text: z.string(), timeZone: z.string() })),
  /** Another tool has it off at this time: SmartPause resumes it then, if the tool has not. Absent: no. */
  postponedUntil: z.optional(instant),
  /** With SmartPause on: why it stays on in this match. Absent: it does not, or unknown. */
  leftOn: ifKnown(z.enum(['resumed_now', 'resumed_by_schedule', 'pause_refused'])),
  /** It stays paused: Meta refused its resume for good then, in these words; null: without any. Absent: no. */
  notResumed: ifKnown(z.object({ words: z.nullable(z.string()), at: instant })),
  /** Meta refuses our pause or resume, which is tried again then. Absent: no. */
  refused: ifKnown(
    z.object({
      action: z.enum(['pause', 'resume']),
      /** Meta's; null: it refuses all changes until the user confirms the account in Ads Manager. */
      words: z.nullable(z.string()),
      retryAt: z.nullable(instant),
      /** It refuses all changes in the ad account, not this one. Absent: not known to be so. */
      isBlocked: z.optional(z.boolean()),
    }),
  ),
});
export type Campaign = z.output<typeof campaign>;

/**
 * SmartPause on or off, a manual action, or the end of our pause, with SmartPause on (UX-20) or off. Campaigns that are
 * not held are only turned off.
 */
export const CAMPAIGN_ACTIONS = ['on', 'off', 'off_and_resume', 'pause', 'resume', 'resume_now'] as const;
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number];

/** One request of the user for several campaigns. The server finishes it, whatever happens to the page. */
export const campaignChange = z.object({
  id: z.string(),
  action: ifKnown(z.enum(CAMPAIGN_ACTIONS)),
  startedAt: instant,
  /** Null: some campaigns are pending. */
  endedAt: z.nullable(instant),
  total: z.number(),
  done: z.array(z.string()),
  pending: z.number(),
  /** With an error code and its message. A resume that Meta refuses is tried again all the same. */
  failed: z.array(z.object({ campaignId: z.string(), code: z.string(), message: z.string() })),
});
export type CampaignChange = z.output<typeof campaignChange>;

export const subscription = z.object({
  /** Any other status is 'unknown' (SET-08). */
  status: z.catch(z.enum(SUBSCRIPTION_STATUSES), 'unknown'),
  /** Null: the page does not know it yet. */
  planType: orNull(z.enum(PLAN_TYPES)),
  currentPeriodEnd: instant,
  /** When it was cancelled; it may run until currentPeriodEnd. */
  canceledAt: z._default(z.nullable(instant), null),
  trialEnd: z._default(z.nullable(instant), null),
  /** Whether it renews at the end of the period; an admin grant does not. Absent: unknown. */
  renews: z.nullish(z.boolean()),
  /** Stripe collects no payments for now; the status is 'unknown'. */
  isPaused: z.nullish(z.boolean()),
  /** Stripe's page of an open invoice. */
  openInvoiceUrl: z.optional(orNull(z.url({ protocol: /^https?$/ }))),
});
export type Subscription = z.output<typeof subscription>;

export const subscriptionState = z.object({
  hasActiveSubscription: z.boolean(),
  /** Null: there never was one. */
  subscription: z._default(z.nullable(subscription), null),
  /** Whether a new subscription starts with a free trial: once per person. */
  isTrialAvailable: z.nullish(z.boolean()),
  /** Whether there is anything to manage in the billing portal. */
  hasPortal: z.nullish(z.boolean()),
});
export type SubscriptionState = z.output<typeof subscriptionState>;

/** The confirmation that a user types to delete the account. */
export const DELETION_PHRASE = 'DELETE MY ACCOUNT';
/** API clients may omit the phrase; if sent, it must be exact. */
export const deletionBody = z.optional(
  z.object({ confirmation: z.optional(z.literal(DELETION_PHRASE, `type exactly ${DELETION_PHRASE}`)) }),
);

/** The response to an action; one that failed has an error instead. */
export const done = z.object({ success: z._default(z.literal(true), true) });

export const deletionCode = z
  .string()
  .check(z.regex(/^[0-9A-Z]{20}$/, 'a confirmation code has 20 letters and digits'));
export const deletionStatus = z.object({
  confirmationCode: z.string(),
  requestedAt: instant,
  /** Null: in progress or superseded. */
  finishedAt: z.nullable(instant),
  /** The user logged in again after the request, so nothing was deleted. */
  isSuperseded: z.boolean(),
});
export type DeletionStatus = z.output<typeof deletionStatus>;
