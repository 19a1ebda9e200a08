import * as z from 'zod/mini';
import { DAY_ZONES, DELAY_UNITS, RESUME_MODES } from '#core/settings.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import { NOT_PAUSED_REASONS } from '#core/outages/reasons.ts';
import { END_REASONS } from '#core/outages/release-labels.ts';
import { ESTIMATE_BASES } from '#core/spend/estimate.ts';
import { UNKNOWN_SPEND } from '#core/spend/known.ts';
import { HISTORY_KINDS, OUTAGE_RESULTS } from '#core/outages/outage.ts';
import { callsFor } from './endpoint.ts';
import { orNull } from './known.ts';
import { adAccountId, campaignId, done, instant, storedText } from './shapes.ts';

const { get, post } = callsFor('user');

/** Taken from `next` of the page before. */
const cursor = (form: RegExp) => z.optional(z.string().check(z.regex(form, 'not a cursor of this list')));

const outageId = z.string().check(z.regex(/^\d{1,18}$/, 'an outage id is a row of digits'));

const level = z.catch(z.enum(LEVELS), 'UNKNOWN');

const range = z.object({ low: z.number(), likely: z.number(), high: z.number() });

const outageSummary = z.object({
  id: z.string(),
  startedAt: instant,
  endedAt: z.nullable(instant),
  peak: level,
  /** The worst component at each time, by Meta's name, and Meta's own words; empty: not recorded. */
  components: z.array(z.string()),
  quotes: z.array(z.string()),
  /** An admin has set a level in it; absent: none has. */
  isOverridden: z.optional(z.boolean()),
  /** The user's threshold in this outage; null: the user was not set up. */
  threshold: orNull(z.enum(THRESHOLDS)),
  /** When the level first met the threshold; null: never. */
  matchedAt: z.nullable(instant),
  counts: z.object({
    /** Campaigns with a pause that Meta confirmed. */
    paused: z.number(),
    /** By SmartPause. */
    resumed: z.number(),
    /** By the user with SmartPause; outside it, or by another user. */
    resumedByUser: z._default(z.number(), 0),
    resumedOutside: z._default(z.number(), 0),
    /** Paused by SmartPause and read as running; it is not known yet who resumed them. */
    beingChecked: z._default(z.number(), 0),
    /** Paused by SmartPause and still held. */
    stillPaused: z.number(),
    /** Paused by SmartPause and released, because a user decided that it stays paused. */
    keptPaused: z.number(),
    /** Paused by SmartPause and released without a resume for another reason. */
    notResumed: z.number(),
    /** Known campaigns that SmartPause did not pause, and those of them that went on running. */
    notPaused: z.number(),
    keptRunning: z._default(z.number(), 0),
    /** Of these, those whose pause Meta refused; absent: none, or unknown. */
    keptRefused: z.optional(z.number()),
    /** Of `notPaused`: SmartPause had paused them in an earlier outage, and not resumed them. Absent: not known. */
    heldBefore: z.optional(z.number()),
  }),
  /** Why nothing was paused, for all campaigns alike; null: see each campaign. */
  reason: orNull(z.enum(NOT_PAUSED_REASONS)),
  /**
   * The longest time from the first level that met the threshold to a campaign's first confirmed pause, or from when the
   * campaign could be paused, if that was later; null: nothing was paused.
   */
  lastPauseAfterMs: z.nullable(z.number()),
  /** What its pauses kept from being spent, by currency, in Meta's unit. Absent: not in the list, one ad account, or not known. */
  kept: z.optional(z.array(z.extend(range, { currency: z.string() }))),
});
export type OutageSummary = z.output<typeof outageSummary>;

const spendEstimate = z.object({
  currency: z.string(),
  /** All in Meta's unit of the currency; null: not known. What was not spent is either spent later or kept. */
  notSpent: z.nullable(range),
  later: z.nullable(range),
  kept: z.nullable(range),
  /** The part of `kept` that the outage would have wasted. */
  protected: z.nullable(range),
  /** Why one of them is not known, and about when it is; null: they are known, or the page does not know this reason. */
  unknown: orNull(z.enum(UNKNOWN_SPEND)),
  knownAt: z.nullable(instant),
  /** What led to them; null: nothing is estimated yet. */
  inputs: z.nullable(
    z.object({
      /** By the hours of earlier days, or by daily budgets. */
      basis: orNull(z.enum(ESTIMATE_BASES)),
      /** Earlier days that it compares with. */
      days: z.number(),
      campaigns: z.number(),
      /** By budgets: campaigns that have none and are left out. */
      withoutBudget: z.number(),
      /** The time of all pauses. */
      pausedMs: z.number(),
      /** The part of what is spent in an outage that it wastes. */
      waste: z.extend(range, { isMeasured: z.boolean() }),
    }),
  ),
});
export type SpendEstimate = z.output<typeof spendEstimate>;

const spendMonth = z.object({
  /** '2026-11', in New York. */
  month: z.string(),
  currency: z.string(),
  outages: z.number(),
  /** Those of which it is not known; they are not in the sums. */
  unknown: z.number(),
  pausedMs: z.number(),
  kept: range,
  protected: range,
});
export type SpendMonth = z.output<typeof spendMonth>;

export const OUTAGE_SEARCH_MAX = 100;

const outageCampaign = z.object({
  /** Unique within one outage. */
  id: z.string(),
  campaignId,
  name: z.string(),
  accountId: adAccountId,
  /** 'other': one that the page does not know yet. */
  result: z.catch(z.enum([...OUTAGE_RESULTS, 'other']), 'other'),
  /** Why it was not paused or not resumed; of a resumed one: why SmartPause did not resume it. */
  reason: orNull(z.enum([...NOT_PAUSED_REASONS, ...END_REASONS])),
  /** Meta's refusal in plain words, where there was one. */
  detail: z.nullable(z.string()),
  /** The intent was stored; the first pause was sent; Meta confirmed it. */
  decidedAt: z.nullable(instant),
  sentAt: z.nullable(instant),
  pausedAt: z.nullable(instant),
  /** The first resume was sent; Meta confirmed it. */
  resumeSentAt: z.nullable(instant),
  resumedAt: z.nullable(instant),
  /** The hold ended, by a resume or without one. */
  endedAt: z.nullable(instant),
  /** Another tool has it off: when it is resumed at the latest. Absent: no. */
  postponedUntil: z.optional(instant),
  /** Someone else's change that ended it, as Meta's log names it: a tool and a person. Absent: none is known. */
  outside: z.optional(
    z.object({ at: instant, tool: z.nullable(z.string()), person: z.nullable(z.string()) }),
  ),
});
export type OutageCampaign = z.output<typeof outageCampaign>;

const historyEntry = z.object({
  id: z.string(),
  at: instant,
  kind: z.catch(z.enum(HISTORY_KINDS), 'other'),
  /** Null: one that the page does not know yet. */
  actor: orNull(z.enum(['user', 'smartpause', 'meta', 'stripe', 'operator'])),
  /** The name of the user who acted; null: no user did, or another one whose name is not shown. */
  user: z.nullable(z.string()),
  /** What happened, as one sentence. */
  message: z.string(),
  /** Why, as one sentence; null: the message says it all. */
  reason: z.nullable(z.string()),
  outageId: z.nullable(z.string()),
  /** What the campaign spent in the hours of that outage, and in such hours of the weeks before; absent: not known. */
  spent: z.optional(z.object({ currency: z.string(), inside: z.number(), usual: z.number() })),
});
export type HistoryEntry = z.output<typeof historyEntry>;

const activity = z.extend(z.omit(historyEntry, { reason: true, outageId: true, spent: true }), {
  /** The only campaign that it is about; null: there are several, or none. */
  campaignId: z.nullable(campaignId),
  /** In which SmartPause paused these campaigns; null: it is about something else. */
  outageId: z._default(z.nullable(z.string()), null),
});
export type Activity = z.output<typeof activity>;

/** PostgreSQL refuses texts with the character 0. */
const searchText = z.optional(storedText(OUTAGE_SEARCH_MAX));

/** Settings that are left out are the saved ones. */
const replayQuery = z.object({
  threshold: z.optional(z.enum(THRESHOLDS)),
  mode: z.optional(z.enum(RESUME_MODES)),
  /** The delay; without it the default counts. */
  value: z.optional(z.string().check(z.regex(/^\d{1,2}$/))),
  unit: z.optional(z.enum(DELAY_UNITS)),
  /** Of 'next_day'. */
  zone: z.optional(z.enum(DAY_ZONES)),
});

const replay = z.object({
  startedAt: instant,
  endedAt: z.nullable(instant),
  peak: level,
  /** SmartPause's own record, Meta's list of outages, or publications. */
  source: orNull(z.enum(['record', 'meta', 'documented'])),
  /** Null: below the threshold. */
  pausedAt: z.nullable(instant),
  /** Null: not yet, or not paused. */
  resumedAt: z.nullable(instant),
});

/** Outages of the past. A part of its own, which only the pages that use it load. */
export const outageApi = {
  /** The outages of the last 400 days as this user met them, newest first, 20 per page. */
  outages: get('/api/outages', {
    query: z.object({ cursor: cursor(/^\d{1,18}$/), adAccountId: z.optional(adAccountId) }),
    reply: z.object({
      outages: z.array(outageSummary),
      /** On the first page: campaigns for which changes outside SmartPause have disabled it since the newest outage began. */
      disabled: z.optional(z.array(z.object({ campaignId, accountId: adAccountId }))),
      /** Null: this is the last page. */
      next: z.nullable(z.string()),
    }),
  }),
  /** One outage: the level over time, and 100 campaigns per page by name, first those that were paused. */
  outage: get('/api/outages/{id}', {
    params: z.object({ id: outageId }),
    query: z.object({
      cursor: cursor(/^[hrn]\d{1,32}$/),
      adAccountId: z.optional(adAccountId),
      result: z.optional(z.enum(OUTAGE_RESULTS)),
      /** A part of the campaign's name, or at least five characters of its id. */
      search: searchText,
    }),
    reply: z.object({
      outage: z.extend(outageSummary, {
        levels: z.array(z.object({ level, at: instant })),
        /** All accounts of the user, whatever the filter. */
        accounts: z.array(z.object({ id: adAccountId, name: z.string() })),
        /** What its pauses kept from being spent in all ad accounts, by currency. Only on the first page. */
        estimates: z.optional(z.array(spendEstimate)),
      }),
      campaigns: z.array(outageCampaign),
      next: z.nullable(z.string()),
    }),
  }),
  /** What the campaigns that an outage paused spent by hour, before, in and after it, as far as it is known. */
  outageSpend: get('/api/outages/{id}/spend', {
    params: z.object({ id: outageId }),
    reply: z.object({
      currencies: z.array(
        z.object({
          currency: z.string(),
          /** Oldest first, in Meta's unit; what is not known is left out. */
          hours: z.array(z.object({ at: instant, spend: z.number() })),
        }),
      ),
    }),
  }),
  /** What the outages of each month kept from being spent, newest first, by currency. */
  spendMonths: get('/api/spend/months', { reply: z.object({ months: z.array(spendMonth) }) }),
  /** The path of a page with the evidence of one outage, which works for an hour without a login. Capability `evidence`. */
  linkEvidence: post('/api/outages/{id}/evidence', {
    params: z.object({ id: outageId }),
    reply: z.object({ path: z.string() }),
  }),
  /** What happened to one campaign in the last 400 days, newest first, 50 entries per page. */
  campaignHistory: get('/api/campaigns/{id}/history', {
    params: z.object({ id: campaignId }),
    query: z.object({ cursor: cursor(/^\d{1,15}-[acho]\d{1,18}$/) }),
    reply: z.object({
      campaign: z.object({ id: campaignId, name: z.string(), accountId: adAccountId }),
      entries: z.array(historyEntry),
      next: z.nullable(z.string()),
    }),
  }),
  /** All activities of the last 400 days, newest first, 50 per page. Capability `activity_log`. */
  activities: get('/api/activities', {
    query: z.object({
      cursor: cursor(/^\d{1,18}$/),
      adAccountId: z.optional(adAccountId),
      /** A part of a campaign's name. */
      search: searchText,
    }),
    reply: z.object({ activities: z.array(activity), next: z.nullable(z.string()) }),
  }),
  /** Reads a held campaign from Meta now; live updates report what changes. Capability `read_campaign`. */
  readCampaign: post('/api/campaigns/{id}/read', { params: z.object({ id: campaignId }), reply: done }),
  /** What SmartPause would have done with these or the saved settings in the last twelve months. */
  replayOutages: get('/api/outages/replay', {
    query: replayQuery,
    reply: z.object({
      since: instant,
      /** Newest first. */
      replays: z.array(replay),
      /** Of the pauses with an end. Time counts once for outages that follow each other closely. */
      pausedMs: z.number(),
    }),
  }),
};
