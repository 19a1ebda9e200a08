import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { StripeEvent } from '../objects.ts';
import type { ApiCall } from '../world.ts';

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
  check(): string[] {
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

/** `exports` hides its folder but not its main file: `cjs/stripe.cjs.node.js`. */
const SDK = join(dirname(dirname(createRequire(import.meta.url).resolve('stripe'))), 'esm');
/** Only in memory, beside the declarations. */
const SAMPLES = join(SDK, 'samples.ts');
const SHARED = join(SDK, 'shared.d.ts');

/** In shared.d.ts: enums are open, and decimals are as the SDK presents them. */
const OPEN_ENUM = 'export type OtherString = string & Record<never, never>;';
const SDK_DECIMAL = "export { Decimal } from './Decimal.js';";

/** The codes of an error are those of a failed invoice: no other declaration lists them. */
const IMPORTS = `import type { Stripe } from './stripe.esm.node.js';
import type { StripeRawError as RawError } from './Types.js';
type ErrorBody = RawError & { code?: Stripe.Invoice.LastFinalizationError.Code };`;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
};

/**
 * Type-checks samples against the SDK's declarations, with closed enums and decimals as on the wire.
 * Each sample is a literal, so that an unknown field is an error too.
 */
export function checkDeclarations(samples: readonly Sample[]): string[] {
  const lines = samples.map(
    ({ type, body }, index) => `export const sample${index}: ${type} = ${JSON.stringify(body)};`,
  );
  const patched = new Map([
    [SAMPLES, [IMPORTS, ...lines].join('\n')],
    [SHARED, closedDeclarations()],
  ]);
  const host = ts.createCompilerHost(OPTIONS);
  const readFromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (file, options, ...rest) => {
    const text = patched.get(file);
    return text === undefined
      ? readFromDisk(file, options, ...rest)
      : ts.createSourceFile(file, text, options);
  };
  const errors = ts.getPreEmitDiagnostics(ts.createProgram([SAMPLES], OPTIONS, host));
  return errors.map((error) => ts.formatDiagnostic(error, host));
}

function closedDeclarations(): string {
  const shared = readFileSync(SHARED, 'utf8');
  if (!shared.includes(OPEN_ENUM) || !shared.includes(SDK_DECIMAL))
    throw new Error('The SDK declares open enums or decimals in another way: see shared.d.ts.');
  return shared
    .replace(OPEN_ENUM, 'export type OtherString = never;')
    .replace(SDK_DECIMAL, 'export type Decimal = string;');
}
