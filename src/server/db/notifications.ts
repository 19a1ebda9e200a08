import { sql } from 'kysely';
import type { DestinationKind } from '#core/destinations.ts';
import type { AskedKind, NotificationKind } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { fromNow } from './database.ts';
import { wakeWaiting } from './deliveries.ts';

/** Activities of one kind that no notification reports yet. */
export interface PendingNotification {
  userId: string;
  kind: NotificationKind;
  /** When the first of them happened. */
  since: Instant;
  /** When the last notification of the kind was written for the user; null: never. */
  lastAt: Instant | null;
  /** Meta has refused a change, which is tried again. */
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
    select user_id, pending_notification as kind, min(created_at) as since, bool_or(event = 'retrying') as has_refusal,
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

/**
 * Adds a notification that reports these activities. Earlier ones to a recipient that wait for a retry become due, so
 * that they arrive in order, unless the receiver asked to wait.
 * @param given.message null: there is nothing to report
 */
export async function storeNotification(
  tx: Db,
  given: {
    userId: string;
    kind: NotificationKind | AskedKind;
    message: { subject: string } | null;
    recipients: readonly Recipient[];
    activityIds: readonly string[];
  },
  now: Instant,
): Promise<void> {
  const { userId, kind, message, recipients, activityIds } = given;
  let id: string | null = null;
  if (message !== null && recipients.length > 0) {
    const keys = recipients.map(({ toAddress, destinationId }) => toAddress ?? destinationId);
    await wakeWaiting(tx, keys);
    const createdAt = new Date(now);
    const row = { userId, kind, subject: message.subject, message: JSON.stringify(message), createdAt };
    const added = tx.insertInto('notifications').values({ ...row, dueAt: OPEN });
    const notification = await added.returning('id').executeTakeFirstOrThrow();
    id = notification.id;
    const delivery = { notificationId: id, createdAt, dueAt: fromNow(0) };
    const deliveries = recipients.map((recipient) => ({ ...recipient, ...delivery }));
    await tx.insertInto('deliveries').values(deliveries).execute();
  }
  await sql`update activities set pending_notification = null, notification_id = ${id}::bigint
    where id = any(${[...activityIds]}::bigint[])`.execute(tx);
}

/** Until all deliveries have ended. The former version, which looks for due times, then leaves the row alone. */
const OPEN = sql<Instant>`'infinity'`;
