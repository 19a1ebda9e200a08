import Stripe from 'stripe';
import { createAdPlatform } from '../../src/server/platforms/meta/ads.ts';
import { createGraphClient } from '../../src/server/platforms/meta/client.ts';
import { guardClient } from '../../src/server/platforms/meta/guarded-client.ts';
import { createPlatformLogin } from '../../src/server/platforms/meta/login.ts';
import { createStatusPage } from '../../src/server/platforms/meta/status-page/status-page.ts';
import { createBilling } from '../../src/server/stripe/billing.ts';
import type { Mailer, OutgoingMail, SendResult } from '../../src/server/notifications/channels/email.ts';
import type { Clock } from '../../src/server/clock.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { recordStatus } from '../../src/server/db/status/status.ts';
import type { Engine, EngineTimings } from '../../src/server/reconciler/loop.ts';
import { startEngine } from '../../src/server/reconciler/loop.ts';
import type { ObserverDeps } from '../../src/server/reconciler/observe.ts';
import { observeOnce } from '../../src/server/reconciler/observe.ts';
import { JOBS } from '../../src/server/jobs.ts';
import type { Log } from '../../src/server/observability/log.ts';
import type { PostDeps } from '../../src/server/notifications/post.ts';
import { sendAllDue } from '../../src/server/notifications/post.ts';
import type { OperationDeps } from '../../src/server/services/deps.ts';
import { Readings } from '../../src/server/services/campaigns/readings.ts';
import { shareReads } from '../../src/server/services/campaigns/shared-reads.ts';
import type { Vault } from '../../src/server/secrets.ts';
import { PRICE_MONTHLY, PRICE_YEARLY, PORTAL_CONFIGURATION } from '../../simulators/stripe/seed.ts';
import { notByHand } from './by-hand.ts';
import type { Break, SimulatedDatabase } from './database.ts';
import type { Dice } from '../fixtures/dice.ts';
import { Life } from './life.ts';
import type { Network } from './network.ts';
import { HOSTS } from './network.ts';
import { APP, HOME, STRIPE } from './outside.ts';
import type { VirtualTime } from './virtual-time.ts';

export const STALE_MS = 60_000 * 10;
const POLL_MS = 60_000;
const TIMINGS: EngineTimings = { leaseMs: 30_000, pollMs: 5 * 60_000, sweepMs: 30 * 60_000 };

export interface Surroundings {
  time: VirtualTime;
  dice: Dice;
  database: SimulatedDatabase;
  network: Network;
  vault: Vault;
  /** The platform user who is the administrator. */
  adminId: string;
  post: (mail: OutgoingMail) => Promise<SendResult>;
  onLog: (line: string) => void;
}

/** One process of the product: the real engine, jobs and operations, with a life that can end at any await. */
export class Process {
  readonly name: string;
  readonly life: Life;
  readonly deps: OperationDeps;
  readonly breaks: Break[] = [];
  /** How far this process's clock is off. */
  skewMs = 0;
  readonly #observer: ObserverDeps;
  readonly #post: PostDeps;
  readonly #startedAt: number;
  readonly #engine: Engine;

  constructor(name: string, around: Surroundings) {
    this.name = name;
    this.life = new Life(name);
    const { time, dice, database, network } = around;
    const clock: Clock = {
      now: () => time.now + this.skewMs,
      after: (ms, ring) => time.after(ms, this.life.guard(ring)),
    };
    const db = database.dbFor(this.life, this.breaks);
    const http = network.httpFor(this.life);
    const log = logTo(around.onLog);
    const meta = {
      graphUrl: HOSTS.graph,
      dialogUrl: HOSTS.graph,
      apiVersion: 'v26.0',
      appId: APP.id,
      appSecret: APP.secret,
    };
    const graph = createGraphClient(meta, http, () => clock.now());
    const rolls = dice.for(`rolls of ${name}`);
    const roll = (): number => rolls.roll();
    const guarded = guardClient(graph, {
      roll,
      onChange: (isOpen) => {
        log.info({ isOpen }, 'Meta answers, or nobody');
        if (!isOpen) this.lookAgain();
      },
    });
    const platform = createAdPlatform(guarded.graph, meta.appId);
    const billing = createBilling(
      {
        secretKey: STRIPE.key,
        webhookSecrets: [STRIPE.webhookSecret],
        prices: { monthly: PRICE_MONTHLY, yearly: PRICE_YEARLY },
        portalConfiguration: PORTAL_CONFIGURATION,
        apiUrl: HOSTS.stripe,
      },
      (details) => log.warn(details, 'Stripe did not do it'),
      { httpClient: Stripe.createFetchHttpClient(fetchThrough(network, this.life)) },
    );
    this.deps = {
      db,
      shared: shareReads(db, clock),
      vault: around.vault,
      platform,
      login: createPlatformLogin(meta, graph),
      billing,
      around: {
        platform: () => guarded.gate.outage(),
        billing: () => null,
        database: () => Promise.resolve('fine'),
      },
      clock,
      log,
      readings: new Readings(() => clock.now()),
      owner: name,
      wake: () => notByHand(() => this.#engine.wake()),
      staleMs: STALE_MS,
      isProductionLike: false,
      redirectUri: `${HOME}/auth/facebook/callback`,
      publicUrl: HOME,
      appointed: [{ platformUserId: around.adminId, role: 'administrators' }],
    };
    const page = createStatusPage({
      url: HOSTS.status,
      services: [{ product: 'ads-manager', service: 'Ads Delivery' }],
      http,
    });
    const common = { db, clock, log, owner: name, staleMs: STALE_MS };
    const { vault } = around;
    this.#startedAt = clock.now();
    const { gate } = guarded;
    this.#engine = startEngine({ ...common, vault, platform, gate, roll, timings: TIMINGS, concurrency: 10 });
    this.#observer = {
      ...common,
      page,
      pollMs: POLL_MS,
      laneLeaseMs: TIMINGS.leaseMs,
      onChange: () => this.#engine.wake(),
    };
    const mailer: Mailer = { send: (mail) => this.life.deal(() => around.post(mail)) };
    const isHurried = (): boolean => this.#engine.isHurried();
    this.#post = { db, clock, log, mailer, publicUrl: HOME, mailDomain: 'smartpause.test', roll, isHurried };
  }

  /** Reads the status page once, as it does every poll interval. */
  observe(): Promise<void> {
    return observeOnce(this.#observer);
  }

  sendMails(): Promise<void> {
    return sendAllDue(this.#post);
  }

  async doJob(name: string): Promise<void> {
    const job = JOBS.find((one) => one.name === name);
    if (job === undefined) throw new Error(`there is no job '${name}'`);
    await job.run(this.deps, this.#startedAt);
  }

  /** By an administrator who is none of the history's people. */
  clearDirective(): Promise<void> {
    const { db, clock } = this.deps;
    return inTransaction(db, async (tx) => {
      await recordStatus(tx, { directive: null }, clock.now(), { staleMs: STALE_MS });
    });
  }

  lookAgain(): void {
    notByHand(() => this.#engine.wake());
  }

  /** As on SIGTERM. */
  async close(): Promise<void> {
    await this.#engine.close();
    this.life.end();
  }
}

function logTo(tell: (line: string) => void): Log {
  const write = (details: object, message: string): void => {
    const plain = JSON.stringify(details, (_key, value: unknown) =>
      value instanceof Error ? `${value.name}: ${value.message}` : value,
    );
    tell(`${message} ${plain}`);
  };
  return { debug: () => undefined, info: write, warn: write, error: write };
}

/** What Stripe's SDK needs of fetch. */
function fetchThrough(network: Network, life: Life): typeof fetch {
  return (async (address: string | URL, init?: RequestInit) => {
    const method = init?.method === 'POST' || init?.method === 'DELETE' ? init.method : 'GET';
    const { headers, body } = init ?? {};
    const result = await network.carryFor(life, {
      method,
      url: new URL(address),
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { body } : {}),
      timeoutMs: 8000,
    });
    if (!result.ok) throw Object.assign(new TypeError('fetch failed'), { code: result.message });
    return {
      status: result.status,
      headers: new Headers(result.headers),
      json: () => Promise.resolve(JSON.parse(result.body) as unknown),
      text: () => Promise.resolve(result.body),
    };
  }) as unknown as typeof fetch;
}
