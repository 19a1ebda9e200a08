import { parseArgs } from 'node:util';
import type { SimServer } from './kit/http.ts';
import { startMailbox } from './mailbox/server.ts';
import { startMetaGraph } from './meta-graph/server.ts';
import { startMetaStatus } from './meta-status/server.ts';
import { startStripe } from './stripe/server.ts';

const NAMES = ['meta-graph', 'meta-status', 'mailbox', 'stripe'];

/** Starts the simulators as a program: prints one line of JSON on stdout for each one that is ready. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: NAMES.join(',') },
    host: { type: 'string', default: '127.0.0.1' },
    'meta-graph-port': { type: 'string', default: '4001' },
    'meta-status-port': { type: 'string', default: '4002' },
    'mailbox-port': { type: 'string', default: '4003' },
    'mailbox-smtp-port': { type: 'string', default: '4025' },
    'stripe-port': { type: 'string', default: '4004' },
    /** File that stores Stripe's account between runs. */
    'stripe-file': { type: 'string' },
    /** Ends when the pipe on stdin closes: the parent process has ended. */
    'with-parent': { type: 'boolean', default: false },
  },
});

const { host } = values;
const wanted = values.only.split(',');
const running: SimServer[] = [];

async function start(name: string, run: () => Promise<SimServer & { smtpUrl?: string }>): Promise<void> {
  if (!wanted.includes(name)) return;
  const server = await run();
  running.push(server);
  process.stdout.write(`${JSON.stringify({ simulator: name, url: server.url, smtpUrl: server.smtpUrl })}\n`);
}

async function stop(): Promise<void> {
  await Promise.all(running.map((server) => server.close()));
  process.exit(0);
}

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
if (values['with-parent']) process.stdin.once('close', () => void stop()).resume();

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new Error(`'${text}' is no port`);
  return number;
}

try {
  const unknown = wanted.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`there is no '${unknown}', only ${NAMES.join(', ')}`);
  await start('meta-graph', () => startMetaGraph({ host, port: port(values['meta-graph-port']) }));
  await start('meta-status', () => startMetaStatus({ host, port: port(values['meta-status-port']) }));
  await start('mailbox', () =>
    startMailbox({ port: port(values['mailbox-port']), smtpPort: port(values['mailbox-smtp-port']) }),
  );
  // Like the mailbox, reachable only from this machine: its control API changes billing.
  await start('stripe', () =>
    startStripe({ port: port(values['stripe-port']), file: values['stripe-file'] }),
  );
} catch (error) {
  process.stderr.write(`A simulator could not start: ${describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  const taken = isTaken && 'port' in error && typeof error.port === 'number' ? error.port : null;
  return taken === null
    ? error.message
    : `port ${taken} is taken. Is another SmartPause running? SIMULATOR_PORTS=free npm start takes other ports.`;
}
