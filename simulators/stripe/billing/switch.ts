import type { Account } from '../account.ts';
import { HOUR } from '../clock.ts';
import { change } from '../events.ts';
import type { Price, Subscription } from '../objects.ts';
import { endSubscription } from './end.ts';
import { draftInvoice } from './invoices.ts';
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
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_cycle',
    amount: price.unit_amount ?? 0,
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

/** Switches to the price of another interval. A trial continues; else the new period begins and is charged now. */
export function switchPrice(account: Account, subscription: Subscription, price: Price): void {
  const now = account.now();
  if (subscription.status === 'trialing') {
    change(account, 'customer.subscription.updated', subscription, {
      items: itemsWith(subscription, { price }),
    });
    return;
  }
  const period = { start: now, end: periodEnd(now, intervalOf(price), now) };
  change(account, 'customer.subscription.updated', subscription, {
    billing_cycle_anchor: now,
    items: itemsWith(subscription, { price, period }),
  });
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_update',
    amount: price.unit_amount ?? 0,
    period: { start: now, end: now },
  });
  change(account, 'customer.subscription.updated', subscription, { latest_invoice: invoice.id });
  collect(account, invoice, 'customer');
}
