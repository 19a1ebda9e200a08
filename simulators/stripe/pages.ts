import type { HttpAnswer, SimRequest } from '../kit/http.ts';
import { html } from '../kit/http.ts';
import { escapeHtml, framePage } from '../kit/page.ts';
import type { Account, Card } from './account.ts';
import { CARDS, DAY } from './account.ts';
import {
  ENDED,
  addCard,
  collect,
  invoicesOf,
  itemOf,
  keepGoing,
  stopAtPeriodEnd,
  subscribe,
  switchPrice,
} from './billing.ts';
import type { Price, Subscription } from './objects.ts';
import type { StripeWorld } from './world.ts';

type Html = string;

const BANNER: Html = '<p class="banner">Simulated: no money moves, and no card is real.</p>';
const CARD_LABELS: Record<Card, string> = {
  good: 'a card that works',
  fails_at_renewal: 'a card that fails later',
  needs_confirmation: 'a card that asks for confirmation later',
  declined: 'a card that is declined',
};

/** The pages of Checkout and of the billing portal. */
export async function stripePage(world: StripeWorld, request: SimRequest): Promise<HttpAnswer> {
  const [, kind, id = ''] = /^\/(c\/pay|p\/session|i)\/([^/]+)$/.exec(request.path) ?? [];
  const pageOf = kind === 'c/pay' ? checkout : kind === 'i' ? invoicePage : portal;
  const page = pageOf(world.account, id);
  if (kind === undefined || 'title' in page) {
    const { status, title } = 'title' in page ? page : MISSING;
    return html(status, frame(title, `<h1>${title}</h1>`));
  }
  if (request.method === 'GET') return html(200, page.show(''));
  const refusal = page.act(request.params);
  // Status 200: a browser reports an error status on its console, where tests look for errors.
  if (refusal !== null) return html(200, page.show(`<p class="banner" role="alert">${refusal}</p>`));
  await world.deliveries.settle();
  return { status: 303, headers: { location: page.next() }, body: '' };
}

/** A page with forms, or a message in its place. */
type Page =
  | {
      show: (alert: Html) => Html;
      /** What a button does; returns why it failed. */
      act: (form: ReadonlyMap<string, string>) => string | null;
      /** The address afterwards. */
      next: () => string;
    }
  | { status: number; title: string };

const MISSING = { status: 404, title: 'This page could not be found' };

function checkout(account: Account, id: string): Page {
  const session = account.checkoutSessions.get(id);
  const purchase = account.purchases.get(id);
  const customer = account.customers.get(session?.customer ?? '');
  if (session === undefined || purchase === undefined || customer === undefined) return MISSING;
  if (session.status === 'complete') return { status: 200, title: "You're all done here" };
  if (session.status !== 'open') return { status: 410, title: 'This checkout has expired' };
  const { price, trialDays } = purchase;
  const terms = trialDays === undefined ? '' : `Free until ${day(account.now() + trialDays * DAY)}, then `;
  const buttons = CARDS.map(
    (card) =>
      `<button name="card" value="${card}">${trialDays === undefined ? 'Pay' : 'Start trial'} with ${CARD_LABELS[card]}</button>`,
  );
  return {
    show: (alert) =>
      frame(
        `Checkout: ${productOf(account, price)}`,
        `${alert}<h1>Subscribe to ${escapeHtml(productOf(account, price))}</h1>
         <p>${terms}${priceText(price)}. Due today: <b>${money(session.amount_total ?? 0)}</b></p>
         <form method="post"><p class="note">${escapeHtml(customer.email ?? '')}</p>${buttons.join('')}</form>
         <p><a href="${escapeHtml(session.cancel_url ?? '')}">Cancel and go back</a></p>`,
      ),
    act: (form) => {
      const card = CARDS.find((one) => one === form.get('card'));
      if (card === undefined || card === 'declined') return 'Your card was declined. Try a different card.';
      const { id: subscription } = subscribe(account, { customer: customer.id, card, purchase });
      Object.assign(session, { status: 'complete', url: null, subscription });
      account.emit('checkout.session.completed', session);
      return null;
    },
    next: () => (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id),
  };
}

function portal(account: Account, id: string): Page {
  const session = account.portalSessions.get(id);
  const configuration = account.portalConfigurations.get(String(session?.configuration));
  const customer = account.customers.get(session?.customer ?? '');
  if (session === undefined || configuration === undefined || customer === undefined) return MISSING;
  const running = () =>
    [...account.subscriptions.values()].filter(
      (one) => one.customer === customer.id && !ENDED.includes(one.status),
    );
  const plans = configuration.features.subscription_update.products
    .flatMap(({ prices }) => prices)
    .flatMap((one) => account.prices.get(one) ?? []);
  return {
    show: (alert) => {
      const sections = running().map((one) => subscriptionSection(account, one, plans));
      const card = account.cards.get(running()[0]?.default_payment_method ?? '');
      const cards = CARDS.map((one) =>
        button(`Change to ${CARD_LABELS[one]}`, { action: 'card', card: one }),
      );
      return frame(
        'Billing portal',
        `${alert}<h1>Billing</h1><p class="note">${escapeHtml(customer.email ?? customer.id)}</p>
         <p><a href="${escapeHtml(session.return_url ?? '')}">Return to SmartPause</a></p>
         <h2>Current subscription</h2>${sections.join('') || '<p>There is no subscription.</p>'}
         <h2>Payment method</h2><p>${card === undefined ? 'No card' : CARD_LABELS[card]}</p>${cards.join('')}`,
      );
    },
    act: (form) => {
      if (form.get('action') === 'card') return changeCard(account, running(), form.get('card'));
      const subscription = running().find((one) => one.id === form.get('subscription'));
      if (subscription === undefined) return 'This subscription has ended.';
      const plan = otherPlans(subscription, plans).find((one) => one.id === form.get('price'));
      return act(account, subscription, form.get('action'), plan);
    },
    next: () => `/p/session/${id}`,
  };
}

/** The page of an invoice, where the customer confirms the payment. */
function invoicePage(account: Account, id: string): Page {
  const invoice = account.invoices.get(id);
  if (invoice === undefined) return MISSING;
  if (invoice.status !== 'open') return { status: 200, title: 'This invoice is paid or closed' };
  return {
    show: (alert) =>
      frame(
        'Invoice',
        `${alert}<h1>Invoice over ${money(invoice.total)}</h1>${button('Confirm payment', {})}`,
      ),
    act: () => (collect(account, invoice, 'customer') ? null : 'Your payment was declined.'),
    next: () => `/i/${id}`,
  };
}

function subscriptionSection(account: Account, one: Subscription, plans: readonly Price[]): Html {
  const { price, current_period_end: end } = itemOf(one);
  const ends = one.cancel_at ?? (one.cancel_at_period_end ? end : null);
  const owes = invoicesOf(account, one).some(({ status }) => status === 'open');
  const to = (action: string, label: string, more = {}) =>
    button(label, { action, subscription: one.id, ...more });
  const buttons = [
    owes ? to('pay', 'Pay what is open') : '',
    ...otherPlans(one, plans).map((other) =>
      to('switch', `Switch to ${priceText(other)}`, { price: other.id }),
    ),
    ends === null ? to('cancel', 'Cancel subscription') : to('renew', 'Don’t cancel subscription'),
  ];
  const next = ends === null ? `the period ends on ${day(end)}` : `cancels on ${day(ends)}`;
  return `<p><b>${escapeHtml(productOf(account, price))}</b>, ${priceText(price)}: ${one.status}, ${next}.</p>${buttons.join('')}`;
}

/** A switch within the same interval is not simulated. */
function otherPlans(subscription: Subscription, plans: readonly Price[]): Price[] {
  const { interval } = itemOf(subscription).price.recurring;
  return plans.filter(({ recurring }) => recurring.interval !== interval);
}

function act(account: Account, subscription: Subscription, action?: string, plan?: Price): string | null {
  if (action === 'switch' && plan !== undefined) switchPrice(account, subscription, plan);
  if (action === 'cancel') stopAtPeriodEnd(account, subscription, 'portal');
  if (action === 'renew') keepGoing(account, subscription);
  return action !== 'pay' || payOpen(account, subscription) ? null : 'Your payment was declined.';
}

/** Open invoices are charged to the new card at once. */
function changeCard(account: Account, subscriptions: Subscription[], wanted?: string): string | null {
  const card = CARDS.find((one) => one === wanted);
  if (card === undefined || card === 'declined') return 'Your card was declined.';
  const default_payment_method = addCard(account, card);
  for (const subscription of subscriptions) {
    account.change('customer.subscription.updated', subscription, { default_payment_method });
    payOpen(account, subscription);
  }
  return null;
}

/** Charges open invoices, oldest first. The customer cannot pay the drafts of an unpaid subscription. */
function payOpen(account: Account, subscription: Subscription): boolean {
  const open = invoicesOf(account, subscription).filter(({ status }) => status === 'open');
  return open.map((invoice) => collect(account, invoice, 'customer')).every((isPaid) => isPaid);
}

function frame(title: string, content: Html): Html {
  return framePage(title, `<main class="card">${BANNER}${content}</main>`);
}

/** A form with one button and no script. */
function button(label: string, fields: Record<string, string>): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post">${hidden.join('')}<button>${escapeHtml(label)}</button></form>`;
}

function money(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'usd' }).format(cents / 100);
}

export function priceText({ unit_amount, recurring }: Price): string {
  return `${money(unit_amount ?? 0)} per ${recurring.interval}`;
}

function productOf(account: Account, { product }: Price): string {
  return account.products.get(product)?.name ?? 'Subscription';
}

/** As on SmartPause's own pages, in New York. */
export function day(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'America/New_York',
  });
}
