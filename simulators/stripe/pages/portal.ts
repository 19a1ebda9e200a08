import type { HttpAnswer, SimRequest } from '../../kit/http.ts';
import { html } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import type { Account } from '../account.ts';
import { CARDS, LAST4 } from '../account.ts';
import { ENDED, keepGoing, stopAtPeriodEnd } from '../billing/end.ts';
import { invoicesOf } from '../billing/invoices.ts';
import { intervalOf, itemOf, priceOf } from '../billing/items.ts';
import { addCard, collect, paymentMethodFor } from '../billing/payments.ts';
import { switchPrice } from '../billing/switch.ts';
import { change } from '../events.ts';
import type { Invoice, PortalConfiguration, PortalSession, Price, Subscription } from '../objects.ts';
import type { StripeWorld } from '../world.ts';
import { REDIRECT_WAIT_MS } from './checkout.ts';
import {
  BANNER,
  alertBox,
  day,
  messagePage,
  money,
  priceText,
  productName,
  seeOther,
  submit,
} from './frame.ts';

interface PortalVisit {
  account: Account;
  customer: string;
  configuration: PortalConfiguration;
}

/** The customer portal of one session: only the features of its configuration. */
export async function portalPage(world: StripeWorld, id: string, request: SimRequest): Promise<HttpAnswer> {
  const { account } = world;
  const session = account.portalSessions.get(id);
  const configuration = account.portalConfigurations.get(session?.configuration ?? '');
  if (session === undefined || configuration === undefined || !account.customers.has(session.customer))
    return messagePage(404, 'Something went wrong', 'Your session has expired. Go back and open it again.');
  const visit: PortalVisit = { account, customer: session.customer, configuration };
  if (request.method === 'GET') return html(200, shownPage(visit, session));
  const refusal = act(visit, request.params);
  // Status 200: a browser reports an error status on its console, where tests look for errors.
  if (refusal !== null) return html(200, shownPage(visit, session, refusal));
  await world.deliveries.settle(REDIRECT_WAIT_MS);
  return seeOther(`/p/session/${id}`);
}

function shownPage(visit: PortalVisit, session: PortalSession, refusal?: string): string {
  const shown = subscriptionsOf(visit).map((subscription) => subscriptionSection(visit, subscription));
  const email = visit.account.customers.get(visit.customer)?.email ?? visit.customer;
  return framePage(
    'Billing portal',
    `<main>${BANNER}${alertBox(refusal)}<h1>Billing</h1><p class="note">${escapeHtml(email)}</p>
     <p><a href="${escapeHtml(session.return_url ?? '')}">Return to SmartPause</a></p>
     <h2>Current subscription</h2>${shown.join('') || '<p>There is no subscription.</p>'}
     ${cardSection(visit)}${invoiceSection(visit)}</main>`,
  );
}

function subscriptionSection(visit: PortalVisit, subscription: Subscription): string {
  const { id, status, cancel_at: cancelAt, cancel_at_period_end: endsWithPeriod } = subscription;
  const price = priceOf(subscription);
  const periodEnd = itemOf(subscription).current_period_end;
  const ends = cancelAt ?? (endsWithPeriod ? periodEnd : null);
  const goesOn = `${status === 'trialing' ? 'Trial until' : 'Renews on'} ${day(periodEnd)}`;
  const owes = invoicesOfCustomer(visit).some(
    (invoice) => invoice.status === 'open' && invoice.parent?.subscription_details?.subscription === id,
  );
  const buttons = [
    owes ? submit('Pay what is open', { action: 'pay', subscription: id }) : '',
    ...otherPlans(visit, subscription).map((other) =>
      submit(`Switch to ${priceText(other)}`, { action: 'switch', price: other.id, subscription: id }),
    ),
    ends === null
      ? submit('Cancel subscription', { action: 'cancel', subscription: id })
      : submit('Don’t cancel subscription', { action: 'renew', subscription: id }),
  ];
  return `<section aria-label="${escapeHtml(id)}"><p><b>${escapeHtml(productName(visit.account, price))}</b>, ${escapeHtml(priceText(price))}<br>
    <span class="word">${escapeHtml(status)}</span>. ${ends === null ? goesOn : `Cancels on ${day(ends)}`}.</p>${buttons.join('')}</section>`;
}

function cardSection(visit: PortalVisit): string {
  const cards = subscriptionsOf(visit).flatMap(
    (one) => visit.account.cards.get(paymentMethodFor(visit.account, one) ?? '') ?? [],
  );
  const shown = cards[0] === undefined ? 'No card' : `visa •••• ${LAST4[cards[0]]}`;
  return `<h2>Payment method</h2><p>${shown}</p>
    ${submit('Change to a card that works', { action: 'card', card: 'good' })}
    ${submit('Change to a card that fails later', { action: 'card', card: 'fails_at_renewal' })}
    ${submit('Change to a card that is declined', { action: 'card', card: 'declined' })}`;
}

function invoiceSection(visit: PortalVisit): string {
  const rows = invoicesOfCustomer(visit)
    .filter(({ status }) => status !== 'draft')
    .map(
      ({ created, number, total, currency, status }) =>
        `<tr><td>${day(created)}</td><td>${escapeHtml(number ?? '')}</td><td>${money(total, currency)}</td><td class="word">${status ?? ''}</td></tr>`,
    );
  return `<h2>Invoice history</h2><div class="table"><table>${rows.join('')}</table></div>`;
}

function invoicesOfCustomer({ account, customer }: PortalVisit): Invoice[] {
  return [...account.invoices.values()].reverse().filter((invoice) => invoice.customer === customer);
}

function subscriptionsOf({ account, customer }: PortalVisit): Subscription[] {
  return [...account.subscriptions.values()].filter(
    (one) => one.customer === customer && !ENDED.includes(one.status),
  );
}

/** Executes the action of a portal button, or returns why it failed. */
function act(visit: PortalVisit, asked: ReadonlyMap<string, string>): string | null {
  const { account } = visit;
  const action = asked.get('action') ?? '';
  if (action === 'card') return changeCard(visit, asked.get('card') ?? '');
  const subscription = subscriptionsOf(visit).find(({ id }) => id === asked.get('subscription'));
  if (subscription === undefined) return 'This subscription has ended.';
  if (action === 'switch') return switchPlan(visit, subscription, asked.get('price') ?? '');
  if (action === 'pay')
    return payOpen(account, subscription) ? null : 'Your payment was declined. Try a different card.';
  if (action === 'cancel') stopAtPeriodEnd(account, subscription, 'portal');
  if (action === 'renew') keepGoing(account, subscription);
  return null;
}

function switchPlan(visit: PortalVisit, subscription: Subscription, priceId: string): string | null {
  const price = otherPlans(visit, subscription).find(({ id }) => id === priceId);
  if (price === undefined) return 'This plan is not available.';
  switchPrice(visit.account, subscription, price);
  return null;
}

/** The new card becomes the default, and open invoices are charged to it at once. */
function changeCard(visit: PortalVisit, wanted: string): string | null {
  const { account, customer: id } = visit;
  const customer = account.customers.get(id);
  const card = CARDS.find((one) => one === wanted);
  if (customer === undefined || card === undefined || card === 'declined') return 'Your card was declined.';
  const default_payment_method = addCard(account, card);
  change(account, 'customer.updated', customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method },
  });
  for (const subscription of subscriptionsOf(visit)) {
    change(account, 'customer.subscription.updated', subscription, { default_payment_method });
    payOpen(account, subscription);
  }
  return null;
}

/** Charges open invoices, oldest first. The customer cannot pay the drafts of an unpaid subscription. */
function payOpen(account: Account, subscription: Subscription): boolean {
  const open = invoicesOf(account, subscription).filter(({ status }) => status === 'open');
  return open.map((invoice) => collect(account, invoice, 'customer')).every((isPaid) => isPaid);
}

/** The plans to switch to. A switch within the same interval is not simulated. */
function otherPlans({ account, configuration }: PortalVisit, subscription: Subscription): Price[] {
  const current = intervalOf(priceOf(subscription));
  return (configuration.features.subscription_update.products ?? [])
    .flatMap(({ prices }) => prices)
    .flatMap((id) => account.prices.get(id) ?? [])
    .filter((price) => price.active && intervalOf(price) !== current);
}
