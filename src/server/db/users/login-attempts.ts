import { LOGIN_MINUTES } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { hashSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';

export const LOGIN_ATTEMPT_MS = minutes(LOGIN_MINUTES);

export interface LoginAttempt {
  state: string;
  browser: string;
  returnTo: string;
}

export async function saveLoginAttempt(db: Db, attempt: LoginAttempt, now: Instant): Promise<void> {
  await db.deleteFrom('login_attempt').where('expires_at', '<', new Date(now)).execute();
  await db
    .insertInto('login_attempt')
    .values({
      state_hash: hashSecret(attempt.state),
      browser_hash: hashSecret(attempt.browser),
      return_to: attempt.returnTo,
      expires_at: new Date(now + LOGIN_ATTEMPT_MS),
    })
    .execute();
}

/** Whether this browser has an open login attempt. */
export async function hasOpenAttempt(db: Db, browser: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('login_attempt')
    .select('state_hash')
    .where('browser_hash', '=', hashSecret(browser))
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes and returns the attempt: a state works once, and only in the browser that started it. */
export async function takeLoginAttempt(
  db: Db,
  given: { state: string; browser: string },
  now: Instant,
): Promise<{ returnTo: string } | null> {
  const row = await db
    .deleteFrom('login_attempt')
    .where('state_hash', '=', hashSecret(given.state))
    .where('browser_hash', '=', hashSecret(given.browser))
    .where('expires_at', '>', new Date(now))
    .returning('return_to as returnTo')
    .executeTakeFirst();
  return row ?? null;
}
