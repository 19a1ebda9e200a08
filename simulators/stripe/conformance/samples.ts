import type { Sample } from './declarations.ts';

const TYPES: Record<string, string> = {
  'billing_portal.configuration': 'BillingPortal.Configuration',
  'billing_portal.session': 'BillingPortal.Session',
  'checkout.session': 'Checkout.Session',
  customer: 'Customer',
  event: 'Event',
  invoice: 'Invoice',
  item: 'LineItem',
  payment_method: 'PaymentMethod',
  price: 'Price',
  product: 'Product',
  subscription: 'Subscription',
  webhook_endpoint: 'WebhookEndpoint',
};

interface Wire {
  object?: unknown;
  deleted?: unknown;
  data?: Wire[];
  error?: unknown;
}

/** What a reply of the API is to the SDK. */
export function sampleOf(body: unknown): Sample {
  const wire = body as Wire;
  if (wire.error !== undefined) return { type: 'ErrorBody', body: wire.error };
  if (wire.object !== 'list') return { type: typeOf(wire), body };
  const [first] = wire.data ?? [];
  const item = first === undefined ? 'Stripe.Customer' : typeOf(first);
  return { type: `Stripe.ApiList<${item}>`, body };
}

function typeOf({ object, deleted }: Wire): string {
  const name = TYPES[String(object)];
  if (name === undefined) throw new Error(`nobody has said what '${String(object)}' is to the SDK`);
  return deleted === true ? `Stripe.Deleted${name}` : `Stripe.${name}`;
}
