import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiCall } from '../api-log.ts';
import type { StripeEvent } from '../objects.ts';

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

  /** To be called before a reset. */
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

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** Its package.json cannot be resolved by name, its main file can: `cjs/stripe.cjs.node.js`. */
const SDK = dirname(dirname(require.resolve('stripe')));
const TSC = join(dirname(require.resolve('typescript/package.json')), 'lib/tsc.js');

/** The SDK's file that leaves enums open and has decimals as the SDK presents them. */
const OPEN_ENUM = 'export type OtherString = string & Record<never, never>;';
const SDK_DECIMAL = "export { Decimal } from './Decimal.js';";

/** Type-checks samples against the SDK's declarations, with enums closed and decimals as they are on the wire. */
export async function checkDeclarations(samples: readonly Sample[]): Promise<string[]> {
  if (samples.length === 0) return [];
  const declarations = await patchedDeclarations();
  const folder = await mkdtemp(join(tmpdir(), 'stripe-samples-'));
  try {
    await symlink(declarations, join(folder, 'sdk'), 'junction');
    await writeFile(join(folder, 'samples.ts'), samplesFile(samples));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    const ended = await run(process.execPath, [TSC, '-p', '.', '--pretty', 'false'], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error: unknown) => error as { stdout: string });
    return ended.stdout.split('\n').filter((line) => line.trim() !== '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'ESNext',
    moduleResolution: 'Bundler',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    preserveSymlinks: true,
  },
  files: ['samples.ts'],
};

/** The codes of an error are those of a failed invoice: no other declaration lists them. */
const IMPORTS = `import type { Stripe } from './sdk/stripe.esm.node.js';
import type { StripeRawError as RawError } from './sdk/Types.js';
type ErrorBody = RawError & { code?: Stripe.Invoice.LastFinalizationError.Code };`;

/** Each sample is a literal, so that an unknown field is an error too. */
function samplesFile(samples: readonly Sample[]): string {
  const lines = samples.map(
    ({ type, body }, index) => `export const sample${index}: ${type} = ${JSON.stringify(body)};`,
  );
  return `${IMPORTS}\n${lines.join('\n')}\n`;
}

/** Made once for each version of the SDK, also when several processes ask at once. */
async function patchedDeclarations(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8')) as { version: string };
  const home = join(dirname(SDK), '.cache', `stripe-declarations-${version}`);
  const isThere = await readFile(join(home, 'shared.d.ts')).then(
    () => true,
    () => false,
  );
  if (isThere) return home;
  await mkdir(dirname(home), { recursive: true });
  const making = await mkdtemp(`${home}-`);
  await cp(join(SDK, 'esm'), making, {
    recursive: true,
    filter: (source) => !/\.(js|map)$/.test(source),
  });
  const file = join(making, 'shared.d.ts');
  const shared = await readFile(file, 'utf8');
  if (!shared.includes(OPEN_ENUM) || !shared.includes(SDK_DECIMAL))
    throw new Error('The SDK declares open enums or decimals in another way: see shared.d.ts.');
  const closed = shared
    .replace(OPEN_ENUM, 'export type OtherString = never;')
    .replace(SDK_DECIMAL, 'export type Decimal = string;');
  await writeFile(file, closed);
  await rename(making, home).catch(() => rm(making, { recursive: true, force: true }));
  return home;
}
