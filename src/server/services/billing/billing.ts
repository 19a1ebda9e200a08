import { ApiError } from '#contract/errors.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { StripeResult, StripeFailure } from '../../stripe/client.ts';
import { findBillingCustomer } from '../../db/billing/billing-customers.ts';
import type { User } from '../../db/users/users.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { endCustomer, syncSubscription } from './billing-sync.ts';
import type { Needs } from '../deps.ts';
import type { BillingDeps } from './billing-sync.ts';

export async function getSubscription(deps: Needs<'db' | 'cipher' | 'clock'>, user: User) {
  const now = deps.clock.now();
  const own = await findOwnSubscriptions(deps.db, user.id);
  const subscription = effectiveSubscription(own, now);
  const customer = await findBillingCustomer(deps.db, user.id);
  return {
    hasActiveSubscription: hasActiveSubscription(subscription, now),
    subscription,
    isTrialAvailable: !(await hasUsedTrial(deps.db, fingerprintsOfUser(deps.cipher, user.platformUserId))),
    hasPortal: customer?.customerId != null && own.stripe !== null,
  };
}

/** Reads Stripe first: checkout or portal data from the browser proves nothing. */
export async function refreshSubscription(deps: BillingDeps, user: User) {
  await readNow(deps, user);
  return getSubscription(deps, user);
}

/** Returns the Stripe portal, which manages card, plan and cancellation. */
export async function openPortal(
  deps: Needs<'db' | 'billing' | 'clock' | 'wake' | 'publicUrl'>,
  user: User,
): Promise<string> {
  const customer = await findBillingCustomer(deps.db, user.id);
  if (customer?.customerId == null) throw new ApiError('NO_BILLING');
  const { customerId } = customer;
  const returnUrl = `${deps.publicUrl}/settings?from=billing`;
  const answer = await deps.billing.openPortal({ customerId, returnUrl });
  if (!answer.ok && answer.failure === 'gone') {
    await endCustomer(deps, { userId: user.id, customerId });
    throw new ApiError('NO_BILLING');
  }
  return need(answer);
}

/** @throws ApiError if Stripe does not answer */
export async function readNow(deps: BillingDeps, user: User): Promise<void> {
  const failure = await syncSubscription(deps, user.id);
  if (failure !== null) throw apiErrorOf(failure);
}

export function need<T>(answer: StripeResult<T>): T {
  if (!answer.ok) throw apiErrorOf(answer.failure);
  return answer.value;
}

function apiErrorOf(failure: StripeFailure): ApiError {
  return new ApiError(failure === 'misconfigured' ? 'BILLING_MISCONFIGURED' : 'BILLING_UNAVAILABLE');
}
