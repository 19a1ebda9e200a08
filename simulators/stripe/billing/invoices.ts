import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, InvoiceLine, Price, Subscription } from '../objects.ts';
import { decimal } from '../objects.ts';
import type { InvoiceFacts } from './invoice-object.ts';
import { blankInvoice } from './invoice-object.ts';
import { itemOf } from './items.ts';

interface LineFacts {
  amount: number;
  description: string;
  period: { start: number; end: number };
  price: Price;
  quantity: number;
  proration?: boolean;
}

export function newLine(subscription: Subscription, facts: LineFacts): InvoiceLine {
  const { amount, description, period, price, quantity, proration = false } = facts;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? newId('ii') : null,
        proration,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: itemOf(subscription).id,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: decimal(quantity === 0 ? 0 : amount / quantity),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

/** A draft, with everything that waited for it. */
export function draftInvoice(account: Account, subscription: Subscription, facts: InvoiceFacts): Invoice {
  const lines = [...(account.pendingLines.get(subscription.id) ?? []), ...facts.lines];
  account.pendingLines.delete(subscription.id);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const invoice = blankInvoice(account, subscription, { ...facts, lines, total });
  for (const line of lines) line.invoice = invoice.id;
  account.invoices.set(invoice.id, invoice);
  emit(account, 'invoice.created', invoice);
  return invoice;
}

/** From draft to open: it has a number, and the customer's balance has been used for it. */
export function finalize(account: Account, invoice: Invoice): void {
  const customer = account.customers.get(invoice.customer ?? '');
  const balance = customer?.balance ?? 0;
  const owed = invoice.total + balance;
  const ending = Math.min(0, owed);
  if (customer !== undefined && ending !== balance)
    change(account, 'customer.updated', customer, { balance: ending });
  const sequence = customer?.next_invoice_sequence ?? 1;
  if (customer !== undefined) customer.next_invoice_sequence = sequence + 1;
  Object.assign(invoice, {
    status: 'open',
    number: `${customer?.invoice_prefix ?? 'SIM'}-${String(sequence).padStart(4, '0')}`,
    starting_balance: balance,
    ending_balance: ending,
    amount_due: Math.max(0, owed),
    amount_remaining: Math.max(0, owed),
    automatically_finalizes_at: null,
    effective_at: account.now(),
    status_transitions: { ...invoice.status_transitions, finalized_at: account.now() },
  } satisfies Partial<Invoice>);
  emit(account, 'invoice.finalized', invoice);
}

/** Nothing more happens to it by itself. */
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
