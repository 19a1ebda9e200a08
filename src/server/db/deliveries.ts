import { sql } from 'kysely';
import type { DestinationKind } from '#core/destinations.ts';
import type { AskedKind, NotificationKind } from '#core/notifications.ts';
import { DELIVERIES_LISTED } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import type { Encrypted } from '../secrets.ts';
import { claimable } from './claim.ts';
import type { Db } from './database.ts';
import { fromNow, timestamp } from './database.ts';
import { keepIncidents } from './incidents.ts';

/** What is sent one after the other. An address is no number, so it is no destination's. */
export const RECIPIENT = sql<string>`coalesce(to_address, destination_id::text)`;

type Kind = NotificationKind | AskedKind;

export interface ClaimedDelivery {
  id: string;
  createdAt: Instant;
  attempts: number;
  /** The user's own address; null: it goes to the destination. */
  toAddress: string | null;
  destination: (Encrypted & { id: string; userId: string; wasAccepted: boolean }) | null;
  /** Null: deleted since. */
  userId: string | null;
  /** The address's mail server refused the last email to it for good. */
  wasRefused: boolean;
  notification: { id: string; kind: Kind; writtenAt: Instant; message: unknown };
}

/** Far cheaper than a claim, which mostly finds nothing. */
export async function isDeliveryDue(db: Db, channel: DestinationKind): Promise<boolean> {
  const query = db.selectFrom('deliveries').select('id').where('channel', '=', channel);
  return (await query.where('dueAt', '<=', fromNow(0)).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Leases the oldest due delivery of each recipient, unless one to it is being sent. If this process dies, another takes
 * over after the lease. What waits for a retry holds up the rest of its destination, if it does that at all; an email to
 * a user's own address delays no other one. A user has at most so many places of the channel, so that receivers that stall
 * leave the others to other users.
 */
export async function claimDeliveries(
  db: Db,
  {
    channel,
    limit,
    perUser,
    leaseMs,
  }: { channel: DestinationKind; limit: number; perUser: number; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  type Row = Omit<ClaimedDelivery, 'destination' | 'notification'> &
    Omit<ClaimedDelivery['notification'], 'id'> &
    Encrypted & {
      notificationId: string;
      destinationId: string | null;
      ownerId: string;
      wasAccepted: boolean;
    };
  const { rows } = await sql<Row>`
    with claimed as (
      update deliveries set lease_until = ${fromNow(leaseMs)}
      where id = any(${claimable({
        ...{ table: 'deliveries', key: 'id', due: 'due_at', limit, then: sql`notification_id` },
        also: sql`channel = ${channel} and not exists (select from deliveries other
          where coalesce(other.to_address, other.destination_id::text)
              = coalesce(deliveries.to_address, deliveries.destination_id::text)
            and other.due_at is not null and (other.lease_until > now() or other.notification_id < deliveries.notification_id
              and (other.due_at <= now() or other.destination_id is not null and other.holds_up)))
          and (select count(*) from destinations own join destinations also on also.user_id = own.user_id and also.id <> own.id
            where own.id = deliveries.destination_id and exists (select from deliveries busy
              where coalesce(busy.to_address, busy.destination_id::text) = also.id::text and busy.channel = ${channel}
                and busy.due_at is not null and (busy.lease_until > now() or busy.due_at <= now() and also.id < own.id)))
            < ${perUser}`,
      })})
      returning *)
    select d.id, d.created_at, d.attempts, d.to_address, d.notification_id, d.destination_id, n.kind, n.message,
      n.created_at as written_at, n.user_id, destinations.user_id as owner_id, destinations.ciphertext, destinations.key_id,
      destinations.accepted_at is not null as was_accepted,
      coalesce(users.refusals ? lower(d.to_address), false) as was_refused
    from claimed d join notifications n on n.id = d.notification_id left join users on users.id = n.user_id
    left join destinations on destinations.id = d.destination_id`.execute(db);
  return rows.map(({ id, createdAt, attempts, toAddress, destinationId, ...row }) => {
    const { notificationId, kind, writtenAt, message, userId, wasRefused, ownerId, ...target } = row;
    return {
      ...{ id, createdAt, attempts, toAddress, userId, wasRefused },
      destination: destinationId === null ? null : { id: destinationId, userId: ownerId, ...target },
      notification: { id: notificationId, kind, writtenAt, message },
    };
  });
}

/**
 * @param result.retryAt null: it is sent, or there are no more retries
 * @param result.notBefore the receiver asked to wait until then
 * @param result.holdsUp later ones to the destination wait for it
 * @param result.triedAt when it began: the destination may have another target since
 */
export async function storeAttempt(
  db: Db,
  { id, attempts, destination, notification }: ClaimedDelivery,
  result: {
    error: string | null;
    retryAt: Instant | null;
    notBefore: Instant | null;
    holdsUp: boolean;
    triedAt: Instant;
  },
  now: Instant,
): Promise<void> {
  const { error, retryAt, notBefore, holdsUp, triedAt } = result;
  if (error !== null && destination !== null && (await sendToNewTarget(db, id, destination))) return;
  const ended = error === null ? { sentAt: new Date(now) } : { failedAt: new Date(now) };
  const next = retryAt === null ? { dueAt: null, ...ended } : { dueAt: fromNow(retryAt - now) };
  await db
    .updateTable('deliveries')
    .set({
      ...{
        ...next,
        attempts: attempts + 1,
        lastError: error,
        leaseUntil: null,
        triedAt: new Date(triedAt),
        holdsUp,
      },
      notBefore: notBefore === null ? null : fromNow(notBefore - now),
    })
    .where('id', '=', id)
    // Its destination was switched off, or another process has sent it after the lease.
    .where('dueAt', 'is not', null)
    .execute();
  // Apart from the above: of two deliveries that end at once, each would see the other one open.
  if (retryAt === null) await closeNotifications(db, [notification.id]);
  else if (destination !== null && holdsUp) {
    // The rest is not due before it, or each claim would read what waits for all receivers that are down.
    await sql`update deliveries set due_at = head.due_at from deliveries head
      where head.id = ${id} and deliveries.due_at < head.due_at
        and coalesce(deliveries.to_address, deliveries.destination_id::text) = ${destination.id}`.execute(db);
  }
}

/** A former address has refused it, or asked to wait: that holds for no other one. False: the destination has the target that was tried. */
async function sendToNewTarget(
  db: Db,
  id: string,
  { id: destinationId, ciphertext }: NonNullable<ClaimedDelivery['destination']>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update deliveries set due_at = now(), lease_until = null, not_before = null, holds_up = false
    from destinations where deliveries.id = ${id} and deliveries.due_at is not null
      and destinations.id = ${destinationId} and destinations.ciphertext <> ${ciphertext}`.execute(db);
  return numAffectedRows > 0n;
}

/** Of a destination that gets nothing any more, but what is spared. */
export async function endDeliveries(
  db: Db,
  destinationId: string,
  error: string,
  now: Instant,
  spared: readonly Kind[] = [],
): Promise<void> {
  const ended = await db
    .updateTable('deliveries')
    .set({ dueAt: null, leaseUntil: null, failedAt: new Date(now), lastError: error })
    .where(RECIPIENT, '=', destinationId)
    .where('dueAt', 'is not', null)
    .where(
      sql<boolean>`not exists (
      select from notifications where id = notification_id and kind = any(${[...spared]}::text[]))`,
    )
    .returning('notificationId')
    .execute();
  const ids = ended.map(({ notificationId }) => notificationId);
  await closeNotifications(db, ids);
  await keepIncidents(db, destinationId);
}

/** No delivery of the notification is to be sent any more; a row of the former version is not sent before it has no due time. */
export const IS_ENDED = sql`(coalesce(due_at, 'infinity') = 'infinity' and not exists (
  select from deliveries where deliveries.notification_id = notifications.id and deliveries.due_at is not null))`;

/**
 * Of those whose deliveries have all ended, only what went to a destination can be sent again and keeps its message; of a
 * deleted user no more is kept.
 */
async function closeNotifications(db: Db, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; userId: string | null }>`
    update notifications set due_at = null, message = case when exists (
      select from deliveries where notification_id = notifications.id and destination_id is not null) then message end
    where id = any(${[...ids]}::bigint[]) and ${IS_ENDED}
    returning id, user_id`.execute(db);
  const ofDeleted = rows.filter(({ userId }) => userId === null).map(({ id }) => id);
  if (ofDeleted.length > 0) await db.deleteFrom('notifications').where('id', 'in', ofDeleted).execute();
}

/** A link that confirms an address is no notification. */
const IS_LISTED = sql<boolean>`notifications.kind <> 'confirm_address'`;

/** The newest delivery of each destination since then that was tried since it has its target. */
export async function findLastDeliveries(db: Db, destinationIds: readonly string[], since: Instant) {
  type Row = Pick<OwnDelivery, 'lastError' | 'dueAt'> & {
    destinationId: string;
    triedAt: Instant;
  };
  const { rows } = await sql<Row>`
    select last.* from unnest(${[...destinationIds]}::bigint[]) as wanted(id) cross join lateral (
      select destination_id, deliveries.tried_at, deliveries.last_error, deliveries.due_at
      from deliveries join notifications on notifications.id = notification_id join destinations on destinations.id = destination_id
      where destination_id = wanted.id and deliveries.created_at > ${timestamp(since)} and deliveries.tried_at > coalesce(target_at, '-infinity') and ${IS_LISTED}
      order by deliveries.created_at desc, deliveries.id desc limit 1) last`.execute(db);
  return new Map(rows.map((row) => [row.destinationId, row]));
}

export type OwnDelivery = Awaited<ReturnType<typeof findDeliveries>>[number];

/** Of notifications since then, which keep their messages so long. Newest first. */
export async function findDeliveries(db: Db, destinationId: string, since: Instant) {
  return db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.id', 'notificationId')
    .select(['deliveries.id', 'notifications.subject', 'notifications.createdAt', 'deliveries.attempts'])
    .select(['triedAt', 'deliveries.dueAt', 'deliveries.sentAt', 'deliveries.lastError'])
    .where('destinationId', '=', destinationId)
    .where('notifications.createdAt', '>', timestamp(since))
    .where(IS_LISTED)
    .orderBy('deliveries.id', 'desc')
    .limit(DELIVERIES_LISTED)
    .execute();
}

/** When something may be sent to a recipient: now, unless its receiver has asked to wait. */
export const soonestFor = (recipient: unknown) => sql<Instant>`greatest(now(), (
  select max(not_before) from deliveries where due_at is not null and ${RECIPIENT} = ${recipient}))`;

/** What waits for a retry becomes due, so that it arrives before further ones, unless the receiver asked to wait. */
export async function wakeWaiting(db: Db, recipients: readonly string[]): Promise<void> {
  await sql`update deliveries set due_at = given.soonest
    from (select recipient, ${soonestFor(sql.ref('recipient'))} as soonest from unnest(${[...recipients]}::text[]) as recipient) given
    where due_at > given.soonest and ${RECIPIENT} = given.recipient`.execute(db);
}

/** Of a destination with another target, whose receiver has not asked to wait. */
export async function forgetWaits(db: Db, destinationId: string): Promise<void> {
  const waiting = db.updateTable('deliveries').set({ dueAt: fromNow(0), notBefore: null });
  await waiting.where(RECIPIENT, '=', destinationId).where('dueAt', '>', fromNow(0)).execute();
}

/** Null: it is not kept any more. */
export async function findMessage(db: Db, id: string, destinationId: string): Promise<object | null> {
  const query = db.selectFrom('deliveries').innerJoin('notifications', 'notifications.id', 'notificationId');
  const own = query.where('deliveries.id', '=', id).where('destinationId', '=', destinationId);
  return (await own.select('message').executeTakeFirst())?.message ?? null;
}

/** Makes a delivery due now, with all retries of a new one, and what waits for a retry, unless the receiver asked to wait. */
export async function sendAgain(db: Db, id: string, destinationId: string): Promise<void> {
  await sql`
    update deliveries set due_at = ${soonestFor(sql`${destinationId}::text`)}, sent_at = null, failed_at = null, created_at = now()
    where id = ${id} and destination_id = ${destinationId}`.execute(db);
  await wakeWaiting(db, [destinationId]);
}
