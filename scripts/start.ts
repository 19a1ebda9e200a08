import { join } from 'node:path';
import { buildWeb } from './build.ts';
import { ConfigError, readConfig } from '../src/server/config.ts';
import { codeOf } from '../src/server/db/pool/pool.ts';
import { runServer } from '../src/server/main.ts';
import type { SimulatorName, Simulators } from './outside/simulators.ts';
import { LAST_FIRST_PORT, USUAL_FIRST_PORT, startSimulators } from './outside/simulators.ts';
import { ROOT } from './run.ts';
import { takeNoArguments } from './arguments.ts';

const SETTINGS_OF: Record<SimulatorName, string> = {
  'meta-graph': 'the ad platform (META_APP_ID, META_APP_SECRET)',
  'meta-status': 'the status page (META_STATUS_URL, or by default once META_APP_ID is set)',
  mailbox: 'mail (SMTP_URL, MAIL_FROM)',
  stripe: 'billing (STRIPE_SECRET_KEY and what npm run stripe:setup prints)',
};

/** What the page calls their control pages. */
const CALLED: Record<SimulatorName, string> = {
  'meta-graph': 'Ad platform',
  'meta-status': 'Status page',
  mailbox: 'Mailbox',
  stripe: 'Billing',
};

/** A service that is configured is real; one that is not is played by a program beside the product. */
function missingServices(env: NodeJS.ProcessEnv): SimulatorName[] {
  const given = (...names: string[]): boolean => names.some((name) => (env[name] ?? '') !== '');
  const platform = given('META_APP_ID', 'META_APP_SECRET', 'META_GRAPH_URL', 'META_DIALOG_URL');
  const status = platform || given('META_STATUS_URL');
  return [
    ...(platform ? [] : ['meta-graph' as const]),
    ...(status ? [] : ['meta-status' as const]),
    ...(given('SMTP_URL') ? [] : ['mailbox' as const]),
    ...(given('STRIPE_SECRET_KEY') ? [] : ['stripe' as const]),
  ];
}

/** Two checkouts on one machine: the second needs other ports than the usual. */
function simulatorPorts(given: string | undefined): number | 'free' {
  if (given === undefined || given === '') return USUAL_FIRST_PORT;
  if (given === 'free') return given;
  const first = Number(given);
  if (Number.isInteger(first) && first >= 1 && first <= LAST_FIRST_PORT) return first;
  throw new ConfigError(`SIMULATOR_PORTS is 'free', or the first of them, from 1 to ${LAST_FIRST_PORT}.`);
}

async function main(): Promise<void> {
  const missing = missingServices(process.env);
  if (process.env['NODE_ENV'] === 'production' && missing.length > 0 && process.env['DEMO'] !== '1') {
    throw new ConfigError(
      `Not configured: ${missing.map((name) => SETTINGS_OF[name]).join('; ')}. In production nothing is simulated (set DEMO=1 for a demonstration). ` +
        'See .env.example.',
    );
  }
  // Beside what the product remembers of it, so that both are deleted together.
  const stripeFile = join(process.env['DATA_DIR'] ?? './data', 'simulated-stripe');
  const ports = simulatorPorts(process.env['SIMULATOR_PORTS']);
  const simulators = missing.length === 0 ? null : await startSimulators(missing, ports, stripeFile);
  if (simulators !== null) void endWith(simulators);
  const config = readConfig({ ...process.env, ...simulators?.environment });
  const urls = simulators?.urls ?? new Map<SimulatorName, string>();
  await buildWeb();
  const practice = [...urls].map(([name, url]) => `${CALLED[name]}=${url}/_sim`);
  close = (await runServer(config, { webFolder: join(ROOT, 'dist/web'), practice })).close;
  if (urls.has('stripe')) await simulators?.stripe.registerEndpoint(`${config.publicUrl}/webhooks/stripe`);
  say(config.publicUrl, urls);
  sayGoodbye();
}

let close: () => Promise<void> = () => Promise.resolve();
let isStopping = false;

/** Without what plays Meta nothing here would be true any more: nobody is to wonder why Meta does not answer. */
async function endWith(simulators: Simulators): Promise<void> {
  const how = await simulators.ended;
  if (isStopping) return;
  process.stderr.write(`The simulators have ended (${how}), and SmartPause ends with them.\n`);
  await close().catch(() => undefined);
  process.exit(1);
}

function say(publicUrl: string, urls: ReadonlyMap<SimulatorName, string>): void {
  const lines = ['', `  SmartPause is running: ${publicUrl}`];
  for (const [name, url] of urls) lines.push(`  Simulated, not real:   ${name}, control page ${url}/_sim`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** In a terminal Ctrl-C is answered at once; what is on its way takes up to ten seconds more. It ends the simulators too. */
function sayGoodbye(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopping = true));
  process.once('SIGINT', () => process.stdout.write('\nStopping: what is on its way is finished first.\n'));
}

takeNoArguments(
  'npm start    SmartPause, with a simulator for each service that is not configured (.env.example)',
);
main().catch((error: unknown) => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isTaken = codeOf(error) === 'EADDRINUSE';
  const hint = isTaken ? '. Is another SmartPause running? PORT names another port.' : '';
  process.stderr.write(`${process.env['LOG_LEVEL'] === 'debug' ? (stack ?? message) : message}${hint}\n`);
  process.exit(1);
});
