import { accessState } from '#core/platform-access.ts';
import type { AccessState } from '#core/platform-access.ts';
import { minutes } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { User } from '../../db/users/users.ts';
import { wakeForUser } from '../../db/work-items.ts';
import { readStatus } from '../../db/status/status.ts';
import type { TokenRejection, TokenToCheck } from '../../db/users/tokens.ts';
import {
  claimTokensToCheck,
  findTokenFacts,
  recheckRejectedTokens,
  NO_LONGER_VALID,
  PERMISSION_TAKEN_BACK,
  noteTokenEnd,
  markRejected,
  tokenContext,
  tokenReason,
} from '../../db/users/tokens.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status.ts';
import { NEEDED_PERMISSION } from './sign-in.ts';
import { isLoginDisrupted } from '../status.ts';

export type TokenDeps = StatusDeps & Needs<'db' | 'cipher' | 'login' | 'log'>;

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

/** Checks the due tokens with Meta, each at least daily. */
export async function checkTokens(deps: TokenDeps): Promise<void> {
  const startedAt = deps.clock.now();
  const { loginDisrupted } = await readStatus(deps.db);
  if (loginDisrupted) await recheckRejectedTokens(deps.db, startedAt - REPORTED_LATE_MS, startedAt);
  for (;;) {
    const due = await claimTokensToCheck(deps.db, CONCURRENCY, ASK_AGAIN_MS);
    await Promise.all(due.map((token) => checkSafely(deps, token)));
    if (due.length < CONCURRENCY) return;
  }
}

async function checkSafely(deps: TokenDeps, token: TokenToCheck): Promise<void> {
  try {
    await checkOne(deps, token);
  } catch (error) {
    deps.log.error({ err: error, user: token.userId }, 'a platform token could not be checked');
  }
}

async function checkOne(deps: TokenDeps, stored: TokenToCheck): Promise<void> {
  const { userId, savedAt, extendingSince } = stored;
  const token = deps.cipher.decrypt(stored, tokenContext(userId));
  if (token === null) {
    deps.log.error({ user: userId, key: stored.keyId }, 'platform token could not be decrypted');
    return;
  }
  const response = await deps.login.inspect(token);
  if (!response.ok) {
    deps.log.warn({ user: userId, failure: response.failure.kind }, 'platform token check got no response');
    return;
  }
  const report = response.value;
  const now = deps.clock.now();
  if (!report.isValid) {
    if (await isLoginDisrupted(deps)) return;
    return reject(deps, { userId, reason: NO_LONGER_VALID, usedAt: savedAt });
  }
  if (report.permissions?.includes(NEEDED_PERMISSION) === false) {
    return reject(deps, { userId, reason: PERMISSION_TAKEN_BACK, usedAt: savedAt });
  }
  const { expiresAt } = report;
  const state = accessState({ expiresAt, extendingSince, isRefused: false }, now);
  await inTransaction(deps.db, async (tx) => {
    const isSame = await noteTokenEnd(tx, { userId, savedAt, expiresAt, extendingSince }, now);
    if (isSame && state === 'stale') await noteStale(tx, { userId, savedAt }, now);
  });
  // A token can outlive its data access, but then it is useless.
  if (state === 'expired')
    await reject(deps, { userId, reason: 'its access to data has ended', usedAt: savedAt });
}

async function reject(
  deps: Needs<'db' | 'clock'>,
  rejection: { userId: string; reason: string; usedAt: number },
): Promise<void> {
  await inTransaction(deps.db, (tx) => rejectToken(tx, rejection, deps.clock.now()));
}

/** Marks the token as rejected, and records that once. */
async function rejectToken(tx: Db, rejection: TokenRejection, now: Instant): Promise<void> {
  const savedAt = await markRejected(tx, rejection, now);
  if (savedAt === null) return;
  const { userId, reason } = rejection;
  await wakeForUser(tx, userId);
  const message = 'Meta no longer accepts our access. Log in again to let SmartPause go on.';
  const about = { userId, actor: 'meta', type: 'other' } as const;
  await recordActivities(tx, [{ ...about, event: 'token_refused', message, reason }], now);
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
