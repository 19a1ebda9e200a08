import type { Stripe } from 'stripe';
import { amountOf } from '../billing/items.ts';
import { DAY } from '../clock.ts';
import { newId } from '../ids.ts';
import type { CheckoutSession, Price } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { withMetadata } from '../wire/params.ts';
import type { SessionParams } from './checkout-session-params.ts';

interface Facts {
  params: SessionParams;
  price: Price;
  now: number;
  base: string;
}

/** An open session. During a trial nothing is due today. */
export function newSession({ params, price, now, base }: Facts): CheckoutSession {
  const id = newId('cs_test');
  const data = params.subscription_data;
  const isTrial = data?.trial_period_days !== undefined || data?.trial_end !== undefined;
  const quantity = params.line_items[0]?.quantity ?? 1;
  const amount = isTrial ? 0 : amountOf(price, quantity);
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer === undefined ? 'always' : null,
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: params.expires_at ?? now + DAY,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    line_items: listOf([lineItem(price, quantity, amount)], `/v1/checkout/sessions/${id}/line_items`),
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: withMetadata({}, params.metadata),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.payment_method_collection ?? 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: amount === 0 ? 'no_payment_required' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${base}/c/pay/${id}`,
    wallet_options: null,
  };
}

function lineItem(price: Price, quantity: number, amount: number): Stripe.LineItem {
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: null,
    discounts: [],
    metadata: {},
    price,
    quantity,
    taxes: [],
  };
}
