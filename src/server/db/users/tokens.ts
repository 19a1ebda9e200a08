import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { TokenLife } from '#core/platform-access.ts';
import { NO_LONGER_VALID, REMOVED_ON_META, SUSPECTED_EVERY_MS } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import type { TokenCipher } from '../../secrets.ts';
import { claimable } from '../claim.ts';
import type { Db } from '../database.ts';
import { date, fromNow, timestamp } from '../database.ts';
import type { Schema } from '../schema.ts';

/** The row holds the token encrypted. */
export type StoredToken = Selectable<Schema['platformTokens']>;

/** A token from Meta. */
export interface NewToken {
  token: string;
  expiresAt: Instant | null;
  /** It is still to be exchanged for a longer one. */
  isShortLived: boolean;
  /** When to check it. */
  checkAt: Instant;
}

/** Binds the encrypted token to its user: a row copied to another user cannot be decrypted. */
export function tokenContext(userId: string): string {
  return `platform_token:${userId}`;
}

function rowOf(cipher: TokenCipher, userId: string, { token, ...life }: NewToken, now: Instant) {
  return {
    ...cipher.encrypt(token, tokenContext(userId)),
    expiresAt: date(life.expiresAt),
    isShortLived: life.isShortLived,
    savedAt: new Date(now),
    rejectedAt: null,
    rejectedReason: null,
    checkedAt: null,
    checkAt: fromNow(life.checkAt - now),
  };
}

/** @param since the start of the login: a token that a later login has saved since then stays */
export async function saveToken(
  db: Db,
  cipher: TokenCipher,
  { userId, since, ...given }: NewToken & { userId: string; since: Instant },
  now: Instant,
): Promise<void> {
  const row = rowOf(cipher, userId, given, now);
  await db
    .insertInto('platformTokens')
    .values({ userId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([
            eb('platformTokens.rejectedAt', 'is not', null),
            eb('platformTokens.savedAt', '<=', timestamp(since)),
          ]),
        ),
    )
    .execute();
}

/** A token that a later login has saved is a different one and stays. */
function update(db: Db, { userId, savedAt }: Pick<StoredToken, 'userId' | 'savedAt'>) {
  const query = db.updateTable('platformTokens').where('userId', '=', userId);
  return query.where('savedAt', '=', timestamp(savedAt));
}

/** Replaces a token by a longer one, unless Meta has refused it. @returns whether it was replaced */
export async function replaceToken(
  db: Db,
  cipher: TokenCipher,
  { before, after }: { before: StoredToken; after: NewToken },
  now: Instant,
): Promise<boolean> {
  const query = update(db, before).set(rowOf(cipher, before.userId, after, now));
  return (await query.where('rejectedAt', 'is', null).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Encrypts a token of an older key with the newest one. */
export async function reencryptToken(
  db: Db,
  cipher: TokenCipher,
  stored: StoredToken,
  token: string,
): Promise<void> {
  await update(db, stored)
    .set(cipher.encrypt(token, tokenContext(stored.userId)))
    .execute();
}

/**
 * Stores the life of a token as the check has found it, and the time of the next check.
 * @returns false if a newer token was saved since
 */
export async function saveCheck(
  tx: Db,
  token: Pick<StoredToken, 'userId' | 'checkAt'> & TokenLife,
  now: Instant,
): Promise<boolean> {
  const { isShortLived } = token;
  const row = { expiresAt: date(token.expiresAt), isShortLived, checkAt: fromNow(token.checkAt - now) };
  return (await update(tx, token).set(row).executeTakeFirst()).numUpdatedRows > 0n;
}

/** @param refusedAt null: Meta has inspected a token for our app. @returns since when it refuses to */
export async function noteInspection(db: Db, refusedAt: Instant | null): Promise<Instant | null> {
  const since = sql<Instant | null>`coalesce(inspections_refused_since, ${timestamp(refusedAt ?? 0)})`;
  const row = { inspectionsRefusedSince: refusedAt === null ? null : since };
  const noted = db.updateTable('appState').set(row).returning('inspectionsRefusedSince');
  return (await noted.executeTakeFirstOrThrow()).inspectionsRefusedSince;
}

/** By user. */
export async function findTokens(db: Db, userIds: readonly string[]): Promise<Map<string, StoredToken>> {
  const isOne = sql<boolean>`user_id = any(${[...userIds]}::bigint[])`;
  const rows = await db.selectFrom('platformTokens').selectAll().where(isOne).execute();
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Null: no token, Meta has refused it, or no key decrypts it. */
export async function findToken(db: Db, cipher: TokenCipher, userId: string): Promise<string | null> {
  const stored = (await findTokens(db, [userId])).get(userId);
  return stored?.rejectedAt === null ? cipher.decrypt(stored, tokenContext(userId)) : null;
}

/** Includes a token that Meta has refused, since its remaining permissions can still be revoked. */
export async function findTokenToRevoke(db: Db, cipher: TokenCipher, userId: string): Promise<string | null> {
  const stored = (await findTokens(db, [userId])).get(userId);
  if (stored === undefined || stored.rejectedReason === REMOVED_ON_META) return null;
  return cipher.decrypt(stored, tokenContext(userId));
}

/**
 * @param usedAt a token that was saved later is a different one and stays
 * @returns false if another one stands, or it was refused before
 */
export async function markRejected(
  tx: Db,
  { userId, reason, usedAt }: { userId: string; reason: string; usedAt: Instant },
  now: Instant,
): Promise<boolean> {
  const rejected = await tx
    .updateTable('platformTokens')
    .set({ rejectedAt: new Date(now), rejectedReason: reason })
    .where('userId', '=', userId)
    .where('rejectedAt', 'is', null)
    .where('savedAt', '<=', timestamp(usedAt))
    .executeTakeFirst();
  return rejected.numUpdatedRows > 0n;
}

/** Rejections since then may come from a Meta outage: the tokens count as valid until the next check. */
export async function recheckRejectedTokens(db: Db, since: Instant, now: Instant): Promise<void> {
  await db
    .updateTable('platformTokens')
    .set({ rejectedAt: null, rejectedReason: null, checkAt: new Date(now) })
    .where('rejectedAt', '>=', timestamp(since))
    .where('rejectedReason', '=', NO_LONGER_VALID)
    .execute();
}

/** Leases tokens whose check is due to this process. */
export async function claimTokensToCheck(db: Db, limit: number, leaseMs: number): Promise<StoredToken[]> {
  const due = { table: 'platform_tokens', key: 'user_id', due: 'check_at', limit, hasLease: false };
  return db
    .updateTable('platformTokens')
    .set({ checkAt: fromNow(leaseMs), checkedAt: fromNow(0) })
    .where('userId', '=', sql<string>`any(${claimable({ ...due, also: sql`rejected_at is null` })})`)
    .returningAll()
    .execute();
}

/**
 * Meta has refused these tokens: each is inspected now, or some minutes after its last inspection.
 * Lock order: tokens before their users' work items.
 */
export async function suspectTokens(db: Db, userIds: readonly string[], now: Instant): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    with locked as materialized (
      select user_id from platform_tokens
      where user_id = any(${[...new Set(userIds)]}::bigint[]) and rejected_at is null
      order by user_id for update)
    update platform_tokens set check_at = least(check_at, greatest(${timestamp(now)},
      checked_at + ${SUSPECTED_EVERY_MS} * interval '1 millisecond'))
    from locked where platform_tokens.user_id = locked.user_id`.execute(db);
}
