import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_OPTIONS_OF_OURS, ROOT } from '../run.ts';
import { ControlDoor } from './control-door.ts';
import { Mailbox } from './mailbox.ts';
import { SIMULATED_STRIPE, StripeDoor } from './stripe.ts';

export const SIMULATORS = ['meta-graph', 'meta-status', 'mailbox', 'stripe'] as const;
export type SimulatorName = (typeof SIMULATORS)[number];

/** How far each port is from the first. */
const PORT_FLAGS: [flag: string, offset: number][] = [
  ...SIMULATORS.map((name, index): [string, number] => [`--${name}-port`, index]),
  ['--mailbox-smtp-port', 24],
];
export const USUAL_FIRST_PORT = 4001;
export const LAST_FIRST_PORT = 65_535 - 24;

/** What the simulators are reached by; they accept exactly this app. */
export const SIMULATED_APP = { META_APP_ID: '1000000000000001', META_APP_SECRET: 'simulated-app-secret' };

export interface Simulators {
  urls: ReadonlyMap<SimulatorName, string>;
  /** The settings that lead the product to them. */
  environment: Record<string, string>;
  graph: ControlDoor;
  status: ControlDoor;
  mailbox: Mailbox;
  stripe: StripeDoor;
  /** How the program ended: by which signal, or with which code. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/**
 * Starts simulators as a program of their own, which ends when this one does.
 * @param ports the first of them for people, who want to find them again; 'free' for tests
 * @param stripeFile where Stripe's account is kept from one run to the next, as the product's database is
 */
export async function startSimulators(
  names: readonly SimulatorName[],
  ports: number | 'free',
  stripeFile?: string,
): Promise<Simulators> {
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
      const told = JSON.parse(line) as { simulator: SimulatorName; url: string; smtpUrl?: string };
      urls.set(told.simulator, told.url);
      smtpUrl ??= told.smtpUrl;
      if (urls.size === names.length) return;
    }
    throw new Error('Without its simulators SmartPause does not start.');
  })();
  await ready;
  return {
    urls,
    environment: environmentFor(urls, smtpUrl),
    graph: new ControlDoor(urls.get('meta-graph') ?? ''),
    status: new ControlDoor(urls.get('meta-status') ?? ''),
    mailbox: new Mailbox(urls.get('mailbox') ?? ''),
    stripe: new StripeDoor(urls.get('stripe') ?? ''),
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function environmentFor(
  urls: ReadonlyMap<SimulatorName, string>,
  smtpUrl: string | undefined,
): Record<string, string> {
  const graphUrl = urls.get('meta-graph');
  const statusUrl = urls.get('meta-status');
  const stripeUrl = urls.get('stripe');
  return {
    ...(graphUrl === undefined
      ? {}
      : { ...SIMULATED_APP, META_GRAPH_URL: graphUrl, META_DIALOG_URL: graphUrl }),
    ...(statusUrl === undefined ? {} : { META_STATUS_URL: statusUrl }),
    ...(smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl }),
    ...(stripeUrl === undefined ? {} : { ...SIMULATED_STRIPE, STRIPE_API_URL: stripeUrl }),
  };
}
