import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, InvoiceLine, Price, Subscription } from '../objects.ts';
import { all, decimal, nulls } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { itemOf } from './items.ts';

interface LineFacts {
  amount: number;
  description: string;
  period: { start: number; end: number };
  price: Price;
  proration?: boolean;
}

export function newLine(subscription: Subscription, facts: LineFacts): InvoiceLine {
  const { amount, description, period, price, proration = false } = facts;
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
      unit_amount_decimal: decimal(amount),
    },
    quantity: 1,
    quantity_decimal: decimal(1),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

interface InvoiceFacts {
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: InvoiceLine[];
  period: { start: number; end: number };
  /** Whether it is finalized and charged automatically. */
  advances?: boolean;
}

export function draftInvoice(account: Account, subscription: Subscription, facts: InvoiceFacts): Invoice {
  const invoice = newInvoice(account, subscription, facts);
  for (const line of facts.lines) line.invoice = invoice.id;
  account.invoices.set(invoice.id, invoice);
  emit(account, 'invoice.created', invoice);
  return invoice;
}

function newInvoice(account: Account, subscription: Subscription, facts: InvoiceFacts): Invoice {
  const { reason, lines, period, advances = true } = facts;
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const customer = account.customers.get(subscription.customer);
  const id = newId('in');
  return {
    id,
    object: 'invoice',
    ...nulls(
      'account_tax_ids application automatically_finalizes_at custom_fields customer_account',
      'customer_address customer_phone customer_shipping default_payment_method default_source description',
      'due_date effective_at ending_balance footer from_invoice hosted_invoice_url invoice_pdf',
      'last_finalization_error latest_revision next_payment_attempt number on_behalf_of receipt_number',
      'rendering shipping_cost shipping_details statement_descriptor test_clock webhooks_delivered_at',
    ),
    ...all(0, 'amount_overpaid amount_paid amount_shipping attempt_count starting_balance'),
    ...all(0, 'post_payment_credit_notes_amount pre_payment_credit_notes_amount'),
    account_country: 'US',
    account_name: 'SmartPause',
    amount_due: Math.max(0, total),
    amount_remaining: Math.max(0, total),
    attempted: false,
    auto_advance: advances,
    automatic_tax: { enabled: false, ...nulls('disabled_reason liability provider status') },
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: account.now(),
    currency: subscription.currency,
    customer: subscription.customer,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: [],
    issuer: { type: 'self' },
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: nulls('default_mandate payment_method_options payment_method_types'),
    period_end: period.end,
    period_start: period.start,
    status: 'draft',
    status_transitions: nulls('finalized_at marked_uncollectible_at paid_at voided_at'),
    ...all(total, 'subtotal subtotal_excluding_tax total total_excluding_tax'),
    total_discount_amounts: [],
    total_pretax_credit_amounts: [],
    total_taxes: [],
  };
}

/** From draft to open: the invoice gets its number and uses the customer's balance. */
export function finalize(account: Account, invoice: Invoice): void {
  const customer = account.customers.get(invoice.customer ?? '');
  const balance = customer?.balance ?? 0;
  const owed = invoice.total + balance;
  const ending = Math.min(0, owed);
  const sequence = customer?.next_invoice_sequence ?? 1;
  if (customer !== undefined) {
    if (ending !== balance) change(account, 'customer.updated', customer, { balance: ending });
    customer.next_invoice_sequence = sequence + 1;
  }
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
