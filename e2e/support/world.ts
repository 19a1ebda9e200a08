import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import pg from 'pg';
import { ROOT } from '../../scripts/run.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
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
};

export interface World extends Pick<LocalSimulators, 'graph' | 'status' | 'stripe' | 'mailbox'> {
  url: string;
  databaseUrl: string;
  /** Sets the status page, and waits until the product has read it. */
  reports: (phrase: keyof typeof LEVELS) => Promise<void>;
  /** Moves the time of the product, of Meta and of Stripe. */
  advance: (ms: number) => Promise<void>;
  close: () => Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The product with the built web app, and its simulators, in this process, on a database of its own. */
export async function startWorld(): Promise<World> {
  const url = new URL(process.env['E2E_POSTGRES_URL'] ?? '');
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  await query(url.href, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  url.pathname = `/${name}`;
  const { product, simulators, advance, close } = await startBoth({
    database: await openDatabase({ url: url.href, log }),
    webFolder: join(ROOT, 'dist/web'),
    environment: { ADMIN_PLATFORM_IDS: BOSS.id },
  });
  const { graph, status, stripe, mailbox } = simulators;
  return {
    ...{ url: product.url, databaseUrl: url.href, graph, status, stripe, mailbox, advance, close },
    reports: async (phrase) => {
      await status.reports(phrase);
      await expect
        .poll(() => query(url.href, 'select true_level from platform_status'), { intervals: [50] })
        .toEqual([{ true_level: LEVELS[phrase] }]);
    },
  };
}

/** No users but one admin, no outages, no emails and no faults. */
export async function reset({ status, graph, mailbox, stripe, databaseUrl, advance }: World): Promise<void> {
  await status.post('/reset');
  // A reset puts a simulator's clock back.
  await advance(0);
  await emptyDatabase(databaseUrl);
  await Promise.all([graph.post('/reset'), mailbox.post('/reset'), stripe.reset()]);
  await advance(0);
  await graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
}

/** What a running product keeps: its schema, Meta's current status and the files that it read from Meta. */
const KEPT = ['kysely_migration', 'kysely_migration_lock', 'platform_status', 'status_file', 'status_answer'];

/** Empties the tables of a running product, once it knows that Meta is up and its reconciler is at rest. */
async function emptyDatabase(url: string): Promise<void> {
  await query(url, 'update platform_status set directive = null');
  const state = `select effective, (select count(*)::int from work_item where lease_until is not null) as leased
    from platform_status`;
  await expect
    .poll(async () => (await query(url, state))[0], { intervals: [25] })
    .toEqual({ effective: 'UP', leased: 0 });
  const tables = await query(
    url,
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const emptied = tables.map(({ name }) => String(name)).filter((name) => !KEPT.includes(name));
  // In a deadlock the product's transaction ends, which it repeats, and not this one.
  await query(url, `set deadlock_timeout = '1min'; truncate ${emptied.join(', ')} cascade`);
}

/** @returns the rows of a single statement */
async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
