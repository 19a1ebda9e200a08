import { isSuspended } from '#core/app-state.ts';
import { warningText } from '#core/detection/warning-words.ts';
import { LATEST_RESUME_MS } from '#core/settings.ts';
import { clearNames } from '#core/clear-names.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { outageOf, wasOpenBetween } from '#core/outages/outage.ts';
import { notResumed } from '#core/reconciler/refusals.ts';
import { isFarewell, isUnfinished, lastActivities } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import { besideWord, isOn, statusFor, wordOf } from '#core/smartpause/signals.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { findStripeSubscriptions } from '../db/billing/subscriptions.ts';
import { createAppStateStore } from '../db/app-state.ts';
import type { Db } from '../db/database.ts';
import type { StoredRefusedResume } from '../db/holds/not-resumed.ts';
import { findRefusedResumes } from '../db/holds/not-resumed.ts';
import type { AccountCoverage } from '../db/reports/coverage.ts';
import { readCoverages } from '../db/reports/coverage.ts';
import type {
  HeldCampaign,
  LiveHolds,
  NamedCampaign,
  PendingActivity,
} from '../db/reports/notified-activities.ts';
import {
  countLiveHolds,
  findHeld,
  findNamesakes,
  findPendingActivities,
} from '../db/reports/notified-activities.ts';
import type { StoredOutage } from '../db/status/outages.ts';
import { findOutagesBetween } from '../db/status/outages.ts';
import { readStatus } from '../db/status/status.ts';
import { findLastWarning } from '../db/early-warning.ts';
import { findActing } from '../db/signals.ts';
import { findTokens } from '../db/users/tokens.ts';
import type { User } from '../db/users/users.ts';
import { shortName } from './render.ts';

export interface Given {
  publicUrl: string;
  now: Instant;
  /** Of a deletion that was asked for on Meta. */
  confirmationCode: string | null;
}

/** A notification that is to be written. */
export interface Asked {
  user: User;
  /** Its own, and those that it reports besides. */
  kinds: readonly [NotificationKind, ...NotificationKind[]];
  /** When the last notification of its kind was written; null: never. */
  lastAt: Instant | null;
  /** Activities of two outages are two notifications. */
  isOfOneOutage: boolean;
}

export type Facts = Awaited<ReturnType<typeof findFacts>>[number][number];

/** A part of what is asked: the activities of one outage, unless the notification reports all. */
interface Part {
  acts: PendingActivity[];
  held: HeldCampaign[];
  /** The one of its pauses; null: it is of none, or of several. */
  outage: StoredOutage | null;
}

/**
 * What is true for users when a notification is written to each of them, for each of its parts. Each fact is read with one
 * statement for all, and what runs with one for each threshold.
 */
export async function findFacts(tx: Db, all: readonly Asked[], given: Given) {
  const { now } = given;
  const ids = all.map(({ user }) => user.id);
  const campaigns = await findCampaigns(tx, all, now);
  const status = await readStatus(tx);
  const { stopped } = await createAppStateStore(tx).read();
  const live = Map.groupBy(await countLiveHolds(tx, ids, now), ({ userId }) => userId);
  const tokens = await findTokens(tx, ids);
  const signals = await findActing(tx, ids, { now, matchBegan: null });
  const subscriptions = await findStripeSubscriptions(tx, ids);
  const outages = await findOutagesOf(tx, campaigns, now);
  const leftPaused = await findLeftPausedOf(tx, all, now);
  const warning = await findWarningOf(tx, signals, now);
  const begun = campaigns.map(({ asked, acts, held, unread, namesakes }) => {
    const { user } = asked;
    const own = signals.get(user.id) ?? [];
    const word = wordOf(own, now);
    const view = statusFor(status, besideWord(own), now);
    const isResumeDue = resumesFor(user, status, own, now);
    const unfinished = (live.get(user.id) ?? []).filter((hold) =>
      isUnfinished(asked.kinds[0], hold, isResumeDue),
    );
    return partsOf(asked, { acts, held }, outages).map((part) => ({
      ...{ ...given, user, lastAt: asked.lastAt, unread, ...beginOf({ ...part, user, now }) },
      /** As it counts for the user beside their own word: an early warning that pauses meets the threshold. */
      status: { ...status, ...view },
      ...warningFor(besideWord(own), warning, now),
      /** Meta refuses our app: no campaign is changed. */
      isSuspended: isSuspended(stopped),
      /** What the notification reports, oldest first. */
      acts: withClearNames(part.acts, [...held, ...namesakes]),
      /** The user's own word that is on. */
      word,
      /** Counts campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
      unfinished: unfinished.reduce((sum, { count }) => sum + count, 0),
      /** Campaigns that SmartPause has paused. */
      held: withClearNames(part.held, [...acts, ...namesakes]),
      outage: part.outage,
      /** In a farewell: campaigns whose resume Meta refused for good, also those that an email has named. */
      leftPaused: withClearNames(leftPaused.get(user.id) ?? [], [...acts, ...held, ...namesakes]),
      token: tokens.get(user.id) ?? null,
      /** At Stripe; null: there never was one. */
      subscription: subscriptions.get(user.id) ?? null,
    }));
  });
  const coverages = await findCoverages(tx, begun.flat(), now);
  return begun.map((parts) =>
    parts.map(({ span, outage, isOfWord, ...facts }) => ({
      ...facts,
      /** Running campaigns, with what has happened to them in the match of the threshold. */
      coverage: coverages.get(facts.user.id) ?? [],
      /** Those that met the threshold, and in which the pauses began or went on, oldest first. */
      outages: (isOfWord ? [] : outagesIn(outages, facts.threshold, span)).filter(
        ({ startedAt }) => startedAt >= (outage?.startedAt ?? 0),
      ),
    })),
  );
}

/** All in which these campaigns were paused, or stayed so. */
function findOutagesOf(
  tx: Db,
  campaigns: readonly (Omit<BeginFacts, 'user' | 'now'> & { asked: Asked })[],
  now: Instant,
): Promise<StoredOutage[]> {
  const spans = campaigns.map(({ asked: { user }, acts, held }) => beginOf({ user, acts, held, now }).span);
  const decided = campaigns.flatMap(({ held }) => held.map(({ decidedAt }) => decidedAt));
  const from = earliest([...spans.map((span) => span.from), ...decided]) ?? now;
  return findOutagesBetween(tx, from, Math.max(...spans.map((span) => span.to)));
}

function outagesIn(
  outages: readonly StoredOutage[],
  threshold: Threshold,
  span: Parameters<typeof wasOpenBetween>[1],
) {
  return outages.filter((outage) => meetsThreshold(outage.peak, threshold) && wasOpenBetween(outage, span));
}

/** Two outages never merge: what was paused in another one is another part. */
function partsOf(
  { user, isOfOneOutage }: Asked,
  { acts, held }: Pick<Part, 'acts' | 'held'>,
  outages: readonly StoredOutage[],
): Part[] {
  const byOutage = Map.groupBy(acts, ({ at, cause }) =>
    outageOf(outages, cause ?? { decidedAt: at, threshold: user.threshold }),
  );
  const heldByOutage = Map.groupBy(held, (one) => outageOf(outages, one));
  const isOfHeld = isOfAllHeld(acts);
  const parts = [...(isOfHeld ? heldByOutage : byOutage).keys()].map((outage) => ({
    acts: isOfHeld ? acts.filter((act) => isAbout(act, outage)) : (byOutage.get(outage) ?? []),
    held: heldByOutage.get(outage) ?? [],
    outage,
  }));
  if (!isOfOneOutage || acts.length === 0) return [{ acts, held, outage: null }];
  const named = parts.filter((part) => part.acts.length > 0);
  // All of its campaigns are resumed.
  const rest = acts.filter((act) => !named.some((part) => part.acts.includes(act)));
  return rest.length > 0 ? [{ acts: rest, held: [], outage: null }, ...named] : named;
}

/** A reminder is about the campaigns of its outage; an activity that names none is about all. */
function isAbout({ happened }: PendingActivity, outage: StoredOutage | null): boolean {
  const about = happened.event === 'still_paused' ? happened.facts.outage : undefined;
  return about === undefined || about === (outage?.id ?? null);
}

type LeftPaused = Pick<StoredRefusedResume, 'words' | 'at' | keyof Named>;

/** An activity about no campaign of its own is about all that are held. */
function isOfAllHeld(acts: readonly PendingActivity[]): boolean {
  return lastActivities(acts)[0]?.campaignId === '';
}

/** A farewell is written for one user, alone. */
async function findLeftPausedOf(tx: Db, all: readonly Asked[], now: Instant) {
  const found = new Map<string, LeftPaused[]>();
  for (const { user, kinds } of all)
    if (isFarewell(kinds[0]))
      found.set(user.id, [...notResumed(await findRefusedResumes(tx, [user.id], now), now).values()]);
  return found;
}

/** What has happened to each user's campaigns, which of them are held, and others of their names. */
async function findCampaigns(tx: Db, all: readonly Asked[], now: Instant) {
  const wanted = all.map(({ user, kinds }) => ({ userId: user.id, kinds }));
  const pending = await findPendingActivities(tx, wanted, now);
  const heldOf = await findHeld(
    tx,
    wanted.map(({ userId }) => userId),
    now,
  );
  const own = all.map((asked) => {
    const { acts = [], unread = [] } = pending.get(asked.user.id) ?? {};
    const held = heldOf.get(asked.user.id) ?? [];
    const named = new Map([...acts, ...held].map(({ campaignId, account }) => [campaignId, account]));
    return { asked, acts, unread, held, named };
  });
  const ids = new Set(own.flatMap(({ named }) => [...named.keys()]));
  const namesakes = Map.groupBy(await findNamesakes(tx, [...ids]), ({ of }) => of);
  return own.map(({ named, ...campaigns }) => ({
    ...campaigns,
    namesakes: [...named].flatMap(([id, account]) =>
      (namesakes.get(id) ?? []).map((one) => ({ ...one, account })),
    ),
  }));
}

/** When the pauses began, with which threshold, and the times that it reports. */
function beginOf({ user, acts, held, now }: BeginFacts) {
  const [first] = lastActivities(acts);
  const isOfHeld = isOfAllHeld(acts);
  const begun = isOfHeld ? held : acts.map(({ cause, at }) => cause ?? { decidedAt: at });
  const threshold = (isOfHeld ? held[0] : first?.cause)?.threshold ?? user.threshold;
  const from = earliest(begun.map(({ decidedAt }) => decidedAt)) ?? now;
  const isOfWord = begun.length > 0 && begun.every((one) => 'by' in one && one.by === 'user');
  return { isOfWord, threshold, span: { from, to: acts.at(-1)?.at ?? now } };
}

interface BeginFacts {
  user: User;
  acts: readonly PendingActivity[];
  held: readonly HeldCampaign[];
  now: Instant;
}

/** Full sentences; null: no early warning acts for these users. */
async function findWarningOf(
  tx: Db,
  signals: ReadonlyMap<string, readonly Signal[]>,
  now: Instant,
): Promise<string | null> {
  if (![...signals.values()].some((own) => besideWord(own).length > 0)) return null;
  const warning = await findLastWarning(tx, now - LATEST_RESUME_MS);
  return warning && warningText(warning.evidence);
}

function warningFor(signals: readonly Signal[], evidence: string | null, now: Instant) {
  return {
    /** What the early warning stands on that pauses for the user, or did last; null: there is none. */
    warning: signals.length === 0 ? null : evidence,
    /** It pauses now. */
    isWarned: signals.some((one) => isOn(one, now)),
  };
}

/** By user. Those with one match are read at once. */
async function findCoverages(
  tx: Db,
  all: readonly { user: User; threshold: Threshold; status: Status }[],
  now: Instant,
) {
  const found = new Map<string, AccountCoverage[]>();
  const matches = all.map(({ user, threshold, status: { known, matchSince } }) => ({
    ...{ id: user.id, match: meetsThreshold(known, threshold) ? { since: matchSince[threshold] } : null },
  }));
  for (const own of Map.groupBy(matches, ({ match }) => JSON.stringify(match)).values()) {
    const ids = own.map(({ id }) => id);
    for (const [id, coverage] of await readCoverages(tx, ids, { now, match: own[0]?.match ?? null }))
      found.set(id, coverage);
  }
  return found;
}

type Named = Omit<NamedCampaign, 'at'>;

/**
 * Short names, and clear ones where the notification has several of one name.
 * @param others further campaigns of the same notification
 */
export function withClearNames<T extends Named>(given: readonly T[], others: readonly Named[] = []): T[] {
  const campaignOf = ({ campaignId, name, accountId }: Named) => ({
    ...{ id: campaignId, name: shortName(name), accountId: accountId ?? '' },
  });
  const accountOf = ({ accountId, account }: Named) => ({ id: accountId ?? '', name: shortName(account) });
  const all = [...given, ...others];
  const nameOf = clearNames(all.map(campaignOf));
  const accountNameOf = clearNames(all.map(accountOf));
  return given.map((one) => {
    return { ...one, name: nameOf(campaignOf(one)), account: accountNameOf(accountOf(one)) };
  });
}

/** Whether a hold is to be resumed by now. The user's own word keeps all. */
export function resumesFor(
  user: Pick<User, 'resumeSettings' | 'leaving'>,
  page: Status,
  signals: readonly Signal[],
  now: Instant,
): (hold: Pick<LiveHolds, 'threshold' | 'timeZone'>) => boolean {
  if (user.leaving !== null) return () => true;
  if (wordOf(signals, now) !== null) return () => false;
  const status = statusFor(page, signals, now);
  return ({ threshold, timeZone }) =>
    (resumeAt(status, { threshold, resume: user.resumeSettings, timeZone }) ?? Infinity) <= now;
}
