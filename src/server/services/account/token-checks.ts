import type { AccessState, TokenLife } from '#core/platform-access.ts';
import { accessState, isExchangeable, isShortLived, longerOf } from '#core/platform-access.ts';
import { minutes } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { User } from '../../db/users/users.ts';
import { wakeForUser } from '../../db/work-items.ts';
import { readStatus } from '../../db/status/status.ts';
import type { NewToken, StoredToken, TokenRejection } from '../../db/users/tokens.ts';
import {
  NO_LONGER_VALID,
  PERMISSION_TAKEN_BACK,
  claimTokensToCheck,
  findTokenFacts,
  markRejected,
  recheckRejectedTokens,
  reencryptToken,
  replaceToken,
  saveCheck,
  tokenContext,
  tokenReason,
} from '../../db/users/tokens.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import { mayBeTheToken } from '../../platforms/meta/errors.ts';
import type { AccessToken } from '../../platforms/meta/login.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status.ts';
import { isLoginDisrupted } from '../status.ts';

/** Without this permission SmartPause could read but not pause. */
export const NEEDED_PERMISSION = 'ads_management';

type TokenDeps = StatusDeps & Needs<'db' | 'cipher' | 'login' | 'log'>;

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
  const facts = (await findTokenFacts(deps.db, [user.id])).get(user.id) ?? null;
  if (facts !== null && !deps.cipher.keyIds.includes(facts.keyId)) return { access: 'expired' };
  const access = accessState(facts, deps.clock.now());
  return { access, ...(facts?.lacksPermission === true && { missingPermission: NEEDED_PERMISSION }) };
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
  return { access, failure: response.ok ? null : response.failure };
}

/** Checks the due tokens with Meta: each daily and when a call makes it suspect. Exchanges the short-lived ones. */
export async function checkTokens(deps: TokenDeps): Promise<void> {
  const startedAt = deps.clock.now();
  const { loginDisrupted } = await readStatus(deps.db);
  if (loginDisrupted) await recheckRejectedTokens(deps.db, startedAt - REPORTED_LATE_MS, startedAt);
  for (;;) {
    const due = await claimTokensToCheck(deps.db, CONCURRENCY, ASK_AGAIN_MS);
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

async function checkToken(deps: TokenDeps, stored: StoredToken): Promise<void> {
  const { userId, savedAt, expiresAt } = stored;
  const token = deps.cipher.decrypt(stored, tokenContext(userId));
  if (token === null) {
    deps.log.error({ user: userId, key: stored.keyId }, 'platform token could not be decrypted');
    return;
  }
  // An older key can be removed a day after a newer one was configured.
  if (stored.keyId !== deps.cipher.keyId)
    await reencryptToken(deps.db, deps.cipher, { userId, savedAt, token });
  const waiting = { expiresAt, exchangingSince: stored.isShortLived ? savedAt : null };
  const exchangingSince = isExchangeable(waiting, deps.clock.now()) ? savedAt : null;
  if (exchangingSince !== null) {
    const { access, failure } = await exchange(deps, { token, expiresAt });
    // Meta may also extend the token itself.
    if (access.token !== token || !access.isShortLived) {
      const isReplaced = await replaceToken(
        deps.db,
        deps.cipher,
        { before: stored, after: access },
        deps.clock.now(),
      );
      if (isReplaced) deps.log.info({ user: userId }, 'platform token exchanged');
      return;
    }
    deps.log.warn({ user: userId, failure: failure?.kind }, 'no longer platform token yet');
    if (failure === null || !mayBeTheToken(failure, 'user'))
      return settle(deps, stored, { expiresAt, exchangingSince });
  }
  await inspect(deps, stored, { token, exchangingSince });
}

async function inspect(
  deps: TokenDeps,
  stored: StoredToken,
  { token, exchangingSince }: { token: string; exchangingSince: Instant | null },
): Promise<void> {
  const { userId, savedAt } = stored;
  const response = await deps.login.inspect(token);
  if (!response.ok) {
    deps.log.warn({ user: userId, failure: response.failure.kind }, 'platform token check got no response');
    return;
  }
  const report = response.value;
  if (!report.isValid) {
    if (await isLoginDisrupted(deps)) return;
    return reject(deps, { userId, reason: NO_LONGER_VALID, usedAt: savedAt });
  }
  if (report.permissions?.includes(NEEDED_PERMISSION) === false)
    return reject(deps, { userId, reason: PERMISSION_TAKEN_BACK, usedAt: savedAt });
  await settle(deps, stored, { expiresAt: report.expiresAt, exchangingSince });
}

/** Stores the life of a valid token, and asks its user to log in again when it ends soon. */
async function settle(deps: TokenDeps, { userId, savedAt }: StoredToken, life: TokenLife): Promise<void> {
  const now = deps.clock.now();
  const state = accessState({ ...life, isRefused: false }, now);
  await inTransaction(deps.db, async (tx) => {
    const isSame = await saveCheck(tx, { userId, savedAt }, life, now);
    if (isSame && state === 'stale') await noteStale(tx, { userId, savedAt }, now);
  });
  // A token can outlive its data access, but then it is useless.
  if (state === 'expired')
    await reject(deps, { userId, reason: 'its access to data has ended', usedAt: savedAt });
}

/** Marks the token as rejected, and records that once. */
async function reject(deps: Needs<'db' | 'clock'>, rejection: TokenRejection): Promise<void> {
  const { userId, reason } = rejection;
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if ((await markRejected(tx, rejection, now)) === null) return;
    await wakeForUser(tx, userId);
    const message = 'Meta no longer accepts our access. Log in again to let SmartPause go on.';
    const about = { userId, actor: 'meta', type: 'other' } as const;
    await recordActivities(tx, [{ ...about, event: 'token_refused', message, reason }], now);
  });
}

/** Once for each token. */
export async function noteStale(
  tx: Db,
  { userId, savedAt }: { userId: string; savedAt: Instant },
  now: Instant,
): Promise<void> {
  const message = 'Your Meta connection expires soon. Log in once to renew it.';
  const about = { userId, actor: 'smartpause', type: 'other', event: 'token_stale', message } as const;
  await recordActivities(tx, [{ ...about, reason: tokenReason(savedAt) }], now);
}
