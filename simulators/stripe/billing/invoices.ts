import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, Subscription } from '../objects.ts';
import { nulls } from '../objects.ts';

interface InvoiceFacts {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  amount: number;
  period: { start: number; end: number };
  /** Whether it is finalized and charged automatically. */
  advances?: boolean;
}

export function draftInvoice(account: Account, subscription: Subscription, facts: InvoiceFacts): Invoice {
  const invoice = newInvoice(account, subscription, facts);
  account.invoices.set(invoice.id, invoice);
  emit(account, 'invoice.created', invoice);
  return invoice;
}

function newInvoice(account: Account, subscription: Subscription, facts: InvoiceFacts): Invoice {
  const { reason, amount, period, advances = true } = facts;
  const { metadata } = subscription;
  return {
    id: newId('in'),
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    auto_advance: advances,
    automatically_finalizes_at: null,
    billing_reason: reason,
    created: account.now(),
    currency: subscription.currency,
    customer: subscription.customer,
    livemode: false,
    next_payment_attempt: null,
    number: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    status: 'draft',
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    total: amount,
  };
}

/** From draft to open: the invoice gets its number. */
export function finalize(account: Account, invoice: Invoice): void {
  const customer = account.customers.get(invoice.customer ?? '');
  const sequence = customer?.next_invoice_sequence ?? 1;
  if (customer !== undefined) customer.next_invoice_sequence = sequence + 1;
  Object.assign(invoice, {
    status: 'open',
    number: `${customer?.invoice_prefix ?? 'SIM'}-${String(sequence).padStart(4, '0')}`,
    automatically_finalizes_at: null,
    status_transitions: { ...invoice.status_transitions, finalized_at: account.now() },
  } satisfies Partial<Invoice>);
  emit(account, 'invoice.finalized', invoice);
}

/** Ends automatic finalization and retries. */
export function stopAdvancing(account: Account, invoice: Invoice): void {
  change(account, 'invoice.updated', invoice, {
    auto_advance: false,
    next_payment_attempt: null,
    automatically_finalizes_at: null,
  });
}

export function subscriptionOf(account: Account, invoice: Invoice): Subscription | undefined {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return typeof subscription === 'string' ? account.subscriptions.get(subscription) : undefined;
}

export function invoicesOf(account: Account, subscription: Subscription): Invoice[] {
  return [...account.invoices.values()].filter(
    (invoice) => subscriptionOf(account, invoice) === subscription,
  );
}
