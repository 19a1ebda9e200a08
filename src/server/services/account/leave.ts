import { ApiError } from '#contract/errors.ts';
import { backoffMs } from '#core/backoff.ts';
import { blocksDeletion, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, seconds } from '#core/time.ts';
import { afterFailure } from '../../platforms/meta/after-failure.ts';
import type { PlatformFailure } from '../../platforms/meta/errors.ts';
import { describeFailure, mayBeTheToken } from '../../platforms/meta/errors.ts';
import { findSubscription } from '../../db/billing/subscriptions.ts';
import { dropOrphanedAccounts } from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { finishDeletionRequests } from '../../db/users/deletion-requests.ts';
import { countUnsettled } from '../../db/holds/holds.ts';
import { recordActivities } from '../../db/activities.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { Leaving, User } from '../../db/users/users.ts';
import {
  deleteUser,
  findLeaving,
  findUser,
  forgetAuthorization,
  lockUser,
  markLeaving,
  postponeLeaving,
} from '../../db/users/users.ts';
import { findTokenToRevoke, suspectTokens } from '../../db/users/tokens.ts';
import { writeLastNotifications } from '../../notifications/compose.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { closeCheckouts } from '../billing/checkout.ts';
import type { BillingDeps } from '../billing/sync.ts';
import { deleteCustomer, syncSubscription } from '../billing/sync.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status.ts';
import { isLoginDisrupted } from '../status.ts';
import { waitUntil } from '../campaigns/wait-until.ts';

export type LeaveDeps = BillingDeps & StatusDeps & Needs<'login' | 'publicUrl'>;

/** How long the request waits for the reconciler to resume or release the holds. */
const HOLDS_TIMEOUT_MS = seconds(20);
const CONCURRENCY = 5;
const RETRIES = { firstMs: seconds(2), longestMs: hours(1) };
/** By then the retries have lasted some minutes. */
const WORTH_A_WARNING = 8;
/** Deletion must not depend on Meta forever; an unused token expires by itself. */
const GIVE_UP_REVOKING_MS = days(3);

/**
 * Resumes or releases the holds, revokes our permission on Meta, then deletes the setup or the account.
 * Every step can be repeated, so an interrupted run continues.
 * @throws ApiError if it cannot finish now; a scheduled task continues it
 */
export async function leave(deps: LeaveDeps, user: User, how: Leaving['how']): Promise<void> {
  if (how === 'delete') await requireMayDelete(deps, user);
  await inTransaction(deps.db, async (tx) => {
    const current = await lockUser(tx, user.id);
    if (current === null) throw new ApiError('UNAUTHENTICATED');
    await beginLeaving(deps, tx, current, { how, by: 'user' });
  });
  deps.wake();
  // Closes checkouts opened since; later checkout requests see that the user is leaving.
  if (how === 'delete') await isClosed(deps, user.id);
  await waitUntil(
    async () => (await countUnsettled(deps.db, user.id, deps.clock.now())) === 0,
    HOLDS_TIMEOUT_MS,
    deps.clock,
  );
  if (!(await finishLeaving(deps, user.id))) {
    throw new ApiError(how === 'delete' ? 'ACCOUNT_DELETE_FAILED' : 'DEAUTH_FAILED');
  }
}

/** After this step the user gets no new holds, and the reconciler resumes the existing ones. */
export async function beginLeaving(
  deps: Needs<'clock'>,
  tx: Db,
  user: User,
  { how, by }: Pick<Leaving, 'how' | 'by'>,
): Promise<void> {
  const now = deps.clock.now();
  await markLeaving(tx, user.id, { how, by, since: now });
  if (user.leaving?.how !== how) {
    const message =
      how === 'delete' ? 'Account deletion was requested.' : 'Revoking the authorization was requested.';
    const about = { userId: user.id, type: 'other', event: `${how}_asked`, message } as const;
    await recordActivities(tx, [{ ...about, actor: by }], now);
  }
  await wakeForUser(tx, user.id);
}

/** Continues all interrupted runs with limited concurrency, so that a slow one delays few others. */
export async function finishAllLeaving(deps: LeaveDeps): Promise<void> {
  const waiting = await findLeaving(deps.db);
  const goOn = async (): Promise<void> => {
    for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
      await finishSafely(deps, user);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, goOn));
}

async function finishSafely(deps: LeaveDeps, user: User): Promise<void> {
  try {
    await finishLeaving(deps, user.id);
  } catch (error) {
    deps.log.error({ user: user.id, err: error }, 'leaving failed');
    const why = error instanceof Error ? error.name : 'fault';
    await postpone(deps, user, { retryAt: null, error: `fault (${why})` }).catch(() => undefined);
  }
}

/** @returns true if finished, or if the user has logged in again and stays */
async function finishLeaving(deps: LeaveDeps, userId: string): Promise<boolean> {
  if ((await countUnsettled(deps.db, userId, deps.clock.now())) > 0) return false;
  // A user who has logged in again keeps the new permission.
  const user = await findUser(deps.db, userId);
  if (user === null || user.leaving === null) return true;
  const { how } = user.leaving;
  // First, since Meta may delay the rest for days; a user who is leaving gets no new checkout.
  const nothingToPay = how !== 'delete' || (await isClosed(deps, user.id));
  const pending = (await revoke(deps, user, user.leaving)) ?? (await endBilling(deps, user, nothingToPay));
  if (pending !== null) {
    await postpone(deps, user, pending);
    return false;
  }
  return inTransaction(deps.db, async (tx) => {
    const current = await lockUser(tx, userId);
    if (current === null) return true;
    if (current.leaving === null) {
      // The user logged in at this moment, so the token needs a check.
      await suspectTokens(tx, [userId], deps.clock.now());
      return true;
    }
    // A deletion has replaced the revocation and needs more steps.
    if (current.leaving.how !== how) return false;
    // A hold can have been written just before the mark.
    if ((await countUnsettled(tx, userId, deps.clock.now())) > 0) return false;
    await forget(deps, tx, current, current.leaving);
    return true;
  });
}

/** Reads Stripe first. An active subscription or an admin grant must end before the deletion. */
async function requireMayDelete(deps: BillingDeps, user: User): Promise<void> {
  // Prevents a payment during the deletion.
  await closeCheckouts(deps, user.id);
  await syncSubscription(deps, user.id);
  const now = deps.clock.now();
  const subscription = await findSubscription(deps.db, user.id, now);
  if (blocksDeletion(subscription, hasActiveSubscription(subscription, now))) {
    throw new ApiError('SUBSCRIPTION_ACTIVE');
  }
}

/** True if no open checkout is left. False if Stripe does not respond; a later pass retries. */
async function isClosed(deps: Needs<'db' | 'billing'>, userId: string): Promise<boolean> {
  try {
    await closeCheckouts(deps, userId);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Why a step is not finished yet. */
interface Pending {
  retryAt: Instant | null;
  error: string;
}

/** Before a deletion Stripe must delete the customer. Null: done. */
async function endBilling(deps: BillingDeps, user: User, nothingToPay: boolean): Promise<Pending | null> {
  if (user.leaving?.how !== 'delete') return null;
  const kept = nothingToPay ? await deleteCustomer(deps, user.id) : 'a checkout could not be closed';
  return kept === null ? null : { retryAt: null, error: `stripe: ${kept}` };
}

/** Retries with growing waits, never before the time that Meta gives. */
async function postpone(deps: BillingDeps, user: User, { retryAt, error }: Pending): Promise<void> {
  const now = deps.clock.now();
  const failures = (user.leaving?.failures ?? 0) + 1;
  const wait = backoffMs(failures, Math.random(), RETRIES);
  const retryInMs = Math.max(wait, (retryAt ?? now) - now);
  await postponeLeaving(deps.db, user.id, { retryInMs, error });
  const level = failures >= WORTH_A_WARNING ? 'warn' : 'info';
  deps.log[level]({ user: user.id, failures, failure: error }, 'leaving postponed');
}

/** Null: Meta keeps no permission of ours, as far as we can know. */
async function revoke(deps: LeaveDeps, user: User, leaving: Leaving): Promise<Pending | null> {
  // A token that cannot be decrypted cannot be revoked and must not block the deletion.
  const token = await findTokenToRevoke(deps.db, deps.cipher, user.id);
  if (token === null) return null;
  const revoked = await deps.login.revoke(token);
  if (revoked.ok) return null;
  const { failure } = revoked;
  const now = deps.clock.now();
  // During a login outage a refused token proves nothing.
  if ((await isTokenDead(deps, token, failure)) && !(await isLoginDisrupted(deps))) return null;
  if (now - leaving.since >= GIVE_UP_REVOKING_MS) {
    deps.log.warn({ user: user.id, failure: failure.kind }, 'a permission could not be revoked on Meta');
    return null;
  }
  const given = { failures: 1, usage: null, now };
  return { retryAt: afterFailure(failure, given).retryAt, error: describeFailure(failure) };
}

async function isTokenDead(deps: LeaveDeps, token: string, failure: PlatformFailure): Promise<boolean> {
  if (failure.kind === 'token_invalid') return true;
  if (!mayBeTheToken(failure, 'user')) return false;
  const report = await deps.login.inspect(token);
  return report.ok && !report.value.isValid;
}

/** The last step is one transaction with the farewell email in the outbox. */
async function forget(
  deps: Needs<'cipher' | 'clock' | 'publicUrl'>,
  tx: Db,
  user: User,
  leaving: Leaving,
): Promise<void> {
  const now = deps.clock.now();
  const fingerprints = fingerprintsOfUser(deps.cipher, user.platformUserId);
  const isDeletion = leaving.how === 'delete';
  const confirmationCode = isDeletion ? await finishDeletionRequests(tx, fingerprints, now) : null;
  await writeLastNotifications(tx, user, { publicUrl: deps.publicUrl, now, confirmationCode });
  const reason = leaving.by === 'meta' ? 'asked for on Meta' : 'asked for in Settings';
  const about = { actor: leaving.by, type: 'other', reason } as const;
  if (isDeletion) {
    await deleteUser(tx, user.id);
    await dropOrphanedAccounts(tx);
    const message = 'An account was deleted.';
    await recordActivities(tx, [{ ...about, userId: null, event: 'deleted', message }], now);
    return;
  }
  await forgetAuthorization(tx, user.id);
  const message = `${user.name} revoked the authorization.`;
  await recordActivities(tx, [{ ...about, userId: user.id, event: 'deauthorized', message }], now);
}
