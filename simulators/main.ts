import { parseArgs } from 'node:util';
import { startChannels } from './channels/server.ts';
import type { SimServer } from './kit/http.ts';
import { startMailbox } from './mailbox/server.ts';
import { startMetaGraph } from './meta-graph/server.ts';
import { startMetaStatus } from './meta-status/server.ts';
import { startStripe } from './stripe/server.ts';

/** Starts the simulators as a program: prints one line of JSON on stdout for each one that is ready. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'meta-graph,meta-status,mailbox,stripe,channels' },
    host: { type: 'string', default: '127.0.0.1' },
    'meta-graph-port': { type: 'string', default: '4001' },
    'meta-status-port': { type: 'string', default: '4002' },
    'mailbox-port': { type: 'string', default: '4003' },
    'mailbox-smtp-port': { type: 'string', default: '4025' },
    'stripe-port': { type: 'string', default: '4004' },
    'channels-port': { type: 'string', default: '4005' },
    /** File that stores Stripe's account between runs. */
    'stripe-file': { type: 'string' },
    /** Ends when the pipe on stdin closes: the parent process has ended. */
    'with-parent': { type: 'boolean', default: false },
  },
});

const { host } = values;
// Reachable only from this machine are the mailbox (any login), Stripe (no real payment) and the channels (any message).
const START: Record<string, () => Promise<SimServer & { smtpUrl?: string }>> = {
  'meta-graph': () => startMetaGraph({ host, port: Number(values['meta-graph-port']) }),
  'meta-status': () => startMetaStatus({ host, port: Number(values['meta-status-port']) }),
  mailbox: () =>
    startMailbox({ port: Number(values['mailbox-port']), smtpPort: Number(values['mailbox-smtp-port']) }),
  stripe: () => startStripe({ port: Number(values['stripe-port']), file: values['stripe-file'] }),
  channels: () => startChannels({ port: Number(values['channels-port']) }),
};
const running: SimServer[] = [];

async function stop(): Promise<void> {
  await Promise.all(running.map((server) => server.close()));
  process.exit(0);
}

process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
if (values['with-parent']) process.stdin.once('close', () => void stop()).resume();

try {
  for (const simulator of values.only.split(',')) {
    const start = START[simulator];
    if (start === undefined) throw new Error(`there is no simulator '${simulator}'`);
    const server = await start();
    running.push(server);
    process.stdout.write(`${JSON.stringify({ simulator, url: server.url, smtpUrl: server.smtpUrl })}\n`);
  }
} catch (error) {
  const { message, code, port } = error as Error & { code?: string; port?: number };
  const taken = `port ${port ?? ''} is taken. Is another SmartPause running? SIMULATOR_PORTS=free npm start takes other ports.`;
  process.stderr.write(`A simulator could not start: ${code === 'EADDRINUSE' ? taken : message}\n`);
  process.exit(1);
}
