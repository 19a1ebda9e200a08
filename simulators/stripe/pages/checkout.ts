import type { HttpAnswer, SimRequest } from '../../kit/http.ts';
import { html } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import type { Account, Card } from '../account.ts';
import { CARDS } from '../account.ts';
import { payCheckout } from './pay-checkout.ts';
import { DAY } from '../clock.ts';
import type { CheckoutSession, Price } from '../objects.ts';
import type { StripeWorld } from '../world.ts';
import { BANNER, alertBox, day, messagePage, money, priceText, productOf, seeOther } from './frame.ts';

const CARD_LABELS: Record<Card, string> = {
  good: 'with a card that works',
  fails_at_renewal: 'with a card that fails later',
  declined: 'with a card that is declined',
};

/** The hosted page of a session: what is bought, and a button for each way it can go. */
export async function checkoutPage(world: StripeWorld, id: string, request: SimRequest): Promise<HttpAnswer> {
  const { account } = world;
  const session = account.checkoutSessions.get(id);
  if (session === undefined)
    return html(404, messagePage('Something went wrong', 'This page could not be found.'));
  if (session.status === 'complete')
    return html(200, messagePage("You're all done here", 'This checkout has been completed.'));
  const price = session.line_items?.data[0]?.price as Price | undefined;
  if (session.status !== 'open' || price === undefined)
    return html(410, messagePage('This checkout has expired', 'Go back and start again.'));
  const product = productOf(account, price);
  const isDeleted = session.customer !== null && account.deletedCustomers.has(session.customer);
  if (!price.active || product?.active === false || isDeleted)
    return html(
      400,
      messagePage('Something went wrong', 'What you are trying to buy is not available any more.'),
    );
  if (request.method === 'GET') return html(200, shownPage(account, session, price));
  const refusal = payCheckout(account, session, {
    card: CARDS.find((card) => card === request.params.get('card')) ?? null,
    email: request.params.get('email') ?? null,
  });
  // No error status: a browser would report it, and people's tests look for such reports.
  if (refusal !== null) return html(200, shownPage(account, session, price, refusal));
  await world.deliveries.settle(account.settings.checkoutWaitMs);
  return seeOther((session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id));
}

function shownPage(account: Account, session: CheckoutSession, price: Price, refusal?: string): string {
  const data = account.subscriptionData.get(session.id);
  const trialEnd =
    data?.trial_end ??
    (data?.trial_period_days === undefined ? null : account.now() + data.trial_period_days * DAY);
  const name = productOf(account, price)?.name ?? 'Subscription';
  const due = money(session.amount_total ?? 0, price.currency);
  const terms =
    trialEnd === null
      ? `<p>${escapeHtml(priceText(price))}, due today: <b>${due}</b></p>`
      : `<p>Free until ${day(trialEnd)}, then ${escapeHtml(priceText(price))}. Due today: <b>${due}</b></p>`;
  const verb = trialEnd === null ? 'Pay' : 'Start trial';
  const email = account.customers.get(session.customer ?? '')?.email ?? session.customer_email;
  const buttons = CARDS.map(
    (card, index) =>
      `<button type="submit" name="card" value="${card}" class="${index === 0 ? 'primary' : ''}">${verb} ${CARD_LABELS[card]}</button>`,
  );
  const isCardOptional = session.payment_method_collection === 'if_required' && session.amount_total === 0;
  const withoutCard = isCardOptional
    ? `<button type="submit" name="card" value="none">${verb} without a card</button>`
    : '';
  const back =
    session.cancel_url === null
      ? ''
      : `<p><a href="${escapeHtml(session.cancel_url)}">Cancel and go back</a></p>`;
  const emailField =
    email === null
      ? '<label>Email <input type="email" name="email" required value="person@example.com"></label>'
      : `<p class="note">${escapeHtml(email)}</p>`;
  return framePage(
    `Checkout: ${name}`,
    `<main class="card">${BANNER}${alertBox(refusal)}<h1>Subscribe to ${escapeHtml(name)}</h1>${terms}
     <form method="post">${emailField}${buttons.join('')}${withoutCard}</form>${back}</main>`,
  );
}
