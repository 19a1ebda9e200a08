import type { Account, SubscriptionData } from '../account.ts';
import { DAY, HOUR } from '../clock.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Invoice, Price, Subscription } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { draftInvoice, newLine } from './invoices.ts';
import { amountOf, itemOf, newItem, priceOf, recurringOf } from './items.ts';
import { collect, paymentMethodFor } from './payments.ts';
import { periodEnd } from './periods.ts';

export const TRIAL_NOTICE = 3 * DAY;
export const INCOMPLETE_FOR = 23 * HOUR;

interface Wish {
  customer: string;
  price: Price;
  quantity: number;
  paymentMethod: string | null;
  data: SubscriptionData;
  by: 'api' | 'person';
}

/** A new subscription with its first invoice: nothing for a trial, else the first period, charged at once. */
export function subscribe(account: Account, wish: Wish): Subscription {
  const now = account.now();
  const { trial_period_days: days, trial_end: until } = wish.data;
  const trialEnd = until ?? (days === undefined ? null : now + days * DAY);
  const subscription = newSubscription(now, wish, trialEnd);
  account.subscriptions.set(subscription.id, subscription);
  if (trialEnd !== null) {
    emit(account, 'customer.subscription.created', subscription);
    collect(account, firstInvoice(account, subscription), wish.by);
    return subscription;
  }
  const invoice = firstInvoice(account, subscription);
  if (willPay(account, subscription, wish)) subscription.status = 'active';
  emit(account, 'customer.subscription.created', subscription);
  collect(account, invoice, wish.by);
  return subscription;
}

/** Checkout takes the money before there is a subscription, so it never is incomplete on the way. */
function willPay(account: Account, subscription: Subscription, { by }: Wish): boolean {
  const card = account.cards.get(paymentMethodFor(account, subscription) ?? '');
  return card === 'good' || (card === 'fails_at_renewal' && by === 'person');
}

function firstInvoice(account: Account, subscription: Subscription): Invoice {
  const item = itemOf(subscription);
  const price = priceOf(item);
  const quantity = item.quantity ?? 1;
  const isTrial = subscription.status === 'trialing';
  const period = { start: item.current_period_start, end: item.current_period_end };
  const line = newLine(subscription, {
    amount: isTrial ? 0 : amountOf(price, quantity),
    description: isTrial ? 'Free trial' : `${quantity} × subscription`,
    period,
    price,
    quantity,
  });
  const now = account.now();
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_create',
    lines: [line],
    period: { start: now, end: now },
  });
  subscription.latest_invoice = invoice.id;
  return invoice;
}

function newSubscription(now: number, wish: Wish, trialEnd: number | null): Subscription {
  const id = newId('sub');
  const end = trialEnd ?? periodEnd(now, recurringOf(wish.price), now);
  const item = newItem(id, { price: wish.price, quantity: wish.quantity, now }, { start: now, end });
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: now },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: wish.price.currency,
    customer: wish.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: wish.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: wish.data.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: wish.data.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: wish.data.missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : now,
  };
}
