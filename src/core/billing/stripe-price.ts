import type { PlanType } from './subscription.ts';
import { PRICES } from './subscription.ts';

export interface StripePrice {
  isActive: boolean;
  /** Lower case, such as `usd`. */
  currency: string;
  /** In cents; null: not a fixed amount. */
  amount: number | null;
  /** Null: a one-time price. */
  interval: string | null;
  intervalCount: number;
}

export const INTERVALS = { monthly: 'month', yearly: 'year' } as const satisfies Record<PlanType, string>;

export function centsOf(planType: PlanType): number {
  return PRICES[planType] * 100;
}

/** Why the price does not match the plan that the pages show; null: it matches. */
export function priceFault(price: StripePrice, planType: PlanType): string | null {
  const { isActive, currency, amount, interval, intervalCount } = price;
  if (currency !== 'usd' || amount !== centsOf(planType)) {
    return `costs ${amount ?? 'no fixed number of'} cents in ${currency}, not ${centsOf(planType)} in usd`;
  }
  if (interval !== INTERVALS[planType] || intervalCount !== 1) {
    return `is not paid once a ${INTERVALS[planType]}`;
  }
  return isActive ? null : 'is archived';
}
