import type { Stripe } from 'stripe';
import { newId } from '../ids.ts';
import type { Price, Recurring, Subscription, SubscriptionItem } from '../objects.ts';
import { decimal } from '../objects.ts';

/** The subscription's only item: several are not played. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function priceOf(item: SubscriptionItem): Price {
  return item.price as Price;
}

export function recurringOf(price: Price): Recurring {
  if (price.recurring === null) throw new Error(`${price.id} is no recurring price`);
  return price.recurring;
}

export function newItem(
  subscription: string,
  { price, quantity, now }: { price: Price; quantity: number; now: number },
  period: { start: number; end: number },
): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

/** The older name of a price, which every item still carries. */
export function planOf(price: Price): Stripe.Plan {
  const { interval, interval_count, meter, trial_period_days, usage_type } = recurringOf(price);
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: decimal(price.unit_amount ?? 0),
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval,
    interval_count,
    livemode: false,
    metadata: price.metadata,
    meter,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days,
    usage_type,
  };
}

export function amountOf(price: Price, quantity: number): number {
  return (price.unit_amount ?? 0) * quantity;
}
