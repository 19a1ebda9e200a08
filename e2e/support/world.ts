import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import pg from 'pg';
import type { Product } from '../../scripts/browser/product.ts';
import { startProduct } from '../../scripts/browser/product.ts';

export const BOSS = { id: '7111000000001', name: 'Maria-Magdalena Administratorsdottir' };

/** The level that the product reads from each phrase of the status page. */
const LEVELS = {
  Resolved: 'UP',
  'Low disruptions': 'LOW_DISRUPTION',
  'Medium disruptions': 'MEDIUM_DISRUPTION',
  'High disruptions': 'HIGH_DISRUPTION',
  'Major disruptions': 'HIGH_DISRUPTION',
};

export interface World extends Product {
  databaseUrl: string;
  /** Sets the status page, and waits until the product has read it. */
  reports: (phrase: keyof typeof LEVELS) => Promise<void>;
}

/** The product with the built web app, on a database of its own, with the simulators around it. */
export async function startWorld(): Promise<World> {
  const url = new URL(process.env['E2E_POSTGRES_URL'] ?? '');
  const name = `e2e_${randomUUID().replaceAll('-', '')}`;
  await query(url.href, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  url.pathname = `/${name}`;
  const product = await startProduct({ DATABASE_URL: url.href, ADMIN_PLATFORM_IDS: BOSS.id });
  const reports = async (phrase: keyof typeof LEVELS): Promise<void> => {
    await product.status.reports(phrase);
    await expect
      .poll(() => query(url.href, 'select true_level from platform_status'))
      .toEqual([{ true_level: LEVELS[phrase] }]);
  };
  return { ...product, databaseUrl: url.href, reports };
}

/** No users but one admin, no outages, no emails and no faults. */
export async function reset({ status, graph, mailbox, stripe, databaseUrl }: World): Promise<void> {
  await status.post('/reset');
  await graph.ask('DELETE', '/faults');
  await mailbox.ask('DELETE', '/faults');
  await stripe.setClock(0);
  await emptyDatabase(databaseUrl);
  await Promise.all([graph.post('/reset'), mailbox.post('/reset'), stripe.reset()]);
  await graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
}

/** What a running product keeps: its schema, Meta's current status and the files that it read from Meta. */
const KEPT = ['kysely_migration', 'kysely_migration_lock', 'platform_status', 'status_file', 'status_answer'];

/** Empties the tables of a running product, once it knows that Meta is up and its reconciler is at rest. */
async function emptyDatabase(url: string): Promise<void> {
  await query(url, 'update platform_status set directive = null');
  const state = `select effective, (select count(*)::int from work_item where lease_until is not null) as leased
    from platform_status`;
  await expect.poll(async () => (await query(url, state))[0]).toEqual({ effective: 'UP', leased: 0 });
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
