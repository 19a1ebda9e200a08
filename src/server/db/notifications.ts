import { sql } from 'kysely';
import type { DestinationKind } from '#core/destinations.ts';
import type { AskedKind, NotificationKind } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { rowsOf } from './database.ts';
import { soonestFor, wakeWaiting } from './deliveries.ts';

/** Activities of one kind that no notification reports yet. */
export interface PendingNotification {
  userId: string;
  kind: NotificationKind;
  /** When the first of them happened. */
  since: Instant;
  /** When the last notification of the kind was written for the user; null: never. */
  lastAt: Instant | null;
  /** Meta has refused a change, which is tried again, or our app. */
  hasRefusal: boolean;
}

/**
 * A resume reports external changes as well, so it comes before a notification about these alone.
 * @param userId null: of all users
 */
export async function findPendingNotifications(
  db: Db,
  userId: string | null = null,
): Promise<PendingNotification[]> {
  const { rows } = await sql<PendingNotification>`
    select user_id, pending_notification as kind, min(created_at) as since, bool_or(event in ('retrying', 'held_up')) as has_refusal,
      (select max(n.created_at) from notifications n
        where n.user_id = act.user_id and n.kind = act.pending_notification) as last_at
    from activities act where pending_notification is not null and ${userId === null ? sql`true` : sql`user_id = ${userId}`}
    group by user_id, pending_notification order by pending_notification = 'disabled', since`.execute(db);
  return rows;
}

/** Where a notification goes: the user's own address, or one of their destinations. */
export type Recipient = { channel: DestinationKind } & (
  { toAddress: string; destinationId: null } | { toAddress: null; destinationId: string }
);

interface NewNotification {
  userId: string;
  kind: NotificationKind | AskedKind;
  /** Null: there is nothing to report. */
  message: { subject: string } | null;
  recipients: readonly Recipient[];
  /** That it reports. */
  activityIds: readonly string[];
}

/**
 * Adds a notification. Earlier ones to a recipient that wait for a retry become due, so that they arrive in order, unless
 * the receiver asked to wait.
 */
export async function storeNotification(tx: Db, given: NewNotification, now: Instant): Promise<void> {
  await storeNotifications(tx, [given], now);
}

/** The same for many, each of another user. */
export async function storeNotifications(
  tx: Db,
  all: readonly NewNotification[],
  now: Instant,
): Promise<void> {
  const idOf = await addNotifications(tx, all, now);
  const reported = all.flatMap(({ userId, activityIds }) =>
    activityIds.map((id) => ({ id, notificationId: idOf.get(userId) ?? null })),
  );
  if (reported.length === 0) return;
  await sql`update activities set pending_notification = null, notification_id = given.notification_id
    from ${rowsOf({ id: 'bigint', notificationId: 'bigint' }, reported)} where activities.id = given.id`.execute(
    tx,
  );
}

/** @returns their ids, by user */
async function addNotifications(
  tx: Db,
  all: readonly NewNotification[],
  now: Instant,
): Promise<Map<string | null, string>> {
  const createdAt = new Date(now);
  const sent = all.filter(({ message, recipients }) => message !== null && recipients.length > 0);
  if (sent.length === 0) return new Map();
  const recipients = sent.flatMap((one) => one.recipients);
  await wakeWaiting(
    tx,
    recipients.map(({ toAddress, destinationId }) => toAddress ?? destinationId),
  );
  const rows = sent.map(({ userId, kind, message }) => {
    const { subject = '' } = message ?? {};
    return { userId, kind, subject, message: JSON.stringify(message), createdAt, dueAt: OPEN };
  });
  const added = await tx.insertInto('notifications').values(rows).returning(['id', 'userId']).execute();
  const idOf = new Map(added.map(({ id, userId }) => [userId, id]));
  const deliveries = sent.flatMap((one) =>
    one.recipients.map((recipient) => ({
      ...{ ...recipient, notificationId: idOf.get(one.userId) ?? '', createdAt },
      dueAt: soonestFor(recipient.toAddress ?? recipient.destinationId),
    })),
  );
  await tx.insertInto('deliveries').values(deliveries).execute();
  return idOf;
}

/** Until all deliveries have ended. The former version, which looks for due times, then leaves the row alone. */
const OPEN = sql<Instant>`'infinity'`;
