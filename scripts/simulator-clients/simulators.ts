import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_OPTIONS_OF_OURS, ROOT } from '../run.ts';
import { ControlClient } from './control-client.ts';
import { Mailbox } from './mailbox.ts';
import { SIMULATED_STRIPE, StripeControlClient } from './stripe.ts';

export const SIMULATORS = ['meta-graph', 'meta-status', 'mailbox', 'stripe', 'channels'] as const;
export type SimulatorName = (typeof SIMULATORS)[number];

/** The offset of each port from the first. */
const PORT_FLAGS: [flag: string, offset: number][] = [
  ...SIMULATORS.map((name, index): [string, number] => [`--${name}-port`, index]),
  ['--mailbox-smtp-port', 24],
];
export const USUAL_FIRST_PORT = 4001;
export const LAST_FIRST_PORT = 65_535 - 24;

/** The simulators accept exactly this app. */
export const SIMULATED_APP = { META_APP_ID: '1000000000000001', META_APP_SECRET: 'simulated-app-secret' };

/** The mailbox accepts any login. */
export const SIMULATED_SMTP_PASSWORD = 'simulated-smtp-password';

export interface Simulators {
  urls: ReadonlyMap<SimulatorName, string>;
  /** The settings that point the product to the simulators. */
  environment: Record<string, string>;
  graph: ControlClient;
  status: ControlClient;
  mailbox: Mailbox;
  stripe: StripeControlClient;
  /** Slack, Teams, Discord, PagerDuty and webhooks. */
  channels: ControlClient;
  stop: () => Promise<void>;
}

export interface SimulatorProgram extends Simulators {
  /** Its exit code or signal. */
  ended: Promise<string>;
}

/**
 * Starts the simulators in a child process, which ends with this one.
 * @param ports the first port for users, who need stable addresses; 'free' for tests
 * @param stripeFile keeps Stripe's account from one run to the next, as the product's database does
 */
export async function startSimulators(
  names: readonly SimulatorName[],
  ports: number | 'free',
  stripeFile?: string,
): Promise<SimulatorProgram> {
  const at = PORT_FLAGS.flatMap(([flag, offset]) => [flag, String(ports === 'free' ? 0 : ports + offset)]);
  const kept = stripeFile === undefined ? [] : ['--stripe-file', stripeFile];
  const args = [join(ROOT, 'simulators/main.ts'), '--only', names.join(','), '--with-parent', ...at, ...kept];
  const child = spawn(process.execPath, [...NODE_OPTIONS_OF_OURS, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]: (string | number | null)[]) =>
    String(signal ?? `exit code ${String(code)}`),
  );
  const urls = new Map<SimulatorName, string>();
  let smtpUrl: string | undefined;
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const started = JSON.parse(line) as { simulator: SimulatorName; url: string; smtpUrl?: string };
      urls.set(started.simulator, started.url);
      smtpUrl ??= started.smtpUrl;
      if (urls.size === names.length) return;
    }
    throw new Error('Without its simulators SmartPause does not start.');
  })();
  await ready;
  return {
    urls,
    environment: environmentFor(urls, smtpUrl),
    graph: new ControlClient(urls.get('meta-graph') ?? ''),
    status: new ControlClient(urls.get('meta-status') ?? ''),
    mailbox: new Mailbox(urls.get('mailbox') ?? ''),
    stripe: new StripeControlClient(urls.get('stripe') ?? ''),
    channels: new ControlClient(urls.get('channels') ?? ''),
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The services to simulate: a configured service is real. */
export function missingServices(env: NodeJS.ProcessEnv): SimulatorName[] {
  const isGiven = (...names: string[]): boolean => names.some((name) => (env[name] ?? '') !== '');
  const platform = isGiven('META_APP_ID', 'META_APP_SECRET', 'META_GRAPH_URL', 'META_DIALOG_URL');
  const given: Record<SimulatorName, boolean> = {
    'meta-graph': platform,
    'meta-status': platform || isGiven('META_STATUS_URL'),
    mailbox: isGiven('SMTP_URL'),
    stripe: isGiven('STRIPE_SECRET_KEY'),
    channels: platform || isGiven('ALLOWED_WEBHOOK_ADDRESSES'),
  };
  return SIMULATORS.filter((name) => !given[name]);
}

/** The settings that point the product to these simulators. */
export function environmentFor(
  urls: ReadonlyMap<SimulatorName, string>,
  smtpUrl: string | undefined,
): Record<string, string> {
  const graphUrl = urls.get('meta-graph');
  const statusUrl = urls.get('meta-status');
  const stripeUrl = urls.get('stripe');
  const channelsUrl = urls.get('channels');
  const others = [statusUrl, stripeUrl].filter((one) => one !== undefined);
  return {
    ...(others.length > 0 && { CONTROL_URLS: others.join() }),
    ...(graphUrl && { ...SIMULATED_APP, META_GRAPH_URL: graphUrl, META_DIALOG_URL: graphUrl }),
    ...(statusUrl && { META_STATUS_URL: statusUrl }),
    ...(smtpUrl && { SMTP_URL: smtpUrl.replace('//', `//smartpause:${SIMULATED_SMTP_PASSWORD}@`) }),
    ...(stripeUrl && { ...SIMULATED_STRIPE, STRIPE_API_URL: stripeUrl }),
    ...(channelsUrl && { ALLOWED_WEBHOOK_ADDRESSES: new URL(channelsUrl).host }),
  };
}
