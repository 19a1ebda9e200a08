import { newId } from '../ids.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import type { List } from '../wire/lists.ts';
import { listOf } from '../wire/lists.ts';

type Interval = 'month' | 'year';

interface Period {
  start: number;
  end: number;
}

/** The subscription's only item: several are not simulated. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function priceOf(subscription: Subscription): Price {
  return itemOf(subscription).price;
}

export function intervalOf({ recurring }: Price): Interval {
  return recurring?.interval === 'year' ? 'year' : 'month';
}

export function newItem(subscription: string, price: Price, now: number, period: Period): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    created: now,
    current_period_end: period.end,
    current_period_start: period.start,
    price,
    quantity: 1,
    subscription,
  };
}

/** The subscription's list of items after a change of its item. */
export function itemsWith(
  subscription: Subscription,
  fields: { price?: Price; period?: Period },
): List<SubscriptionItem> {
  const { price, period } = fields;
  const item = {
    ...itemOf(subscription),
    ...(price && { price }),
    ...(period && { current_period_start: period.start, current_period_end: period.end }),
  };
  return listOf([item], subscription.items.url);
}

/**
 * The time `n` intervals after the anchor. Months are counted from the anchor, never from the month before:
 * 31 January is followed by 28 February and then by 31 March.
 */
function intervalsAfter(anchor: number, interval: Interval, n: number): number {
  const months = n * (interval === 'year' ? 12 : 1);
  const start = new Date(anchor * 1000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end.getTime() / 1000;
}

/** The end of the period that begins, or has begun, at `start`. */
export function periodEnd(anchor: number, interval: Interval, start: number): number {
  for (let n = 1; ; n += 1) {
    const end = intervalsAfter(anchor, interval, n);
    if (end > start) return end;
  }
}
