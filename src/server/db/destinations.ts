import type { Selectable } from 'kysely';
import type { DestinationEvent, DestinationKind } from '#core/destinations.ts';
import type { Instant } from '#core/time.ts';
import type { Encrypted, TokenCipher } from '../secrets.ts';
import type { Db } from './database.ts';
import { date } from './database.ts';
import { endDeliveries } from './deliveries.ts';
import type { Schema } from './schema.ts';

/** Without its target. */
export type Destination = Omit<Selectable<Schema['destinations']>, 'ciphertext' | 'keyId'>;

const COLUMNS = [
  ...(['id', 'userId', 'kind', 'name', 'events', 'state'] as const),
  ...(['disabledReason', 'verifiedAt', 'quietUntil', 'createdAt'] as const),
];

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
  return db.selectFrom('destinations').select(COLUMNS).where('userId', '=', userId).orderBy('id').execute();
}

/** Null: the key is not in the configuration. */
export function decryptTarget(cipher: TokenCipher, stored: Encrypted & { userId: string }): unknown {
  const target = cipher.decrypt(stored, contextOf(stored.userId));
  return target === null ? null : JSON.parse(target);
}

/** A receiver wants nothing any more. What waits for it is not sent. */
export async function disableDestination(db: Db, id: string, reason: string, now: Instant): Promise<void> {
  const disabled = { state: 'disabled' as const, disabledReason: reason };
  await db.updateTable('destinations').set(disabled).where('id', '=', id).execute();
  await endDeliveries(db, id, reason, now);
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
