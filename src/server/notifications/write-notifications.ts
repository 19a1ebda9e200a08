import { addressesOf, refusedSince } from '#core/confirmation.ts';
import { eventsOf } from '#core/destination-events.ts';
import { INCIDENT_KIND, incidentSaid, isOfOutage, isWanted } from '#core/destinations.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { isDue, isFarewell, lastActivities } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import { hours } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { Destination } from '../db/destinations.ts';
import { findDestinationsOf } from '../db/destinations.ts';
import { addIncidents, markEnding } from '../db/incidents.ts';
import type { PendingNotification, Recipient } from '../db/notifications.ts';
import { findPendingNotifications, storeNotifications } from '../db/notifications.ts';
import type { User } from '../db/users/users.ts';
import { lockUsersForNotifications } from '../db/users/users.ts';
import type { Log } from '../observability/log.ts';
import type { Asked, Facts, Given } from './facts.ts';
import { findFacts } from './facts.ts';
import type { Message } from './message.ts';
import type { Notification } from './render.ts';
import { shortened } from './render.ts';
import * as account from './templates/account.ts';
import * as campaigns from './templates/campaigns.ts';
import { earlyWarning } from './templates/early-warning.ts';
import { liveTest } from './templates/live-test.ts';
import { monthlySummary } from './templates/monthly-summary.ts';
import { pausedFor } from './templates/pause-all.ts';
import { reminder } from './templates/reminder.ts';
import { listOfEvent, resumed } from './templates/resumed.ts';

interface Kind {
  /** Null: there is nothing to report any more. */
  compose: (facts: Facts) => Notification | null;
  /** Kinds of activities that it reports besides its own. */
  alsoReports?: readonly NotificationKind[];
  /** The farewell covers users who are leaving. */
  isForLeaving?: true;
  /** Each one is about what was paused in one outage. */
  isOfOneOutage?: true;
}

export const KINDS: Record<NotificationKind, Kind> = {
  paused: { compose: pausedFor, isForLeaving: true, isOfOneOutage: true },
  resumed: { compose: resumed, alsoReports: ['disabled'], isForLeaving: true, isOfOneOutage: true },
  disabled: { compose: campaigns.disabled, isForLeaving: true, isOfOneOutage: true },
  live_test: { compose: liveTest, isForLeaving: true },
  unknown: { compose: account.unknown, isOfOneOutage: true },
  early_warning: { compose: earlyWarning },
  reminder: { compose: reminder, isOfOneOutage: true },
  monthly_summary: { compose: monthlySummary },
  token_stale: { compose: account.tokenStale },
  token_expired: { compose: account.tokenExpired },
  account_lost: { compose: account.accountLost },
  account_blocked: { compose: account.accountBlocked },
  destination_disabled: { compose: account.destinationDisabled },
  address_refused: { compose: account.addressRefused },
  deauthorized: { compose: account.deauthorized, alsoReports: ['resumed'], isForLeaving: true },
  deleted: { compose: account.deleted, alsoReports: ['resumed'], isForLeaving: true },
};

/** A process of another version has this long to report what this one cannot read. */
const UNREAD_MS = hours(1);

interface ToWrite extends Given {
  log: Pick<Log, 'error'>;
  /** How long what this version cannot read waits for another one. */
  unreadMs: number;
}

type OfWriter = Pick<ToWrite, 'publicUrl' | 'now' | 'log'>;

/**
 * One transaction stores the notifications of many users and marks their activities as reported: each is in one notification.
 * Its statements are as many as for one user. A user whom another transaction has locked is left for the next time.
 */
export async function writeNotifications(
  db: Db,
  due: readonly PendingNotification[],
  given: OfWriter,
): Promise<void> {
  const kindsOf = [...Map.groupBy(due, ({ userId }) => userId).values()];
  const most = Math.max(...kindsOf.map((own) => own.length));
  await inTransaction(db, async (tx) => {
    const users = await lockUsersForNotifications(tx, [...new Set(due.map(({ userId }) => userId))]);
    // Those of a user are written in their order: a later one depends on what the former ones have reported.
    for (let place = 0; place < most; place += 1) {
      const next = kindsOf.flatMap((own) => own[place] ?? []);
      const asked = next.flatMap(({ userId, kind, lastAt }) => {
        const user = users.get(userId);
        return user === undefined ? [] : [askedOf(user, kind, lastAt)];
      });
      await write(tx, asked, { ...given, confirmationCode: null, unreadMs: UNREAD_MS });
    }
  });
}

/** Before the data of a user is deleted: all that is pending, and the farewell, which reports the last resumes. */
export async function writeLastNotifications(
  tx: Db,
  user: User,
  given: OfWriter & Pick<Given, 'confirmationCode'>,
): Promise<void> {
  const last = { ...given, unreadMs: 0 };
  for (const { kind, lastAt } of await findPendingNotifications(tx, user.id))
    if (kind !== 'resumed') await write(tx, [askedOf(user, kind, lastAt)], last);
  const kind = user.leaving === 'delete' ? 'deleted' : 'deauthorized';
  await write(tx, [askedOf(user, kind, null)], last);
}

/** Null: of another version. */
const knownKind = (kind: NotificationKind): Kind | null => (Object.hasOwn(KINDS, kind) ? KINDS[kind] : null);

function askedOf(user: User, kind: NotificationKind, lastAt: Instant | null): Asked {
  const { alsoReports = [], isOfOneOutage = false } = knownKind(kind) ?? {};
  return { user, kinds: [kind, ...alsoReports], lastAt, isOfOneOutage };
}

async function write(tx: Db, asked: readonly Asked[], given: ToWrite): Promise<void> {
  if (asked.length === 0) return;
  const facts = await findFacts(tx, asked, given);
  const written = asked.flatMap(({ kinds: [kind] }, index) => {
    const parts = (facts[index] ?? []).map((own) => compose(kind, own, given));
    // An activity may be in several: all wait for the time of one, and it keeps the last one, which is sent.
    if (parts.includes(null)) return [];
    const isSent = (part: (typeof parts)[number]) => Number(part !== null && part.message !== null);
    return [parts.toSorted((a, b) => isSent(a) - isSent(b)).filter((part) => part !== null)];
  });
  for (let place = 0; written.some((parts) => place < parts.length); place += 1)
    await store(
      tx,
      written.flatMap((parts) => parts[place] ?? []),
      given.now,
    );
}

/** At most one of each user. */
async function store(
  tx: Db,
  written: readonly NonNullable<ReturnType<typeof compose>>[],
  now: Instant,
): Promise<void> {
  const destinations = Map.groupBy(
    await findDestinationsOf(
      tx,
      written.map(({ user }) => user.id),
    ),
    ({ userId }) => userId,
  );
  const all = written.map(({ user, ...notification }) => {
    const { message } = notification;
    const own = destinations.get(user.id) ?? [];
    const recipients = message === null ? [] : recipientsOf(user, message, own, now);
    return { ...notification, userId: user.id, recipients };
  });
  await storeNotifications(tx, all, now);
  await noteIncidents(tx, all);
}

/** Null: nothing is to be stored. Its message is null: the activities are not reported. */
function compose(kind: NotificationKind, facts: Facts, given: ToWrite) {
  const { user } = facts;
  const known = knownKind(kind);
  const acts = known === null ? [] : facts.acts;
  const others = known === null ? facts.acts.map(({ happened, ...act }) => ({ ...act, ...happened })) : [];
  const unread = [...facts.unread, ...others];
  // What is not read was there first: these wait for more of their kind by a time of their own.
  if (unread.length > 0 && given.unreadMs > 0 && acts[0] !== undefined) {
    const hasRefusal = acts.some(
      ({ happened }) => happened.event === 'retrying' || happened.event === 'held_up',
    );
    const pending = {
      since: acts[0].at,
      lastAt: facts.lastAt,
      isUnfinished: facts.unfinished > 0,
      hasRefusal,
    };
    if (!isDue(pending, given.now)) return null;
  }
  const read = new Set(acts.map(({ id }) => id));
  const lost = unread.filter(({ id, at }) => read.has(id) || given.now - at >= given.unreadMs);
  for (const { id, event } of lost)
    given.log.error(
      { user: user.id, kind, activity: id, event },
      'activity of another version is not reported',
    );
  // Another process has written it.
  if (acts.length + lost.length === 0 && !isFarewell(kind)) return null;
  const isReported = acts.length > 0 || isFarewell(kind);
  const isWanted = isReported && (user.leaving === null || known?.isForLeaving === true);
  const notification = (isWanted && known?.compose(facts)) || null;
  const message = notification === null ? null : messageOf(notification, kind, facts);
  return { user, kind, message, activityIds: [...acts, ...lost].map(({ id }) => id) };
}

/** Those that they open, so that each is ended later, and those that they end once the receiver accepts it. */
async function noteIncidents(
  tx: Db,
  all: readonly { message: Message | null; recipients: readonly Recipient[] }[],
): Promise<void> {
  const found = all.flatMap(({ message, recipients }) => {
    const said = message === null ? null : incidentSaid(message);
    if (message === null || said === null) return [];
    const own = recipients.filter(({ channel }) => channel === INCIDENT_KIND);
    const since = message.thread?.startedAt ?? message.occurredAt;
    const incident = { ...said, since };
    return own.flatMap(({ destinationId }) =>
      destinationId === null ? [] : [{ ...incident, destinationId }],
    );
  });
  const [ended = [], begun = []] = [true, false].map((isEnd) => found.filter((one) => one.isEnd === isEnd));
  await markEnding(tx, ended);
  await addIncidents(
    tx,
    begun.map(({ isEnd: _isEnd, ...incident }) => incident),
  );
}

/** All that is said about it on any channel. */
function messageOf(
  notification: Notification,
  kind: NotificationKind,
  { acts, outages, held, now, user }: Facts,
): Message {
  const last = lastActivities(acts);
  const states = last.map((act) => ({
    ...{ list: listOfEvent(act), isTurnedOff: act.happened.event === 'deactivated' },
  }));
  const events = eventsOf(kind, states);
  // The pause and the resume name the same one.
  const outage = isOfOutage(events) ? outages[0] : undefined;
  return {
    ...{ ...shortened(notification), events },
    outage: outage?.id ?? null,
    isOver: held.length === 0,
    ...(outage && { thread: { id: `${outage.id}.${user.id}`, startedAt: outage.startedAt } }),
    occurredAt: acts.at(-1)?.at ?? now,
  };
}

/** The user's own addresses get every notification but an unwanted summary, destinations those that they want. */
function recipientsOf(
  user: User,
  message: Message,
  destinations: readonly Destination[],
  now: Instant,
): Recipient[] {
  const wanted = destinations.filter((destination) => isWanted(destination, message, now));
  const others = wanted.map(({ id, kind }) => ({ channel: kind, toAddress: null, destinationId: id }));
  const isOfRefusal = message.events.includes('address_refused');
  const isUnwanted = message.events.includes('monthly_summary') && !user.hasMonthlySummary;
  const own = isUnwanted
    ? []
    : addressesOf(user).filter((address) => !isOfRefusal || refusedSince(user, address) === null);
  return [
    ...own.map((toAddress) => ({ channel: 'email' as const, toAddress, destinationId: null })),
    ...others,
  ];
}
