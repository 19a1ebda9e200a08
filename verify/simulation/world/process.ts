import { createAdPlatform } from '../../../src/server/platforms/meta/ads.ts';
import { createGraphClient } from '../../../src/server/platforms/meta/client.ts';
import { guardClient } from '../../../src/server/platforms/meta/guarded-client.ts';
import { createPlatformLogin } from '../../../src/server/platforms/meta/login.ts';
import { createStatusPage } from '../../../src/server/platforms/meta/status-page/status-page.ts';
import { Billing } from '../../../src/server/stripe/billing.ts';
import type { Mailer, OutgoingMail, SendResult } from '../../../src/server/notifications/channels/email.ts';
import type { Clock } from '../../../src/server/clock.ts';
import { createDb, inTransaction } from '../../../src/server/db/database.ts';
import { recordStatus } from '../../../src/server/db/status/status.ts';
import type { ReconcilerTimings } from '../../../src/server/reconciler/loop.ts';
import { Reconciler } from '../../../src/server/reconciler/loop.ts';
import type { ObserverDeps } from '../../../src/server/reconciler/observe.ts';
import { observeOnce } from '../../../src/server/reconciler/observe.ts';
import { SCHEDULED_TASKS } from '../../../src/server/scheduled-tasks.ts';
import type { Log } from '../../../src/server/observability/log.ts';
import type { OutboxWorkerDeps } from '../../../src/server/notifications/outbox-worker.ts';
import { sendAllDue } from '../../../src/server/notifications/outbox-worker.ts';
import type { ServiceDeps } from '../../../src/server/services/deps.ts';
import { ListRefreshes } from '../../../src/server/services/campaigns/list-refreshes.ts';
import { shareReads } from '../../../src/server/services/campaigns/shared-reads.ts';
import type { TokenCipher } from '../../../src/server/secrets.ts';
import { PRICE_MONTHLY, PRICE_YEARLY, PORTAL_CONFIGURATION } from '../../../simulators/stripe/routes.ts';
import { stripeOver } from '../../../test/support/transports.ts';
import type { Break, SimulatedDatabase } from './database.ts';
import type { Random } from '../../fixtures/random.ts';
import { Lifetime } from './lifetime.ts';
import type { Network } from './network.ts';
import { SERVERS } from './network.ts';
import { APP, HOME, STRIPE } from './simulators.ts';
import type { VirtualClock } from './virtual-time.ts';

export const STALE_MS = 60_000 * 10;
const POLL_MS = 60_000;
const TIMINGS: ReconcilerTimings = { leaseMs: 30_000, pollMs: 5 * 60_000, sweepMs: 30 * 60_000 };

interface ProcessEnvironment {
  name: string;
  time: VirtualClock;
  random: Random;
  database: SimulatedDatabase;
  network: Network;
  cipher: TokenCipher;
  /** The Meta user who is the admin. */
  adminId: string;
  deliver: (mail: OutgoingMail) => Promise<SendResult>;
  onLog: (line: string) => void;
}

/** The clients of Meta and Stripe as one process has them, over the simulated network. */
function createClients(
  { network, random, name }: ProcessEnvironment,
  lifetime: Lifetime,
  { clock, log }: Common,
) {
  const http = network.httpFor(lifetime);
  const meta = {
    ...{ graphUrl: SERVERS.graph, dialogUrl: SERVERS.graph, apiVersion: 'v26.0' },
    ...{ appId: APP.id, appSecret: APP.secret },
  };
  const graph = createGraphClient(meta, http, () => clock.now());
  const rolls = random.for(`rolls of ${name}`);
  const roll = (): number => rolls.next();
  const billing = new Billing(
    {
      secretKey: STRIPE.key,
      webhookSecrets: [STRIPE.webhookSecret],
      prices: { monthly: PRICE_MONTHLY, yearly: PRICE_YEARLY },
      portalConfiguration: PORTAL_CONFIGURATION,
      apiUrl: SERVERS.stripe,
    },
    (details) => log.warn(details, 'Stripe request failed'),
    stripeOver((request) => http.send(request)),
  );
  const services = [{ product: 'ads-manager', service: 'Ads Delivery' }];
  const page = createStatusPage({ url: SERVERS.status, services, http });
  return { meta, graph, roll, billing, page };
}

interface Common {
  clock: Clock;
  log: Log;
}

/** One process of the product: the real reconciler, scheduled tasks and services. It can end at any await. */
export class Process {
  readonly name: string;
  readonly lifetime: Lifetime;
  readonly deps: ServiceDeps;
  readonly breaks: Break[] = [];
  /** The clock skew of this process. */
  skewMs = 0;
  readonly #observer: ObserverDeps;
  readonly #post: OutboxWorkerDeps;
  readonly #startedAt: number;
  readonly #reconciler: Reconciler;

  constructor(environment: ProcessEnvironment) {
    const { time, database, cipher, name } = environment;
    this.name = name;
    this.lifetime = new Lifetime(name);
    const clock: Clock = {
      now: () => time.now + this.skewMs,
      after: (ms, callback) => time.after(ms, this.lifetime.guard(callback)),
    };
    const db = createDb(database.poolFor(this.lifetime, this.breaks));
    const log = logTo(environment.onLog);
    const { meta, graph, roll, billing, page } = createClients(environment, this.lifetime, { clock, log });
    const guarded = guardClient(graph, {
      roll,
      onChange: (isOpen) => {
        log.info({ isOpen }, 'Meta API circuit breaker changed');
        if (!isOpen) this.#wake();
      },
    });
    const platform = createAdPlatform(guarded.graph, meta.appId);
    const common = { db, clock, log, owner: name, staleMs: STALE_MS };
    const { gate } = guarded;
    this.#startedAt = clock.now();
    this.deps = {
      ...{ ...common, cipher, platform, billing, isProductionLike: false, publicUrl: HOME },
      statusServices: [],
      statusPollMs: POLL_MS,
      sharedReads: shareReads(db, clock),
      login: createPlatformLogin(meta, graph),
      isPlatformDown: () => gate.isOpen(),
      systemNumbers: () => Promise.reject(new Error('no history reads System health')),
      refreshes: new ListRefreshes(() => clock.now()),
      wake: () => this.#wake(),
      redirectUri: `${HOME}/auth/facebook/callback`,
      configuredRoles: [{ platformUserId: environment.adminId, role: 'administrators' }],
    };
    this.#reconciler = new Reconciler({
      ...common,
      cipher,
      platform,
      gate,
      roll,
      timings: TIMINGS,
      concurrency: 10,
    });
    this.#reconciler.start();
    const onChange = (): void => this.#reconciler.wake();
    this.#observer = { ...common, page, pollMs: POLL_MS, workItemLeaseMs: TIMINGS.leaseMs, onChange };
    const mailer: Mailer = { send: (mail) => this.lifetime.perform(() => environment.deliver(mail)) };
    const isBusy = (): boolean => this.#reconciler.isBusy();
    this.#post = { db, clock, log, mailer, publicUrl: HOME, mailDomain: 'smartpause.test', roll, isBusy };
  }

  /** Reads the status page once, as it does every poll interval. */
  async observe(): Promise<void> {
    await observeOnce(this.#observer);
  }

  sendMails(): Promise<void> {
    return sendAllDue(this.#post);
  }

  async doJob(name: string): Promise<void> {
    const job = SCHEDULED_TASKS.find((one) => one.name === name);
    if (job === undefined) throw new Error(`there is no job '${name}'`);
    await job.run(this.deps, this.#startedAt);
  }

  /** By an admin who is not a user of the history. */
  clearDirective(): Promise<void> {
    const { db, clock } = this.deps;
    return inTransaction(db, async (tx) => {
      await recordStatus(tx, { directive: null }, clock.now(), { staleMs: STALE_MS });
    });
  }

  #wake(): void {
    this.#reconciler.wake();
  }

  /** Shuts down as on SIGTERM. */
  async close(): Promise<void> {
    await this.#reconciler.close();
    this.lifetime.end();
  }
}

function logTo(onLine: (line: string) => void): Log {
  const write = (details: object, message: string): void => {
    const plain = JSON.stringify(details, (_key, value: unknown) =>
      value instanceof Error ? `${value.name}: ${value.message}` : value,
    );
    onLine(`${message} ${plain}`);
  };
  return { debug: () => undefined, info: write, warn: write, error: write };
}
