import type { Account } from '../account.ts';
import { CARDS } from '../account.ts';
import { invoicesOf } from '../billing/invoices.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { collect } from '../billing/payments.ts';
import { endTrialNow } from '../billing/renew.ts';
import { keepGoing, stopAtPeriodEnd, stopNow } from '../billing/stop.ts';
import type { Proration } from '../billing/switch.ts';
import { switchPrice } from '../billing/switch.ts';
import { change } from '../events.ts';
import type { PortalConfiguration, Subscription } from '../objects.ts';
import { attachCard } from '../resources/payment-methods.ts';

export type Features = PortalConfiguration['features'];

export interface PortalVisit {
  account: Account;
  customer: string;
  features: Features;
}

export const OVER = ['canceled', 'incomplete_expired'];

export function subscriptionsOf({
  account,
  customer,
}: Pick<PortalVisit, 'account' | 'customer'>): Subscription[] {
  return [...account.subscriptions.values()].filter(
    (one) => one.customer === customer && !OVER.includes(one.status),
  );
}

/** What a button of the portal does; the answer is what the person is told if it cannot be done. */
export function act(visit: PortalVisit, asked: ReadonlyMap<string, string>): string | null {
  if (asked.get('action') === 'card') return changeCard(visit, asked.get('card') ?? '');
  const subscription = subscriptionsOf(visit).find(({ id }) => id === asked.get('subscription'));
  if (subscription === undefined) return 'This subscription has ended.';
  switch (asked.get('action') ?? '') {
    case 'cancel':
      return cancel(visit, subscription);
    case 'renew':
      return renewal(visit, subscription);
    case 'switch':
      return switchPlan(visit, subscription, asked.get('price') ?? '');
    case 'pay':
      return payOpen(visit.account, subscription) ? null : 'Your payment was declined. Try a different card.';
    default:
      return 'There is no such action.';
  }
}

function cancel({ account, features }: PortalVisit, subscription: Subscription): string | null {
  if (!features.subscription_cancel.enabled) return 'Cancelling is not allowed here.';
  if (features.subscription_cancel.mode === 'immediately') stopNow(account, subscription);
  else stopAtPeriodEnd(account, subscription);
  return null;
}

function renewal({ account, features }: PortalVisit, subscription: Subscription): string | null {
  if (!features.subscription_cancel.enabled) return 'Renewing is not allowed here.';
  keepGoing(account, subscription);
  return null;
}

function switchPlan(
  { account, features }: PortalVisit,
  subscription: Subscription,
  priceId: string,
): string | null {
  const price = pricesAllowed(features).includes(priceId) ? account.prices.get(priceId) : undefined;
  if (price === undefined || !price.active) return 'This plan is not available.';
  const {
    proration_behavior: proration,
    trial_update_behavior: trial,
    billing_cycle_anchor: anchor,
  } = features.subscription_update;
  const quantity = itemOf(subscription).quantity ?? 1;
  const wasTrialing = subscription.status === 'trialing';
  switchPrice(account, subscription, {
    price,
    quantity,
    proration: proration as Proration,
    resetsAnchor: anchor === 'now',
    by: 'person',
  });
  if (wasTrialing && trial !== 'continue_trial') endTrialNow(account, subscription, 'person');
  return null;
}

export function pricesAllowed({ subscription_update: update }: Features): string[] {
  return update.enabled ? (update.products ?? []).flatMap(({ prices }) => prices) : [];
}

/** The new card becomes the one for everything, and what is unpaid is tried with it at once. */
function changeCard(visit: PortalVisit, wanted: string): string | null {
  const { account, customer: id, features } = visit;
  const customer = account.customers.get(id);
  const card = CARDS.find((one) => one === wanted);
  if (!features.payment_method_update.enabled || customer === undefined || card === undefined)
    return 'Changing the card is not allowed here.';
  if (card === 'declined') return 'Your card was declined.';
  const method = attachCard(account, id, card);
  change(account, 'customer.updated', customer, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
  });
  for (const subscription of subscriptionsOf(visit)) {
    change(account, 'customer.subscription.updated', subscription, { default_payment_method: method.id });
    payOpen(account, subscription);
  }
  return null;
}

/** Whatever is open, oldest first. The drafts of an unpaid subscription are not for its customer to pay. */
function payOpen(account: Account, subscription: Subscription): boolean {
  const owed = invoicesOf(account, subscription).filter(({ status }) => status === 'open');
  return owed.map((invoice) => collect(account, invoice, 'person')).every((isPaid) => isPaid);
}

export function otherPlans({ account, features }: PortalVisit, subscription: Subscription) {
  const current = priceOf(itemOf(subscription)).id;
  return pricesAllowed(features)
    .filter((id) => id !== current)
    .flatMap((id) => account.prices.get(id) ?? []);
}
