import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { Db } from './database.ts';
import type { Person } from './people.ts';
import { toPerson } from './people.ts';

const SESSION_MS = days(30);
const LOGIN_ATTEMPT_MS = minutes(15);

/** Starts a session and returns its token, which is stored as a hash only. */
export async function startSession(db: Db, personId: string, now: Instant): Promise<string> {
  const token = newSecret();
  await db
    .insertInto('session')
    .values({
      token_hash: hashSecret(token),
      person_id: personId,
      created_at: new Date(now),
      expires_at: new Date(now + SESSION_MS),
    })
    .execute();
  return token;
}

export async function findPersonOfSession(db: Db, token: string, now: Instant): Promise<Person | null> {
  const row = await db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .selectAll('person')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return row === undefined ? null : toPerson(row);
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', hashSecret(token)).execute();
}

export async function endSessionsOf(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('session').where('person_id', '=', personId).execute();
}

export interface LoginAttempt {
  state: string;
  browser: string;
  codeVerifier: string;
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
      code_verifier: attempt.codeVerifier,
      return_to: attempt.returnTo,
      expires_at: new Date(now + LOGIN_ATTEMPT_MS),
    })
    .execute();
}

/** Takes a login attempt out of the store: a state is good once, and only in the browser that began with it. */
export async function takeLoginAttempt(
  db: Db,
  given: { state: string; browser: string },
  now: Instant,
): Promise<{ codeVerifier: string; returnTo: string } | null> {
  const row = await db
    .deleteFrom('login_attempt')
    .where('state_hash', '=', hashSecret(given.state))
    .where('browser_hash', '=', hashSecret(given.browser))
    .where('expires_at', '>', new Date(now))
    .returning(['code_verifier', 'return_to'])
    .executeTakeFirst();
  return row === undefined ? null : { codeVerifier: row.code_verifier, returnTo: row.return_to };
}
