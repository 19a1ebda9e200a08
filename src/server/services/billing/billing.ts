import { Refusal } from '#contract/errors.ts';
import type { SubscriptionState } from '#contract/shapes.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { StripeAnswer, StripeFailure } from '../../stripe/client.ts';
import { findBillingCustomer } from '../../db/billing/billing-customers.ts';
import type { Person } from '../../db/users/people.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import { hasUsedTrial } from '../../db/billing/trials.ts';
import { fingerprintsOfUser } from '../../secrets.ts';
import { endCustomer, syncSubscription } from './billing-sync.ts';
import type { OperationDeps } from '../deps.ts';

export async function getSubscription(deps: OperationDeps, person: Person): Promise<SubscriptionState> {
  const now = deps.clock.now();
  const own = await findOwnSubscriptions(deps.db, person.id);
  const subscription = effectiveSubscription(own, now);
  const customer = await findBillingCustomer(deps.db, person.id);
  return {
    hasActiveSubscription: hasActiveSubscription(subscription, now),
    subscription:
      subscription === null
        ? null
        : {
            status: subscription.status,
            planType: subscription.planType,
            currentPeriodEnd: iso(subscription.currentPeriodEnd),
            canceledAt: isoOrNull(subscription.canceledAt),
            trialEnd: isoOrNull(subscription.trialEnd),
            renews: subscription.renews,
          },
    isTrialAvailable: !(await hasUsedTrial(deps.db, fingerprintsOfUser(deps.vault, person.platformUserId))),
    hasPortal: customer?.customerId != null && own.stripe !== null,
  };
}

/** Reads Stripe first: what the browser knows of a checkout or of the portal proves nothing. */
export async function refreshSubscription(deps: OperationDeps, person: Person): Promise<SubscriptionState> {
  await readNow(deps, person);
  return getSubscription(deps, person);
}

/** Where card, plan and cancellation are managed. */
export async function openPortal(deps: OperationDeps, person: Person): Promise<string> {
  const customer = await findBillingCustomer(deps.db, person.id);
  if (customer?.customerId == null) throw new Refusal('NO_BILLING');
  const { customerId } = customer;
  const returnUrl = `${deps.publicUrl}/settings?from=billing`;
  const answer = await deps.billing.openPortal({ customerId, returnUrl });
  if (!answer.ok && answer.failure === 'gone') {
    await endCustomer(deps, { personId: person.id, customerId });
    throw new Refusal('NO_BILLING');
  }
  return need(answer);
}

/** @throws Refusal when Stripe does not tell */
export async function readNow(deps: OperationDeps, person: Person): Promise<void> {
  const failure = await syncSubscription(deps, person.id);
  if (failure !== null) throw refusalOf(failure);
}

export function need<T>(answer: StripeAnswer<T>): T {
  if (!answer.ok) throw refusalOf(answer.failure);
  return answer.value;
}

function refusalOf(failure: StripeFailure): Refusal {
  return new Refusal(failure === 'misconfigured' ? 'BILLING_MISCONFIGURED' : 'BILLING_UNAVAILABLE');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
