import { sql } from 'kysely';
import { staleFrom } from '#core/platform-access.ts';
import type { TokenLife } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import { days, earliest, minutes } from '#core/time.ts';
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
/** Between two tries of the exchange for a longer token; a short-lived token lives one to two hours. */
const EXCHANGE_EVERY_MS = minutes(2);

/** At least daily, and when a token becomes stale or expires. */
function checkInMs(token: TokenLife, now: Instant): number {
  const everyMs = token.exchangingSince === null ? CHECK_EVERY_MS : EXCHANGE_EVERY_MS;
  const turns = [staleFrom(token), token.expiresAt].filter((at) => at !== null && at > now);
  return (earliest([now + everyMs, ...turns]) ?? now) - now;
}

/** A token from Meta. */
export interface NewToken {
  token: string;
  expiresAt: Instant | null;
  /** It is still to be exchanged for a longer one. */
  isShortLived: boolean;
}

function rowOf(cipher: TokenCipher, userId: string, given: NewToken, now: Instant) {
  const { expiresAt, isShortLived } = given;
  return {
    ...cipher.encrypt(given.token, tokenContext(userId)),
    ...{ expiresAt: date(expiresAt), isShortLived, savedAt: new Date(now) },
    ...{ rejectedAt: null, rejectedReason: null, checkedAt: null },
    checkAt: fromNow(checkInMs({ expiresAt, exchangingSince: isShortLived ? now : null }, now)),
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
            // The clock was set back.
            eb('platformTokens.savedAt', '>', timestamp(now)),
          ]),
        ),
    )
    .execute();
}

/** Replaces a token by a longer one. A token of a later login, or a refused one, stays. */
export async function replaceToken(
  db: Db,
  cipher: TokenCipher,
  { before, after }: { before: StoredToken; after: NewToken },
  now: Instant,
): Promise<boolean> {
  const { userId, savedAt } = before;
  const result = await db
    .updateTable('platformTokens')
    .set(rowOf(cipher, userId, after, now))
    .where('userId', '=', userId)
    .where('savedAt', '=', timestamp(savedAt))
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
export interface TokenFacts extends TokenLife {
  savedAt: Instant;
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
    .select(['userId', 'expiresAt', 'savedAt', 'keyId', 'isShortLived', 'rejectedAt', 'rejectedReason'])
    .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
    .execute();
  return new Map(
    rows.map(({ userId, isShortLived, rejectedAt, rejectedReason, ...facts }) => [
      userId,
      {
        ...facts,
        exchangingSince: isShortLived ? facts.savedAt : null,
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

export interface StoredToken extends Encrypted {
  userId: string;
  expiresAt: Instant | null;
  savedAt: Instant;
  isShortLived: boolean;
}

/** Leases tokens whose check is due to this process. */
export async function claimTokensToCheck(db: Db, limit: number, leaseMs: number): Promise<StoredToken[]> {
  const due = db
    .selectFrom('platformTokens')
    .select('userId')
    .where('rejectedAt', 'is', null)
    .where('checkAt', '<=', fromNow(0))
    .orderBy('checkAt')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('platformTokens')
    .set({ checkAt: fromNow(leaseMs), checkedAt: fromNow(0) })
    .where('userId', '=', sql<string>`any(array(${due}))`)
    .returning(['userId', 'ciphertext', 'keyId', 'expiresAt', 'savedAt', 'isShortLived'])
    .execute();
}

/**
 * Stores the end of a token's life as the check has found it, and plans the next check.
 * @returns false if a newer token was saved since
 */
export async function saveCheck(
  tx: Db,
  { userId, savedAt }: Pick<StoredToken, 'userId' | 'savedAt'>,
  life: TokenLife,
  now: Instant,
): Promise<boolean> {
  const isShortLived = life.exchangingSince !== null;
  const checkAt = fromNow(checkInMs(life, now));
  const result = await tx
    .updateTable('platformTokens')
    .set({ expiresAt: date(life.expiresAt), isShortLived, checkAt })
    .where('userId', '=', userId)
    .where('savedAt', '=', timestamp(savedAt))
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

/** Encrypts a token of an older key with the newest one. */
export async function reencryptToken(
  db: Db,
  cipher: TokenCipher,
  { userId, savedAt, token }: { userId: string; savedAt: Instant; token: string },
): Promise<void> {
  await db
    .updateTable('platformTokens')
    .set(cipher.encrypt(token, tokenContext(userId)))
    .where('userId', '=', userId)
    .where('savedAt', '=', timestamp(savedAt))
    .execute();
}
