import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import { staleFrom } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import { days, earliest, hours, minutes } from '#core/time.ts';
import type { Encrypted, TokenCipher } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { date, timestamp, fromNow } from '../database.ts';

/** Binds the encrypted token to its user: a row copied to another user cannot be decrypted. */
export function tokenContext(userId: string): string {
  return `platform_token:${userId}`;
}

const CHECK_EVERY_MS = days(1);
/** A call that Meta refuses is repeated often, also while the token is good. */
const SUSPECTED_EVERY_MS = minutes(10);

/** At least daily, and when a token becomes stale or expires. */
function nextCheckAt(token: Pick<TokenFacts, 'expiresAt' | 'extendingSince'>, now: Instant): Instant {
  const turns = [staleFrom(token), token.expiresAt].filter((at) => at !== null && at > now);
  return earliest([now + CHECK_EVERY_MS, ...turns]) ?? now;
}

/** A token from Meta. */
export interface NewToken {
  token: string;
  expiresAt: Instant | null;
  /** When the exchange for a longer token is tried; null: not needed. */
  extendAt: Instant | null;
}

function rowOf(cipher: TokenCipher, given: NewToken & { userId: string }, now: Instant) {
  const { ciphertext, keyId } = cipher.encrypt(given.token, tokenContext(given.userId));
  const { expiresAt, extendAt } = given;
  return {
    ciphertext,
    keyId,
    expiresAt: date(expiresAt),
    extendAt: extendAt === null ? null : fromNow(extendAt - now),
    savedAt: new Date(now),
    rejectedAt: null,
    rejectedReason: null,
    checkAt: fromNow(nextCheckAt({ expiresAt, extendingSince: extendAt === null ? null : now }, now) - now),
    checkedAt: null,
  };
}

/** @param since the start of the login: a token that a later login has saved since then stays */
export async function saveToken(
  db: Db,
  cipher: TokenCipher,
  given: NewToken & { userId: string; since: Instant },
  now: Instant,
): Promise<void> {
  const row = rowOf(cipher, given, now);
  const isNewer = sql<SqlBool>`(platform_tokens.rejected_at is null and platform_tokens.saved_at > ${timestamp(given.since)}
    and platform_tokens.saved_at <= ${timestamp(now)})`;
  await db
    .insertInto('platformTokens')
    .values({ userId: given.userId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet(row)
        .where(sql<SqlBool>`not ${isNewer}`),
    )
    .execute();
}

export interface TokenToExtend extends Encrypted {
  userId: string;
  expiresAt: Instant | null;
}

/** A short-lived token without a stated expiry lives about this long. */
const SHORT_LIFE_MS = hours(2);

/** Leases short-lived tokens whose exchange is due, until the next try. */
export async function claimTokensToExtend(
  db: Db,
  limit: number,
  nextTryInMs: number,
): Promise<TokenToExtend[]> {
  const { rows } = await sql<TokenToExtend>`
    update platform_tokens set extend_at = ${fromNow(nextTryInMs)}
    where user_id = any(array(
      select user_id from platform_tokens join users on users.id = user_id
      where extend_at <= now() and rejected_at is null and leaving is null
        and coalesce(expires_at, saved_at + ${SHORT_LIFE_MS} * interval '1 millisecond') > now()
      order by extend_at limit ${limit} for update of platform_tokens skip locked))
    returning user_id, ciphertext, key_id, expires_at`.execute(db);
  return rows;
}

/** Replaces the token by the longer one. A token of a later login, or a refused one, stays. */
export async function saveExtended(
  db: Db,
  cipher: TokenCipher,
  given: { before: TokenToExtend; after: NewToken },
  now: Instant,
): Promise<boolean> {
  const { userId, ciphertext } = given.before;
  const result = await db
    .updateTable('platformTokens')
    .set(rowOf(cipher, { ...given.after, userId }, now))
    .where('userId', '=', userId)
    .where('ciphertext', '=', ciphertext)
    .where('rejectedAt', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

async function findEncrypted(db: Db, userId: string) {
  return db
    .selectFrom('platformTokens')
    .select(['ciphertext', 'keyId', 'rejectedAt', 'rejectedReason'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Null: no token, Meta has refused it, or no key decrypts it. */
export async function findToken(db: Db, cipher: TokenCipher, userId: string): Promise<string | null> {
  const row = await findEncrypted(db, userId);
  return row === undefined || row.rejectedAt !== null ? null : cipher.decrypt(row, tokenContext(userId));
}

/** Includes a token that Meta has refused, since its remaining permissions can still be revoked. */
export async function findTokenToRevoke(db: Db, cipher: TokenCipher, userId: string): Promise<string | null> {
  const row = await findEncrypted(db, userId);
  if (row === undefined || row.rejectedReason === REMOVED_ON_META) return null;
  return cipher.decrypt(row, tokenContext(userId));
}

/** Facts about a user's token, without the token. */
export interface TokenFacts {
  expiresAt: Instant | null;
  savedAt: Instant;
  /** When the user logged in, while the longer token is still requested. */
  extendingSince: Instant | null;
  isRefused: boolean;
  /** The user has taken back the required permission. */
  lacksPermission: boolean;
  /** The key that encrypted it. */
  keyId: string;
}

/** By user. */
export async function findTokenFacts(db: Db, userIds: readonly string[]): Promise<Map<string, TokenFacts>> {
  const rows = await db
    .selectFrom('platformTokens')
    .select(['userId', 'expiresAt', 'savedAt', 'keyId', 'extendAt', 'rejectedAt', 'rejectedReason'])
    .where(sql<SqlBool>`user_id = any(${userIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map(({ userId, expiresAt, savedAt, keyId, extendAt, rejectedAt, rejectedReason }) => [
      userId,
      {
        ...{ expiresAt, savedAt, keyId },
        extendingSince: extendAt === null ? null : savedAt,
        isRefused: rejectedAt !== null,
        lacksPermission: rejectedReason === PERMISSION_TAKEN_BACK,
      },
    ]),
  );
}

/** Result of a token check; during a login outage it proves little. */
export const NO_LONGER_VALID = 'no longer valid';

/** The user has logged in without it, or removed it on Meta. */
export const PERMISSION_TAKEN_BACK = 'ads_management was taken back';

/** Reported by Meta itself, so an outage cannot cause it. */
export const REMOVED_ON_META = 'removed on Meta';

export interface TokenRejection {
  userId: string;
  reason: string;
  /** A token that was saved later is a different one and stays. */
  usedAt: Instant;
}

/** @returns when the token was saved; null: another one stands, or it was refused before */
export async function markRejected(tx: Db, rejection: TokenRejection, now: Instant): Promise<Instant | null> {
  const row = await tx
    .updateTable('platformTokens')
    .set({ rejectedAt: new Date(now), rejectedReason: rejection.reason })
    .where('userId', '=', rejection.userId)
    .where('rejectedAt', 'is', null)
    .where('savedAt', '<=', timestamp(rejection.usedAt))
    .returning('savedAt')
    .executeTakeFirst();
  return row === undefined ? null : row.savedAt;
}

/** Names one token of a user, as the reason of an activity. */
export function tokenReason(savedAt: Instant): string {
  return `saved ${new Date(savedAt).toISOString()}`;
}

export interface TokenToCheck extends Encrypted {
  userId: string;
  expiresAt: Instant | null;
  savedAt: Instant;
  extendingSince: Instant | null;
}

/** Leases tokens whose check is due to this process. */
export async function claimTokensToCheck(db: Db, limit: number, leaseMs: number): Promise<TokenToCheck[]> {
  const { rows } = await sql<TokenToCheck>`
    update platform_tokens set check_at = ${fromNow(leaseMs)}, checked_at = now()
    where user_id = any(array(
      select user_id from platform_tokens where rejected_at is null and check_at <= now()
      order by check_at limit ${limit} for update skip locked))
    returning user_id, ciphertext, key_id, expires_at,
      saved_at, case when extend_at is not null then saved_at end as "extendingSince"`.execute(db);
  return rows;
}

/**
 * Stores the expiry that Meta reports.
 * @returns false if a newer token was saved since
 */
export async function noteTokenEnd(
  tx: Db,
  token: Pick<TokenToCheck, 'userId' | 'savedAt' | 'expiresAt' | 'extendingSince'>,
  now: Instant,
): Promise<boolean> {
  const result = await tx
    .updateTable('platformTokens')
    .set({ expiresAt: date(token.expiresAt), checkAt: fromNow(nextCheckAt(token, now) - now) })
    .where('userId', '=', token.userId)
    .where('savedAt', '=', timestamp(token.savedAt))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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

/** Rejections since then may come from a Meta outage: the tokens count as valid until the next check. */
export async function recheckRejectedTokens(db: Db, since: Instant, now: Instant): Promise<void> {
  await db
    .updateTable('platformTokens')
    .set({ rejectedAt: null, rejectedReason: null, checkAt: new Date(now) })
    .where('rejectedAt', '>=', timestamp(since))
    .where('rejectedReason', '=', NO_LONGER_VALID)
    .execute();
}

/**
 * Re-encrypts tokens of older keys with the newest key.
 * @returns the count, and the tokens that cannot be decrypted: their key is missing, or the row was changed
 */
export async function reencryptTokens(
  db: Db,
  cipher: TokenCipher,
): Promise<{ count: number; lost: { userId: string; keyId: string }[] }> {
  const rows = await db
    .selectFrom('platformTokens')
    .select(['userId', 'ciphertext', 'keyId'])
    .where('keyId', '<>', cipher.keyId)
    .execute();
  const lost = [];
  for (const { userId, ...row } of rows) {
    const token = cipher.decrypt(row, tokenContext(userId));
    if (token === null) {
      lost.push({ userId, keyId: row.keyId });
      continue;
    }
    // A token that was saved since already uses the newest key.
    await db
      .updateTable('platformTokens')
      .set(cipher.encrypt(token, tokenContext(userId)))
      .where('userId', '=', userId)
      .where('ciphertext', '=', row.ciphertext)
      .execute();
  }
  return { count: rows.length - lost.length, lost };
}
