import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';
import type { ApiCall } from '../api-log.ts';
import { TSCONFIG, patchedDeclarations } from './declarations.ts';

/** What the SDK declares that each call may be sent; calls that only take `expand` are left out. */
const PARAMS: Record<string, string> = {
  'POST /v1/products': 'ProductCreateParams',
  'POST /v1/products/:id': 'ProductUpdateParams',
  'GET /v1/products': 'ProductListParams',
  'POST /v1/prices': 'PriceCreateParams',
  'POST /v1/prices/:id': 'PriceUpdateParams',
  'GET /v1/prices': 'PriceListParams',
  'POST /v1/customers': 'CustomerCreateParams',
  'POST /v1/customers/:id': 'CustomerUpdateParams',
  'GET /v1/customers': 'CustomerListParams',
  'POST /v1/checkout/sessions': 'Checkout.SessionCreateParams',
  'POST /v1/checkout/sessions/:id': 'Checkout.SessionUpdateParams',
  'GET /v1/checkout/sessions': 'Checkout.SessionListParams',
  'POST /v1/subscriptions': 'SubscriptionCreateParams',
  'POST /v1/subscriptions/:id': 'SubscriptionUpdateParams',
  'DELETE /v1/subscriptions/:id': 'SubscriptionCancelParams',
  'GET /v1/subscriptions': 'SubscriptionListParams',
  'GET /v1/invoices': 'InvoiceListParams',
  'POST /v1/billing_portal/configurations': 'BillingPortal.ConfigurationCreateParams',
  'POST /v1/billing_portal/configurations/:id': 'BillingPortal.ConfigurationUpdateParams',
  'GET /v1/billing_portal/configurations': 'BillingPortal.ConfigurationListParams',
  'POST /v1/billing_portal/sessions': 'BillingPortal.SessionCreateParams',
  'POST /v1/webhook_endpoints': 'WebhookEndpointCreateParams',
  'POST /v1/webhook_endpoints/:id': 'WebhookEndpointUpdateParams',
  'GET /v1/events': 'EventListParams',
};

/** What is wrong with these requests by the SDK's declarations of their parameters, at any depth; empty: nothing. */
export async function checkRequests(calls: readonly Pick<ApiCall, 'name' | 'params'>[]): Promise<string[]> {
  const validator = await (loading ??= loadValidator());
  return calls.flatMap(({ name, params }) => {
    const validate = validator(name ?? '');
    // The validator makes numbers and booleans of texts, as a server does: it works on a copy.
    if (validate === undefined || validate(structuredClone(params))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params: about }) =>
        `${name ?? ''} ${instancePath} ${message ?? ''} ${JSON.stringify(about)}`,
    );
  });
}

let loading: ReturnType<typeof loadValidator> | undefined;

async function loadValidator(): Promise<(name: string) => ValidateFunction | undefined> {
  const schema = await requestSchema();
  const ajv = new Ajv({
    coerceTypes: true,
    strict: false,
    allErrors: true,
    schemas: [{ $id: 'sdk', ...schema }],
  });
  return (name) =>
    name in PARAMS ? ajv.getSchema(`sdk#/definitions/Requests/properties/${pointer(name)}`) : undefined;
}

function pointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Made once for each version of the SDK and list of calls: it takes some seconds. */
async function requestSchema(): Promise<object> {
  const home = await patchedDeclarations();
  const fields = Object.entries(PARAMS).map(([name, type]) => `  '${name}': Stripe.${type};`);
  const text = `import type { Stripe } from './stripe.esm.node.js';\nexport interface Requests {\n${fields.join('\n')}\n}\n`;
  const name = `requests-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  const file = join(home, `${name}.schema.json`);
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept) as object;
  const source = join(home, `${name}.ts`);
  const tsconfig = join(home, `${name}.tsconfig.json`);
  await writeFile(source, text);
  await writeFile(tsconfig, JSON.stringify({ ...TSCONFIG, files: [`${name}.ts`] }));
  const schema = createGenerator({
    path: source,
    tsconfig,
    type: 'Requests',
    skipTypeCheck: true,
  }).createSchema('Requests');
  // Whoever reads it meanwhile must never see half of it.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(schema));
  await rename(draft, file);
  return schema;
}
