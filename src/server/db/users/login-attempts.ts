import { sql } from 'kysely';
import { LOGIN_MINUTES } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { Encrypted } from '../../secrets.ts';
import { hashSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

export const LOGIN_ATTEMPT_MS = minutes(LOGIN_MINUTES);
/** A result is kept at least this long for a repeated callback. */
const RESULT_MS = minutes(5);

/** A login attempt belongs to one browser: another one does not have its secret. */
interface AttemptKey {
  state: string;
  browser: string;
}

/** Meta gives a code for each consent; the same code in a second callback is the same login. */
export interface LoginCode extends AttemptKey {
  code: string;
}

export async function saveLoginAttempt(
  db: Db,
  attempt: AttemptKey & { returnTo: string },
  now: Instant,
): Promise<void> {
  await db
    .insertInto('loginAttempts')
    .values({
      stateHash: hashSecret(attempt.state),
      browserHash: hashSecret(attempt.browser),
      returnTo: attempt.returnTo,
      expiresAt: new Date(now + LOGIN_ATTEMPT_MS),
    })
    .execute();
}

/** Whether this browser has an open login attempt. */
export async function hasOpenAttempt(db: Db, browser: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('loginAttempts')
    .select('stateHash')
    .where('browserHash', '=', hashSecret(browser))
    .where('expiresAt', '>', timestamp(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Null: no such attempt of this browser, or it has expired. */
export async function findReturnTo(db: Db, key: AttemptKey, now: Instant): Promise<string | null> {
  const row = await db
    .selectFrom('loginAttempts')
    .select('returnTo')
    .where('stateHash', '=', hashSecret(key.state))
    .where('browserHash', '=', hashSecret(key.browser))
    .where('expiresAt', '>', timestamp(now))
    .executeTakeFirst();
  return row?.returnTo ?? null;
}

/** True for one of the callbacks with this code: it logs in, the others wait for its result. */
export async function claimCode(db: Db, { state, code }: LoginCode, now: Instant): Promise<boolean> {
  const codeHash = hashSecret(code);
  const claimed = await db
    .updateTable('loginAttempts')
    .set({ codeHash, claimedAt: new Date(now), answer: null, answerKeyId: null })
    .where('stateHash', '=', hashSecret(state))
    .where('codeHash', 'is distinct from', codeHash)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Also extends the attempt, so that a callback repeated soon after gets the result. */
export async function saveResult(
  db: Db,
  { state, code }: LoginCode,
  { ciphertext, keyId }: Encrypted,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('loginAttempts')
    .set({
      answer: ciphertext,
      answerKeyId: keyId,
      expiresAt: sql`greatest(expires_at, ${timestamp(now + RESULT_MS)})`,
    })
    .where('stateHash', '=', hashSecret(state))
    .where('codeHash', '=', hashSecret(code))
    .execute();
}

/** Null: the browser has gone on with another code, or the attempt has expired. */
export async function findResult(
  db: Db,
  { state, code }: LoginCode,
): Promise<{ claimedAt: Instant; result: Encrypted | null } | null> {
  const row = await db
    .selectFrom('loginAttempts')
    .select(['claimedAt', 'answer', 'answerKeyId'])
    .where('stateHash', '=', hashSecret(state))
    .where('codeHash', '=', hashSecret(code))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { answer: ciphertext, answerKeyId: keyId } = row;
  return {
    claimedAt: row.claimedAt ?? 0,
    result: ciphertext === null || keyId === null ? null : { ciphertext, keyId },
  };
}

export async function dropExpiredAttempts(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('loginAttempts').where('expiresAt', '<', timestamp(now)).execute();
}
