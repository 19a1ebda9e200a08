import type { Account, Card } from '../account.ts';
import { DAY } from '../clock.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, Subscription } from '../objects.ts';
import { endSubscription } from './end.ts';
import { finalize, invoicesOf, stopAdvancing, subscriptionOf } from './invoices.ts';

/** Who attempts a payment: a renewal or retry, or the customer on a page. */
type Payer = 'schedule' | 'customer';

/** Days after the first failed payment. */
const RETRY_DAYS = [3, 5, 7];

export function addCard(account: Account, card: Card): string {
  const paymentMethod = newId('pm');
  account.cards.set(paymentMethod, card);
  return paymentMethod;
}

/** The subscription's own payment method, else its customer's. */
export function paymentMethodFor(account: Account, subscription: Subscription): string | null {
  const ofCustomer = account.customers.get(subscription.customer)?.invoice_settings.default_payment_method;
  return subscription.default_payment_method ?? (typeof ofCustomer === 'string' ? ofCustomer : null);
}

/** Finalizes an invoice and charges it. False: the payment failed. */
export function collect(account: Account, invoice: Invoice, payer: Payer): boolean {
  if (invoice.status === 'draft') finalize(account, invoice);
  const isFree = invoice.amount_due === 0;
  if (!isFree && (payer === 'schedule' || invoice.attempt_count === 0)) invoice.attempt_count += 1;
  invoice.attempted = true;
  if (isFree || paysNow(cardFor(account, invoice), payer)) markPaid(account, invoice);
  else fail(account, invoice, payer);
  return invoice.status === 'paid';
}

function cardFor(account: Account, invoice: Invoice): Card | undefined {
  const subscription = subscriptionOf(account, invoice);
  return subscription && account.cards.get(paymentMethodFor(account, subscription) ?? '');
}

function paysNow(card: Card | undefined, payer: Payer): boolean {
  return card === 'good' || (card === 'fails_at_renewal' && payer === 'customer');
}

function markPaid(account: Account, invoice: Invoice): void {
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
    status_transitions: { ...invoice.status_transitions, paid_at: account.now() },
  } satisfies Partial<Invoice>);
  account.dunning.delete(invoice.id);
  emit(account, 'invoice.paid', invoice);
  emit(account, 'invoice.payment_succeeded', invoice);
  const subscription = subscriptionOf(account, invoice);
  if (subscription !== undefined && recoversBy(account, subscription, invoice))
    change(account, 'customer.subscription.updated', subscription, { status: 'active' });
}

/** Only payment of the newest finalized invoice reactivates a subscription. */
function recoversBy(account: Account, subscription: Subscription, paid: Invoice): boolean {
  if (!['past_due', 'unpaid'].includes(subscription.status)) return false;
  const charged = invoicesOf(account, subscription).filter(({ status }) => status !== 'draft');
  return charged.at(-1) === paid;
}

function fail(account: Account, invoice: Invoice, payer: Payer): void {
  const subscription = subscriptionOf(account, invoice);
  const isLast = payer === 'schedule' && !scheduleRetry(account, invoice);
  emit(account, 'invoice.payment_failed', invoice);
  if (subscription === undefined || subscription.status === 'canceled') return;
  if (isLast) stopRetrying(account, subscription, invoice);
  else if (subscription.status !== 'unpaid')
    change(account, 'customer.subscription.updated', subscription, { status: 'past_due' });
}

/** False: no further retry. */
function scheduleRetry(account: Account, invoice: Invoice): boolean {
  const before = account.dunning.get(invoice.id);
  const firstFailedAt = before?.firstFailedAt ?? account.now();
  const retries = before === undefined ? 0 : before.retries + 1;
  account.dunning.set(invoice.id, { firstFailedAt, retries });
  const days = RETRY_DAYS[retries];
  invoice.next_payment_attempt = days === undefined ? null : firstFailedAt + days * DAY;
  return days !== undefined;
}

function stopRetrying(account: Account, subscription: Subscription, invoice: Invoice): void {
  if (account.settings.afterRetries === 'cancel') {
    endSubscription(account, subscription, 'payment_failed');
    return;
  }
  stopAdvancing(account, invoice);
  change(account, 'customer.subscription.updated', subscription, { status: 'unpaid' });
}
