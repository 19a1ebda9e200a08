import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import type { Invoice, Subscription } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { endSubscription } from './end.ts';
import { draftInvoice, newLine } from './invoices.ts';
import { amountOf, itemOf, priceOf, recurringOf } from './items.ts';
import { collect, paymentMethodFor } from './payments.ts';
import { periodEnd } from './periods.ts';

/** The end of a period, or of the trial: the next period begins, and its invoice is charged an hour later. */
export function renew(account: Account, subscription: Subscription): void {
  const isTrialEnd = subscription.status === 'trialing';
  if (
    isTrialEnd &&
    paymentMethodFor(account, subscription) === null &&
    endsWithoutCard(account, subscription)
  )
    return;
  const invoice = beginPeriod(account, subscription, 'subscription_cycle');
  if (invoice.auto_advance === true)
    invoice.automatically_finalizes_at = account.now() + account.settings.invoiceDelaySeconds;
}

/** By a call or on a page: the trial is over now, and the first period is charged at once. */
export function endTrialNow(account: Account, subscription: Subscription, by: 'api' | 'person'): void {
  const now = account.now();
  subscription.trial_end = now;
  subscription.billing_cycle_anchor = now;
  itemOf(subscription).current_period_end = now;
  collect(account, beginPeriod(account, subscription, 'subscription_update'), by);
}

function endsWithoutCard(account: Account, subscription: Subscription): boolean {
  const wanted = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (wanted === 'cancel') endSubscription(account, subscription, null);
  if (wanted === 'pause') {
    change(account, 'customer.subscription.updated', subscription, { status: 'paused' });
    emit(account, 'customer.subscription.paused', subscription);
  }
  return wanted === 'cancel' || wanted === 'pause';
}

function beginPeriod(
  account: Account,
  subscription: Subscription,
  reason: 'subscription_cycle' | 'subscription_update',
): Invoice {
  const item = itemOf(subscription);
  const price = priceOf(item);
  const quantity = item.quantity ?? 1;
  const start = item.current_period_end;
  const end = periodEnd(subscription.billing_cycle_anchor, recurringOf(price), start);
  const line = newLine(subscription, {
    amount: amountOf(price, quantity),
    description: `${quantity} × subscription`,
    period: { start, end },
    price,
    quantity,
  });
  const invoice = draftInvoice(account, subscription, {
    reason,
    lines: [line],
    period: { start: item.current_period_start, end: start },
    advances: subscription.status !== 'unpaid',
  });
  change(account, 'customer.subscription.updated', subscription, {
    items: listOf(
      [{ ...item, current_period_start: start, current_period_end: end }],
      subscription.items.url,
    ),
    latest_invoice: invoice.id,
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  });
  return invoice;
}
