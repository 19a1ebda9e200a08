import PQueue from 'p-queue';
import { ApiError } from '#contract/errors.ts';
import { backoffMs } from '#core/backoff.ts';
import { afterFailure } from '#core/after-failure.ts';
import { blocksDeletion, effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { PlatformFailure } from '#core/platform.ts';
import { describeFailure, mayBeTheToken } from '#core/platform.ts';
import { matchesOf } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { days, hours, seconds } from '#core/time.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { dropOrphanedAccounts, findAccountsOf } from '../../db/orphaned-accounts.ts';
import { finishDeletionRequests } from '../../db/users/deletion-requests.ts';
import { countUnsettled, handOverEndedHolds } from '../../db/holds/holds.ts';
import { handOverWrites } from '../../db/holds/writes.ts';
import { endWords } from '../../db/signals.ts';
import { readStatus } from '../../db/status/status.ts';
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
import { writeLastNotifications } from '../../notifications/write-notifications.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { closeCheckouts } from '../billing/checkout.ts';
import type { BillingDeps } from '../billing/sync.ts';
import { deleteCustomer, syncSubscription } from '../billing/sync.ts';
import { StripeFailure } from '../../stripe/client.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status/platform-status.ts';
import { isLoginDisrupted } from '../status/platform-status.ts';
import { waitUntil } from '../wait-until.ts';

export type LeaveDeps = BillingDeps & StatusDeps & Needs<'login' | 'publicUrl'>;

/** How long the request waits for the reconciler to resume or release the holds. */
const HOLDS_TIMEOUT_MS = seconds(20);
const CONCURRENCY = 5;
const RETRIES = { firstMs: seconds(2), longestMs: hours(1) };
/** Deletion must not depend on Meta forever; an unused token expires by itself. */
const GIVE_UP_REVOKING_MS = days(3);

/**
 * Resumes or releases the holds, revokes our permission on Meta, then deletes the setup or the account.
 * Every step can be repeated, so an interrupted run continues.
 * @throws ApiError if it cannot finish now; a scheduled task continues it
 */
export async function leave(deps: LeaveDeps & Needs<'signals'>, user: User, how: Leaving): Promise<void> {
  if (how === 'delete') await requireMayDelete(deps, user);
  await inTransaction(deps.db, async (tx) => {
    const current = await lockUser(tx, user.id);
    if (current === null) throw new ApiError('UNAUTHENTICATED');
    await beginLeaving(deps, tx, current, { how, by: 'user' });
  });
  deps.wake();
  await waitUntil(deps, () => isSettled(deps, deps.db, user.id), {
    userId: user.id,
    timeoutMs: HOLDS_TIMEOUT_MS,
  });
  if (!(await finishLeaving(deps, user.id)))
    throw new ApiError(how === 'delete' ? 'ACCOUNT_DELETE_FAILED' : 'DEAUTH_FAILED');
}

/** Reads Stripe first. An active subscription or an admin grant must end before the deletion. */
async function requireMayDelete(deps: BillingDeps, user: User): Promise<void> {
  // Prevents a payment during the deletion.
  await closeCheckouts(deps, user.id);
  await syncSubscription(deps, user.id);
  const now = deps.clock.now();
  const subscription = effectiveSubscription(await findOwnSubscriptions(deps.db, user.id), now);
  if (blocksDeletion(subscription, hasActiveSubscription(subscription, now)))
    throw new ApiError('SUBSCRIPTION_ACTIVE');
}

/** After this step the user gets no new holds, and the reconciler resumes the existing ones. */
export async function beginLeaving(
  deps: Needs<'clock'>,
  tx: Db,
  user: User,
  { how, by }: { how: Leaving; by: 'user' | 'meta' },
): Promise<void> {
  const now = deps.clock.now();
  await markLeaving(tx, user.id, { how, by, since: now });
  await endWords(tx, user.id, now);
  if (user.leaving !== how) {
    const about = { userId: user.id, actor: by, event: `${how}_asked` } as const;
    await recordActivities(tx, [{ ...about, facts: {} }], now);
  }
  await wakeForUser(tx, user.id);
}

/** Continues all interrupted runs with limited concurrency, so that a slow one delays few others. */
export async function finishAllLeaving(deps: LeaveDeps): Promise<void> {
  const postponeFailed = (user: User) => async (error: unknown) => {
    deps.log.error({ user: user.id, err: error }, 'leaving failed');
    const why = error instanceof Error ? error.name : 'unknown';
    await postpone(deps, user, { error: `fault (${why})` }).catch(() => undefined);
  };
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const waiting = await findLeaving(deps.db);
  await queue.addAll(waiting.map((user) => () => finishLeaving(deps, user.id).catch(postponeFailed(user))));
}

/** Why a step is not done yet. */
interface Pending {
  retryAt?: Instant;
  error: string;
}

/** Each step may be repeated. Null: it is done. */
type Step = (deps: LeaveDeps, user: User) => Promise<Pending | null>;

/** Checkouts close first: a later step may take days. */
const STEPS: Record<Leaving, readonly Step[]> = {
  deauthorize: [revoke],
  delete: [stripe(closeCheckouts), revoke, stripe(deleteCustomer)],
};

/** No write of ours is on its way for the user, and SmartPause owes them no resume. */
async function isSettled({ clock }: Needs<'clock'>, db: Db, userId: string): Promise<boolean> {
  return (await countUnsettled(db, userId, clock.now())) === 0;
}

/** @returns true if finished, or if the user has logged in again and stays */
async function finishLeaving(deps: LeaveDeps, userId: string): Promise<boolean> {
  if (!(await isSettled(deps, deps.db, userId))) return false;
  const user = await findUser(deps.db, userId);
  // A user who has logged in again keeps the new permission.
  if (user?.leaving == null) return true;
  const how = user.leaving;
  for (const step of STEPS[how]) {
    const pending = await step(deps, user);
    if (pending === null) continue;
    await postpone(deps, user, pending);
    return false;
  }
  return inTransaction(deps.db, async (tx) => {
    const current = await lockUser(tx, userId);
    // The user logged in at this moment, so the token needs a check.
    if (current?.leaving === null) await suspectTokens(tx, [userId], deps.clock.now());
    if (current?.leaving == null) return true;
    // A deletion has replaced the revocation and needs more steps; a hold can have been written just before the mark.
    if (current.leaving !== how || !(await isSettled(deps, tx, userId))) return false;
    await forget(deps, tx, current);
    return true;
  });
}

/** Retries with growing waits, never before the time that Meta gives. */
async function postpone(deps: LeaveDeps, user: User, { retryAt = 0, error }: Pending): Promise<void> {
  const failures = user.leavingFailures + 1;
  const wait = backoffMs(failures, Math.random(), RETRIES);
  await postponeLeaving(deps.db, user.id, { retryInMs: Math.max(wait, retryAt - deps.clock.now()), error });
  deps.log.warn({ user: user.id, failures, failure: error }, 'leaving postponed');
}

/** A step that only calls Stripe. */
function stripe(act: (deps: LeaveDeps, userId: string) => Promise<void>): Step {
  return async (deps, { id }) => {
    try {
      await act(deps, id);
      return null;
    } catch (error) {
      if (error instanceof StripeFailure) return { error: `stripe: ${error.kind}` };
      throw error;
    }
  };
}

/** Afterwards Meta keeps no permission of ours, as far as we can know. */
async function revoke(deps: LeaveDeps, user: User): Promise<Pending | null> {
  // A token that cannot be decrypted cannot be revoked and must not block the deletion.
  const token = await findTokenToRevoke(deps.db, deps.cipher, user.id);
  if (token === null) return null;
  const revoked = await deps.login.revoke(token);
  if (revoked.ok) return null;
  const { failure } = revoked;
  const now = deps.clock.now();
  // During a login outage a refused token proves nothing.
  if ((await isTokenDead(deps, token, failure)) && !(await isLoginDisrupted(deps))) return null;
  if (now - (user.leavingAt ?? now) >= GIVE_UP_REVOKING_MS) {
    deps.log.warn({ user: user.id, failure: failure.kind }, 'a permission could not be revoked on Meta');
    return null;
  }
  const { retryAt } = afterFailure(failure, { failures: 1, usage: null, now }, Math.random());
  return { retryAt, error: describeFailure(failure) };
}

async function isTokenDead(deps: LeaveDeps, token: string, failure: PlatformFailure): Promise<boolean> {
  if (failure.kind === 'token_invalid') return true;
  if (!mayBeTheToken(failure, 'user')) return false;
  const report = await deps.login.inspect(token);
  return report.ok && !report.value.isValid;
}

/** The last step is one transaction with the farewell email in the outbox. */
async function forget(
  deps: Needs<'cipher' | 'clock' | 'log' | 'publicUrl'>,
  tx: Db,
  user: User,
): Promise<void> {
  const { publicUrl, log } = deps;
  const now = deps.clock.now();
  const fingerprints = fingerprintsOfUser(deps.cipher, user.platformUserId);
  const isDeletion = user.leaving === 'delete';
  const confirmationCode = isDeletion ? await finishDeletionRequests(tx, fingerprints, now) : null;
  await writeLastNotifications(tx, user, { publicUrl, log, now, confirmationCode });
  if (isDeletion) {
    const accountIds = await findAccountsOf(tx, user.id);
    await handOverEndedHolds(tx, user.id, matchesOf(await readStatus(tx)));
    await handOverWrites(tx, user.id);
    await deleteUser(tx, user.id);
    await dropOrphanedAccounts(tx, accountIds);
  } else await forgetAuthorization(tx, user.id);
  const what = isDeletion
    ? ({ userId: null, event: 'deleted', facts: {} } as const)
    : ({ userId: user.id, event: 'deauthorized', facts: { name: user.name } } as const);
  await recordActivities(tx, [{ ...what, actor: user.leavingBy ?? 'user' }], now);
}
