import { ApiError } from '#contract/errors.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import { findCustomer } from '../../db/billing/customers.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import type { User } from '../../db/users/users.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { isFailure } from '../../stripe/client.ts';
import type { Needs } from '../deps.ts';
import type { BillingDeps } from './sync.ts';
import { endCustomer, syncSubscription } from './sync.ts';

export async function getSubscription(deps: Needs<'db' | 'cipher' | 'clock'>, user: User) {
  const now = deps.clock.now();
  const own = await findOwnSubscriptions(deps.db, user.id);
  const subscription = effectiveSubscription(own, now);
  const customerId = await findCustomer(deps.db, user.id);
  return {
    hasActiveSubscription: hasActiveSubscription(subscription, now),
    subscription,
    isTrialAvailable: !(await hasUsedTrial(deps.db, fingerprintsOfUser(deps.cipher, user.platformUserId))),
    hasPortal: customerId !== null && own.stripe !== null,
  };
}

/** Reads Stripe first: checkout or portal data from the browser proves nothing. */
export async function refreshSubscription(deps: BillingDeps, user: User) {
  await syncSubscription(deps, user.id);
  return getSubscription(deps, user);
}

/** Returns the Stripe portal, which manages card, plan and cancellation. */
export async function openPortal(
  deps: Needs<'db' | 'billing' | 'clock' | 'wake' | 'publicUrl'>,
  user: User,
): Promise<string> {
  const customerId = await findCustomer(deps.db, user.id);
  if (customerId === null) throw new ApiError('NO_BILLING');
  try {
    return await deps.billing.openPortal(customerId, `${deps.publicUrl}/settings?from=billing`);
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error;
    await endCustomer(deps, user.id, customerId);
    throw new ApiError('NO_BILLING');
  }
}
