import { z } from 'zod';
import { expireSession } from '../billing/due.ts';
import { DAY } from '../clock.ts';
import { invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import type { CheckoutSession, Price } from '../objects.ts';
import { limit, newest } from '../wire/lists.ts';
import { integer, metadata, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, none, route } from './route.ts';

const created = z.strictObject({
  cancel_url: z.url(),
  client_reference_id: text,
  customer: text,
  line_items: z
    .array(z.strictObject({ price: text, quantity: z.literal('1', 'only 1 is simulated') }))
    .length(1, 'one line is simulated'),
  metadata,
  mode: z.literal('subscription', 'only subscription is simulated'),
  subscription_data: z.strictObject({
    metadata,
    trial_period_days: integer.pipe(z.number().min(1, 'must be at least 1')).optional(),
    trial_settings: z
      .strictObject({
        end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice']) }),
      })
      .optional(),
  }),
  success_url: text,
});
type Params = z.infer<typeof created>;
const listed = z.strictObject({
  limit,
  customer: text,
  status: z.enum(['complete', 'expired', 'open']).optional(),
});

export const checkoutSessionRoutes: Route[] = [
  route('POST', '/v1/checkout/sessions', created, (params, { account, base }) => {
    const param = 'line_items[0][price]';
    const price = find(account.prices, 'price', params.line_items[0]?.price ?? '', param);
    if (!price.active)
      throw invalid('The price specified is inactive. This field only accepts active prices.', param);
    find(account.customers, 'customer', params.customer, 'customer');
    const { trial_period_days: trialDays, trial_settings: trial, metadata: given } = params.subscription_data;
    if (trial !== undefined && trialDays === undefined)
      throw invalid(
        'You can only set `trial_settings` when there is a trial.',
        'subscription_data[trial_settings]',
      );
    const session = newSession(params, { price, now: account.now(), base });
    account.checkoutSessions.set(session.id, session);
    account.purchases.set(session.id, {
      price: price.id,
      trialDays,
      metadata: given,
      missingPaymentMethod: trial?.end_behavior.missing_payment_method ?? 'create_invoice',
    });
    return session;
  }),
  route('GET', '/v1/checkout/sessions', listed, (asked, { account, path }) =>
    newest(
      account.checkoutSessions,
      { size: asked.limit, path },
      ({ customer, status }) => customer === asked.customer && status === (asked.status ?? status),
    ),
  ),
  route('GET', '/v1/checkout/sessions/:id', none, (_, { account, id }) =>
    find(account.checkoutSessions, 'checkout.session', id),
  ),
  route('POST', '/v1/checkout/sessions/:id/expire', none, (_, { account, id }) => {
    const session = find(account.checkoutSessions, 'checkout.session', id);
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status ?? ''}.`,
      );
    expireSession(account, session);
    return session;
  }),
];

/** An open session. During a trial nothing is due today. */
function newSession(
  params: Params,
  { price, now, base }: { price: Price; now: number; base: string },
): CheckoutSession {
  const id = newId('cs_test');
  const amount = params.subscription_data.trial_period_days === undefined ? (price.unit_amount ?? 0) : 0;
  return {
    id,
    object: 'checkout.session',
    amount_total: amount,
    cancel_url: params.cancel_url,
    client_reference_id: params.client_reference_id,
    created: now,
    currency: price.currency,
    customer: params.customer,
    expires_at: now + DAY,
    invoice: null,
    livemode: false,
    metadata: params.metadata,
    mode: 'subscription',
    payment_status: amount === 0 ? 'no_payment_required' : 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.success_url,
    url: `${base}/c/pay/${id}`,
  };
}
