import type Stripe from 'stripe';
import type { PlanType } from '#core/billing/subscription.ts';
import { PRICES } from '#core/billing/subscription.ts';

export const INTERVALS = { monthly: 'month', yearly: 'year' } as const satisfies Record<PlanType, string>;

export function centsOf(planType: PlanType): number {
  return PRICES[planType] * 100;
}

/** Why the price does not match the plan that the pages show; null: it matches. */
export function priceFault(price: Stripe.Price, planType: PlanType): string | null {
  const { active, currency, unit_amount: cents, recurring } = price;
  if (currency !== 'usd' || cents !== centsOf(planType))
    return `costs ${cents ?? 'no fixed number of'} cents in ${currency}, not ${centsOf(planType)} in usd`;
  if (recurring?.interval !== INTERVALS[planType] || recurring.interval_count !== 1)
    return `is not paid once a ${INTERVALS[planType]}`;
  return active ? null : 'is archived';
}
