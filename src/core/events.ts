import * as z from 'zod/mini';
import { ACCOUNT_EVENTS } from './account-events.ts';
import { SUSPENDED } from './app-state.ts';
import { DESTINATION_KINDS } from './destinations.ts';
import { LEVEL_WORDS } from './labels.ts';
import { SUMMARY, summaryWords } from './monthly-summary.ts';
import { fullTimeWithUtc } from './new-york.ts';
import type { ActivityType, EventKind, Words } from './event-kind.ts';
import { kind } from './event-kind.ts';
import {
  CHANGE_WORDS,
  DESTINATION_CHANGES,
  PAUSED_FOR,
  channelWords,
  whyPaused,
  whyResumed,
} from './event-words.ts';
import type { ActivityWords } from './outages/activity-text.ts';
import { CAMPAIGNS, READER, refusedChange, retryWords, toReader } from './outages/activity-text.ts';
import { DIRECTIVES, KNOWN_LEVELS, THRESHOLDS, effectiveLevel } from './smartpause/level.ts';
import type { HistoryKind } from './outages/outage.ts';
import { DRY_RUN_LABELS } from './outages/reasons.ts';
import { UNSENT_WORDS, refusalLabel } from './outages/why-not-paused.ts';
import { FAILURE_KINDS } from './platform.ts';
import { CAUSES } from './smartpause/signals.ts';
import { emailListOf, endWords, lateAct, lateDetail, postponedDetail } from './outages/end-words.ts';
import type { PauseEnd } from './outages/release-labels.ts';
import { END_REASONS, RELEASE_LABELS, endLabel, resultOfEnd } from './outages/release-labels.ts';

const nullable = z.nullable(z.string());
const NAME = { name: z.string() };
const act = z.enum(['pause', 'resume']);
const MATCH = { level: z.enum(KNOWN_LEVELS), threshold: z.enum(THRESHOLDS) };
/** `refusal`: Meta's own words. */
const REFUSED = { act, refusal: nullable };
/** `destination`: its name. */
const DESTINATION = { kind: z.enum(DESTINATION_KINDS), destination: z.string() };
const outside = z.object({ at: z.number(), tool: nullable, person: nullable });
const END = {
  reason: z.enum(END_REASONS),
  refusal: nullable,
  /** Of an external change. Null with 'resumed_by_other': the resume has yet to come. */
  outside: z.nullable(outside),
  wasPaused: z.boolean(),
};

/** Absent: of the status. */
const CAUSE = z.optional(z.enum(CAUSES));

const ofEnd = {
  type: ({ reason, wasPaused }: PauseEnd) => (reason === 'resumed_now' && wasPaused ? 'resume' : 'other'),
  kind: ({ reason }: PauseEnd) => resultOfEnd(reason),
  email: (end: PauseEnd) => ({ list: emailListOf(end.reason), why: endLabel(end) }),
} as const;

const PAUSED = { type: 'pause', kind: 'paused' } as const;
const RESUMED = { type: 'resume', kind: 'resumed' } as const;
const REFUSAL = { kind: 'refused', topic: 'Refused' } as const;
const ACCESS = { kind: 'access', topic: 'Access' } as const;
const SETTING = { type: 'setting', kind: 'setting' } as const;
const LOGIN = { type: 'login', kind: 'login' } as const;
const TEST = { topic: 'Test', notification: 'live_test' } as const;

/** Everything that can happen: its facts, what it says, and the rest. recordActivities() stores one. */
const EVENTS = {
  paused: kind(
    // `wasEarly`: an early warning had paused it, and now the status meets the threshold.
    {
      ...MATCH,
      isOverride: z.boolean(),
      wasTest: z.boolean(),
      wasEarly: z.optional(z.boolean()),
      cause: CAUSE,
    },
    ({ wasTest, wasEarly = false, ...why }) => [
      wasTest || wasEarly
        ? `Kept ${CAMPAIGNS} paused${wasTest ? ' after its test' : ''}`
        : `Paused ${CAMPAIGNS}`,
      whyPaused(why),
    ],
    { ...PAUSED, notification: 'paused', sharesDetail: true },
  ),
  resumed: kind(
    { ...MATCH, isLeaving: z.boolean(), cause: CAUSE },
    (facts) => [`Resumed ${CAMPAIGNS}`, whyResumed(facts)],
    {
      ...RESUMED,
      notification: 'resumed',
      sharesDetail: true,
      email: () => ({ list: 'Resumed', why: '' }),
    },
  ),
  /** From another user's hold. */
  taken_over: kind(
    { isTest: z.boolean(), cause: CAUSE },
    ({ isTest, cause }) => [
      `${isTest ? 'Test: kept' : 'Kept'} ${CAMPAIGNS} paused for you`,
      `it is paused ${isTest ? 'for a live test' : PAUSED_FOR[cause ?? 'status']}, and SmartPause resumes it for you`,
    ],
    {
      type: 'pause',
      kind: 'kept_paused',
      notification: ({ isTest }) => (isTest ? 'live_test' : 'paused'),
    },
  ),
  handed_over: kind(
    {},
    [`Kept ${CAMPAIGNS} paused for another user of the ad account`, 'SmartPause resumes it for them'],
    {
      kind: 'kept_paused',
      topic: 'Released',
      notification: 'resumed',
      email: () => ({
        list: 'Kept paused',
        why: 'SmartPause keeps it paused for another user of the ad account, and resumes it for them',
      }),
    },
  ),
  released: kind(END, endWords, {
    ...ofEnd,
    topic: 'Released',
    // Users get no notification about their own actions.
    notification: ({ reason }) =>
      reason === 'smartpause_off' || reason === 'manual_pause' ? null : 'resumed',
  }),
  refused: kind(END, endWords, {
    ...ofEnd,
    topic: 'Refused',
    notification: ({ reason }) => (reason === 'pause_refused' ? 'paused' : 'resumed'),
  }),
  /** An external change has turned SmartPause off for the campaign. */
  deactivated: kind(END, (end) => endWords(end, { isDisabled: true }), {
    ...ofEnd,
    topic: 'Changed',
    notification: 'disabled',
  }),
  retrying: kind(REFUSED, (refused) => retryWords(refused), {
    ...REFUSAL,
    notification: (refused) => (refused.act === 'pause' ? 'paused' : 'resumed'),
    email: ({ refusal }) => ({ list: 'Not resumed yet', why: refusedChange(refusal) }),
  }),
  /** Our app has been suspended since then. */
  held_up: kind({ since: z.number() }, [`Could not resume ${CAMPAIGNS} yet`, SUSPENDED], {
    ...{ ...REFUSAL, notification: 'resumed', sharesDetail: true },
    email: () => ({ list: 'Not resumed yet', why: SUSPENDED }),
  }),
  postponed: kind(
    { until: z.nullable(z.number()) },
    (facts) => [`Kept ${CAMPAIGNS} paused`, postponedDetail(facts)],
    {
      kind: 'kept_paused',
      topic: 'Postponed',
      notification: 'resumed',
      email: (facts) => ({ list: 'To be resumed later', why: postponedDetail(facts) }),
    },
  ),
  /** A late write of ours had undone an external change. */
  taken_back: kind(
    { act },
    (done) => [
      `${done.act === 'pause' ? 'Paused' : 'Resumed'} ${CAMPAIGNS} again`,
      `Meta applied our earlier ${lateAct[done.act]} only after it was ${done.act}d manually`,
    ],
    { type: (done) => done.act },
  ),
  not_restored: kind(
    REFUSED,
    (failed) => [`Could not ${failed.act} ${CAMPAIGNS} again`, lateDetail(failed)],
    {
      topic: 'Refused',
      notification: 'resumed',
      email: (failed) => ({
        list: failed.act === 'pause' ? 'Not paused again' : 'Not resumed',
        why: `it stays ${failed.act === 'pause' ? 'active' : 'paused'}: ${lateDetail(failed)}`,
      }),
    },
  ),

  // A test has events of its own, so that it is no pause or resume of an outage anywhere.
  live_test: kind(NAME, ({ name }) => `Test: ${name} started a live test of ${CAMPAIGNS}`),
  test_paused: kind({}, `Test: paused ${CAMPAIGNS}`, { ...TEST, ...PAUSED }),
  test_resumed: kind({}, `Test: resumed ${CAMPAIGNS}`, { ...TEST, ...RESUMED }),
  test_released: kind(END, (end) => endWords(end, { isTest: true }), { ...TEST, type: ofEnd.type }),
  test_retrying: kind(REFUSED, (refused) => retryWords(refused, 'Test: '), { ...REFUSAL, ...TEST }),

  // The user's own acts
  manual_pause: kind(NAME, ({ name }) => `${name} paused ${CAMPAIGNS}`, { type: 'pause', kind: 'manual' }),
  /** Null: with 'Resume now', of a campaign that was paused for another user. */
  manual_resume: kind(
    { name: nullable },
    ({ name }) =>
      name === null ? [`Resumed ${CAMPAIGNS}`, RELEASE_LABELS.resumed_now] : `${name} resumed ${CAMPAIGNS}`,
    { type: 'resume', kind: 'manual' },
  ),
  /** `code` is that of the API error. `failureKind`: of Meta's answer; null: the change was not sent. */
  manual_failed: kind(
    { ...REFUSED, code: z.string(), failureKind: z.optional(z.nullable(z.enum(FAILURE_KINDS))) },
    ({ act, refusal, code, failureKind = null }) => [
      `Could not ${act} ${CAMPAIGNS}`,
      refusal === null
        ? (refusalLabel(failureKind) ?? UNSENT_WORDS[code] ?? 'Meta did not apply the change')
        : refusedChange(refusal),
    ],
    { kind: 'manual', topic: 'Refused' },
  ),
  smartpause: kind(
    { isOn: z.boolean() },
    ({ isOn }) => `SmartPause was turned ${isOn ? 'on' : 'off'} for ${CAMPAIGNS}`,
    SETTING,
  ),
  smartpause_on_new: kind(
    {},
    [`SmartPause was turned on for ${CAMPAIGNS}`, 'you want it on for new campaigns'],
    { ...SETTING, sharesDetail: true },
  ),
  /** `isChange`: of its end. */
  pause_all: kind(
    { ...NAME, until: z.nullable(z.number()), isChange: z.boolean() },
    ({ name, until, isChange }) =>
      `${name} ${isChange ? 'changed the end of “Pause all now”' : 'chose “Pause all now”'}: ${until === null ? 'until “Resume all”' : `until ${fullTimeWithUtc(until)}`}.`,
    { type: 'pause', kind: 'manual' },
  ),
  resume_all: kind(NAME, ({ name }) => `${name} chose “Resume all”.`, { type: 'resume', kind: 'manual' }),
  initialized: kind(NAME, ({ name }) => `${name} set up SmartPause.`, SETTING),
  settings: kind(
    { changes: z.array(z.string()) },
    ({ changes }) =>
      changes.length === 0
        ? 'SmartPause settings were saved without a change.'
        : `SmartPause settings were changed: ${changes.join(', ')}.`,
    SETTING,
  ),
  destination_added: kind(DESTINATION, (one) => `${channelWords(one)} was added.`, SETTING),
  destination_changed: kind(
    { ...DESTINATION, what: z.enum(DESTINATION_CHANGES) },
    ({ what, ...one }) => `${channelWords(one)} ${CHANGE_WORDS[what]}.`,
    SETTING,
  ),
  destination_deleted: kind(DESTINATION, (one) => `${channelWords(one)} was deleted.`, SETTING),
  /** Its receiver is gone. */
  destination_disabled: kind(
    { ...DESTINATION, reason: z.string() },
    (disabled) => [`${channelWords(disabled)} was turned off`, disabled.reason],
    { ...SETTING, notification: 'destination_disabled' },
  ),
  signup: kind(NAME, ({ name }) => `${name} signed up.`, LOGIN),
  login: kind(NAME, ({ name }) => `${name} logged in.`, LOGIN),
  logout: kind(NAME, ({ name }) => `${name} logged out.`, LOGIN),
  session_replaced: kind(
    NAME,
    ({ name }) => `An earlier session of ${name} in the same browser was ended.`,
    LOGIN,
  ),
  other_sessions_ended: kind({}, 'All other sessions were ended.', LOGIN),

  // Access to Meta, and Meta's status
  token_stale: kind({ savedAt: z.number() }, 'Your Meta connection expires soon. Log in once to renew it.', {
    ...ACCESS,
    notification: 'token_stale',
    once: ({ savedAt }) => `token ${savedAt}`,
  }),
  token_refused: kind(
    { why: z.string() },
    'Meta no longer accepts our access. Log in again to let SmartPause go on.',
    { ...ACCESS, notification: 'token_expired' },
  ),
  account_lost: kind(
    { holdId: z.string() },
    'Meta denies SmartPause access to the ad account, where campaigns stay paused.',
    { ...ACCESS, notification: 'account_lost', once: ({ holdId }) => `hold ${holdId}` },
  ),
  account_blocked: kind(
    { refusal: z._default(nullable, null) },
    ({ refusal }) => [DRY_RUN_LABELS.unconfirmed, refusal],
    { kind: 'refused', topic: 'Access', sharesDetail: true, notification: 'account_blocked' },
  ),
  address_refused: kind({}, 'Your mail server refused our email to you.', {
    topic: 'Email',
    notification: 'address_refused',
  }),
  address_confirmed: kind({}, 'Your email address was confirmed.', SETTING),
  status_unknown: kind(
    { since: z.number() },
    'Meta’s status has been unknown for an hour. Your campaigns stay paused until it is known.',
    { topic: 'Status', notification: 'unknown', once: ({ since }) => `since ${since}` },
  ),
  /** `since`: when the first of the campaigns of the outage was paused. `outage` absent: of the former version, about all. */
  still_paused: kind(
    { since: z.number(), dueAt: z.number(), outage: z.optional(z.nullable(z.string())) },
    ({ since }) => `Reminder: campaigns have stayed paused since ${fullTimeWithUtc(since)}.`,
    {
      topic: 'Reminder',
      notification: 'reminder',
      once: ({ dueAt, outage }) => `${dueAt}${outage ? ` ${outage}` : ''}`,
    },
  ),
  month_summarized: kind(SUMMARY, summaryWords, {
    ...{ topic: 'Summary', notification: 'monthly_summary', once: ({ month }) => month },
  }),
  /** By an admin, with their own words. */
  directive: kind(
    { ...NAME, directive: z.nullable(z.enum(DIRECTIVES)), note: nullable },
    ({ name, directive, note }) => [
      directive === null
        ? `${name} ended the override of Meta’s status`
        : `${name} set Meta’s status to ${LEVEL_WORDS[effectiveLevel('UNKNOWN', directive)]} for all users`,
      note,
    ],
    { topic: 'Status' },
  ),

  /** By an admin. */
  warnings_act: kind(
    { ...NAME, acts: z.boolean() },
    ({ name, acts }) =>
      `${name} ${acts ? 'let early warnings notify and pause' : 'ended what early warnings do: they are only recorded'}.`,
    { topic: 'Status' },
  ),
  /** An outage is suspected since then. `pauses`: of those who want that; `evidence`: full sentences. */
  early_warning: kind(
    { since: z.number(), pauses: z.boolean(), evidence: z.string() },
    ({ evidence }) => ['Early warning: an outage is suspected, and Meta’s page does not say so', evidence],
    { topic: 'Status', notification: 'early_warning', once: ({ since }) => `since ${since}` },
  ),
  /** `isReported`: the page met the user's threshold in it. `isEnded`: an admin has ended what early warnings do. */
  early_warning_over: kind(
    { since: z.number(), isReported: z.boolean(), isEnded: z.optional(z.boolean()) },
    ({ isReported, isEnded = false }) => [
      'The early warning is over',
      isEnded
        ? 'SmartPause’s team has ended it'
        : `Meta’s page reported ${isReported ? 'the outage as well' : 'no outage that met your threshold'}`,
    ],
    { topic: 'Status', notification: 'early_warning', once: ({ since }) => `over ${since}` },
  ),
  ...ACCOUNT_EVENTS,
};

export type EventName = keyof typeof EVENTS;
export type FactsOf<Name extends EventName> = z.output<(typeof EVENTS)[Name]['facts']>;
/** An event with its facts. */
export type ActivityEvent = { [Name in EventName]: { event: Name; facts: FactsOf<Name> } }[EventName];

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** As stored. Null: an event of another version, of which only the words are known. */
export function readEvent(event: string, facts: unknown): ActivityEvent | null {
  if (!Object.hasOwn(EVENTS, event)) return null;
  const read = z.safeParse(EVENTS[event as EventName].facts, facts);
  return read.success ? ({ event, facts: read.data } as ActivityEvent) : null;
}

function valueOf<T>(value: T | ((facts: unknown) => T), facts: unknown): T {
  return typeof value === 'function' ? (value as (facts: unknown) => T)(facts) : value;
}

/** Everything that the table says about one event. */
export function describeEvent({ event, facts }: ActivityEvent) {
  const { words, about } = EVENTS[event] as { words: Words; about: EventKind<unknown> };
  const said = valueOf(words, facts);
  const [message, detail] = typeof said === 'string' ? [said, null] : said;
  return {
    message,
    detail,
    sharesDetail: about.sharesDetail === true,
    type: valueOf(about.type ?? 'other', facts),
    kind: valueOf(about.kind ?? 'other', facts),
    topic: about.topic,
    notification: valueOf(about.notification ?? null, facts),
    email: about.email?.(facts),
    dedupeKey: about.once?.(facts) ?? null,
    /** How the hold ended that it is about; null: it is not about such an end. */
    endReason: 'reason' in facts ? facts.reason : null,
  };
}

/** As the user reads it whose name the facts have: 'You paused …'. @param stored the words of that time */
export function wordsForUser<Stored extends ActivityWords>(
  event: string,
  facts: unknown,
  stored: Stored,
): Stored {
  const known = readEvent(event, facts);
  if (known === null || !('name' in known.facts) || known.facts.name === null) return stored;
  const named = { ...known, facts: { ...known.facts, name: READER } } as ActivityEvent;
  const { message } = describeEvent(named);
  return { ...stored, message: toReader(message) };
}

/** Of a stored event. An event of another version is 'other'. */
export function kindsOf(
  event: string,
  facts: unknown,
): { type: ActivityType; kind: HistoryKind; topic?: string | undefined } {
  const known = readEvent(event, facts);
  return known === null ? { type: 'other', kind: 'other' } : describeEvent(known);
}

export const WITH_SHARED_DETAIL = EVENT_NAMES.filter((name) => 'sharesDetail' in EVENTS[name].about);
