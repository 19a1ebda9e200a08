import type { Account, Purchase } from '../account.ts';
import { DAY } from '../clock.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Price, Subscription } from '../objects.ts';
import { nulls } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { cancellation } from './end.ts';
import { draftInvoice, newLine } from './invoices.ts';
import { intervalOf, newItem, periodEnd } from './items.ts';
import { collect } from './payments.ts';

interface Order {
  customer: string;
  price: Price;
  paymentMethod: string | null;
  purchase: Omit<Purchase, 'price'>;
}

/** Creates a subscription with its first invoice: 0 for a trial, else the first period, charged at once. */
export function subscribe(account: Account, order: Order): Subscription {
  const { price, purchase } = order;
  const now = account.now();
  const isTrial = purchase.trialDays !== undefined;
  const end =
    purchase.trialDays === undefined
      ? periodEnd(now, intervalOf(price), now)
      : now + purchase.trialDays * DAY;
  const subscription = newSubscription(order, { now, end });
  account.subscriptions.set(subscription.id, subscription);
  emit(account, 'customer.subscription.created', subscription);
  const line = newLine(subscription, {
    amount: isTrial ? 0 : (price.unit_amount ?? 0),
    description: isTrial ? 'Free trial' : '1 × subscription',
    period: { start: now, end },
    price,
  });
  const period = { start: now, end: now };
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_create',
    lines: [line],
    period,
  });
  subscription.latest_invoice = invoice.id;
  collect(account, invoice, 'customer');
  return subscription;
}

function newSubscription(order: Order, { now, end }: { now: number; end: number }): Subscription {
  const { customer, price, paymentMethod, purchase } = order;
  const id = newId('sub');
  const isTrial = purchase.trialDays !== undefined;
  return {
    id,
    object: 'subscription',
    ...nulls(
      'application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at',
      'canceled_at customer_account days_until_due default_source description ended_at latest_invoice',
      'next_pending_invoice_item_invoice on_behalf_of pause_collection pending_invoice_item_interval',
      'pending_setup_intent pending_update schedule test_clock transfer_data',
    ),
    automatic_tax: { enabled: false, ...nulls('disabled_reason liability') },
    billing_cycle_anchor: isTrial ? end : now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: now },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: cancellation(null),
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer,
    default_payment_method: paymentMethod,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' },
    },
    items: listOf(
      [newItem(id, price, now, { start: now, end })],
      `/v1/subscription_items?subscription=${id}`,
    ),
    livemode: false,
    managed_payments: { enabled: false },
    metadata: purchase.metadata,
    payment_settings: {
      ...nulls('payment_method_options payment_method_types'),
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: isTrial ? 'trialing' : 'active',
    trial_end: isTrial ? end : null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: purchase.missingPaymentMethod },
    },
    trial_start: isTrial ? now : null,
  };
}
