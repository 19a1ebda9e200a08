import { createHash } from 'node:crypto';
import type { LoginError } from '#contract/errors.ts';
import { isPage } from '#contract/pages.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformUser } from '../../platforms/meta/login.ts';
import type { GraphResult } from '../../platforms/meta/client.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { LoginCode } from '../../db/users/login-attempts.ts';
import { claimCode, findReturnTo, hasOpenAttempt, saveLoginAttempt } from '../../db/users/login-attempts.ts';
import { findUserByPlatformId, saveUser, stopLeaving } from '../../db/users/users.ts';
import { startSession } from '../../db/users/sessions.ts';
import type { NewToken } from '../../db/users/tokens.ts';
import { saveToken, suspectTokens } from '../../db/users/tokens.ts';
import { newSecret } from '../../secrets.ts';
import type { Needs } from '../deps.ts';
import { endOf, extend } from './longer-token.ts';
import type { LoginResult } from './login-result.ts';
import { resultAgain, rememberResult } from './login-result.ts';

export type LoginDeps = Needs<
  'db' | 'cipher' | 'login' | 'clock' | 'wake' | 'redirectUri' | 'configuredRoles'
>;

/** Without this permission SmartPause could read but not pause. */
export const NEEDED_PERMISSION = 'ads_management';

export interface LoginStart {
  /** Meta's login dialog, where the browser goes next. */
  address: string;
  /** A secret that only this browser keeps and must return. */
  browser: string;
}

/** @param given.browser the secret that this browser has: several tabs may log in at once */
export async function beginLogin(
  deps: Needs<'db' | 'login' | 'clock' | 'redirectUri'>,
  given: { returnTo: string; browser: string | undefined },
): Promise<LoginStart> {
  const now = deps.clock.now();
  const returnTo = safeReturnTo(given.returnTo);
  const attempt = { state: newSecret(), browser: await browserOf(deps, given.browser, now), returnTo };
  await saveLoginAttempt(deps.db, attempt, now);
  const address = deps.login.dialogAddress({
    redirectUri: deps.redirectUri,
    state: attempt.state,
    codeChallenge: createHash('sha256').update(verifierOf(attempt)).digest('base64url'),
  });
  return { address, browser: attempt.browser };
}

/** Reuses the secret only with an open attempt; otherwise it may be old or set by an attacker. */
async function browserOf(deps: Needs<'db'>, known: string | undefined, now: Instant): Promise<string> {
  return known !== undefined && (await hasOpenAttempt(deps.db, known, now)) ? known : newSecret();
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

/** A browser may repeat a callback: the same code gets the same result. A new code is a new login. */
export async function finishLogin(deps: LoginDeps, back: LoginReturn): Promise<LoginResult> {
  const now = deps.clock.now();
  const { state, browser, code } = back;
  if (state === undefined || browser === undefined) return { ok: false, error: 'INVALID_STATE' };
  const returnTo = await findReturnTo(deps.db, { state, browser }, now);
  if (returnTo === null) return { ok: false, error: 'INVALID_STATE' };
  if (back.error === 'access_denied') return { ok: false, error: 'ACCESS_DENIED' };
  if (back.error !== undefined) return { ok: false, error: 'FACEBOOK_ERROR' };
  if (code === undefined || code === '') return { ok: false, error: 'NO_CODE' };
  const login = { state, browser, code };
  if (!(await claimCode(deps.db, login, now))) return resultAgain(deps, login);
  const result = await logIn(deps, { login, returnTo }, now);
  if (!result.ok) await rememberResult(deps, deps.db, { login, result });
  return result;
}

interface ClaimedLogin {
  login: LoginCode;
  returnTo: string;
}

/** A success is remembered together with its session. */
async function logIn(deps: LoginDeps, claimed: ClaimedLogin, now: Instant): Promise<LoginResult> {
  const { login } = claimed;
  const first = await deps.login.exchangeCode({
    code: login.code,
    redirectUri: deps.redirectUri,
    codeVerifier: verifierOf(login),
  });
  if (!first.ok) return { ok: false, error: loginErrorOf(first) };
  const granted = await deps.login.grantedPermissions(first.value.token);
  if (!granted.ok) return { ok: false, error: loginErrorOf(granted) };
  if (!granted.value.includes(NEEDED_PERMISSION)) {
    await suspectTokenOf(deps, first.value.token);
    return { ok: false, error: 'ACCESS_DENIED', missing: NEEDED_PERMISSION };
  }
  const identity = await deps.login.whoIs(first.value.token);
  if (!identity.ok) return { ok: false, error: loginErrorOf(identity) };
  const access = await extend(deps, endOf(first.value, now));
  const data = { ...claimed, identity: identity.value, access };
  const result = await saveLogin(deps, data, now);
  deps.wake();
  return result;
}

/** A known user has just removed a permission, so the stored token needs a check. */
async function suspectTokenOf(deps: Needs<'db' | 'login' | 'clock'>, token: string): Promise<void> {
  const identity = await deps.login.whoIs(token);
  const user = identity.ok ? await findUserByPlatformId(deps.db, identity.value.id) : null;
  if (user !== null) await suspectTokens(deps.db, [user.id], deps.clock.now());
}

function loginErrorOf(response: GraphResult<unknown> & { ok: false }): LoginError {
  return response.failure.kind === 'rejected' || response.failure.kind === 'token_invalid'
    ? 'AUTH_FAILED'
    : 'FACEBOOK_ERROR';
}

interface LoginData extends ClaimedLogin {
  identity: PlatformUser;
  access: NewToken;
}

/** Saves user, token, session and result in one transaction. */
function saveLogin(deps: LoginDeps, data: LoginData, now: Instant): Promise<LoginResult> {
  const { identity, access } = data;
  return inTransaction(deps.db, async (tx) => {
    const roles = deps.configuredRoles.filter(({ platformUserId }) => platformUserId === identity.id);
    const user = await saveUser(tx, { ...identity, roles: roles.map(({ role }) => role) }, now);
    const userId = user.id;
    await saveToken(tx, deps.cipher, { ...access, userId, since: now }, deps.clock.now());
    await stopLeaving(tx, userId);
    const message = user.isNew ? `${user.name} signed up.` : `${user.name} logged in.`;
    const activity = { userId, actor: 'user', type: 'login', event: 'login', message } as const;
    await recordActivities(tx, [activity], now);
    await wakeForUser(tx, userId);
    const token = await startSession(tx, userId, now);
    const result = { ok: true, userId, token, returnTo: data.returnTo } as const;
    await rememberResult(deps, tx, { login: data.login, result });
    return result;
  });
}
