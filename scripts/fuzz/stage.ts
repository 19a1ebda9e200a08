import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../outside/free-port.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../outside/simulators.ts';
import type { FromProduct, Sweep, ToProduct, Verdict } from './messages.ts';
import { findByKey } from './people.ts';
import { FUZZ_ENCRYPTION_KEY } from './secrets.ts';

const VERDICT_MS = 10_000;
const KEPT_VERDICTS = 1000;

/** The running product with the simulators around it. */
export interface Stage {
  url: string;
  port: number;
  simulators: Simulators;
  /** What the product's process says of a request, once it is over there. Null: it never came. */
  verdictOf: (label: string) => Promise<Verdict | null>;
  /** Whether a request with this label has reached the product by now. */
  hasReached: (label: string) => boolean;
  sweep: () => Promise<Sweep>;
  tellSecret: (value: string) => void;
  stop: () => Promise<void>;
}

export async function startStage(databaseUrl: string): Promise<Stage> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const webFolder = await writeWeb();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = fork(join(import.meta.dirname, 'product.ts'), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      ...simulators.environment,
      DATABASE_URL: databaseUrl,
      WEB_FOLDER: webFolder,
      PORT: String(port),
      PUBLIC_URL: url,
      // Whose requests they are is told by a proxy of ours, so that limits by address do not stop the run.
      TRUST_PROXY: '1',
      ENCRYPTION_KEY: FUZZ_ENCRYPTION_KEY,
      ADMIN_PLATFORM_IDS: findByKey('boss').userId,
      LOG_LEVEL: 'debug',
    },
  });
  const inbox = new Inbox(child);
  await inbox.ready;
  await simulators.stripe.registerEndpoint(`${url}/webhooks/stripe`);
  await simulators.graph.post('/limits', { tier: 'off' });
  const say = (message: ToProduct) => void child.send(message);
  return {
    url,
    port,
    simulators,
    verdictOf: (label) => inbox.verdictOf(label),
    hasReached: (label) => inbox.hasReached(label),
    sweep: () => inbox.sweep(() => say({ kind: 'sweep' })),
    tellSecret: (value) => say({ kind: 'secret', value }),
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.connected) say({ kind: 'stop' });
      if (child.exitCode === null) await exited;
      await simulators.stop();
      await rm(webFolder, { recursive: true });
    },
  };
}

/** What the product's process has said and nobody has asked for yet. */
class Inbox {
  readonly ready: Promise<void>;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #waiting = new Map<string, (verdict: Verdict) => void>();
  readonly #smuggled = new Set<string>();
  #onSweep: ((sweep: Sweep) => void) | null = null;

  constructor(child: ChildProcess) {
    this.ready = new Promise((resolve, reject) => {
      child.once('exit', (code, signal) =>
        reject(new Error(`the product has ended: ${code ?? signal ?? ''}`)),
      );
      child.on('message', (message: FromProduct) => {
        if (message.kind === 'ready') resolve();
        else if (message.kind === 'sweep') this.#onSweep?.(message);
        else this.#take(message);
      });
    });
    this.ready.catch(() => undefined);
  }

  #take(verdict: Verdict): void {
    if (!/^\d+$/.test(verdict.label)) this.#smuggled.add(verdict.label);
    const waiting = this.#waiting.get(verdict.label);
    this.#waiting.delete(verdict.label);
    if (waiting === undefined) this.#verdicts.set(verdict.label, verdict);
    else waiting(verdict);
  }

  async verdictOf(label: string): Promise<Verdict | null> {
    const known = this.#verdicts.get(label);
    this.#verdicts.delete(label);
    if (known !== undefined) return known;
    const given = Promise.withResolvers<Verdict | null>();
    this.#waiting.set(label, given.resolve);
    const timer = setTimeout(() => given.resolve(null), VERDICT_MS);
    return given.promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(label);
    });
  }

  hasReached(label: string): boolean {
    return this.#smuggled.has(label);
  }

  async sweep(ask: () => void): Promise<Sweep> {
    const answer = new Promise<Sweep>((resolve) => (this.#onSweep = resolve));
    ask();
    // Of requests that nobody asked about: several went by one label.
    for (const label of [...this.#verdicts.keys()].slice(0, -KEPT_VERDICTS)) this.#verdicts.delete(label);
    return answer;
  }
}

/** What the server needs of a built web app. */
async function writeWeb(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-fuzz-'));
  const html = '<!doctype html><html><head></head><body></body></html>';
  for (const name of ['index.html', 'landing.html']) await writeFile(join(folder, name), html);
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/app.js'), 'export const app = 1;\n');
  return folder;
}
