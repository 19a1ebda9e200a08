import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, InvoiceLine, Price, Subscription } from '../objects.ts';
import { decimal } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
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

export interface InvoiceFacts {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: InvoiceLine[];
  period: { start: number; end: number };
  /** Whether it will be finalized and charged by itself. */
  advances?: boolean;
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

function blankInvoice(
  account: Account,
  subscription: Subscription,
  { reason, lines, period, advances = true, total }: InvoiceFacts & { total: number },
): Invoice {
  const customer = account.customers.get(subscription.customer);
  const now = account.now();
  const id = newId('in');
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'SmartPause',
    account_tax_ids: null,
    amount_due: Math.max(0, total),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: Math.max(0, total),
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: advances,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: subscription.customer,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    payments: listOf([], '/v1/invoice_payments'),
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
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
