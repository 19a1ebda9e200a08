import { z } from 'zod';
import type { Account, Card } from '../account.ts';
import { newestFirst } from '../account.ts';
import { cardDeclined, noSuch } from '../errors.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { PaymentMethod } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

/** Stripe's own names for test cards, and the last digits of their numbers. */
const TEST_CARDS: Record<string, Card> = {
  pm_card_visa: 'good',
  pm_card_chargeCustomerFail: 'fails_at_renewal',
  pm_card_chargeDeclined: 'declined',
};
const LAST4: Record<Card, string> = { good: '4242', fails_at_renewal: '0341', declined: '0002' };

const listed = z.strictObject({ ...page, customer: text.optional(), type: text.optional() });

export const paymentMethodRoutes: Route[] = [
  route('GET', '/v1/payment_methods', listed, ({ customer, ...asked }, { account, path }) => {
    const wanted = newestFirst(account.paymentMethods).filter((method) => method.customer === customer);
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/payment_methods/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.paymentMethods, 'PaymentMethod', id),
  ),
  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    ({ customer }, { account, id }) => {
      find(account.customers, 'customer', customer, 'customer');
      return attachTestCard(account, id, customer, 'id');
    },
  ),
];

/** Attaches one of Stripe's test cards, or names one that is attached already. */
export function attachTestCard(account: Account, id: string, customer: string, param: string): PaymentMethod {
  const known = account.paymentMethods.get(id);
  if (known?.customer === customer) return known;
  const card = TEST_CARDS[id];
  if (card === undefined) throw noSuch('PaymentMethod', id, param);
  if (card === 'declined') throw cardDeclined();
  return attachCard(account, customer, card);
}

export function attachCard(account: Account, customer: string, card: Card): PaymentMethod {
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: '10001', state: null },
      email: account.customers.get(customer)?.email ?? null,
      name: account.customers.get(customer)?.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: new Date(account.clock.nowMs()).getUTCFullYear() + 3,
      fingerprint: newId('card').slice(5),
      funding: 'credit',
      generated_from: null,
      last4: LAST4[card],
      networks: { available: ['visa'], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  account.paymentMethods.set(method.id, method);
  account.cards.set(method.id, card);
  emit(account, 'payment_method.attached', method);
  return method;
}
