import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ROUTES } from '../../../simulators/stripe/resources/routes.ts';
import type { Sample } from './conversation.ts';
import { checkDeclarations } from './conversation.ts';

/** The SDK's type of the parameters of each call. A call without an entry must take none. */
const TYPES: Record<string, string> = {
  'POST /v1/products': 'ProductCreateParams',
  'POST /v1/prices': 'PriceCreateParams',
  'GET /v1/prices': 'PriceListParams',
  'POST /v1/customers': 'CustomerCreateParams',
  'POST /v1/checkout/sessions': 'Checkout.SessionCreateParams',
  'GET /v1/checkout/sessions': 'Checkout.SessionListParams',
  'GET /v1/subscriptions': 'SubscriptionListParams',
  'POST /v1/subscriptions/:id': 'SubscriptionUpdateParams',
  'DELETE /v1/subscriptions/:id': 'SubscriptionCancelParams',
  'GET /v1/invoices': 'InvoiceListParams',
  'POST /v1/billing_portal/configurations': 'BillingPortal.ConfigurationCreateParams',
  'GET /v1/billing_portal/configurations': 'BillingPortal.ConfigurationListParams',
  'POST /v1/billing_portal/configurations/:id': 'BillingPortal.ConfigurationUpdateParams',
  'POST /v1/billing_portal/sessions': 'BillingPortal.SessionCreateParams',
  'POST /v1/webhook_endpoints': 'WebhookEndpointCreateParams',
  'GET /v1/webhook_endpoints': 'WebhookEndpointListParams',
  'POST /v1/webhook_endpoints/:id': 'WebhookEndpointUpdateParams',
};

/** The parts of a schema's definition that are read. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  entries?: Record<string, string>;
  values?: unknown[];
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  valueType?: z.ZodType;
}

/** Values with every parameter that a schema accepts, and with each value of each enum. */
function valuesOf(schema: z.ZodType | undefined, name = ''): unknown[] {
  const { type, shape = {}, ...definition } = (schema as unknown as { def: Definition }).def;
  switch (type) {
    case 'object': {
      const fields = Object.entries(shape).map(([key, one]) => [key, valuesOf(one, key)] as const);
      const count = Math.max(1, ...fields.map(([, values]) => values.length));
      return Array.from({ length: count }, (_none, index) =>
        Object.fromEntries(fields.map(([key, values]) => [key, values[index % values.length]])),
      );
    }
    case 'optional':
    case 'default':
      return valuesOf(definition.innerType, name);
    case 'array':
      return valuesOf(definition.element, name).map((value) => [value]);
    case 'record':
      return valuesOf(definition.valueType, name).map((value) => ({ key: value }));
    case 'pipe':
      return valuesOf(definition.in, name).map((value) => (value === 'text' ? 1 : value));
    case 'enum':
      return Object.values(definition.entries ?? {}).map(ofForm);
    case 'literal':
      return (definition.values ?? []).map(ofForm);
    case 'string':
      return name === 'enabled_events' ? ['*'] : name === 'api_version' ? ['2020-08-27'] : ['text'];
    default:
      throw new Error(`no value for a schema of the type '${type}'`);
  }
}

/** A form has text where the SDK takes a boolean or a number. */
function ofForm(value: unknown): unknown {
  return /^(true|false|\d+)$/.test(String(value)) ? (JSON.parse(String(value)) as unknown) : value;
}

const samples: Sample[] = ROUTES.flatMap(({ name, params }) =>
  valuesOf(params).map((body) => ({ type: `Stripe.${TYPES[name] ?? 'RequestOptions'}`, body })),
);

test('every parameter that the simulator accepts is one of the SDK, with the same values', async () => {
  const undeclared = ROUTES.filter(({ name }) => TYPES[name] === undefined).flatMap(({ params }) =>
    Object.keys(valuesOf(params)[0] as object),
  );
  expect(undeclared).toEqual([]);
  expect(await checkDeclarations(samples)).toEqual([]);
});
