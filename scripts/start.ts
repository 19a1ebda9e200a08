import { constants } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from './build.ts';
import type { Config } from '../src/server/config.ts';
import { ConfigError, readConfig } from '../src/server/config.ts';
import { codeOf } from '../src/server/db/pool/pool.ts';
import { runServer } from '../src/server/main.ts';
import type { SimulatorName, SimulatorProgram } from './outside/simulators.ts';
import { prepareAdvertiser } from './demo-mode/advertiser.ts';
import { PANEL_SCRIPT, demoRoutes } from './demo-mode/routes.ts';
import { OffsetClock } from './outside/offset-clock.ts';
import { LAST_FIRST_PORT, SIMULATORS, USUAL_FIRST_PORT, startSimulators } from './outside/simulators.ts';
import { ROOT } from './run.ts';
import type { Development } from './development.ts';
import { prepareDevelopment } from './development.ts';
import { takeNoArguments } from './arguments.ts';

const SETTINGS_OF: Record<SimulatorName, string> = {
  'meta-graph': 'the ad platform (META_APP_ID, META_APP_SECRET)',
  'meta-status': 'the status page (META_STATUS_URL, or by default once META_APP_ID is set)',
  mailbox: 'mail (SMTP_URL, MAIL_FROM)',
  stripe: 'billing (STRIPE_SECRET_KEY and what npm run stripe:setup prints)',
};

/** What the control page of each simulator is for; the demo banner names it so. */
const LINK_LABELS: Record<SimulatorName, string> = {
  'meta-graph': 'Change campaigns',
  'meta-status': 'Trigger an outage',
  mailbox: 'Read the emails',
  stripe: 'Manage billing',
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A replayed outage lasts half a minute, so the simulated status page is read more often than Meta's. */
const DEMO_POLL = { STATUS_POLL_SECONDS: '2' };

/** A configured service is real; for every other the start script runs a simulator. */
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

/** A second checkout on the same machine needs other ports. */
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
  // Stored with the product's data, so that both are deleted together.
  const stripeFile = join(process.env['DATA_DIR'] || './data', 'simulated-stripe');
  const ports = simulatorPorts(process.env['SIMULATOR_PORTS']);
  const simulators = missing.length === 0 ? null : await startSimulators(missing, ports, stripeFile);
  if (simulators !== null) void endWith(simulators);
  const pace = missing.includes('meta-status') ? DEMO_POLL : {};
  for (const signal of SIGNALS) process.on(signal, endEarly);
  development = prepareDevelopment({ ...pace, ...process.env, ...simulators?.environment });
  const own = await development;
  const config = readConfig(own.environment);
  const database = { ownsDatabase: own.ownsDatabase, afterClose: own.stop };
  const urls = simulators?.urls ?? new Map<SimulatorName, string>();
  await buildWeb();
  const pages = [...urls].map(([name, url]) => `${LINK_LABELS[name]}=${url}/_sim`);
  const webFolder = join(ROOT, 'dist/web');
  if (simulators === null || !SIMULATORS.every((name) => urls.has(name))) {
    await run(config, { ...database, webFolder, demo: { pages } });
    if (urls.has('stripe')) await simulators?.stripe.registerEndpoint(`${config.publicUrl}/webhooks/stripe`);
  } else await runDemo(config, { ...database, simulators, webFolder, pages });
  say(config.publicUrl, urls);
  sayGoodbye();
}

interface DemoOptions {
  simulators: SimulatorProgram;
  pages: string[];
  webFolder: string;
  ownsDatabase: boolean;
  afterClose: () => Promise<void>;
}

/** Everything is simulated: the pages get the demo panel, and an example advertiser is set up. */
async function runDemo(config: Config, { simulators, pages, ...options }: DemoOptions): Promise<void> {
  const { publicUrl } = config;
  const clock = new OffsetClock();
  const { promise: prepared, resolve, reject } = Promise.withResolvers<undefined>();
  prepared.catch((error: unknown) => {
    if (!isStopping) process.stderr.write(`The example advertiser could not be set up: ${String(error)}\n`);
  });
  const addRoutes = demoRoutes({ publicUrl, simulators, clock, prepared });
  const demo = { pages, head: PANEL_SCRIPT, addRoutes };
  await run(config, { ...options, clock, demo });
  await simulators.stripe.registerEndpoint(`${publicUrl}/webhooks/stripe`);
  void prepareAdvertiser(publicUrl, simulators).then(() => resolve(undefined), reject);
}

async function run(config: Config, options: Parameters<typeof runServer>[1]): Promise<void> {
  close = (await runServer(config, options)).close;
  for (const signal of SIGNALS) process.off(signal, endEarly);
}

let close: () => Promise<void> = () => Promise.resolve();
let development: Promise<Development> | null = null;
let isStopping = false;

/** PostgreSQL would outlive this process. */
async function stopDatabase(): Promise<void> {
  await development?.then((own) => own.stop()).catch(() => undefined);
}

/** Before the server handles signals there is nothing to finish. */
function endEarly(signal: (typeof SIGNALS)[number]): void {
  isStopping = true;
  void stopDatabase().then(() => process.exit(128 + constants.signals[signal]));
}

/** Without Meta's simulator the state would be wrong, and Meta's missing responses would be unexplained. */
async function endWith(simulators: SimulatorProgram): Promise<void> {
  const how = await simulators.ended;
  if (isStopping) return;
  process.stderr.write(`The simulators have ended (${how}), and SmartPause ends with them.\n`);
  await close().catch(() => undefined);
  await stopDatabase();
  process.exit(1);
}

function say(publicUrl: string, urls: ReadonlyMap<SimulatorName, string>): void {
  const lines = ['', `  SmartPause is running: ${publicUrl}`];
  if (SIMULATORS.every((name) => urls.has(name)))
    lines.push(
      `  See it at work:        ${publicUrl}/_demo/sign-in, an advertiser whose campaigns are set up`,
    );
  for (const [name, url] of urls) lines.push(`  Simulated, not real:   ${name}, control page ${url}/_sim`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** Confirms Ctrl-C at once; work in progress takes up to ten seconds more. Also ends the simulators. */
function sayGoodbye(): void {
  for (const signal of SIGNALS) process.once(signal, () => (isStopping = true));
  process.once('SIGINT', () => process.stdout.write('\nStopping: what is on its way is finished first.\n'));
}

takeNoArguments(
  'npm start    SmartPause, with a simulator for each service that is not configured (.env.example)',
);
main().catch(async (error: unknown) => {
  if (isStopping) return;
  await stopDatabase();
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isTaken = codeOf(error) === 'EADDRINUSE';
  const hint = isTaken ? '. Is another SmartPause running? PORT names another port.' : '';
  process.stderr.write(`${process.env['LOG_LEVEL'] === 'debug' ? (stack ?? message) : message}${hint}\n`);
  process.exit(1);
});
