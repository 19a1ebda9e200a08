import type { Instant } from '#core/time.ts';
import { days, minutes, seconds } from '#core/time.ts';
import { chooseSubscription, superfluous, toSubscription } from '#core/billing/stripe-subscription.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import type { StripeFailure } from '../../stripe/client.ts';
import type { StripeSync } from '../../db/billing/billing-customers.ts';
import {
  beginSync,
  claimDueSyncs,
  findBillingCustomer,
  forgetCustomer,
  noteFailedSync,
  settleSync,
} from '../../db/billing/billing-customers.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { findUser } from '../../db/users/users.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { noteTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser, newSecret } from '../../secrets.ts';
import { takeOver } from './billing-change.ts';
import type { Needs } from '../deps.ts';

export type BillingDeps = Needs<'db' | 'cipher' | 'billing' | 'clock' | 'log' | 'wake'>;

/** Retries a read whose process died. */
const RETRY_MS = minutes(1);
/** Corrects the row even if all webhooks were lost. */
const SWEEP_MS = days(1);
/** A period has ended and Stripe reports no next one yet: access depends on it. */
const AT_THE_TURN_MS = seconds(30);
const AT_ONCE = 10;

/**
 * Copies the subscription from Stripe. Events only name the customer, so late, repeated, reordered
 * and lost events lead to the same row.
 * @returns the failure, after which a retry is scheduled; null: done
 */
export async function syncSubscription(deps: BillingDeps, userId: string): Promise<StripeFailure | null> {
  const { db, billing, clock } = deps;
  const sync = await beginSync(db, userId, RETRY_MS);
  if (sync === null) return null;
  const answer = await billing.listSubscriptions(sync.customerId);
  if (!answer.ok) {
    if (answer.failure !== 'gone') {
      await noteFailedSync(db, sync, answer.failure, clock.now());
      return answer.failure;
    }
    await endCustomer(deps, sync);
    return null;
  }
  const all = answer.value;
  const isSettled = await inTransaction(db, (tx) => settle(deps, tx, sync, all));
  deps.wake();
  // A later read handles what it has seen itself.
  if (isSettled) for (const extra of superfluous(all)) await endExtra(deps, userId, extra);
  return null;
}

async function settle(
  deps: Needs<'cipher' | 'clock'>,
  tx: Db,
  sync: StripeSync,
  all: readonly StripeSubscription[],
): Promise<boolean> {
  const now = deps.clock.now();
  const chosen = chooseSubscription(all);
  const after = chosen === null ? null : toSubscription(chosen, now);
  const nextAt = superfluous(all).length > 0 ? now + RETRY_MS : nextSyncAt(after, now);
  if (!(await settleSync(tx, sync, nextAt - now))) return false;
  const user = await findUser(tx, sync.userId);
  if (user === null) return false;
  if (all.some(({ isOurs, trialStart }) => isOurs && trialStart !== null)) {
    await noteTrial(tx, fingerprintsOfUser(deps.cipher, user.platformUserId), now);
  }
  const { stripe: before } = await findOwnSubscriptions(tx, user.id);
  await takeOver(tx, user, { before, after }, now);
  return true;
}

/** Ends the subscription of a customer deleted at Stripe; a new checkout creates another customer. */
export async function endCustomer(
  deps: Needs<'db' | 'clock' | 'wake'>,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (!(await forgetCustomer(tx, { userId, customerId, requestKey: newSecret() }))) return;
    const user = await findUser(tx, userId);
    const { stripe: before } = await findOwnSubscriptions(tx, userId);
    if (user === null || before === null) return;
    await takeOver(tx, user, { before, after: ended(before, now) }, now);
  });
  deps.wake();
}

function ended(subscription: Subscription, now: Instant): Subscription {
  const currentPeriodEnd = Math.min(subscription.currentPeriodEnd, now);
  return {
    ...subscription,
    status: 'canceled',
    canceledAt: subscription.canceledAt ?? now,
    currentPeriodEnd,
    renews: false,
  };
}

/** Within a day, and when the period ends. */
function nextSyncAt(subscription: Subscription | null, now: Instant): Instant {
  if (subscription === null) return now + SWEEP_MS;
  const { renews, currentPeriodEnd } = subscription;
  if (renews && currentPeriodEnd <= now) {
    // Polls less often the longer the next period is missing.
    return now + Math.min(SWEEP_MS, Math.max(AT_THE_TURN_MS, (now - currentPeriodEnd) / 4));
  }
  return currentPeriodEnd > now ? Math.min(now + SWEEP_MS, currentPeriodEnd) : now + SWEEP_MS;
}

/** After a double subscription the newest stays. The others are canceled and their payments credited. */
async function endExtra(
  deps: Needs<'db' | 'billing' | 'clock' | 'log'>,
  userId: string,
  extra: StripeSubscription,
): Promise<void> {
  deps.log.error({ user: userId, subscription: extra.id }, 'a second subscription is cancelled');
  const ended = await deps.billing.cancelSubscription(extra.id, { isCredited: extra.status === 'active' });
  if (!ended.ok) return;
  const message =
    'A second subscription was canceled, so that nothing is charged twice. What was paid for it is credited.';
  const about = { userId, actor: 'smartpause', type: 'other', event: 'extra_subscription' } as const;
  await inTransaction(deps.db, (tx) =>
    recordActivities(tx, [{ ...about, message, reason: extra.id }], deps.clock.now()),
  );
}

/** Deletes the customer with all subscriptions at Stripe, after a last read. */
export async function deleteCustomer(deps: BillingDeps, userId: string): Promise<StripeFailure | null> {
  const failure = await syncSubscription(deps, userId);
  if (failure !== null) return failure;
  const customer = await findBillingCustomer(deps.db, userId);
  if (customer?.customerId == null) return null;
  const deleted = await deps.billing.deleteCustomer(customer.customerId);
  return deleted.ok ? null : deleted.failure;
}

/** Reads all due customers: daily, at the end of a period, and after a failed read. */
export async function syncDue(deps: BillingDeps): Promise<void> {
  for (;;) {
    const due = await claimDueSyncs(deps.db, { limit: AT_ONCE, forMs: RETRY_MS });
    const results = await Promise.all(due.map((userId) => syncSafely(deps, userId)));
    // The loop ends, since a failed read is due later.
    if (due.length < AT_ONCE || results.includes(false)) return;
  }
}

async function syncSafely(deps: BillingDeps, userId: string): Promise<boolean> {
  try {
    return (await syncSubscription(deps, userId)) === null;
  } catch (error) {
    deps.log.error({ err: error, user: userId }, 'a subscription could not be read');
    return false;
  }
}
