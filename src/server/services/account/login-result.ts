import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LOGIN_ERRORS } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import type { LoginCode } from '../../db/users/login-attempts.ts';
import { findResult, saveResult } from '../../db/users/login-attempts.ts';
import { isCurrentSession } from '../../db/users/sessions.ts';
import { parseJson } from '../../platforms/meta/client.ts';
import { waitUntil } from '../campaigns/wait-until.ts';
import type { Needs } from '../deps.ts';

const loginResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    userId: z.string(),
    /** Null: a repeated callback whose session has been replaced or has ended. */
    token: z.string().nullable(),
    returnTo: z.string(),
  }),
  z.object({
    ok: z.literal(false),
    error: z.enum(LOGIN_ERRORS),
    /** The required permission that the user declined. */
    missing: z.string().optional(),
  }),
]);
export type LoginResult = z.infer<typeof loginResult>;

/** A process that has no result by then has crashed, or the browser has stopped waiting. */
const RESULT_WITHIN_MS = seconds(30);
const ASK_AGAIN_MS = 250;

/** Binds the encrypted result to its login. */
function resultContext({ state, code }: LoginCode): string {
  return `login_result:${createHash('sha256').update(`${state} ${code}`).digest('hex')}`;
}

export async function rememberResult(
  deps: Needs<'cipher' | 'clock'>,
  db: Db,
  given: { login: LoginCode; result: LoginResult },
): Promise<void> {
  const { login, result } = given;
  const encrypted = deps.cipher.encrypt(JSON.stringify(result), resultContext(login));
  await saveResult(db, login, encrypted, deps.clock.now());
}

/** The result of an earlier callback with this code, which another process may still be working on. */
export async function resultAgain(
  deps: Needs<'db' | 'cipher' | 'clock'>,
  login: LoginCode,
): Promise<LoginResult> {
  const { db, cipher, clock } = deps;
  let found = await findResult(db, login);
  const isOver = async (): Promise<boolean> => {
    found = await findResult(db, login);
    return found === null || found.result !== null || clock.now() >= found.claimedAt + RESULT_WITHIN_MS;
  };
  await waitUntil(isOver, RESULT_WITHIN_MS, clock, ASK_AGAIN_MS);
  const encrypted = found?.result ?? null;
  const text = encrypted === null ? null : cipher.decrypt(encrypted, resultContext(login));
  const result = loginResult.safeParse(parseJson(text ?? '')).data;
  if (result === undefined) return { ok: false, error: 'AUTH_FAILED' };
  if (!result.ok || result.token === null) return result;
  // The browser has a newer token, or the user has logged out.
  return (await isCurrentSession(db, result.token, clock.now())) ? result : { ...result, token: null };
}
