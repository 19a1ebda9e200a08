import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { sql } from 'kysely';
import pg from 'pg';
import { ROOT } from '../../scripts/run.ts';
import type { UserOverHttp } from '../../scripts/simulator-clients/user.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import type { TestProduct } from '../../test/support/product.ts';
import { QUICK } from '../../test/support/product.ts';
import { plantSpend } from '../../test/support/planted-spend.ts';
import { plantTrial } from '../../test/support/planted-trial.ts';
import type { LocalSimulators } from '../../test/support/simulators.ts';
import { startWorld as startBoth } from '../../test/support/world.ts';

export const BOSS = { id: '7111000000001', name: 'Maria-Magdalena Administratorsdottir' };

/** The level that the product reads from each phrase of the status page. */
const LEVELS = {
  Resolved: 'UP',
  'Low disruptions': 'LOW_DISRUPTION',
  'Medium disruptions': 'MEDIUM_DISRUPTION',
  'High disruptions': 'HIGH_DISRUPTION',
  'Major disruptions': 'HIGH_DISRUPTION',
} as const;
type Level = (typeof LEVELS)[keyof typeof LEVELS] | 'UNKNOWN';

export interface World extends Pick<LocalSimulators, 'graph' | 'status' | 'stripe' | 'mailbox' | 'channels'> {
  url: string;
  /** Waits until the product has read the level from the status page. */
  reads: (level: Level) => Promise<void>;
  /** Sets the status page, and waits until the product has read it. */
  reports: (phrase: keyof typeof LEVELS) => Promise<void>;
  /** Moves the time of the product, of Meta and of Stripe. */
  advance: (ms: number) => Promise<void>;
  /** Whether its time is ahead of the machine's. */
  isShifted: () => boolean;
  /** Gives a user the free month and a confirmed address (null: none), without the way through checkout and email. */
  plantTrial: (user: UserOverHttp, userId: string, email: string | null) => Promise<void>;
  /** Hourly spend around a time, which is read from Meta only at night. */
  plantSpend: (campaignIds: readonly string[], at: number) => Promise<void>;
  /** No users but one admin, no outages, no emails and no faults. */
  reset: () => Promise<void>;
  close: () => Promise<void>;
}

/** Tasks that run every few seconds: a page that shows their result would wait for them. */
const QUICKENED = ['leaving', 'checking tokens', 'recording outages', 'estimating outages', 'outbox'];
/** More often would slow down all tests: every worker has a world, and the browsers use the same processors. */
const QUICKENED_MS = 500;
const POLL_MS = 250;

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The product with the built web app, and its simulators, in this process, on a database of its own. */
export async function startWorld(): Promise<World> {
  const { product, simulators, advance, close } = await startBoth({
    database: await openDatabase({ url: await createDatabase(), log }),
    webFolder: join(ROOT, 'dist/web'),
    environment: { ADMIN_PLATFORM_IDS: BOSS.id, STATUS_POLL_SECONDS: String(POLL_MS / 1000) },
    timings: { ...QUICK, pollMs: POLL_MS },
  });
  const { graph, status, stripe, mailbox, channels } = simulators;
  const hurry = setInterval(() => QUICKENED.forEach((task) => void product.app.runTask(task)), QUICKENED_MS);
  const { db } = product.app;
  const reads = async (level: Level): Promise<void> => {
    const row = db.selectFrom('platformStatus').select('trueLevel');
    await expect
      .poll(async () => (await row.executeTakeFirstOrThrow()).trueLevel, { intervals: [25] })
      .toBe(level);
  };
  return {
    ...{ url: product.url, graph, status, stripe, mailbox, channels, advance },
    isShifted: () => product.clock.now() > Date.now(),
    reads,
    reports: async (phrase) => {
      await status.reports(phrase);
      await reads(LEVELS[phrase]);
    },
    plantTrial: (user, userId, email) =>
      plantTrial({ product, simulators }, { user, userId, email, renews: true }),
    plantSpend: (campaignIds, at) =>
      plantSpend({ db, clock: product.clock }, { campaignIds, at, timeZone: 'America/New_York' }),
    reset: async () => {
      await status.post('/reset');
      // A reset puts a simulator's clock back.
      await advance(0);
      await emptyDatabase(db);
      await Promise.all([graph, mailbox, channels].map((one) => one.post('/reset')));
      await stripe.reset();
      await advance(0);
      await graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
    },
    close: async () => {
      clearInterval(hurry);
      await close();
    },
  };
}

/** @returns the URL of a new, empty database of this run */
async function createDatabase(): Promise<string> {
  const url = new URL(process.env['E2E_POSTGRES_URL'] ?? '');
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** What a running product keeps: its schema, Meta's current status and the files that it read from Meta. */
const KEPT = [
  'app_state',
  'detection',
  'kysely_migration',
  'kysely_migration_lock',
  'platform_status',
  'status_files',
];

/** Empties the tables of a running product, once it knows that Meta is up and its reconciler is at rest. */
async function emptyDatabase(db: TestProduct['app']['db']): Promise<void> {
  await sql`update platform_status set override_level = null`.execute(db);
  await sql`update app_state set stopped = null, since = null, probe_at = null, opened_at = null, used_at = null`.execute(
    db,
  );
  const state = sql<object>`
    select effective_level, (select count(*)::int from work_items where lease_until is not null) as leased
    from platform_status`;
  await expect
    .poll(async () => (await state.execute(db)).rows[0], { intervals: [25] })
    .toEqual({ effectiveLevel: 'UP', leased: 0 });
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const emptied = sql.join(rows.flatMap(({ name }) => (KEPT.includes(name) ? [] : [sql.table(name)])));
  // It never waits with a lock in hand: a transaction of the product could wait for that one, holding another.
  const isEmptied = () =>
    db.transaction().execute(async (trx) => {
      await sql`lock table ${emptied} in access exclusive mode nowait`.execute(trx);
      await sql`truncate ${emptied} cascade`.execute(trx);
      return true;
    });
  await expect.poll(() => isEmptied().catch(ignoreLocked), { intervals: [25] }).toBe(true);
}

const ignoreLocked = (error: unknown) => {
  if (error instanceof pg.DatabaseError && error.code === '55P03') return false;
  throw error;
};
