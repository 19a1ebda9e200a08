import type { Account, Card, Purchase } from './account.ts';
import { DAY, HOUR, newId } from './account.ts';
import type { CheckoutSession, Invoice, Price, Subscription } from './objects.ts';

export const ENDED = ['canceled', 'incomplete_expired'];
const UPDATED = 'customer.subscription.updated';

/** The subscription's only item: several are not simulated. */
export function itemOf(subscription: Subscription): Subscription['items']['data'][number] {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item`);
  return item;
}

function itemsWith(subscription: Subscription, fields: object): Subscription['items'] {
  return { ...subscription.items, data: [{ ...itemOf(subscription), ...fields }] };
}

/** A new payment method. Null: no card. */
export function addCard(account: Account, card: Card | null): string | null {
  if (card === null) return null;
  const paymentMethod = newId('pm');
  account.cards.set(paymentMethod, card);
  return paymentMethod;
}

/** Creates a subscription with its first invoice: 0 for a trial, else the first period, charged at once. */
export function subscribe(
  account: Account,
  order: { customer: string; card: Card | null; purchase: Purchase },
): Subscription {
  const { price, trialDays, metadata, missingPaymentMethod } = order.purchase;
  const now = account.now();
  const trialEnd = trialDays === undefined ? null : now + trialDays * DAY;
  const id = newId('sub');
  const item = {
    id: newId('si'),
    object: 'subscription_item' as const,
    current_period_end: trialEnd ?? periodEnd(now, price, now),
    current_period_start: now,
    price,
  };
  const subscription: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    created: now,
    customer: order.customer,
    default_payment_method: addCard(account, order.card),
    ended_at: null,
    latest_invoice: null,
    pause_collection: null,
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    livemode: false,
    metadata,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : now,
  };
  account.subscriptions.set(id, subscription);
  account.emit('customer.subscription.created', subscription);
  const total = trialEnd === null ? (price.unit_amount ?? 0) : 0;
  collect(account, draftInvoice(account, subscription, 'subscription_create', total), 'customer');
  return subscription;
}

/** At the end of a period or trial: starts the next period, whose invoice is charged an hour later. */
function renew(account: Account, subscription: Subscription): void {
  const isTrialEnd = subscription.status === 'trialing';
  const withoutCard = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (isTrialEnd && withoutCard === 'cancel' && subscription.default_payment_method === null) {
    endSubscription(account, subscription);
    return;
  }
  const { price, current_period_end: start } = itemOf(subscription);
  const invoice = draftInvoice(account, subscription, 'subscription_cycle', price.unit_amount ?? 0);
  if (invoice.auto_advance) invoice.automatically_finalizes_at = account.now() + HOUR;
  const current_period_end = periodEnd(subscription.billing_cycle_anchor, price, start);
  account.change(UPDATED, subscription, {
    items: itemsWith(subscription, { current_period_start: start, current_period_end }),
    status: isTrialEnd ? 'active' : subscription.status,
  });
}

/** Switches to the price of another interval. A trial continues; else the new period begins and is charged now. */
export function switchPrice(account: Account, subscription: Subscription, price: Price): void {
  if (subscription.status === 'trialing') {
    account.change(UPDATED, subscription, { items: itemsWith(subscription, { price }) });
    return;
  }
  const now = account.now();
  const period = { current_period_start: now, current_period_end: periodEnd(now, price, now) };
  account.change(UPDATED, subscription, {
    billing_cycle_anchor: now,
    items: itemsWith(subscription, { price, ...period }),
  });
  const invoice = draftInvoice(account, subscription, 'subscription_update', price.unit_amount ?? 0);
  collect(account, invoice, 'customer');
}

/** Ends a subscription now. `canceled_at` keeps the time of the request. */
export function endSubscription(account: Account, subscription: Subscription): void {
  const now = account.now();
  Object.assign(subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
  } satisfies Partial<Subscription>);
  for (const invoice of invoicesOf(account, subscription))
    if (invoice.status === 'draft' || invoice.status === 'open') stopAdvancing(account, invoice);
  account.emit('customer.subscription.deleted', subscription);
}

/** The portal sets `cancel_at` in flexible billing; only the API sets `cancel_at_period_end`. */
export function stopAtPeriodEnd(account: Account, subscription: Subscription, by: 'portal' | 'api'): void {
  const end = itemOf(subscription).current_period_end;
  account.change(UPDATED, subscription, {
    ...(by === 'portal' ? { cancel_at: end } : { cancel_at_period_end: true }),
    canceled_at: account.now(),
  });
}

export function keepGoing(account: Account, subscription: Subscription): void {
  account.change(UPDATED, subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: null });
}

/** Credits the unused time to the customer's balance, which no invoice uses here. */
export function creditUnusedTime(account: Account, subscription: Subscription): void {
  const customer = account.customers.get(subscription.customer);
  if (customer === undefined || subscription.status === 'trialing') return;
  const { current_period_start: start, current_period_end: end, price } = itemOf(subscription);
  const share = Math.max(0, end - account.now()) / (end - start);
  const cents = Math.round((price.unit_amount ?? 0) * share);
  account.change('customer.updated', customer, { balance: customer.balance - cents });
}

/**
 * The end of the period that begins, or has begun, at `start`. Months are counted from the anchor: 31 January is
 * followed by 28 February and then by 31 March.
 */
function periodEnd(anchor: number, { recurring }: Price, start: number): number {
  const first = new Date(anchor * 1000);
  for (let months = 0; ;) {
    months += recurring.interval === 'year' ? 12 : 1;
    const end = new Date(first);
    end.setUTCMonth(first.getUTCMonth() + months);
    if (end.getUTCDate() !== first.getUTCDate()) end.setUTCDate(0);
    if (end.getTime() / 1000 > start) return end.getTime() / 1000;
  }
}

export function expireSession(account: Account, session: CheckoutSession): void {
  Object.assign(session, { status: 'expired', url: null });
  account.emit('checkout.session.expired', session);
}

interface Due {
  at: number;
  run: () => void;
}

/** Runs due work in order of time, with the clock set to each due time. */
export function catchUp(account: Account): void {
  for (;;) {
    let next: Due | null = null;
    for (const due of dues(account)) if (next === null || due.at < next.at) next = due;
    if (next === null || next.at > account.now()) return;
    account.at(next.at, next.run);
  }
}

/** Within one second the order here decides: an end before a renewal. */
function* dues(account: Account): Generator<Due> {
  for (const session of account.checkoutSessions.values())
    if (session.status === 'open')
      yield { at: session.expires_at, run: () => expireSession(account, session) };
  for (const subscription of account.subscriptions.values()) {
    if (ENDED.includes(subscription.status)) continue;
    const end = itemOf(subscription).current_period_end;
    const stopAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? end : null);
    if (stopAt !== null) yield { at: stopAt, run: () => endSubscription(account, subscription) };
    if (['trialing', 'active', 'past_due', 'unpaid'].includes(subscription.status))
      yield { at: end, run: () => renew(account, subscription) };
  }
  for (const invoice of account.invoices.values()) {
    const at = invoice.automatically_finalizes_at ?? invoice.next_payment_attempt;
    if (at !== null) yield { at, run: () => void collect(account, invoice, 'schedule') };
  }
}

/** Days from each failed payment to the next attempt. */
const RETRY_AFTER_DAYS = [3, 2, 2];

/** Who attempts a payment: a renewal or retry, or the customer on a page. */
type Payer = 'schedule' | 'customer';

function draftInvoice(
  account: Account,
  subscription: Subscription,
  billing_reason: Invoice['billing_reason'],
  total: number,
): Invoice {
  const invoice: Invoice = {
    id: newId('in'),
    object: 'invoice',
    amount_due: total,
    amount_paid: 0,
    attempt_count: 0,
    auto_advance: subscription.status !== 'unpaid',
    automatically_finalizes_at: null,
    billing_reason,
    created: account.now(),
    currency: 'usd',
    customer: subscription.customer,
    livemode: false,
    next_payment_attempt: null,
    parent: { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
    status: 'draft',
    total,
  };
  account.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  account.emit('invoice.created', invoice);
  return invoice;
}

export function invoicesOf(account: Account, subscription: Subscription): Invoice[] {
  return [...account.invoices.values()].filter(
    ({ parent }) => parent.subscription_details.subscription === subscription.id,
  );
}

/** Ends automatic finalization and retries. */
export function stopAdvancing(account: Account, invoice: Invoice): void {
  account.change('invoice.updated', invoice, {
    auto_advance: false,
    next_payment_attempt: null,
    automatically_finalizes_at: null,
  });
}

/** Finalizes an invoice and charges it. False: the payment failed. */
export function collect(account: Account, invoice: Invoice, payer: Payer): boolean {
  if (invoice.status === 'draft')
    account.change('invoice.finalized', invoice, { status: 'open', automatically_finalizes_at: null });
  const subscription = account.subscriptions.get(invoice.parent.subscription_details.subscription);
  const card = account.cards.get(subscription?.default_payment_method ?? '');
  if (invoice.total === 0 || pays(card, payer)) markPaid(account, invoice, subscription);
  else fail(account, { invoice, payer, subscription });
  return invoice.status === 'paid';
}

function pays(card: Card | undefined, payer: Payer): boolean {
  return card === 'good' || (card !== undefined && card !== 'declined' && payer === 'customer');
}

function markPaid(account: Account, invoice: Invoice, subscription: Subscription | undefined): void {
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.total,
    next_payment_attempt: null,
    auto_advance: false,
  } satisfies Partial<Invoice>);
  account.emit('invoice.paid', invoice);
  account.emit('invoice.payment_succeeded', invoice);
  if (subscription === undefined || !['past_due', 'unpaid'].includes(subscription.status)) return;
  // Only payment of the newest finalized invoice reactivates a subscription.
  const newest = invoicesOf(account, subscription).findLast(({ status }) => status !== 'draft');
  if (newest === invoice) account.change('customer.subscription.updated', subscription, { status: 'active' });
}

function fail(
  account: Account,
  given: { invoice: Invoice; payer: Payer; subscription: Subscription | undefined },
): void {
  const { invoice, payer, subscription } = given;
  const days = RETRY_AFTER_DAYS[invoice.attempt_count];
  if (payer === 'schedule') {
    invoice.attempt_count += 1;
    invoice.next_payment_attempt = days === undefined ? null : account.now() + days * DAY;
  }
  const card = account.cards.get(subscription?.default_payment_method ?? '');
  if (card === 'needs_confirmation') account.emit('invoice.payment_action_required', invoice);
  account.emit('invoice.payment_failed', invoice);
  if (subscription === undefined || subscription.status === 'canceled') return;
  if (payer === 'schedule' && days === undefined) {
    stopAdvancing(account, invoice);
    account.change('customer.subscription.updated', subscription, { status: 'unpaid' });
  } else if (subscription.status !== 'unpaid')
    account.change('customer.subscription.updated', subscription, { status: 'past_due' });
}
