import { constants } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../src/server/config/read-config.ts';
import { codeOf } from '../src/server/db/pool.ts';
import { runServer } from '../src/server/main.ts';
import { takeNoArguments } from './arguments.ts';
import { buildWeb } from './build.ts';
import { fail } from './command.ts';
import { prepareAdvertiser } from './demo-mode/advertiser.ts';
import { demoBanner } from './demo-mode/banner.ts';
import { PANEL_SCRIPT, demoRoutes } from './demo-mode/routes.ts';
import type { Development } from './development.ts';
import { prepareDevelopment } from './development.ts';
import { OffsetClock } from './demo-mode/offset-clock.ts';
import type { SimulatorName, SimulatorProgram } from './simulator-clients/simulators.ts';
import {
  LAST_FIRST_PORT,
  SIMULATORS,
  USUAL_FIRST_PORT,
  missingServices,
  startSimulators,
} from './simulator-clients/simulators.ts';

const SETTINGS_OF: Record<SimulatorName, string> = {
  'meta-graph': 'the ad platform (META_APP_ID, META_APP_SECRET)',
  'meta-status': 'the status page (META_STATUS_URL, or by default once META_APP_ID is set)',
  mailbox: 'mail (SMTP_URL, MAIL_FROM)',
  stripe: 'billing (STRIPE_SECRET_KEY and what npm run stripe:setup prints)',
  channels: 'webhooks (META_APP_ID, or ALLOWED_WEBHOOK_ADDRESSES)',
};

/** A replayed outage lasts half a minute, so the simulated status page is read more often than Meta's. */
const DEMO_POLL = { STATUS_POLL_SECONDS: '2' };

/** A second checkout on the same machine needs other ports. */
function simulatorPorts(given: string | undefined): number | 'free' {
  if (given === undefined || given === '') return USUAL_FIRST_PORT;
  if (given === 'free') return given;
  const first = Number(given);
  if (Number.isInteger(first) && first >= 1 && first <= LAST_FIRST_PORT) return first;
  throw new ConfigError(`SIMULATOR_PORTS is 'free', or the first of them, from 1 to ${LAST_FIRST_PORT}.`);
}

let close: (() => Promise<void>) | null = null;
let development: Promise<Development> | null = null;
let isStopping = false;

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
  development = prepareDevelopment({ ...pace, ...process.env, ...simulators?.environment });
  const { environment, ownsDatabase, stop: afterClose } = await development;
  const config = readConfig(environment);
  const { folder: webFolder } = await buildWeb();
  const urls = simulators?.urls ?? new Map<SimulatorName, string>();
  const banner = demoBanner(urls);
  const isDemo = missing.length === SIMULATORS.length;
  const prepared = Promise.withResolvers<undefined>();
  const options = { webFolder, ownsDatabase, afterClose };
  if (simulators === null || !isDemo) ({ close } = await runServer(config, { ...options, demo: { banner } }));
  else {
    const clock = new OffsetClock();
    const parts = { publicUrl: config.publicUrl, simulators, clock, prepared: prepared.promise };
    const demo = { banner, head: PANEL_SCRIPT, addRoutes: demoRoutes(parts) };
    ({ close } = await runServer(config, { ...options, clock, demo }));
  }
  if (urls.has('stripe')) await simulators?.stripe.registerEndpoint(`${config.publicUrl}/webhooks/stripe`);
  if (simulators !== null && isDemo)
    prepareAdvertiser(config.publicUrl, simulators).then(() => prepared.resolve(undefined), prepared.reject);
  prepared.promise.catch((error: unknown) => {
    if (!isStopping) process.stderr.write(`The example advertiser could not be set up: ${String(error)}\n`);
  });
  say(config.publicUrl, urls, isDemo);
}

function say(publicUrl: string, urls: ReadonlyMap<SimulatorName, string>, isDemo: boolean): void {
  const lines = ['', `  SmartPause is running: ${publicUrl}`];
  if (isDemo)
    lines.push(
      `  See it at work:        ${publicUrl}/_demo/sign-in, an advertiser whose campaigns are set up`,
    );
  for (const [name, url] of urls) lines.push(`  Simulated, not real:   ${name}, control page ${url}/_sim`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** PostgreSQL would outlive this process. */
async function stopDatabase(): Promise<void> {
  await development?.then((own) => own.stop()).catch(() => undefined);
}

/** Without Meta's simulator the state would be wrong, and Meta's missing responses would be unexplained. */
async function endWith(simulators: SimulatorProgram): Promise<void> {
  const how = await simulators.ended;
  if (isStopping) return;
  process.stderr.write(`The simulators have ended (${how}), and SmartPause ends with them.\n`);
  await close?.().catch(() => undefined);
  await stopDatabase();
  process.exit(1);
}

takeNoArguments(
  'npm start    SmartPause, with a simulator for each service that is not configured (.env.example)',
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const isFirst = !isStopping;
    isStopping = true;
    // Before the server handles signals there is nothing to finish.
    if (close === null) void stopDatabase().then(() => process.exit(128 + constants.signals[signal]));
    else if (signal === 'SIGINT' && isFirst)
      process.stdout.write('\nStopping: what is on its way is finished first.\n');
  });
}
main().catch(async (error: unknown) => {
  if (isStopping) return;
  await stopDatabase();
  const isTaken = codeOf(error) === 'EADDRINUSE';
  fail(error, isTaken ? '. Is another SmartPause running? PORT names another port.' : '');
});
