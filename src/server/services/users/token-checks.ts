import type { PlatformFailure } from '#core/platform.ts';
import { mayBeTheToken, refusesApp } from '#core/platform.ts';
import type { AccessState } from '#core/platform-access.ts';
import {
  NO_LONGER_VALID,
  PERMISSION_TAKEN_BACK,
  accessState,
  isExchangeable,
  isShortLived,
  longerOf,
  nextTokenCheck,
  ownCallDecides,
} from '#core/platform-access.ts';
import { minutes } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { User } from '../../db/users/users.ts';
import { wakeForUser } from '../../db/work-items.ts';
import { readStatus } from '../../db/status/status.ts';
import type { NewToken, StoredToken } from '../../db/users/tokens.ts';
import {
  claimTokensToCheck,
  findTokens,
  markRejected,
  noteInspection,
  recheckRejectedTokens,
  reencryptToken,
  replaceToken,
  saveCheck,
  tokenContext,
} from '../../db/users/tokens.ts';
import type { AccessToken } from '../../platforms/platform.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status/platform-status.ts';
import { isLoginDisrupted } from '../status/platform-status.ts';

/** Without this permission SmartPause could read but not pause. */
export const NEEDED_PERMISSION = 'ads_management';

type TokenDeps = StatusDeps & Needs<'db' | 'cipher' | 'login' | 'log' | 'app'>;

const CONCURRENCY = 10;
/** The status page reports a login outage up to this late; earlier rejections may belong to it. */
const REPORTED_LATE_MS = minutes(60);
/** Retry when Meta does not respond, or its response proves nothing. */
const ASK_AGAIN_MS = minutes(15);

/** State of the permission on Meta, for the page. */
export async function getAccess(
  deps: Needs<'db' | 'cipher' | 'clock'>,
  user: User,
): Promise<{ access: AccessState; missingPermission?: string }> {
  const token = (await findTokens(deps.db, [user.id])).get(user.id) ?? null;
  if (token !== null && !deps.cipher.keyIds.includes(token.keyId)) return { access: 'expired' };
  const isMissing = token?.rejectedReason === PERMISSION_TAKEN_BACK;
  const access = accessState(token, deps.clock.now());
  return { access, ...(isMissing && { missingPermission: NEEDED_PERMISSION }) };
}

export function endOf({ token, expiresInMs }: AccessToken, now: Instant) {
  return { token, expiresAt: expiresInMs === null ? null : now + expiresInMs };
}

/** Exchanges a token for a longer one. Without one the token stays, and the exchange is tried again later. */
export async function exchange(
  { login, clock }: Needs<'login' | 'clock'>,
  first: { token: string; expiresAt: Instant | null },
): Promise<{ access: NewToken; failure: PlatformFailure | null }> {
  const response = await login.extend(first.token);
  const now = clock.now();
  const best = response.ok ? longerOf(first, endOf(response.value, now)) : first;
  const isUnknown = !response.ok && best.expiresAt === null;
  const access = { ...best, isShortLived: isUnknown || isShortLived(best.expiresAt, now) };
  const checkAt = nextTokenCheck({ ...access, savedAt: now }, now);
  return { access: { ...access, checkAt }, failure: response.ok ? null : response.failure };
}

/** Checks the due tokens with Meta: each daily and when a call makes it suspect. Exchanges the short-lived ones. */
export async function checkTokens(deps: TokenDeps): Promise<void> {
  const startedAt = deps.clock.now();
  const { loginDisrupted } = await readStatus(deps.db);
  if (loginDisrupted) await recheckRejectedTokens(deps.db, startedAt - REPORTED_LATE_MS, startedAt);
  while (mayCall(deps.app)) {
    const limit = deps.app.stopped() === null ? CONCURRENCY : 1;
    const due = await claimTokensToCheck(deps.db, limit, ASK_AGAIN_MS);
    await Promise.all(
      due.map(async (token) => {
        await checkToken(deps, token).catch((error: unknown) => {
          deps.log.error({ err: error, user: token.userId }, 'a platform token could not be checked');
        });
      }),
    );
    if (due.length < CONCURRENCY) return;
  }
}

/** One check may find out that Meta serves our app again, but not that it accepts the API version of other calls. */
function mayCall(app: TokenDeps['app']): boolean {
  return app.stopped() !== 'misconfigured' && app.msUntilNextCall() === 0;
}

async function checkToken(deps: TokenDeps, stored: StoredToken): Promise<void> {
  const { db, cipher, clock, log } = deps;
  const { userId, expiresAt } = stored;
  const token = cipher.decrypt(stored, tokenContext(userId));
  if (token === null) {
    log.error({ user: userId, key: stored.keyId }, 'platform token could not be decrypted');
    return;
  }
  // An older key can be removed a day after a newer one was configured.
  if (stored.keyId !== cipher.keyId) await reencryptToken(db, cipher, stored, token);
  const known = { ...stored, isShortLived: isExchangeable(stored, clock.now()) };
  if (known.isShortLived) {
    const { access, failure } = await exchange(deps, { token, expiresAt });
    // Meta may also extend the token itself.
    if (access.token !== token || !access.isShortLived) {
      const isReplaced = await replaceToken(db, cipher, { before: stored, after: access }, clock.now());
      if (isReplaced) log.info({ user: userId }, 'platform token exchanged');
      return;
    }
    log.warn({ user: userId, failure: failure?.kind }, 'no longer platform token yet');
    if (failure === null || !mayBeTheToken(failure, 'user')) return settle(deps, known);
  }
  await inspect(deps, known, token);
}

async function inspect(deps: TokenDeps, stored: StoredToken, token: string): Promise<void> {
  const response = await deps.login.inspect(token);
  if (!response.ok) {
    if (refusesApp(response.failure)) return checkByOwnCall(deps, stored, token);
    const details = { user: stored.userId, failure: response.failure.kind };
    deps.log.warn(details, 'platform token check got no response');
    return;
  }
  await noteInspection(deps.db, null);
  const report = response.value;
  if (!report.isValid) {
    if (!(await isLoginDisrupted(deps))) await reject(deps, stored, NO_LONGER_VALID);
  } else if (report.permissions?.includes(NEEDED_PERMISSION) === false) {
    await reject(deps, stored, PERMISSION_TAKEN_BACK);
  } else await settle(deps, { ...stored, expiresAt: report.expiresAt });
}

/** Meta refuses to inspect tokens for our app: System health shows it, and after some time the user's own call decides. */
async function checkByOwnCall(deps: TokenDeps, stored: StoredToken, token: string): Promise<void> {
  const checkedAt = stored.checkedAt ?? deps.clock.now();
  if (!ownCallDecides(await noteInspection(deps.db, checkedAt), checkedAt)) return;
  const response = await deps.login.whoIs(token);
  const isDead = !response.ok && response.failure.kind === 'token_invalid';
  if (isDead && !(await isLoginDisrupted(deps))) await reject(deps, stored, NO_LONGER_VALID);
}

/** Stores the life of a valid token, and asks its user to log in again when it ends soon. */
async function settle(deps: TokenDeps, token: StoredToken): Promise<void> {
  const now = deps.clock.now();
  const state = accessState({ ...token, rejectedAt: null }, now);
  await inTransaction(deps.db, async (tx) => {
    const isSame = await saveCheck(tx, { ...token, checkAt: nextTokenCheck(token, now) }, now);
    if (isSame && state === 'stale') await noteStale(tx, token, now);
  });
  // A token can outlive its data access, but then it is useless.
  if (state === 'expired') await reject(deps, token, 'its access to data has ended');
}

/** Marks the token as rejected, and records that once. */
async function reject(
  deps: Needs<'db' | 'clock'>,
  { userId, savedAt }: StoredToken,
  reason: string,
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (!(await markRejected(tx, { userId, reason, usedAt: savedAt }, now))) return;
    await wakeForUser(tx, userId);
    const about = { userId, actor: 'meta', event: 'token_refused' } as const;
    await recordActivities(tx, [{ ...about, facts: { why: reason } }], now);
  });
}

/** Once for each token. */
export async function noteStale(
  tx: Db,
  { userId, savedAt }: Pick<StoredToken, 'userId' | 'savedAt'>,
  now: Instant,
): Promise<void> {
  const about = { userId, actor: 'smartpause', event: 'token_stale' } as const;
  await recordActivities(tx, [{ ...about, facts: { savedAt } }], now);
}
