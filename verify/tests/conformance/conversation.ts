import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { StripeEvent } from '../../../simulators/stripe/objects.ts';
import type { ApiCall } from '../../../simulators/stripe/world.ts';

/** An object of the wire, and its type in the SDK, such as `Stripe.Subscription`. */
export interface Sample {
  type: string;
  body: unknown;
}

const TYPES: Record<string, string> = {
  'billing_portal.configuration': 'BillingPortal.Configuration',
  'billing_portal.session': 'BillingPortal.Session',
  'checkout.session': 'Checkout.Session',
  customer: 'Customer',
  event: 'Event',
  invoice: 'Invoice',
  price: 'Price',
  product: 'Product',
  subscription: 'Subscription',
  webhook_endpoint: 'WebhookEndpoint',
};

/** Collects the responses and events of a simulator, and checks them against the SDK's declarations. */
export class Conversation {
  #samples = new Map<string, Sample>();

  /** Call it before a reset. */
  async record(stripe: { calls(): Promise<ApiCall[]>; events(): Promise<StripeEvent[]> }): Promise<void> {
    const answers = (await stripe.calls()).map(({ answer }) => answer);
    for (const body of [...answers, ...(await stripe.events())])
      this.#samples.set(JSON.stringify(body), sampleOf(body));
  }

  /** The compiler's errors; none: everything conforms. */
  check(): Promise<string[]> {
    return checkDeclarations([...this.#samples.values()]);
  }
}

interface Wire {
  object?: unknown;
  deleted?: unknown;
  data?: Wire[];
  error?: unknown;
}

export function sampleOf(body: unknown): Sample {
  const wire = body as Wire;
  if (wire.error !== undefined) return { type: 'ErrorBody', body: wire.error };
  if (wire.object !== 'list') return { type: typeOf(wire), body };
  const [first] = wire.data ?? [];
  return { type: `Stripe.ApiList<${first === undefined ? 'Stripe.Customer' : typeOf(first)}>`, body };
}

function typeOf({ object, deleted }: Wire): string {
  const name = TYPES[String(object)];
  if (name === undefined) throw new Error(`there is no type for the object '${String(object)}'`);
  return deleted === true ? `Stripe.Deleted${name}` : `Stripe.${name}`;
}

const require = createRequire(import.meta.url);
/** `exports` hides its folder but not its main file: `cjs/stripe.cjs.node.js`. */
const SDK = join(dirname(dirname(require.resolve('stripe'))), 'esm');
const COMPILER = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

/** In shared.d.ts: enums are open, and decimals are as the SDK presents them. */
const OPEN_ENUM = 'export type OtherString = string & Record<never, never>;';
const SDK_DECIMAL = "export { Decimal } from './Decimal.js';";

/** The codes of an error are those of a failed invoice: no other declaration lists them. */
const IMPORTS = `import type { Stripe } from './stripe.esm.node.js';
import type { StripeRawError as RawError } from './Types.js';
/** The simulator leaves out fields that SmartPause does not read. */
type Simulated<T> = T extends readonly (infer U)[] ? Simulated<U>[] : T extends object ? { [K in keyof T]?: Simulated<T[K]> } : T;
type ErrorBody = RawError & { code?: Stripe.Invoice.LastFinalizationError.Code };`;

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  module: 'ESNext',
  moduleResolution: 'Bundler',
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: [],
};

/**
 * Type-checks samples against the SDK's declarations, with closed enums and decimals as on the wire.
 * Each sample is a literal, so that an unknown field is an error too.
 * @returns the compiler's lines, such as `samples.ts(4,14): error TS2353: …`
 */
export async function checkDeclarations(samples: readonly Sample[]): Promise<string[]> {
  const lines = samples.map(
    ({ type, body }, index) => `export const sample${index}: Simulated<${type}> = ${JSON.stringify(body)};`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-conformance-'));
  try {
    await cp(SDK, folder, { recursive: true, filter: (path) => !/\.js(\.map)?$/.test(path) });
    const shared = join(folder, 'shared.d.ts');
    await writeFile(shared, closedDeclarations(await readFile(shared, 'utf8')));
    await writeFile(join(folder, 'samples.ts'), [IMPORTS, ...lines].join('\n'));
    const config = { compilerOptions: OPTIONS, files: ['samples.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return await compile(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compile(folder: string): Promise<string[]> {
  const child = spawn(process.execPath, [COMPILER, '--pretty', 'false'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const lines = printed.split('\n').filter((line) => line !== '');
  if (code !== 0 && lines.length === 0) throw new Error(`the compiler ended with the code ${String(code)}`);
  return lines;
}

function closedDeclarations(shared: string): string {
  if (!shared.includes(OPEN_ENUM) || !shared.includes(SDK_DECIMAL))
    throw new Error('The SDK declares open enums or decimals in another way: see shared.d.ts.');
  return shared
    .replace(OPEN_ENUM, 'export type OtherString = never;')
    .replace(SDK_DECIMAL, 'export type Decimal = string;');
}
