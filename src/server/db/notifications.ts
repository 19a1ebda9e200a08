import { sql } from 'kysely';
import type { NotificationKind } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import { claimable } from './claim.ts';
import type { Db } from './database.ts';
import { fromNow } from './database.ts';

/** Equal for every attempt to send it. */
export interface NotificationContent {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Activities of one kind that no notification reports yet. */
export interface PendingNotification {
  userId: string;
  kind: NotificationKind;
  /** When the first of them happened. */
  since: Instant;
  /** When the last notification of the kind was written for the user; null: never. */
  lastAt: Instant | null;
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
    select user_id, pending_notification as kind, min(created_at) as since,
      (select max(n.created_at) from notifications n
        where n.user_id = act.user_id and n.kind = act.pending_notification) as last_at
    from activities act where pending_notification is not null and ${userId === null ? sql`true` : sql`user_id = ${userId}`}
    group by user_id, pending_notification order by pending_notification = 'disabled', since`.execute(db);
  return rows;
}

/**
 * Adds a notification that reports these activities. Earlier ones to the address that wait for a retry become due, so
 * that they arrive in order.
 * @param given.content null: there is nothing to report, or no address
 */
export async function storeNotification(
  tx: Db,
  given: {
    userId: string;
    kind: NotificationKind;
    content: NotificationContent | null;
    activityIds: readonly string[];
  },
  now: Instant,
): Promise<void> {
  const { userId, kind, content, activityIds } = given;
  let id: string | null = null;
  if (content !== null) {
    const { to, ...rest } = content;
    const due = { dueAt: fromNow(0) };
    await tx
      .updateTable('notifications')
      .set(due)
      .where('toAddress', '=', to)
      .where('dueAt', '>', fromNow(0))
      .execute();
    const values = { userId, kind, toAddress: to, ...rest, createdAt: new Date(now), ...due };
    id = (await tx.insertInto('notifications').values(values).returning('id').executeTakeFirstOrThrow()).id;
  }
  await sql`update activities set pending_notification = null, notification_id = ${id}::bigint
    where id = any(${[...activityIds]}::bigint[])`.execute(tx);
}

export interface ClaimedNotification extends NotificationContent {
  id: string;
  kind: NotificationKind;
  createdAt: Instant;
  attempts: number;
}

/**
 * Leases the oldest due notification of each address, unless one to it is being sent. If this process dies, another
 * takes over after the lease.
 */
export async function claimNotifications(
  db: Db,
  limit: number,
  leaseMs: number,
): Promise<ClaimedNotification[]> {
  const { rows } = await sql<ClaimedNotification>`
    update notifications set lease_until = ${fromNow(leaseMs)}
    where id = any(${claimable({
      ...{ table: 'notifications', key: 'id', due: 'due_at', limit, then: sql`id` },
      also: sql`not exists (select from notifications other
        where other.to_address = notifications.to_address and other.due_at is not null
          and (other.lease_until > now() or other.due_at <= now() and other.id < notifications.id))`,
    })})
    returning id, kind, created_at, attempts, to_address as to, subject, text, html`.execute(db);
  return rows;
}

/** @param result.retryAt null: it is sent, or there are no more retries; then its content is not needed any more */
export async function storeAttempt(
  db: Db,
  { id, attempts }: Pick<ClaimedNotification, 'id' | 'attempts'>,
  result: { error: string | null; retryAt: Instant | null },
  now: Instant,
): Promise<void> {
  const { error, retryAt } = result;
  const ended = {
    ...(error === null ? { sentAt: new Date(now) } : { failedAt: new Date(now) }),
    ...NO_CONTENT,
  };
  const next = retryAt === null ? { dueAt: null, ...ended } : { dueAt: fromNow(retryAt - now) };
  await db
    .updateTable('notifications')
    .set({ ...next, attempts: attempts + 1, lastError: error, leaseUntil: null })
    .where('id', '=', id)
    .execute();
  // Of a deleted user no more is kept.
  await db
    .deleteFrom('notifications')
    .where('id', '=', id)
    .where('userId', 'is', null)
    .where('dueAt', 'is', null)
    .execute();
}

const NO_CONTENT = { text: null, html: null } as const;
