import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { LOGIN_ATTEMPT_MS, LOGIN_OUTCOME_MS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { hashSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import type { LoginOutcome } from '../column-types.ts';
import type { Schema } from '../schema.ts';

/** A login attempt belongs to one browser: another one does not have its secret. */
export interface LoginAttempt {
  state: string;
  browser: string;
}

/** Meta gives a code for each consent; the same code in a second callback is the same login. */
export interface LoginCode extends LoginAttempt {
  code: string;
}

export async function saveLoginAttempt(
  db: Db,
  { state, browser, returnTo }: LoginAttempt & { returnTo: string },
  now: Instant,
): Promise<void> {
  const expiresAt = new Date(now + LOGIN_ATTEMPT_MS);
  const attempt = { stateHash: hashSecret(state), browserHash: hashSecret(browser), returnTo, expiresAt };
  await db.insertInto('loginAttempts').values(attempt).execute();
}

/** @param state absent: any. Null: the browser has no such attempt, or it has expired. */
export async function findLoginAttempt(
  db: Db,
  { state, browser }: { state?: string; browser: string },
  now: Instant,
): Promise<Selectable<Schema['loginAttempts']> | null> {
  const row = await db
    .selectFrom('loginAttempts')
    .selectAll()
    .where('browserHash', '=', hashSecret(browser))
    .where('expiresAt', '>', timestamp(now))
    .$if(state !== undefined, (query) => query.where('stateHash', '=', hashSecret(state ?? '')))
    .executeTakeFirst();
  return row ?? null;
}

/** True for one of the callbacks with this code: it logs in, the others wait for its outcome. */
export async function claimCode(db: Db, { state, code }: LoginCode, now: Instant): Promise<boolean> {
  const codeHash = hashSecret(code);
  const claimed = await db
    .updateTable('loginAttempts')
    .set({ codeHash, claimedAt: new Date(now), outcome: null })
    .where('stateHash', '=', hashSecret(state))
    .where('codeHash', 'is distinct from', codeHash)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/**
 * Also extends the attempt, so that a callback repeated soon after gets the outcome.
 * @param login.code null: the dialog gave none, and the attempt has none
 */
export async function saveOutcome(
  db: Db,
  { state, code }: LoginAttempt & { code: string | null },
  outcome: LoginOutcome,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('loginAttempts')
    .set({ outcome, expiresAt: sql`greatest(expires_at, ${timestamp(now + LOGIN_OUTCOME_MS)})` })
    .where('stateHash', '=', hashSecret(state))
    .where('codeHash', 'is not distinct from', code === null ? null : hashSecret(code))
    .execute();
}
