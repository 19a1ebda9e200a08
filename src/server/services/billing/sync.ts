import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#contract/errors.ts';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { accessUntil, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes, seconds } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { StripeRead } from '../../db/billing/customers.ts';
import {
  beginRead,
  claimDueReads,
  failRead,
  findCustomer,
  findUserOfCustomer,
  finishRead,
  forgetCustomer,
} from '../../db/billing/customers.ts';
import { dropSubscriptions, findOwnSubscriptions, saveSubscription } from '../../db/billing/subscriptions.ts';
import { noteTrial } from '../../db/billing/trials.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { User } from '../../db/users/users.ts';
import { findUser } from '../../db/users/users.ts';
import { wakeForUser } from '../../db/work-items.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { StripeFailure, isFailure } from '../../stripe/client.ts';
import type { StripeState } from '../../stripe/subscriptions.ts';
import type { Reversal } from '../../stripe/webhooks.ts';
import type { Needs } from '../deps.ts';

export type BillingDeps = Needs<'db' | 'cipher' | 'billing' | 'clock' | 'log' | 'wake'>;

/** After a failed read. */
const RETRY_MS = minutes(1);
/** Corrects the row even if all webhooks were lost. */
const SWEEP_MS = days(1);
/** A period has ended and Stripe reports no next one yet: access depends on it. */
const AT_THE_TURN_MS = seconds(30);
const AT_ONCE = 10;

/**
 * Reads the event's customer from Stripe, so late, repeated, reordered and lost events lead to the same row.
 * A reversed payment is also recorded, once; access follows the subscription.
 * @throws ApiError INVALID_REQUEST for a forged event; BILLING_UNAVAILABLE, after which Stripe sends it again
 */
export async function receiveWebhook(
  deps: BillingDeps,
  given: { rawBody: Uint8Array; signature: string },
): Promise<void> {
  const event = deps.billing.readEvent(given.rawBody, given.signature, deps.clock.now());
  if (event === null) throw new ApiError('INVALID_REQUEST', 'not signed by Stripe, or too old');
  const { id, type, reversal } = event;
  // A dispute names its charge only.
  const customerId =
    event.customerId ?? (reversal && (await deps.billing.customerOfCharge(reversal.chargeId)));
  const userId = customerId === null ? null : await findUserOfCustomer(deps.db, customerId);
  if (userId !== null && reversal !== null) await recordReversal(deps, userId, reversal);
  if (userId !== null) await syncSubscription(deps, userId);
  // Else a deleted user, or a customer of another product in the same Stripe account.
  else if (type === 'checkout.session.completed')
    deps.log.error({ event: id, customer: customerId }, 'payment for unknown customer');
}

/** For the admins, once for each charge. */
async function recordReversal(
  { db, clock }: Needs<'db' | 'clock'>,
  userId: string,
  { chargeId, how }: Reversal,
): Promise<void> {
  const user = await findUser(db, userId);
  if (user === null) return;
  const facts = { name: user.name, chargeId };
  await recordActivities(db, [{ userId, actor: 'stripe', event: `payment_${how}`, facts }], clock.now());
}

/**
 * Copies the subscription from Stripe. A read that began earlier never replaces a later one.
 * @throws StripeFailure if Stripe does not answer; a retry is scheduled
 */
export async function syncSubscription(deps: BillingDeps, userId: string): Promise<void> {
  const { db, billing } = deps;
  const read = await beginRead(db, userId);
  if (read === null) return;
  let found: StripeState;
  try {
    found = await billing.readSubscriptions(read.customerId, deps.clock.now());
  } catch (error) {
    if (isFailure(error, 'gone')) return endCustomer(deps, userId, read.customerId);
    if (error instanceof StripeFailure) await failRead(db, read, error.kind, RETRY_MS);
    throw error;
  }
  const isStored = await inTransaction(db, (tx) => store(deps, tx, read, found));
  deps.wake();
  // A later read handles what it has seen itself.
  if (isStored) for (const extra of found.extras) await endExtra(deps, userId, extra);
}

async function store(
  deps: Needs<'cipher' | 'clock'>,
  tx: Db,
  read: StripeRead,
  { subscription, extras, usedTrial }: StripeState,
): Promise<boolean> {
  const now = deps.clock.now();
  const nextInMs = extras.length > 0 ? RETRY_MS : nextReadInMs(subscription, now);
  if (!(await finishRead(tx, read, nextInMs))) return false;
  const user = await findUser(tx, read.userId);
  if (user === null) return false;
  if (usedTrial) await noteTrial(tx, fingerprintsOfUser(deps.cipher, user.platformUserId), now);
  await change(tx, user, subscription, now);
  return true;
}

/** Saves the subscription, records a new status or plan, and makes the ad accounts due if access changes. */
async function change(tx: Db, user: User, after: Subscription<PlanType> | null, now: Instant): Promise<void> {
  const { stripe: before } = await findOwnSubscriptions(tx, user.id);
  const of = { userId: user.id, source: 'stripe' } as const;
  if (after === null) await dropSubscriptions(tx, of);
  else await saveSubscription(tx, of, after, accessUntil(after));
  const shown = after && shownOf(after);
  if (shown !== null && !isDeepStrictEqual(shown, before && shownOf(before))) {
    const facts = { name: user.name, ...shown };
    const about = { userId: user.id, actor: 'stripe' } as const;
    await recordActivities(tx, [{ ...about, event: 'subscription', facts }], now);
  }
  if (hasActiveSubscription(before, now) !== hasActiveSubscription(after, now))
    await wakeForUser(tx, user.id);
}

function shownOf<Plan extends PlanType | null>({ planType: plan, status, isPaused }: Subscription<Plan>) {
  return { plan, status: isPaused === true ? ('paused' as const) : status };
}

/** Ends the subscription of a customer deleted at Stripe; a new checkout creates another customer. */
export async function endCustomer(
  deps: Needs<'db' | 'clock' | 'wake'>,
  userId: string,
  customerId: string,
): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    if (!(await forgetCustomer(tx, userId, customerId))) return;
    const user = await findUser(tx, userId);
    const { stripe } = await findOwnSubscriptions(tx, userId);
    if (user === null || stripe === null) return;
    const currentPeriodEnd = Math.min(stripe.currentPeriodEnd, now);
    const canceledAt = stripe.canceledAt ?? now;
    const ended = { ...stripe, status: 'canceled', currentPeriodEnd, canceledAt, renews: false } as const;
    await change(tx, user, ended, now);
  });
  deps.wake();
}

/** Within a day, and when the period ends. Less often the longer the next period is missing. */
function nextReadInMs(subscription: Subscription | null, now: Instant): number {
  if (subscription === null) return SWEEP_MS;
  const leftMs = subscription.currentPeriodEnd - now;
  if (leftMs > 0) return Math.min(SWEEP_MS, leftMs);
  return subscription.renews ? Math.min(SWEEP_MS, Math.max(AT_THE_TURN_MS, -leftMs / 4)) : SWEEP_MS;
}

/** After a double subscription the newest stays. The others are canceled and their payments credited. */
async function endExtra(
  deps: Needs<'db' | 'billing' | 'clock' | 'log'>,
  userId: string,
  extra: StripeState['extras'][number],
): Promise<void> {
  deps.log.error({ user: userId, subscription: extra.id }, 'a second subscription is cancelled');
  await deps.billing.cancelSubscription(extra.id, { isCredited: extra.isPaid });
  const about = { userId, actor: 'smartpause', event: 'extra_subscription' } as const;
  await recordActivities(deps.db, [{ ...about, facts: { id: extra.id } }], deps.clock.now());
}

/**
 * Deletes the customer with all subscriptions at Stripe, after a last read.
 * @throws StripeFailure
 */
export async function deleteCustomer(deps: BillingDeps, userId: string): Promise<void> {
  await syncSubscription(deps, userId);
  const customerId = await findCustomer(deps.db, userId);
  if (customerId !== null) await deps.billing.deleteCustomer(customerId);
}

/** Reads all due customers: daily, at the end of a period, and after a failed read. */
export async function syncDue(deps: BillingDeps): Promise<void> {
  const onError = (error: unknown, user: string) => {
    if (!(error instanceof StripeFailure)) deps.log.error({ err: error, user }, 'billing sync failed');
    return 'failed' as const;
  };
  for (;;) {
    const due = await claimDueReads(deps.db, AT_ONCE, RETRY_MS);
    const results = await Promise.all(
      due.map((userId) => syncSubscription(deps, userId).catch((error: unknown) => onError(error, userId))),
    );
    // The loop ends, since a failed read is due later.
    if (due.length < AT_ONCE || results.includes('failed')) return;
  }
}
