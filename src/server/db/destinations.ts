import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { DestinationEvent } from '#core/destination-events.ts';
import type { DestinationKind } from '#core/destinations.ts';
import type { Instant } from '#core/time.ts';
import type { Encrypted, TokenCipher } from '../secrets.ts';
import { recordActivities } from './activities.ts';
import type { Db } from './database.ts';
import { date, inTransaction } from './database.ts';
import { endDeliveries, forgetWaits } from './deliveries.ts';
import type { Schema } from './schema.ts';
import { lockUserForNotification } from './users/users.ts';

/** With its encrypted target. */
export type Destination = Selectable<Schema['destinations']>;

/** Binds the encrypted target to its user: a row copied to another user cannot be decrypted. */
const contextOf = (userId: string): string => `destination:${userId}`;

interface NewDestination {
  userId: string;
  kind: DestinationKind;
  name: string;
  /** As the schema of its channel has it. */
  target: object;
  events: readonly DestinationEvent[];
  /** Null: its owner has not confirmed it. */
  verifiedAt: Instant | null;
}

/** @returns its id */
export async function addDestination(
  db: Db,
  cipher: TokenCipher,
  { target, events, verifiedAt, ...row }: NewDestination,
  now: Instant,
): Promise<string> {
  const encrypted = cipher.encrypt(JSON.stringify(target), contextOf(row.userId));
  const times = { verifiedAt: date(verifiedAt), createdAt: new Date(now) };
  const added = db.insertInto('destinations').values({ ...row, ...encrypted, ...times, events: [...events] });
  return (await added.returning('id').executeTakeFirstOrThrow()).id;
}

/** Oldest first. */
export async function findDestinations(db: Db, userId: string): Promise<Destination[]> {
  return findDestinationsOf(db, [userId]);
}

/** Of many users, oldest first. */
export async function findDestinationsOf(db: Db, userIds: readonly string[]): Promise<Destination[]> {
  const isOne = sql<boolean>`user_id = any(${[...userIds]}::bigint[])`;
  return db.selectFrom('destinations').selectAll().where(isOne).orderBy('id').execute();
}

/** With its encrypted target. */
export async function findDestination(db: Db, id: string): Promise<(Destination & Encrypted) | null> {
  const row = db.selectFrom('destinations').selectAll().where('id', '=', id);
  return (await row.executeTakeFirst()) ?? null;
}

/** Null: the key is not in the configuration. */
export function decryptTarget(cipher: TokenCipher, stored: Encrypted & { userId: string }): unknown {
  const target = cipher.decrypt(stored, contextOf(stored.userId));
  return target === null ? null : JSON.parse(target);
}

type Column = 'name' | 'events' | 'state' | 'disabledReason' | 'quietUntil';

/** What is absent stays. */
export async function changeDestination(
  db: Db,
  cipher: TokenCipher,
  { id, userId }: Destination,
  {
    target,
    quietUntil,
    ...changed
  }: { [Name in Column]?: Destination[Name] | undefined } & { target?: object | undefined },
): Promise<void> {
  const row = {
    ...changed,
    ...(quietUntil !== undefined && { quietUntil: date(quietUntil) }),
    ...(target !== undefined && cipher.encrypt(JSON.stringify(target), contextOf(userId))),
  };
  if (Object.values(row).some((value) => value !== undefined))
    await db.updateTable('destinations').set(row).where('id', '=', id).execute();
}

type Tried = Pick<Destination, 'id' | 'userId' | 'ciphertext'>;

/** The destination, unless it has another target than what was tried. */
const updateTried = (db: Db, { id, ciphertext }: Tried) =>
  db.updateTable('destinations').where('id', '=', id).where('ciphertext', '=', ciphertext);

/** What a test was answered; null: it was accepted. */
export async function noteTest(db: Db, tried: Tried, error: string | null, now: Instant): Promise<void> {
  const test = { testedAt: new Date(now), testError: error };
  await updateTried(db, tried).set(test).execute();
  if (error === null) await markAccepted(db, tried, now);
}

/** It has accepted a delivery or a test; the first time counts. */
export async function markAccepted(db: Db, tried: Tried, now: Instant): Promise<void> {
  const accepted = { acceptedAt: new Date(now) };
  const query = updateTried(db, tried).set(accepted);
  await query.where('acceptedAt', 'is', null).execute();
}

/** It has another target: nothing is known of that one, and what waited for the former one becomes due. */
export async function forgetAttempts(tx: Db, id: string, now: Instant): Promise<void> {
  const none = { acceptedAt: null, testedAt: null, testError: null, targetAt: new Date(now) };
  await tx.updateTable('destinations').set(none).where('id', '=', id).execute();
  await forgetWaits(tx, id);
}

/** With its deliveries. */
export async function deleteDestination(db: Db, id: string, now: Instant): Promise<void> {
  await endDeliveries(db, id, 'You deleted it.', now);
  await db.deleteFrom('destinations').where('id', '=', id).execute();
}

/** A receiver wants nothing any more. What waits for it is not sent. */
export async function disableDestination(db: Db, tried: Tried, reason: string, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A notification that is being written has found it on.
    await lockUserForNotification(tx, tried.userId);
    const disabled = { state: 'disabled' as const, disabledReason: reason };
    const query = updateTried(tx, tried).set(disabled).where('state', '=', 'on');
    const [row] = await query.returning(['userId', 'kind', 'name']).execute();
    if (row === undefined) return;
    await endDeliveries(tx, tried.id, reason, now);
    const facts = { kind: row.kind, destination: row.name, reason };
    const activity = {
      userId: row.userId,
      actor: 'smartpause',
      event: 'destination_disabled',
      facts,
    } as const;
    await recordActivities(tx, [activity], now);
  });
}

/** Encrypts targets of older keys with the newest one, so that the older ones can be removed. */
export async function reencryptTargets(db: Db, cipher: TokenCipher): Promise<void> {
  const older = db.selectFrom('destinations').select(['id', 'userId', 'ciphertext', 'keyId']);
  for (const row of await older.where('keyId', '<>', cipher.keyId).execute()) {
    const context = contextOf(row.userId);
    const target = cipher.decrypt(row, context);
    if (target === null) continue;
    // A target that was replaced since then stays.
    const same = db
      .updateTable('destinations')
      .where('id', '=', row.id)
      .where('ciphertext', '=', row.ciphertext);
    await same.set(cipher.encrypt(target, context)).execute();
  }
}
