import type { HttpAnswer, SimRequest } from '../../kit/http.ts';
import { html } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import type { Account, Card, Purchase } from '../account.ts';
import { CARDS } from '../account.ts';
import { addCard } from '../billing/payments.ts';
import { subscribe } from '../billing/subscribe.ts';
import { DAY } from '../clock.ts';
import { emit } from '../events.ts';
import type { CheckoutSession, Customer, Price } from '../objects.ts';
import type { StripeWorld } from '../world.ts';
import { BANNER, alertBox, day, messagePage, money, priceText, productName, seeOther } from './frame.ts';

const CARD_LABELS: Record<Card, string> = {
  good: 'with a card that works',
  fails_at_renewal: 'with a card that fails later',
  declined: 'with a card that is declined',
};
/** How long the page waits for the webhook's answer before it redirects. */
export const REDIRECT_WAIT_MS = 10_000;

/** An open session with everything that its page shows. */
interface Visit {
  account: Account;
  session: CheckoutSession;
  customer: Customer;
  price: Price;
  purchase: Purchase;
}

/** The hosted page of a session: what is sold, and a button for each card. */
export async function checkoutPage(world: StripeWorld, id: string, request: SimRequest): Promise<HttpAnswer> {
  const { account } = world;
  const session = account.checkoutSessions.get(id);
  const purchase = account.purchases.get(id);
  if (session === undefined || purchase === undefined)
    return messagePage(404, 'Something went wrong', 'This page could not be found.');
  if (session.status === 'complete')
    return messagePage(200, "You're all done here", 'This checkout has been completed.');
  if (session.status !== 'open')
    return messagePage(410, 'This checkout has expired', 'Go back and start again.');
  const price = account.prices.get(purchase.price);
  const customer = account.customers.get(session.customer ?? '');
  if (price?.active !== true || customer === undefined)
    return messagePage(400, 'Something went wrong', 'This product is not available any more.');
  const visit = { account, session, customer, price, purchase };
  if (request.method === 'GET') return html(200, shownPage(visit));
  const refusal = pay(
    visit,
    CARDS.find((card) => card === request.params.get('card')),
  );
  // Status 200: a browser reports an error status on its console, where tests look for errors.
  if (refusal !== null) return html(200, shownPage(visit, refusal));
  await world.deliveries.settle(REDIRECT_WAIT_MS);
  return seeOther((session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id));
}

/** Completes a session, or returns what the page says about the failure. */
function pay({ account, session, customer, price, purchase }: Visit, card: Card | undefined): string | null {
  if (card === undefined) return 'Enter a card.';
  if (card === 'declined') return 'Your card was declined. Try a different card.';
  const paymentMethod = addCard(account, card);
  const subscription = subscribe(account, { customer: customer.id, price, paymentMethod, purchase });
  Object.assign(session, {
    status: 'complete',
    url: null,
    invoice: subscription.latest_invoice,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    subscription: subscription.id,
  } satisfies Partial<CheckoutSession>);
  emit(account, 'checkout.session.completed', session);
  return null;
}

function shownPage({ account, session, customer, price, purchase }: Visit, refusal?: string): string {
  const { trialDays } = purchase;
  const due = `<b>${money(session.amount_total ?? 0, price.currency)}</b>`;
  const terms =
    trialDays === undefined
      ? `${priceText(price)}, due today: ${due}`
      : `Free until ${day(account.now() + trialDays * DAY)}, then ${priceText(price)}. Due today: ${due}`;
  const verb = trialDays === undefined ? 'Pay' : 'Start trial';
  const buttons = CARDS.map(
    (card, index) =>
      `<button type="submit" name="card" value="${card}" class="${index === 0 ? 'primary' : ''}">${verb} ${CARD_LABELS[card]}</button>`,
  );
  const name = escapeHtml(productName(account, price));
  const email = customer.email === null ? '' : `<p class="note">${escapeHtml(customer.email)}</p>`;
  return framePage(
    `Checkout: ${productName(account, price)}`,
    `<main class="card">${BANNER}${alertBox(refusal)}<h1>Subscribe to ${name}</h1><p>${terms}</p>
     <form method="post">${email}${buttons.join('')}</form>
     <p><a href="${escapeHtml(session.cancel_url ?? '')}">Cancel and go back</a></p></main>`,
  );
}
