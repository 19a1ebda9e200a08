import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { expireSession } from '../billing/due.ts';
import { HOUR } from '../clock.ts';
import { invalid } from '../errors.ts';
import type { CheckoutSession, Price } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { metadata, text, withMetadata } from '../wire/params.ts';
import { newSession } from './checkout-session-object.ts';
import type { SessionParams } from './checkout-session-params.ts';
import { sessionParams } from './checkout-session-params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const updated = z.strictObject({ metadata: metadata.optional() });
const listed = z.strictObject({
  ...page,
  customer: text.optional(),
  customer_details: z.strictObject({ email: text }).optional(),
  status: z.enum(['complete', 'expired', 'open']).optional(),
  subscription: text.optional(),
});
const lineItems = z.strictObject(page);

export const checkoutSessionRoutes: Route[] = [
  route('POST', '/v1/checkout/sessions', sessionParams, (params, { account, base }) => {
    const price = priceAsked(account, params);
    checkParams(account, params);
    const session = newSession({ params, price, now: account.now(), base });
    account.checkoutSessions.set(session.id, session);
    const data = params.subscription_data;
    account.subscriptionData.set(session.id, {
      trial_period_days: data?.trial_period_days,
      trial_end: data?.trial_end,
      metadata: withMetadata({}, data?.metadata),
      description: data?.description ?? null,
      missingPaymentMethod: data?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    });
    return session;
  }),
  route('GET', '/v1/checkout/sessions', listed, (asked, { account, path }) => {
    const { customer, status, subscription, customer_details: details } = asked;
    const wanted = newestFirst(account.checkoutSessions).filter(
      (session) =>
        (customer === undefined || session.customer === customer) &&
        (status === undefined || session.status === status) &&
        (subscription === undefined || session.subscription === subscription) &&
        (details === undefined || session.customer_details?.email === details.email),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/checkout/sessions/:id', z.strictObject({}), (_, { account, id }) =>
    sessionOf(account, id),
  ),
  route('POST', '/v1/checkout/sessions/:id', updated, (params, { account, id }) => {
    const session = sessionOf(account, id);
    session.metadata = withMetadata(session.metadata ?? {}, params.metadata);
    return session;
  }),
  route('GET', '/v1/checkout/sessions/:id/line_items', lineItems, (asked, { account, id, path }) =>
    paginate(sessionOf(account, id).line_items?.data ?? [], asked, path),
  ),
  route('POST', '/v1/checkout/sessions/:id/expire', z.strictObject({}), (_, { account, id }) => {
    const session = sessionOf(account, id);
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status ?? ''}.`,
      );
    expireSession(account, session);
    return session;
  }),
];

function sessionOf(account: Account, id: string): CheckoutSession {
  return find(account.checkoutSessions, 'checkout.session', id);
}

function priceAsked(account: Account, { line_items: [line] }: SessionParams): Price {
  const price = find(account.prices, 'price', line?.price ?? '', 'line_items[0][price]');
  if (!price.active)
    throw invalid(
      'The price specified is inactive. This field only accepts active prices.',
      'line_items[0][price]',
    );
  if (price.recurring === null)
    throw invalid(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
      'line_items',
    );
  return price;
}

function checkParams(account: Account, params: SessionParams): void {
  const { customer, customer_email: email, expires_at: expiresAt, subscription_data: data } = params;
  if (customer !== undefined && email !== undefined)
    throw invalid(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer',
      'parameters_exclusive',
    );
  if (customer !== undefined) find(account.customers, 'customer', customer, 'customer');
  const seconds = expiresAt === undefined ? 24 * HOUR : expiresAt - account.now();
  if (seconds < HOUR / 2)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    );
  if (seconds > 24 * HOUR)
    throw invalid(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    );
  if (data?.trial_end !== undefined && data.trial_period_days !== undefined)
    throw invalid(
      'You may only specify one of these parameters: subscription_data[trial_end], subscription_data[trial_period_days].',
      'subscription_data[trial_end]',
      'parameters_exclusive',
    );
  if (data?.trial_end !== undefined && data.trial_end < account.now() + 48 * HOUR)
    throw invalid(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    );
  if (
    data?.trial_settings !== undefined &&
    data.trial_end === undefined &&
    data.trial_period_days === undefined
  )
    throw invalid(
      'You can only set `trial_settings` when there is a trial.',
      'subscription_data[trial_settings]',
    );
}
