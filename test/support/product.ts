import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/programs/free-port.ts';
import type { UserOverHttp } from '../../scripts/simulator-clients/user.ts';
import { signIn } from '../../scripts/simulator-clients/user.ts';
import type { Simulators } from '../../scripts/simulator-clients/simulators.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import type { App } from '../../src/server/compose/app.ts';
import { createApp } from '../../src/server/compose/app.ts';
import { readConfig } from '../../src/server/config/read-config.ts';
import type { RateLimits } from '../../src/server/http/rate-limits.ts';
import type { Database } from '../../src/server/db/open-database.ts';
import type { ReconcilerTimings } from '../../src/server/reconciler/loop.ts';
import { OffsetClock } from '../../scripts/demo-mode/offset-clock.ts';
import type { LocalSimulators } from './simulators.ts';
import { mailerTo } from './transports.ts';
import { plantTrial } from './planted-trial.ts';
import { writeDocuments } from './web-folder.ts';

export interface TestProduct {
  url: string;
  app: App;
  clock: OffsetClock;
  close: () => Promise<void>;
}

export interface TestProductOptions {
  simulators: Simulators & Partial<Pick<LocalSimulators, 'transports' | 'mails'>>;
  /** Emails go by SMTP, and not by a call. */
  usesSmtp?: boolean;
  database: Database;
  environment?: Record<string, string>;
  clock?: OffsetClock;
  /** By the clocks of the machine and of the database, as in production. */
  usesSystemClock?: boolean;
  timings?: ReconcilerTimings;
  rateLimits?: Partial<RateLimits>;
  /** No other process uses the database. */
  ownsDatabase?: boolean;
  logTo?: NodeJS.WritableStream;
  /** Background work happens only in `turn` and `runTask`. */
  isStepped?: boolean;
  /** Of the built web app; by default one with its documents alone. */
  webFolder?: string;
  /** Adds files to that folder. */
  addToWeb?: (folder: string) => Promise<void>;
}

export const KEY_OF_TESTS = 'a-key-for-tests-of-32-characters-or-more';

export const QUICK: ReconcilerTimings = { leaseMs: 30_000, pollMs: 100, sweepMs: 60_000 };

/** The product in this process, on a real port and database, with the simulators around it. */
export async function startProduct(options: TestProductOptions): Promise<TestProduct> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ownFolder = options.webFolder === undefined ? await makeWebFolder() : null;
  const webFolder = options.webFolder ?? ownFolder ?? '';
  await options.addToWeb?.(webFolder);
  const config = readConfig({
    ...options.simulators.environment,
    PORT: String(port),
    PUBLIC_URL: url,
    STATUS_POLL_SECONDS: '0.1',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    // The database is open already.
    DATABASE_URL: 'postgres://database.invalid/open',
    ENCRYPTION_KEY: KEY_OF_TESTS,
    ...options.environment,
  });
  const clock = options.clock ?? new OffsetClock();
  const { database, timings = QUICK, logTo, rateLimits } = options;
  const { ownsDatabase = false, isStepped = false } = options;
  const { transports, mails } = options.simulators;
  const mailer = mails && !options.usesSmtp ? { mailer: mailerTo(mails, config.mail.from) } : {};
  const app = await createApp(config, {
    ...{ webFolder, timings, database, ownsDatabase, isStepped },
    ...(options.usesSystemClock !== true && { clock }),
    transports: { ...transports, ...mailer },
    ...(logTo && { logTo }),
    ...(rateLimits && { rateLimits }),
  });
  if (config.operations !== null) await app.operators?.listen(config.operations);
  if (config.role !== 'worker') await app.http.listen({ port, host: '127.0.0.1' });
  await options.simulators.stripe.registerEndpoint(`${url}/webhooks/stripe`);
  return {
    url,
    app,
    clock,
    close: async () => {
      await app.close();
      if (ownFolder !== null) await rm(ownFolder, { recursive: true });
    },
  };
}

async function makeWebFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-web-'));
  await writeDocuments(folder);
  return folder;
}

export interface Advertiser {
  user: UserOverHttp;
  userId: string;
  /** The advertiser's email address, unique per advertiser. */
  email: string;
  accountId: string;
  /** In the order of the options. */
  campaignIds: string[];
}

interface NewcomerOptions {
  /** In this process, or another process with its clock, if it is not the system clock. */
  product: Omit<TestProduct, 'close'> | { url: string; clock?: Pick<OffsetClock, 'now'> };
  simulators: Simulators;
  /** One campaign for each. */
  campaigns: ('ACTIVE' | 'PAUSED' | 'ARCHIVED')[];
  /** Meta's `smart_promotion_type` of each; none by default. */
  promotionTypes?: string[];
  /** Meta has it too; by default it is only entered in the setup. */
  email?: string;
  /** An ad account that Meta has already; by default a new one. */
  accountId?: string;
}

interface AdvertiserOptions extends NewcomerOptions {
  /** How many of them, from the first, get SmartPause. */
  on?: number;
  threshold?: 'LOW' | 'MEDIUM' | 'HIGH';
  resume?: object;
  /** Whether the subscription renews after its trial; without renewal the user may delete the account. */
  renews?: boolean;
}

/** A new Meta user with an ad account, signed in the real way. */
export async function signUp({
  product,
  simulators,
  campaigns,
  ...given
}: NewcomerOptions): Promise<Advertiser> {
  const unique = String(randomInt(1e9, 1e10));
  const userId = `7000${unique}`;
  const { promotionTypes = [], email = `user${unique}@example.com` } = given;
  const { accountId = `act_8000${unique}` } = given;
  const campaignIds = campaigns.map((_status, index) => `9000${unique}${String(index).padStart(4, '0')}`);
  const seeded = campaigns.map((status, index) => ({
    id: campaignIds[index],
    name: `Campaign ${index}`,
    status,
    daily_budget: String(1000 + index),
    ...(promotionTypes[index] !== undefined && { smart_promotion_type: promotionTypes[index] }),
  }));
  const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: seeded };
  const seed = { id: userId, name: 'Some Body', email: given.email, accounts: [account] };
  await simulators.graph.post('/seed', { users: [seed] });
  return { user: await signIn(product.url, userId), userId, email, accountId, campaignIds };
}

/** A new advertiser who is also subscribed and set up, with SmartPause on. */
export async function newAdvertiser(options: AdvertiserOptions): Promise<Advertiser> {
  const { product, simulators, on = Infinity, renews = false } = options;
  const { resume: resumeSettings = { mode: 'instant' }, threshold: outageThreshold = 'MEDIUM' } = options;
  const who = await signUp(options);
  const { user, userId, email, campaignIds } = who;
  const subscribe = async (): Promise<void> => {
    if (product.clock !== undefined) await simulators.stripe.setClock(product.clock.now() - Date.now());
    if ('app' in product) return plantTrial({ product, simulators }, { user, userId, renews, email });
    await user.subscribe(simulators.stripe);
    if (!renews) await user.cancelSubscription(simulators.stripe);
  };
  const chosen = campaignIds.slice(0, on);
  await user.becomesAdvertiser({
    subscribe,
    setup: { resumeSettings, outageThreshold, email },
    protects: (campaigns) => campaigns.filter(({ id }) => chosen.includes(id)),
  });
  return who;
}

/** The current statuses of these campaigns on Meta. */
export async function statusesOf(
  simulators: Simulators,
  ids: readonly string[],
): Promise<(string | undefined)[]> {
  const campaigns = await simulators.graph.campaigns();
  return ids.map((id) => campaigns.get(id)?.status);
}

export async function waitForStatuses(
  simulators: Simulators,
  ids: readonly string[],
  expected: readonly string[],
): Promise<void> {
  let last: unknown;
  await waitFor(`campaigns to be ${expected.join(', ')}`, async () => {
    last = await statusesOf(simulators, ids);
    return JSON.stringify(last) === JSON.stringify(expected);
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; they are ${JSON.stringify(last)}`, { cause: error });
  });
}

/** Status changes on Meta, in order: 'PAUSED', 'ACTIVE'. A write of the current status is no change. */
export async function changesOf(simulators: Simulators, campaignId: string): Promise<string[]> {
  const writes = await simulators.graph.writes();
  return writes
    .filter((w) => w.campaign === campaignId && w.previous !== w.status)
    .map(({ status }) => status);
}
