import type { Account } from '../account.ts';
import { change } from '../events.ts';
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { draftInvoice, newLine } from './invoices.ts';
import { amountOf, itemOf, planOf, priceOf, recurringOf } from './items.ts';
import { collect } from './payments.ts';
import { periodEnd } from './periods.ts';

export type Proration = 'always_invoice' | 'create_prorations' | 'none';

interface Switch {
  price: Price;
  quantity: number;
  proration: Proration;
  /** Whether the billing date moves to now although the interval stays. */
  resetsAnchor?: boolean;
  by: 'api' | 'person';
}

/** Another price. A trial goes on; another interval begins at once and is charged at once, whatever the proration. */
export function switchPrice(account: Account, subscription: Subscription, wish: Switch): void {
  const before = itemOf(subscription);
  const item: SubscriptionItem = {
    ...before,
    price: wish.price,
    plan: planOf(wish.price),
    quantity: wish.quantity,
  };
  const replaced = { items: listOf([item], subscription.items.url) };
  if (subscription.status === 'trialing') {
    change(account, 'customer.subscription.updated', subscription, replaced);
    return;
  }
  if (wish.resetsAnchor === true || !hasSameInterval(priceOf(before), wish.price)) {
    beginAnew(account, subscription, before, item, wish);
    return;
  }
  const lines = wish.proration === 'none' ? [] : prorations(account, subscription, before, wish);
  change(account, 'customer.subscription.updated', subscription, replaced);
  if (wish.proration === 'always_invoice') charge(account, subscription, lines, wish.by);
  else if (lines.length > 0)
    account.pendingLines.set(subscription.id, [
      ...(account.pendingLines.get(subscription.id) ?? []),
      ...lines,
    ]);
}

function hasSameInterval(one: Price, other: Price): boolean {
  const [a, b] = [recurringOf(one), recurringOf(other)];
  return a.interval === b.interval && a.interval_count === b.interval_count;
}

function beginAnew(
  account: Account,
  subscription: Subscription,
  before: SubscriptionItem,
  item: SubscriptionItem,
  wish: Switch,
): void {
  const now = account.now();
  const end = periodEnd(now, recurringOf(wish.price), now);
  const credit = wish.proration === 'none' ? [] : [unusedTime(account, subscription, before)];
  const full = newLine(subscription, {
    amount: amountOf(wish.price, wish.quantity),
    description: `${wish.quantity} × subscription`,
    period: { start: now, end },
    price: wish.price,
    quantity: wish.quantity,
  });
  change(account, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: listOf([{ ...item, current_period_start: now, current_period_end: end }], subscription.items.url),
  });
  charge(account, subscription, [...credit, full], wish.by);
}

/** What is paid for and will not be used counts towards later bills. */
export function creditUnusedTime(account: Account, subscription: Subscription): void {
  charge(account, subscription, [unusedTime(account, subscription, itemOf(subscription))], 'api');
}

function charge(
  account: Account,
  subscription: Subscription,
  lines: InvoiceLine[],
  by: 'api' | 'person',
): void {
  const now = account.now();
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_update',
    lines,
    period: { start: now, end: now },
  });
  change(account, 'customer.subscription.updated', subscription, { latest_invoice: invoice.id });
  collect(account, invoice, by);
}

function prorations(
  account: Account,
  subscription: Subscription,
  item: SubscriptionItem,
  wish: Switch,
): InvoiceLine[] {
  const remaining = newLine(subscription, {
    amount: Math.round(amountOf(wish.price, wish.quantity) * unusedShare(account, item)),
    description: 'Remaining time on the new plan',
    period: { start: account.now(), end: item.current_period_end },
    price: wish.price,
    quantity: wish.quantity,
    proration: true,
  });
  return [unusedTime(account, subscription, item), remaining];
}

function unusedTime(account: Account, subscription: Subscription, item: SubscriptionItem): InvoiceLine {
  const price = priceOf(item);
  const quantity = item.quantity ?? 1;
  return newLine(subscription, {
    amount: -Math.round(amountOf(price, quantity) * unusedShare(account, item)),
    description: 'Unused time on the former plan',
    period: { start: account.now(), end: item.current_period_end },
    price,
    quantity,
    proration: true,
  });
}

function unusedShare(
  account: Account,
  { current_period_start: start, current_period_end: end }: SubscriptionItem,
): number {
  return Math.max(0, end - account.now()) / (end - start);
}
