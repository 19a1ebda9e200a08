import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/simulator-clients/stripe.ts';
import { API_VERSION } from '../../simulators/stripe/objects.ts';
import { PRICE_MONTHLY } from '../../simulators/stripe/routes.ts';
import { useStripe } from '../../simulators/stripe/stripe.fixture.ts';

// The simulator answers with what the types of Stripe's SDK declare: each body is compiled as a literal of its type.

/** The SDK's type of an object of the wire, if it is not the name in capitals. */
const TYPES: Record<string, string> = {
  'billing_portal.configuration': 'BillingPortal.Configuration',
  'billing_portal.session': 'BillingPortal.Session',
  'checkout.session': 'Checkout.Session',
  payment_method_configuration: 'PaymentMethodConfiguration',
  webhook_endpoint: 'WebhookEndpoint',
};

type Wire = { object?: string; deleted?: true; data?: Wire[]; error?: unknown };

function typeOf({ object = '', deleted, data, error }: Wire): string {
  if (error !== undefined) return '{ error: ErrorBody }';
  if (object === 'list') return `Stripe.ApiList<${data?.[0] === undefined ? 'object' : typeOf(data[0])}>`;
  const name = TYPES[object] ?? `${object.slice(0, 1).toUpperCase()}${object.slice(1)}`;
  return `Stripe.${deleted === true ? 'Deleted' : ''}${name}`;
}

const require = createRequire(import.meta.url);
/** `exports` hides its folder but not its main file: `cjs/stripe.cjs.node.js`. */
const SDK = join(dirname(dirname(require.resolve('stripe'))), 'esm');
const COMPILER = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
/** In shared.d.ts enums are open, and decimals are as the SDK presents them: closed here, and as on the wire. */
const CLOSED = [
  ['export type OtherString = string & Record<never, never>;', 'export type OtherString = never;'],
  ["export { Decimal } from './Decimal.js';", 'export type Decimal = string;'],
] as const;
/** The codes of an error are those of a failed invoice: no other declaration lists them. */
const IMPORTS = `import type { Stripe } from './stripe.esm.node.js';
import type { StripeRawError as RawError } from './Types.js';
/** The simulator leaves out fields that SmartPause does not read. */
type Simulated<T> = T extends readonly (infer U)[] ? Simulated<U>[] : T extends object ? { [K in keyof T]?: Simulated<T[K]> } : T;
type ErrorBody = RawError & { code?: Stripe.Invoice.LastFinalizationError.Code };`;
const OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true, types: [] },
  ...{ module: 'ESNext', moduleResolution: 'Bundler', target: 'ES2022', lib: ['ES2022', 'DOM'] },
};

/** @returns the compiler's errors, such as `samples.ts(4,14): error TS2353: …` */
async function compile(bodies: readonly Wire[]): Promise<string> {
  const samples = bodies.map(
    (body, index) => `export const a${index}: Simulated<${typeOf(body)}> = ${JSON.stringify(body)};`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-conformance-'));
  try {
    await cp(SDK, folder, { recursive: true, filter: (path) => !/\.js(\.map)?$/.test(path) });
    const file = join(folder, 'shared.d.ts');
    let shared = await readFile(file, 'utf8');
    for (const [open, closed] of CLOSED) {
      expect(shared).toContain(open);
      shared = shared.replace(open, closed);
    }
    await writeFile(file, shared);
    await writeFile(join(folder, 'samples.ts'), [IMPORTS, ...samples].join('\n'));
    const config = { compilerOptions: OPTIONS, files: ['samples.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, '--pretty', 'false'], { cwd: folder });
    return String(stdout) + String(stderr);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sim = useStripe();

/** Everything that the product and its setup ask of Stripe, and a year of a subscription. */
async function converse(): Promise<void> {
  const { stripe, control } = sim;
  const recurring = { interval: 'month' as const };
  const { id: product } = await stripe.products.create({ name: 'Another' });
  await stripe.prices.create({ product, currency: 'usd', unit_amount: 100, recurring });
  await stripe.webhookEndpoints.create({ url: 'https://example.test/webhooks', enabled_events: ['*'] });
  await stripe.webhookEndpoints.list();
  await stripe.prices.list({ active: true });
  await stripe.paymentMethodConfigurations.list();
  await stripe.billingPortal.configurations.list({ active: true });
  const { id: customer } = await stripe.customers.create({ email: 'ann@example.test' });
  const session = await stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer, line_items: [{ price: PRICE_MONTHLY, quantity: 1 }] },
    ...{ success_url: 'http://localhost:3000/done', cancel_url: 'http://localhost:3000/' },
    ...{ client_reference_id: '1', allowed_payment_method_types: ['card'] },
    subscription_data: { metadata: { user: '1' }, trial_period_days: 30 },
  });
  await control.pay(session.url ?? '');
  await stripe.checkout.sessions.retrieve(session.id);
  await stripe.checkout.sessions.list({ customer });
  const portal = await sim.openPortal(customer);
  for (const change of ['cancel', 'renew'] as const) await portal[change]();
  await portal.switchTo('price_smartpause_yearly');
  await portal.changeCard('needs_confirmation');
  await control.advance(40 * DAY_MS);
  await portal.changeCard('good');
  await control.advance(370 * DAY_MS);
  const expand = ['data.latest_invoice'];
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', expand });
  const id = data[0]?.id ?? '';
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
  await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
  await stripe.invoices.list({ customer });
  await stripe.customers.del(customer);
  await stripe.customers.retrieve(customer);
  await stripe.customers.retrieve('cus_unknown').catch(() => undefined);
  await stripe.customers.create({ email: 'x@com' }).catch(() => undefined);
}

test('every answer and event of the simulated Stripe conforms to the types of the SDK', async () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
  await converse();
  const answers = (await sim.control.calls()).map(({ answer }) => answer as Wire);
  const bodies: Wire[] = [...answers, ...((await sim.control.events()) as object[])];
  expect(new Set(bodies.map(typeOf)).size).toBeGreaterThan(12);
  expect(await compile(bodies)).toBe('');
  // The check itself can fail.
  const wrong = { object: 'subscription', status: 'sleeping' };
  expect(await compile([{ object: 'customer', emial: 'x' } as Wire, wrong])).toMatch(/\(6,[^]*\(7,/);
});
