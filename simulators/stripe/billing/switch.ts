import type { Account } from '../account.ts';
import { HOUR } from '../clock.ts';
import { change } from '../events.ts';
import type { InvoiceLine, Price, Subscription } from '../objects.ts';
import { endSubscription } from './end.ts';
import { draftInvoice, newLine } from './invoices.ts';
import { intervalOf, itemOf, itemsWith, periodEnd, priceOf } from './items.ts';
import { collect, paymentMethodFor } from './payments.ts';

/** At the end of a period or trial: starts the next period, whose invoice is charged an hour later. */
export function renew(account: Account, subscription: Subscription): void {
  const isTrialEnd = subscription.status === 'trialing';
  const withoutCard = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (isTrialEnd && withoutCard === 'cancel' && paymentMethodFor(account, subscription) === null) {
    endSubscription(account, subscription, null);
    return;
  }
  const price = priceOf(subscription);
  const { current_period_start: previousStart, current_period_end: start } = itemOf(subscription);
  const period = { start, end: periodEnd(subscription.billing_cycle_anchor, intervalOf(price), start) };
  const advances = subscription.status !== 'unpaid';
  const amount = price.unit_amount ?? 0;
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_cycle',
    lines: [newLine(subscription, { amount, description: '1 × subscription', period, price })],
    period: { start: previousStart, end: start },
    advances,
  });
  change(account, 'customer.subscription.updated', subscription, {
    items: itemsWith(subscription, { period }),
    latest_invoice: invoice.id,
    status: isTrialEnd ? 'active' : subscription.status,
  });
  if (advances) invoice.automatically_finalizes_at = account.now() + HOUR;
}

/**
 * Switches to the price of another interval. A trial continues. A paid period ends now with a credit for the
 * rest of it, and the new period is charged at once.
 */
export function switchPrice(account: Account, subscription: Subscription, price: Price): void {
  const now = account.now();
  if (subscription.status === 'trialing') {
    change(account, 'customer.subscription.updated', subscription, {
      items: itemsWith(subscription, { price }),
    });
    return;
  }
  const period = { start: now, end: periodEnd(now, intervalOf(price), now) };
  const credit = unusedTime(account, subscription);
  const amount = price.unit_amount ?? 0;
  const full = newLine(subscription, { amount, description: '1 × subscription', period, price });
  change(account, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: itemsWith(subscription, { price, period }),
  });
  charge(account, subscription, [credit, full]);
}

/** Adds the value of the unused time to the customer's balance. */
export function creditUnusedTime(account: Account, subscription: Subscription): void {
  charge(account, subscription, [unusedTime(account, subscription)]);
}

function charge(account: Account, subscription: Subscription, lines: InvoiceLine[]): void {
  const period = { start: account.now(), end: account.now() };
  const invoice = draftInvoice(account, subscription, { reason: 'subscription_update', lines, period });
  change(account, 'customer.subscription.updated', subscription, { latest_invoice: invoice.id });
  collect(account, invoice, 'customer');
}

function unusedTime(account: Account, subscription: Subscription): InvoiceLine {
  const price = priceOf(subscription);
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const share = Math.max(0, end - account.now()) / (end - start);
  return newLine(subscription, {
    amount: subscription.status === 'trialing' ? 0 : -Math.round((price.unit_amount ?? 0) * share),
    description: 'Unused time on the former plan',
    period: { start: account.now(), end },
    price,
    proration: true,
  });
}
