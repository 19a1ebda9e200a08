import type { HttpAnswer, SimRequest } from '../../kit/http.ts';
import { html } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { newestFirst } from '../account.ts';
import type { Invoice, PortalSession, Subscription } from '../objects.ts';
import type { StripeWorld } from '../world.ts';
import {
  BANNER,
  alertBox,
  day,
  messagePage,
  money,
  priceText,
  productOf,
  seeOther,
  submit,
} from './frame.ts';
import type { PortalVisit } from './portal-actions.ts';
import { act, otherPlans, subscriptionsOf } from './portal-actions.ts';

/** The customer portal of one session: only what its configuration allows is there. */
export async function portalPage(world: StripeWorld, id: string, request: SimRequest): Promise<HttpAnswer> {
  const { account } = world;
  const session = account.portalSessions.get(id);
  const configuration = account.portalConfigurations.get(session?.configuration ?? '');
  if (session === undefined || configuration === undefined || !account.customers.has(session.customer))
    return html(
      404,
      messagePage('Something went wrong', 'Your session has expired. Go back and open it again.'),
    );
  const visit: PortalVisit = { account, customer: session.customer, features: configuration.features };
  if (request.method === 'GET') return html(200, shownPage(visit, session));
  const refusal = act(visit, request.params);
  // No error status: a browser would report it, and people's tests look for such reports.
  if (refusal !== null) return html(200, shownPage(visit, session, refusal));
  await world.deliveries.settle(account.settings.checkoutWaitMs);
  return seeOther(session.flow?.after_completion.redirect?.return_url ?? `/p/session/${id}`);
}

const ALL_ACTIONS = ['pay', 'switch', 'cancel', 'renew'];
/** A deep link shows one thing to do and nothing else. */
const FLOW_ACTIONS: Record<string, string[]> = {
  subscription_cancel: ['cancel'],
  subscription_update: ['switch'],
};

function shownPage(visit: PortalVisit, session: PortalSession, refusal?: string): string {
  const flow = session.flow?.type;
  const meant =
    session.flow?.subscription_cancel?.subscription ?? session.flow?.subscription_update?.subscription;
  const shown = subscriptionsOf(visit)
    .filter(({ id }) => meant === undefined || id === meant)
    .map((subscription) => subscriptionSection(visit, subscription, FLOW_ACTIONS[flow ?? ''] ?? ALL_ACTIONS));
  const back =
    session.return_url === null
      ? ''
      : `<p><a href="${escapeHtml(session.return_url)}">Return to SmartPause</a></p>`;
  const subscriptions = `<h2>Current subscription</h2>${shown.length === 0 ? '<p>There is no subscription.</p>' : shown.join('')}`;
  const parts =
    flow === undefined
      ? [subscriptions, cardSection(visit), invoiceSection(visit)]
      : [flow === 'payment_method_update' ? cardSection(visit) : subscriptions];
  const email = visit.account.customers.get(visit.customer)?.email ?? visit.customer;
  return framePage(
    'Billing portal',
    `<main>${BANNER}${alertBox(refusal)}<h1>Billing</h1><p class="note">${escapeHtml(email)}</p>${back}${parts.join('')}</main>`,
  );
}

function subscriptionSection(visit: PortalVisit, subscription: Subscription, actions: string[]): string {
  const price = priceOf(itemOf(subscription));
  const ends = endOf(subscription);
  const next = day(itemOf(subscription).current_period_end);
  const renews = subscription.status === 'trialing' ? `Trial until ${next}` : `Renews on ${next}`;
  const when = ends === null ? renews : `Cancels on ${day(ends)}`;
  const name = productOf(visit.account, price)?.name ?? '';
  const buttons = buttonsFor(visit, subscription)
    .filter(({ action }) => actions.includes(action))
    .map(({ label, ...fields }) => submit(label, { ...fields, subscription: subscription.id }));
  return `<section aria-label="${escapeHtml(subscription.id)}"><p><b>${escapeHtml(name)}</b>, ${escapeHtml(priceText(price))}<br>
    <span class="word">${escapeHtml(subscription.status)}</span>. ${when}.</p>${buttons.join('')}</section>`;
}

type Button = { label: string; action: string } & Record<string, string>;

function buttonsFor(visit: PortalVisit, subscription: Subscription): Button[] {
  const stop: Button =
    endOf(subscription) === null
      ? { label: 'Cancel subscription', action: 'cancel' }
      : { label: 'Don’t cancel subscription', action: 'renew' };
  return [
    ...(owes(visit, subscription) ? [{ label: 'Pay what is open', action: 'pay' }] : []),
    ...otherPlans(visit, subscription).map((other) => ({
      label: `Switch to ${priceText(other)}`,
      action: 'switch',
      price: other.id,
    })),
    ...(visit.features.subscription_cancel.enabled ? [stop] : []),
  ];
}

function endOf(subscription: Subscription): number | null {
  const { current_period_end: periodEnd } = itemOf(subscription);
  return subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : null);
}

function owes(visit: PortalVisit, { id }: Subscription): boolean {
  return invoicesOfCustomer(visit).some(
    ({ status, parent }) => status === 'open' && parent?.subscription_details?.subscription === id,
  );
}

function cardSection({ account, customer, features }: PortalVisit): string {
  if (!features.payment_method_update.enabled) return '';
  const methods = [...account.paymentMethods.values()].filter((method) => method.customer === customer);
  const current = methods.at(-1)?.card;
  const shown =
    current === undefined
      ? 'No card'
      : `${current.brand} •••• ${current.last4}, ${current.exp_month}/${current.exp_year}`;
  return `<h2>Payment method</h2><p>${escapeHtml(shown)}</p>
    ${submit('Change to a card that works', { action: 'card', card: 'good' })}
    ${submit('Change to a card that fails later', { action: 'card', card: 'fails_at_renewal' })}
    ${submit('Change to a card that is declined', { action: 'card', card: 'declined' })}`;
}

function invoiceSection(visit: PortalVisit): string {
  if (!visit.features.invoice_history.enabled) return '';
  const rows = invoicesOfCustomer(visit)
    .filter(({ status }) => status !== 'draft')
    .map(
      (invoice) =>
        `<tr><td>${day(invoice.created)}</td><td>${escapeHtml(invoice.number ?? '')}</td><td>${money(invoice.total, invoice.currency)}</td><td class="word">${invoice.status ?? ''}</td></tr>`,
    );
  return `<h2>Invoice history</h2><div class="table"><table>${rows.join('')}</table></div>`;
}

function invoicesOfCustomer({ account, customer }: PortalVisit): Invoice[] {
  return newestFirst(account.invoices).filter((invoice) => invoice.customer === customer);
}
