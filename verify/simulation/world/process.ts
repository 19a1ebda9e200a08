import { environmentFor } from '../../../scripts/simulator-clients/simulators.ts';
import { connectParts } from '../../../src/server/compose/app.ts';
import { readConfig } from '../../../src/server/config/read-config.ts';
import { createDb } from '../../../src/server/db/database.ts';
import type { AppOptions, Base } from '../../../src/server/compose/options.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import type { SendResult } from '../../../src/server/notifications/channels/channel.ts';
import type { OutgoingMail } from '../../../src/server/notifications/channels/email.ts';
import type { Log } from '../../../src/server/observability/log.ts';
import type { TokenCipher } from '../../../src/server/secrets.ts';
import type { ServiceDeps } from '../../../src/server/services/deps.ts';
import { stripeOver } from '../../../test/support/transports.ts';
import type { Break, SimulatedDatabase } from './database.ts';
import { Lifetime } from './lifetime.ts';
import type { Network } from './network.ts';
import { HOME, SERVERS } from './simulators.ts';
import type { VirtualClock } from './virtual-time.ts';

/** Scheduled tasks whose outcome the rules check. */
export const JOB_NAMES = [
  ...['leaving', 'checking tokens', 'reading subscriptions', 'long unknown', 'tidying up'],
];
/** Finds what other tools do. Only in histories that have one. */
export const READ_SCHEDULES = 'reading schedules of other tools';
/** Makes early warnings of what their sources say, and reports them. Only in histories whose sources say something. */
export const WARN = ['detecting outages', 'reporting early warnings'];
export const STALE_MS = 60_000 * 10;
export const ENCRYPTION_KEY = 'canary-encryption-key-of-32-characters-and-more';
const TIMINGS = { leaseMs: 30_000, pollMs: 5 * 60_000, sweepMs: 30 * 60_000 };
const URLS = new Map([
  ['meta-graph', SERVERS.graph],
  ['meta-status', SERVERS.status],
  ['stripe', SERVERS.stripe],
] as const);

const ignore = (): void => undefined;
const SILENT: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

interface Surroundings {
  time: VirtualClock;
  database: SimulatedDatabase;
  network: Network;
  cipher: TokenCipher;
  /** The Meta user who is the admin. */
  adminId: string;
  deliver: (mail: OutgoingMail) => Promise<SendResult>;
}

/** One process of the product: the real reconciler, scheduled tasks and services. It can end at any await. */
export class Process {
  readonly name: string;
  readonly lifetime = new Lifetime();
  readonly breaks: Break[] = [];
  readonly deps: ServiceDeps;
  readonly #parts: ReturnType<typeof connectParts>;

  constructor(name: string, { time, database, network, cipher, adminId, deliver }: Surroundings) {
    this.name = name;
    const { lifetime } = this;
    const clock = {
      now: () => time.now,
      after: (ms: number, callback: () => void) => time.after(ms, lifetime.guard(callback)),
    };
    const http = network.httpFor(lifetime);
    const mailer = { send: (mail: OutgoingMail) => lifetime.perform(() => deliver(mail)) };
    const options: AppOptions = {
      ...{ webFolder: '', timings: TIMINGS, concurrency: 10, clock, isStepped: true },
      transports: { http, stripe: stripeOver((request) => http.send(request)), mailer },
    };
    const config = readConfig({
      ...environmentFor(URLS, 'smtp://mail.test'),
      ...{ PUBLIC_URL: HOME, DATABASE_URL: 'postgres://database.test/simulated', ENCRYPTION_KEY },
      ...{ ADMIN_PLATFORM_IDS: adminId, STATUS_POLL_SECONDS: '60', MAIL_FROM: 'mail@smartpause.test' },
    });
    const db = createDb(database.poolFor(lifetime, this.breaks));
    const base: Base = {
      ...{ config, options, db, pagesDb: db, notificationsDb: db, cipher, clock, log: SILENT, owner: name },
      ...{ metrics: createMetrics(), staleMs: STALE_MS },
    };
    this.#parts = connectParts(base);
    this.deps = this.#parts.deps;
    this.#parts.worker?.reconciler.start();
  }

  /** Reads the status page once, as it does every poll interval. */
  async observe(): Promise<void> {
    await this.#parts.worker?.observe();
  }

  async runTask(name: string): Promise<void> {
    await this.#parts.worker?.runTask(name);
  }

  /** Shuts down as on SIGTERM. */
  async close(): Promise<void> {
    await this.#parts.worker?.reconciler.close();
    this.lifetime.end();
  }
}
