import type { Account, Card } from '../account.ts';
import { emit } from '../events.ts';
import type { CheckoutSession, Price } from '../objects.ts';
import { attachCard } from '../resources/payment-methods.ts';
import { createCustomer } from '../resources/customers.ts';
import { subscribe } from '../billing/subscribe.ts';

interface Payment {
  /** Null: without a card, where the session allows it. */
  card: Card | null;
  email: string | null;
}

/** Completes a session as its page does; the answer is what the person is told if it fails. */
export function payCheckout(
  account: Account,
  session: CheckoutSession,
  { card, email }: Payment,
): string | null {
  const data = account.subscriptionData.get(session.id);
  const price = session.line_items?.data[0]?.price as Price | undefined;
  if (data === undefined || price === undefined)
    throw new Error(`${session.id} was created without its data`);
  const mayLackCard = session.payment_method_collection === 'if_required' && session.amount_total === 0;
  if (card === null && !mayLackCard) return 'Enter a card.';
  if (session.customer !== null && account.deletedCustomers.has(session.customer))
    return 'Something went wrong: this page cannot be paid any more.';
  if (card === 'declined') return 'Your card was declined. Try a different card.';
  const customer =
    account.customers.get(session.customer ?? '') ??
    createCustomer(account, { email: session.customer_email ?? email, metadata: {} });
  const method = card === null ? null : attachCard(account, customer.id, card).id;
  const quantity = session.line_items?.data[0]?.quantity ?? 1;
  const subscription = subscribe(account, {
    customer: customer.id,
    price,
    quantity,
    paymentMethod: method,
    data,
    by: 'person',
  });
  Object.assign(session, {
    status: 'complete',
    url: null,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    invoice: subscription.latest_invoice,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    subscription: subscription.id,
  } satisfies Partial<CheckoutSession>);
  emit(account, 'checkout.session.completed', session);
  return null;
}
