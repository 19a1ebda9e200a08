import {
  INCIDENT_KIND,
  endsIncident,
  eventsOf,
  incidentOf,
  isOfOutage,
  isWanted,
} from '#core/destinations.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { isDue, lastActivities } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import { hours } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { findDestinations } from '../db/destinations.ts';
import { addIncidents, removeIncidents } from '../db/incidents.ts';
import type { PendingNotification, Recipient } from '../db/notifications.ts';
import { findPendingNotifications, storeNotification } from '../db/notifications.ts';
import type { User } from '../db/users/users.ts';
import { lockUserForNotification } from '../db/users/users.ts';
import type { Log } from '../observability/log.ts';
import type { Facts, Given } from './facts.ts';
import { findFacts } from './facts.ts';
import type { Message } from './message.ts';
import type { Notification } from './render.ts';
import { shortened } from './render.ts';
import * as account from './templates/account.ts';
import * as campaigns from './templates/campaigns.ts';
import { liveTest } from './templates/live-test.ts';
import { reminder } from './templates/reminder.ts';

interface Kind {
  /** Null: there is nothing to report any more. */
  compose: (facts: Facts) => Notification | null;
  /** Kinds of activities that it reports besides its own. */
  alsoReports?: readonly NotificationKind[];
  /** The farewell covers users who are leaving. */
  isForLeaving?: true;
}

export const KINDS: Record<NotificationKind, Kind> = {
  paused: { compose: campaigns.paused, isForLeaving: true },
  resumed: { compose: campaigns.resumed, alsoReports: ['disabled'], isForLeaving: true },
  disabled: { compose: campaigns.disabled, isForLeaving: true },
  live_test: { compose: liveTest, isForLeaving: true },
  unknown: { compose: account.unknown },
  reminder: { compose: reminder },
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

type ToWrite = Pick<Given, 'publicUrl' | 'now'> & { log: Pick<Log, 'error'> };

/** One transaction stores the notification and marks its activities as reported: each is in one notification. */
export async function writeNotification(db: Db, pending: PendingNotification, given: ToWrite): Promise<void> {
  const { userId, kind, lastAt } = pending;
  await inTransaction(db, async (tx) => {
    const user = await lockUserForNotification(tx, userId);
    const all = { ...given, lastAt, confirmationCode: null, unreadMs: UNREAD_MS };
    if (user !== null) await write(tx, user, kind, all);
  });
}

/** Before the data of a user is deleted: all that is pending, and the farewell, which reports the last resumes. */
export async function writeLastNotifications(
  tx: Db,
  user: User,
  given: ToWrite & Pick<Given, 'confirmationCode'>,
): Promise<void> {
  const last = { ...given, unreadMs: 0 };
  for (const { kind, lastAt } of await findPendingNotifications(tx, user.id))
    if (kind !== 'resumed') await write(tx, user, kind, { ...last, lastAt });
  const kind = user.leaving === 'delete' ? 'deleted' : 'deauthorized';
  await write(tx, user, kind, { ...last, lastAt: null });
}

/** @param given.unreadMs how long what this version cannot read waits for another one */
async function write(
  tx: Db,
  user: User,
  kind: NotificationKind,
  given: Given & ToWrite & { unreadMs: number },
): Promise<void> {
  const known: Kind | null = Object.hasOwn(KINDS, kind) ? KINDS[kind] : null;
  const facts = await findFacts(tx, user, [kind, ...(known?.alsoReports ?? [])], given);
  const acts = known === null ? [] : facts.acts;
  const others = known === null ? facts.acts.map(({ happened, ...act }) => ({ ...act, ...happened })) : [];
  const unread = [...facts.unread, ...others];
  // What is not read was there first: these wait for more of their kind by a time of their own.
  if (unread.length > 0 && given.unreadMs > 0 && acts[0] !== undefined) {
    const hasRefusal = acts.some(({ happened }) => happened.event === 'retrying');
    const pending = {
      since: acts[0].at,
      lastAt: given.lastAt,
      isUnfinished: facts.unfinished > 0,
      hasRefusal,
    };
    if (!isDue(pending, given.now)) return;
  }
  const read = new Set(acts.map(({ id }) => id));
  const lost = unread.filter(({ id, at }) => read.has(id) || given.now - at >= given.unreadMs);
  for (const { id, event } of lost)
    given.log.error(
      { user: user.id, kind, activity: id, event },
      'activity of another version is not reported',
    );
  const isFarewell = kind === 'deauthorized' || kind === 'deleted';
  // Another process has written it.
  if (acts.length + lost.length === 0 && !isFarewell) return;
  const isReported = acts.length > 0 || isFarewell;
  const isWanted = isReported && (user.leaving === null || known?.isForLeaving === true);
  const notification = (isWanted && known?.compose(facts)) || null;
  const message = notification === null ? null : messageOf(notification, kind, facts);
  const recipients = message === null ? [] : await findRecipients(tx, user, message, given.now);
  const activityIds = [...acts, ...lost].map(({ id }) => id);
  await storeNotification(tx, { userId: user.id, kind, message, recipients, activityIds }, given.now);
  if (message !== null) await noteIncidents(tx, message, recipients);
}

/** Those that it opens, so that each is ended later, and those that it ends. */
async function noteIncidents(tx: Db, message: Message, recipients: readonly Recipient[]): Promise<void> {
  const own = recipients.filter(({ channel }) => channel === INCIDENT_KIND);
  const ids = own.flatMap(({ destinationId }) => destinationId ?? []);
  const about = incidentOf(message);
  if (about === null || ids.length === 0) return;
  const since = message.thread?.startedAt ?? message.occurredAt;
  if (endsIncident(message)) await removeIncidents(tx, ids, about);
  else await addIncidents(tx, ids, { about, since });
}

/** All that is said about it on any channel. */
function messageOf(
  notification: Notification,
  kind: NotificationKind,
  { acts, outages, held, now, user }: Facts,
): Message {
  const last = lastActivities(acts);
  const states = last.map((act) => ({
    ...{ list: campaigns.listOfEvent(act), isTurnedOff: act.happened.event === 'deactivated' },
  }));
  const events = eventsOf(kind, states);
  // The pause and the resume name the same one, whatever outages there were between them.
  const outage = isOfOutage(events) ? outages[0] : undefined;
  return {
    ...{ ...shortened(notification), events },
    outage: outage?.id ?? null,
    isOver: held.length === 0,
    ...(outage && { thread: { id: `${outage.id}.${user.id}`, startedAt: outage.startedAt } }),
    occurredAt: acts.at(-1)?.at ?? now,
  };
}

/** The user's own address gets every notification, destinations those that they want. */
async function findRecipients(tx: Db, user: User, message: Message, now: Instant): Promise<Recipient[]> {
  const destinations = await findDestinations(tx, user.id);
  const wanted = destinations.filter((destination) => isWanted(destination, message, now));
  const others = wanted.map(({ id, kind }) => ({ channel: kind, toAddress: null, destinationId: id }));
  // The user's own address refuses emails.
  if (user.email === null || message.events.includes('address_refused')) return others;
  return [{ channel: 'email', toAddress: user.email, destinationId: null }, ...others];
}
