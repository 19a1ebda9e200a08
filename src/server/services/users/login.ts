import { createHash } from 'node:crypto';
import type { LoginError } from '#contract/errors.ts';
import { isPage } from '#contract/pages.ts';
import type { PlatformFailure } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { PlatformUser } from '../../platforms/platform.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import type { LoginOutcome } from '../../db/column-types.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { LoginCode } from '../../db/users/login-attempts.ts';
import { claimCode, findLoginAttempt, saveLoginAttempt, saveOutcome } from '../../db/users/login-attempts.ts';
import { findUserId, lockUser, saveUser, stopLeaving } from '../../db/users/users.ts';
import { findUserIdOfCurrent, startSession } from '../../db/users/sessions.ts';
import type { NewToken } from '../../db/users/tokens.ts';
import { saveToken, suspectTokens } from '../../db/users/tokens.ts';
import { newSecret } from '../../secrets.ts';
import { waitUntil } from '../wait-until.ts';
import { hasChannelTo } from '../destinations/destinations.ts';
import type { Needs } from '../deps.ts';
import { NEEDED_PERMISSION, endOf, exchange } from './token-checks.ts';

export type LoginDeps = Needs<
  'db' | 'cipher' | 'login' | 'clock' | 'signals' | 'wake' | 'redirectUri' | 'configuredRoles'
>;

/** A process that has no outcome by then has crashed, or the browser has stopped waiting. */
const OUTCOME_WITHIN_MS = seconds(30);
const ASK_AGAIN_MS = 250;

/**
 * @param given.browser the secret that this browser has: several tabs may log in at once
 * @returns Meta's login dialog, and the secret that only this browser keeps and must return
 */
export async function beginLogin(
  deps: Needs<'db' | 'login' | 'clock' | 'redirectUri'>,
  given: { returnTo: string; browser: string | undefined },
): Promise<{ address: string; browser: string }> {
  const now = deps.clock.now();
  // A secret without an open attempt may be old, or set by an attacker.
  const known =
    given.browser === undefined ? null : await findLoginAttempt(deps.db, { browser: given.browser }, now);
  const browser = (known !== null ? given.browser : undefined) ?? newSecret();
  const attempt = { state: newSecret(), browser, returnTo: safeReturnTo(given.returnTo) };
  await saveLoginAttempt(deps.db, attempt, now);
  const address = deps.login.dialogAddress({
    redirectUri: deps.redirectUri,
    state: attempt.state,
    codeChallenge: createHash('sha256').update(verifierOf(attempt)).digest('base64url'),
  });
  return { address, browser };
}

/** PKCE verifier: deriving it takes both the return address and this browser's cookie. */
function verifierOf({ state, browser }: { state: string; browser: string }): string {
  return createHash('sha256').update(`${state} ${browser}`).digest('base64url');
}

/** Prevents open redirects: an address that may name another host, or that is no page, becomes '/'. */
export function safeReturnTo(returnTo: string): string {
  const base = 'https://smartpause.invalid';
  if (!returnTo.startsWith('/') || /[\\\p{Cc}]/u.test(returnTo) || !URL.canParse(returnTo, base)) return '/';
  const url = new URL(returnTo, base);
  if (url.origin !== base || !isPage(url.pathname)) return '/';
  return url.pathname + url.search;
}

/** The parameters and the cookie of the return from the dialog. */
export interface LoginReturn {
  state: string | undefined;
  code: string | undefined;
  error: string | undefined;
  browser: string | undefined;
}

export type LoginResult =
  | {
      ok: true;
      /** Both null: a repeated callback whose session has been replaced or has ended. */
      userId: string | null;
      token: string | null;
      returnTo: string;
    }
  | {
      ok: false;
      error: LoginError;
      /** The required permission that the user declined. */
      missing?: string;
      /** Where the login began, so that nothing begun there is lost. */
      returnTo: string;
    };

/** A browser may repeat a callback: the same code gets the same result. A new code is a new login. */
export async function finishLogin(deps: LoginDeps, back: LoginReturn): Promise<LoginResult> {
  const now = deps.clock.now();
  const { state, browser, code } = back;
  const unknown = { ok: false, error: 'INVALID_STATE', returnTo: '/' } as const;
  if (state === undefined || browser === undefined) return unknown;
  const attempt = await findLoginAttempt(deps.db, { state, browser }, now);
  if (attempt === null) return unknown;
  const { returnTo } = attempt;
  if (back.error === 'access_denied') {
    await saveOutcome(deps.db, { state, browser, code: null }, 'ACCESS_DENIED', now);
    return { ok: false, error: 'ACCESS_DENIED', returnTo };
  }
  if (back.error !== undefined) return { ok: false, error: 'FACEBOOK_ERROR', returnTo };
  if (code === undefined || code === '') return { ok: false, error: 'NO_CODE', returnTo };
  const login = { state, browser, code };
  const isFirst = await claimCode(deps.db, login, now);
  const outcome = isFirst ? await logIn(deps, login, now) : await outcomeOfFirst(deps, login);
  // A success is saved together with its session.
  if (isFirst && outcome !== 'done') await saveOutcome(deps.db, login, outcome, deps.clock.now());
  if (outcome === 'NO_PERMISSION')
    return { ok: false, error: 'ACCESS_DENIED', missing: NEEDED_PERMISSION, returnTo };
  if (outcome !== 'done') return { ok: false, error: outcome, returnTo };
  for (const token of sessionTokensOf(deps, login)) {
    const userId = await findUserIdOfCurrent(deps.db, token, deps.clock.now());
    if (userId !== null) return { ok: true, userId, token, returnTo };
  }
  return { ok: true, userId: null, token: null, returnTo };
}

/**
 * Derived, so that any process can give it to a repeated callback. It takes our key and the browser's secret.
 * @returns that of the newest key first: a process with older keys may have begun the session
 */
function sessionTokensOf({ cipher }: Needs<'cipher'>, { state, browser, code }: LoginCode) {
  const [newest, ...older] = cipher.fingerprints(`session of ${state} ${browser} ${code}`);
  const text = (derived: Uint8Array) => Buffer.from(derived).toString('base64url');
  return [text(newest), ...older.map(text)] as const;
}

/** The outcome of an earlier callback with this code, which another process may still be working on. */
async function outcomeOfFirst(deps: LoginDeps, login: LoginCode): Promise<LoginOutcome> {
  const { db, clock } = deps;
  let attempt = await findLoginAttempt(db, login, clock.now());
  const isOver = async (): Promise<boolean> => {
    attempt = await findLoginAttempt(db, login, clock.now());
    return attempt?.outcome != null || clock.now() >= (attempt?.claimedAt ?? 0) + OUTCOME_WITHIN_MS;
  };
  await waitUntil(deps, isOver, { timeoutMs: OUTCOME_WITHIN_MS, everyMs: ASK_AGAIN_MS });
  return attempt?.outcome ?? 'AUTH_FAILED';
}

async function logIn(deps: LoginDeps, login: LoginCode, now: Instant): Promise<LoginOutcome> {
  const codeVerifier = verifierOf(login);
  const { code } = login;
  const first = await deps.login.exchangeCode({ code, redirectUri: deps.redirectUri, codeVerifier });
  if (!first.ok) return loginErrorOf(first.failure);
  const granted = await deps.login.grantedPermissions(first.value.token);
  if (!granted.ok) return loginErrorOf(granted.failure);
  const identity = await deps.login.whoIs(first.value.token);
  if (!identity.ok) return loginErrorOf(identity.failure);
  if (!granted.value.includes(NEEDED_PERMISSION)) {
    // A known user has just removed a permission, so the stored token needs a check.
    const userId = await findUserId(deps.db, identity.value.id);
    if (userId !== null) await suspectTokens(deps.db, [userId], deps.clock.now());
    return 'NO_PERMISSION';
  }
  const { access } = await exchange(deps, endOf(first.value, now));
  await saveLogin(deps, { login, identity: identity.value, access }, now);
  deps.wake();
  return 'done';
}

function loginErrorOf({ kind }: PlatformFailure): LoginError {
  return kind === 'rejected' || kind === 'token_invalid' ? 'AUTH_FAILED' : 'FACEBOOK_ERROR';
}

/** Saves user, token, session and outcome in one transaction. */
async function saveLogin(
  deps: LoginDeps,
  { login, identity, access }: { login: LoginCode; identity: PlatformUser; access: NewToken },
  now: Instant,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const roles = deps.configuredRoles.filter(({ platformUserId }) => platformUserId === identity.id);
    const email = await newAddressOf(deps, tx, identity);
    const user = await saveUser(tx, { ...identity, email, roles: roles.map(({ role }) => role) }, now);
    const userId = user.id;
    await saveToken(tx, deps.cipher, { ...access, userId, since: now }, deps.clock.now());
    await stopLeaving(tx, userId);
    const event = user.isNew ? 'signup' : 'login';
    await recordActivities(tx, [{ userId, actor: 'user', event, facts: { name: user.name } }], now);
    await wakeForUser(tx, userId);
    const [token] = sessionTokensOf(deps, login);
    await startSession(tx, userId, now, { token });
    await saveOutcome(tx, login, 'done', deps.clock.now());
  });
}

/** Null: none, or a channel of the user has it, which would get everything twice. */
async function newAddressOf(
  deps: Pick<LoginDeps, 'cipher'>,
  tx: Db,
  { id, email }: PlatformUser,
): Promise<string | null> {
  const userId = await findUserId(tx, id);
  if (userId === null || email === null) return email;
  await lockUser(tx, userId);
  return (await hasChannelTo(deps, tx, userId, email)) ? null : email;
}
