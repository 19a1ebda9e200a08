import type { Stripe } from 'stripe';
import type { Account } from '../account.ts';
import { DAY } from '../clock.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, Subscription } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { endSubscription } from './end.ts';
import { finalize, invoicesOf, stopAdvancing, subscriptionOf } from './invoices.ts';

/** By whom a payment is attempted: a renewal or a retry, a call of the API, or the person on a page. */
type Payer = 'schedule' | 'api' | 'person';

/** What pays for the subscription: its own payment method, else its customer's. */
export function paymentMethodFor(account: Account, subscription: Subscription): string | null {
  const ofCustomer = account.customers.get(subscription.customer)?.invoice_settings.default_payment_method;
  return subscription.default_payment_method ?? (typeof ofCustomer === 'string' ? ofCustomer : null);
}

/** Finalizes an invoice and charges it. False: the payment has failed. */
export function collect(account: Account, invoice: Invoice, payer: Payer): boolean {
  if (invoice.status === 'draft') finalize(account, invoice);
  if (invoice.amount_due === 0) {
    markPaid(account, invoice, null);
    return true;
  }
  const subscription = subscriptionOf(account, invoice);
  const method = subscription === undefined ? null : paymentMethodFor(account, subscription);
  const card = method === null ? undefined : account.cards.get(method);
  invoice.attempted = true;
  if (payer !== 'person' || invoice.attempt_count === 0) invoice.attempt_count += 1;
  if (card === 'good' || (card === 'fails_at_renewal' && payer === 'person')) {
    markPaid(account, invoice, newId('pi'));
    return true;
  }
  fail(account, invoice, payer);
  return false;
}

function markPaid(account: Account, invoice: Invoice, paymentIntent: string | null): void {
  const now = account.now();
  const amount = invoice.amount_due;
  Object.assign(invoice, {
    status: 'paid',
    attempted: true,
    amount_paid: amount,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
    payments: listOf(
      paymentIntent === null ? [] : [payment(invoice, paymentIntent, now)],
      '/v1/invoice_payments',
    ),
  } satisfies Partial<Invoice>);
  account.dunning.delete(invoice.id);
  emit(account, 'invoice.paid', invoice);
  emit(account, 'invoice.payment_succeeded', invoice);
  const subscription = subscriptionOf(account, invoice);
  if (subscription === undefined || !recoversBy(account, subscription, invoice)) return;
  change(account, 'customer.subscription.updated', subscription, { status: 'active' });
}

function payment(invoice: Invoice, paymentIntent: string, now: number): Stripe.InvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: invoice.amount_due,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: now },
  };
}

/** Only the newest invoice that was ever charged brings a subscription back. */
function recoversBy(account: Account, subscription: Subscription, paid: Invoice): boolean {
  if (!['past_due', 'unpaid', 'incomplete'].includes(subscription.status)) return false;
  const charged = invoicesOf(account, subscription).filter(({ status }) => status !== 'draft');
  return charged.at(-1) === paid;
}

function fail(account: Account, invoice: Invoice, payer: Payer): void {
  const subscription = subscriptionOf(account, invoice);
  const isFirst = subscription?.status === 'incomplete';
  const isOver = isFirst || payer === 'person' ? false : !scheduleRetry(account, invoice);
  emit(account, 'invoice.payment_failed', invoice);
  if (subscription === undefined || isFirst || subscription.status === 'canceled') return;
  if (isOver) giveUp(account, subscription, invoice);
  else if (subscription.status !== 'unpaid')
    change(account, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

/** False: there will be no further retry. */
function scheduleRetry(account: Account, invoice: Invoice): boolean {
  const before = account.dunning.get(invoice.id);
  const state = {
    firstFailedAt: before?.firstFailedAt ?? account.now(),
    retries: (before?.retries ?? -1) + 1,
  };
  account.dunning.set(invoice.id, state);
  const days = account.settings.retryDays[state.retries];
  invoice.next_payment_attempt = days === undefined ? null : state.firstFailedAt + days * DAY;
  return days !== undefined;
}

function giveUp(account: Account, subscription: Subscription, invoice: Invoice): void {
  const { afterRetries } = account.settings;
  if (afterRetries === 'cancel') {
    endSubscription(account, subscription, 'payment_failed');
    return;
  }
  stopAdvancing(account, invoice);
  change(account, 'customer.subscription.updated', subscription, { status: afterRetries });
}
