import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import { hashSecret } from '../../secrets.ts';
import type { Db } from '../database.ts';

/** How long somebody may take in the platform's dialog. */
export const LOGIN_ATTEMPT_MS = minutes(15);

export interface LoginAttempt {
  state: string;
  browser: string;
  returnTo: string;
}

/** Remembers a login that has left for the platform's dialog. */
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

/** Whether a login that this browser has begun is still on its way. */
export async function hasOpenAttempt(db: Db, browser: string, now: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('login_attempt')
    .select('state_hash')
    .where('browser_hash', '=', hashSecret(browser))
    .where('expires_at', '>', new Date(now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes a login attempt out of the store: a state is good once, and only in the browser that began with it. */
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
    .returning('return_to')
    .executeTakeFirst();
  return row === undefined ? null : { returnTo: row.return_to };
}
