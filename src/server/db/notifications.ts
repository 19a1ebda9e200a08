import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { NotificationKind } from '#core/notifications.ts';
import { SETTLE_MS } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { inTransaction, timestamp, fromNow } from './database.ts';
import type { Schema } from './schema.ts';

/** The content of a notification, fixed when it is finalized and equal for every attempt. */
export interface NotificationContent {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface OutboxNotification {
  id: string;
  userId: string | null;
  kind: NotificationKind;
  /**
   * The unique key of a notification that is written once, such as 'token:…'; null: activities may join it.
   */
  event: string | null;
  createdAt: Instant;
  attempts: number;
  /** Null: not finalized, activities may still join. */
  content: NotificationContent | null;
}

function toNotification(row: Selectable<Schema['notifications']>): OutboxNotification {
  const { toAddress: to, subject, text, html } = row;
  const isFinalized = to !== null && subject !== null && text !== null && html !== null;
  return {
    id: row.id,
    userId: row.userId,
    kind: row.kind,
    event: row.event,
    createdAt: row.createdAt,
    attempts: row.attempts,
    content: isFinalized ? { to, subject, text, html } : null,
  };
}

/**
 * Finds or creates the open notifications of these users and kinds. Locks them until the transaction ends,
 * so that none is finalized between an activity and its line in the notification.
 * @returns ids by 'user kind'
 */
export async function openNotifications(
  tx: Db,
  wanted: readonly { userId: string; kind: NotificationKind }[],
  now: Instant,
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const distinct = [...new Map(wanted.map((one) => [`${one.userId} ${one.kind}`, one])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
  const { rows } = await sql<{ id: string; userId: string; kind: string }>`
    insert into notifications (user_id, kind, created_at, due_at)
    select users.id, wanted.kind, ${timestamp(now)}, ${fromNow(SETTLE_MS)}
    from unnest(${distinct.map((one) => one.userId)}::bigint[], ${distinct.map((one) => one.kind)}::text[])
      with ordinality as wanted(user_id, kind, n)
    join users on users.id = wanted.user_id order by wanted.n
    on conflict (user_id, kind) where finalized_at is null and event is null
      do update set due_at = notifications.due_at
    returning id, user_id, kind`.execute(tx);
  return new Map(rows.map((row) => [`${row.userId} ${row.kind}`, row.id]));
}

/** The start of the UNKNOWN period is its key, so each period leads to one email. */
export function unknownEvent(since: Instant): string {
  return `unknown:${since}`;
}

/** The start of the block is its key. */
export function blockedEvent(accountId: string, since: Instant): string {
  return `blocked:${accountId}:${since}`;
}

export function blockedAccountOf(event: string | null): string {
  return event?.split(':')[1] ?? '';
}

/** Adds one notification per user and event. Idempotent. */
export async function addNotifications(
  tx: Db,
  notifications: { userIds: readonly string[]; kind: NotificationKind; event: string },
  now: Instant,
): Promise<void> {
  if (notifications.userIds.length === 0) return;
  await sql`
    insert into notifications (user_id, kind, event, created_at, due_at)
    select user_id, ${notifications.kind}, ${notifications.event}, ${timestamp(now)}, now()
    from unnest(${[...notifications.userIds]}::bigint[]) as concerned(user_id)
    on conflict (user_id, kind, event) where event is not null do nothing`.execute(tx);
}

/**
 * Leases due notifications; if this process dies, another takes over after the lease. Includes earlier ones
 * that wait for a retry, to keep the order per user. A later one waits while an earlier one is being sent.
 */
export async function claimDueNotifications(
  db: Db,
  limit: number,
  leaseMs: number,
): Promise<OutboxNotification[]> {
  const { rows } = await sql<Selectable<Schema['notifications']>>`
    with due as (
      select id, user_id, to_address from notifications m
      where due_at <= now() and (lease_until is null or lease_until <= now())
        and not exists (select from notifications earlier where ${isEarlier}
          and earlier.due_at is not null and earlier.lease_until > now())
      order by due_at, id limit ${limit}
    ), taken as (
      select m.id from notifications m
      where (m.lease_until is null or m.lease_until <= now()) and (
        m.id in (select id from due)
        or m.due_at is not null and m.finalized_at is not null and exists (
          select from due where m.id < due.id and (m.user_id = due.user_id or m.to_address = due.to_address)))
      for update skip locked
    )
    update notifications set lease_until = ${fromNow(leaseMs)} where id in (select id from taken)
    returning *`.execute(db);
  return rows.map(toNotification);
}

const isEarlier = sql`earlier.id < m.id and (earlier.user_id = m.user_id or earlier.to_address = m.to_address)`;

/**
 * Locks a notification without content: an open one, or a failed one that an admin retries.
 * @returns null if it is finalized or deleted
 */
export async function lockWithoutContent(tx: Db, id: string): Promise<OutboxNotification | null> {
  const row = await tx
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('finalizedAt', 'is', null), eb.and([eb('text', 'is', null), eb('dueAt', 'is not', null)])]),
    )
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toNotification(row);
}

export async function findOpenNotifications(tx: Db, userId: string): Promise<OutboxNotification[]> {
  const rows = await tx
    .selectFrom('notifications')
    .selectAll()
    .where('userId', '=', userId)
    .where('finalizedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(toNotification);
}

export async function storeContent(
  tx: Db,
  id: string,
  content: NotificationContent,
  now: Instant,
): Promise<void> {
  const { to, ...rest } = content;
  await tx
    .updateTable('notifications')
    .set({ ...rest, toAddress: to, finalizedAt: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** Adds a notification with final content. Without a user its content is deleted once it is sent. */
export async function addFarewell(
  tx: Db,
  notification: { userId: string | null; kind: NotificationKind; content: NotificationContent },
  now: Instant,
): Promise<string> {
  const { userId, kind } = notification;
  const { to, ...rest } = notification.content;
  const at = new Date(now);
  const row = await tx
    .insertInto('notifications')
    .values({
      userId,
      kind,
      toAddress: to,
      ...rest,
      createdAt: at,
      dueAt: fromNow(0),
      finalizedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** @param forMs null: no automatic retry */
export async function postponeNotification(db: Db, id: string, forMs: number | null): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ dueAt: forMs === null ? null : fromNow(forMs), leaseUntil: null })
    .where('id', '=', id)
    .execute();
}

/** Drops a notification without content or recipient. */
export async function dropNotification(db: Db, id: string): Promise<void> {
  await db.deleteFrom('notifications').where('id', '=', id).execute();
}

/** Drops the content that is no longer needed; deletes the row if the user is deleted. */
export async function markSent(db: Db, notification: OutboxNotification, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('notifications')
      .set({ ...DONE, sentAt: new Date(now), attempts: notification.attempts + 1, lastError: null })
      .where('id', '=', notification.id)
      .execute();
    await dropOwnerlessNotifications(tx);
  });
}

/** @param retryAt null: no more retries */
export async function markFailed(
  db: Db,
  notification: OutboxNotification,
  failure: { error: string; retryAt: Instant | null },
  now: Instant,
): Promise<void> {
  const { error, retryAt } = failure;
  const next = retryAt === null ? { ...DONE, failedAt: new Date(now) } : { dueAt: fromNow(retryAt - now) };
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('notifications')
      .set({ ...next, attempts: notification.attempts + 1, lastError: error, leaseUntil: null })
      .where('id', '=', notification.id)
      .execute();
    await dropOwnerlessNotifications(tx);
  });
}

const DONE = { dueAt: null, leaseUntil: null, text: null, html: null } as const;

/** Drops notifications of deleted users that nothing will send. */
export async function dropOwnerlessNotifications(db: Db): Promise<void> {
  await db.deleteFrom('notifications').where('userId', 'is', null).where('dueAt', 'is', null).execute();
}

/** Data minimization: old notifications are not needed. */
export async function dropOldNotifications(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('dueAt', 'is', null)
    .where('createdAt', '<', timestamp(before))
    .execute();
}

/** When the last notification of that kind for the user was finalized. */
export async function lastFinalizedAt(
  tx: Db,
  userId: string,
  kind: NotificationKind,
): Promise<Instant | null> {
  const row = await tx
    .selectFrom('notifications')
    .select((eb) => eb.fn.max('finalizedAt').as('at'))
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.at ?? null;
}
