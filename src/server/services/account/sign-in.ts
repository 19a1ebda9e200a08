import { createHash } from 'node:crypto';
import type { LoginError } from '#contract/errors.ts';
import { isPage } from '#contract/pages.ts';
import { accessState } from '#core/platform-access.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformUser } from '../../platforms/meta/login.ts';
import type { Answer } from '../../platforms/meta/client.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/journal.ts';
import { makeDueForPerson } from '../../db/lanes.ts';
import { hasOpenAttempt, saveLoginAttempt, takeLoginAttempt } from '../../db/users/login-attempts.ts';
import { findPersonOfPlatformUser, savePerson, stopLeaving } from '../../db/users/people.ts';
import { startSession } from '../../db/users/sessions.ts';
import { saveToken, suspectToken } from '../../db/users/tokens.ts';
import { newSecret } from '../../secrets.ts';
import type { OperationDeps } from '../deps.ts';

/** The permission without which we could watch but not act. */
export const NEEDED_PERMISSION = 'ads_management';

export interface LoginStart {
  /** Where the browser goes: the platform's dialog. */
  address: string;
  /** To be kept by this browser alone; it must come back with it. */
  browser: string;
}

/** @param given.browser what this browser was given before: several tabs may be on their way at once */
export async function beginLogin(
  deps: OperationDeps,
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

/** What is left of an earlier login, or was put there by somebody else, is not used again. */
async function browserOf(deps: OperationDeps, known: string | undefined, now: Instant): Promise<string> {
  return known !== undefined && (await hasOpenAttempt(deps.db, known, now)) ? known : newSecret();
}

/** PKCE's verifier: only who has the address of the return and this browser's cookie can make it. */
function verifierOf({ state, browser }: { state: string; browser: string }): string {
  return createHash('sha256').update(`${state} ${browser}`).digest('base64url');
}

/** Only ever a page of this site: anything a browser could read as another host, and what shows no page, becomes '/'. */
export function safeReturnTo(returnTo: string): string {
  const base = 'https://smartpause.invalid';
  if (!returnTo.startsWith('/') || /[\\\p{Cc}]/u.test(returnTo) || !URL.canParse(returnTo, base)) return '/';
  const url = new URL(returnTo, base);
  if (url.origin !== base || !isPage(url.pathname)) return '/';
  return url.pathname + url.search;
}

/** What the browser brings back from the dialog. */
export interface LoginReturn {
  state: string | undefined;
  code: string | undefined;
  error: string | undefined;
  browser: string | undefined;
  /** Such as 'Firefox on Windows': by it the person knows the session again. */
  device: string;
}

export type LoginResult =
  | { ok: true; personId: string; token: string; returnTo: string; isStale: boolean }
  /** `missing`: the permission that was declined and without which nothing works. */
  | { ok: false; error: LoginError; missing?: string };

export async function finishLogin(deps: OperationDeps, back: LoginReturn): Promise<LoginResult> {
  const now = deps.clock.now();
  if (back.state === undefined || back.browser === undefined) return { ok: false, error: 'INVALID_STATE' };
  const attempt = await takeLoginAttempt(deps.db, { state: back.state, browser: back.browser }, now);
  if (attempt === null) return { ok: false, error: 'INVALID_STATE' };
  if (back.error === 'access_denied') return { ok: false, error: 'ACCESS_DENIED' };
  if (back.error !== undefined) return { ok: false, error: 'FACEBOOK_ERROR' };
  if (back.code === undefined || back.code === '') return { ok: false, error: 'NO_CODE' };
  const first = await deps.login.exchangeCode({
    code: back.code,
    redirectUri: deps.redirectUri,
    codeVerifier: verifierOf({ state: back.state, browser: back.browser }),
  });
  if (!first.ok) return { ok: false, error: loginErrorOf(first) };
  const granted = await deps.login.grantedPermissions(first.value.token);
  if (!granted.ok) return { ok: false, error: loginErrorOf(granted) };
  if (!granted.value.includes(NEEDED_PERMISSION)) {
    await suspectTokenOf(deps, first.value.token);
    return { ok: false, error: 'ACCESS_DENIED', missing: NEEDED_PERMISSION };
  }
  const user = await deps.login.whoIs(first.value.token);
  if (!user.ok) return { ok: false, error: loginErrorOf(user) };
  const longer = await deps.login.extend(first.value.token);
  const access = longer.ok ? longer.value : first.value;
  const expiresAt = access.expiresInMs === null ? null : now + access.expiresInMs;
  const { device } = back;
  const admitted = await letIn(deps, { user: user.value, access: access.token, expiresAt, device }, now);
  deps.wake();
  const isStale = accessState({ expiresAt, isRefused: false }, now) !== 'ok';
  return { ok: true, ...admitted, returnTo: attempt.returnTo, isStale };
}

/** Somebody we know has just taken the permission back: what the token that we have is worth is asked now. */
async function suspectTokenOf(deps: OperationDeps, token: string): Promise<void> {
  const user = await deps.login.whoIs(token);
  const person = user.ok ? await findPersonOfPlatformUser(deps.db, user.value.id) : null;
  if (person !== null) await suspectToken(deps.db, person.id, deps.clock.now());
}

function loginErrorOf(answer: Answer<unknown> & { ok: false }): LoginError {
  return answer.failure.kind === 'rejected' || answer.failure.kind === 'token_invalid'
    ? 'AUTH_FAILED'
    : 'FACEBOOK_ERROR';
}

interface Admitted {
  user: PlatformUser;
  access: string;
  expiresAt: Instant | null;
  device: string;
}

/** Who they are, their token, a session: all or nothing. */
function letIn(
  deps: OperationDeps,
  given: Admitted,
  now: Instant,
): Promise<{ personId: string; token: string }> {
  const { user, access, expiresAt, device } = given;
  return inTransaction(deps.db, async (tx) => {
    const roles = deps.appointed.filter(({ platformUserId }) => platformUserId === user.id);
    const person = await savePerson(tx, { ...user, roles: roles.map(({ role }) => role) }, now);
    const personId = person.id;
    await saveToken(tx, deps.vault, { personId, token: access, expiresAt }, now);
    await stopLeaving(tx, personId);
    const message = person.isNew ? `${person.name} signed up.` : `${person.name} logged in.`;
    const reason = device;
    await recordActivities(
      tx,
      [{ personId, actor: 'person', type: 'login', event: 'login', message, reason }],
      now,
    );
    await makeDueForPerson(tx, personId, now);
    return { personId, token: await startSession(tx, { personId, device }, now) };
  });
}
