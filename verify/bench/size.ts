import { sql } from 'kysely';
import { measurePages } from '../../scripts/budgets.ts';
import type { Figure } from '../../scripts/figures.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Db } from '../../src/server/db/database.ts';
import type { Bench } from './bench.ts';
import { startBench } from './bench.ts';

const POPULATION = { users: 100, accountsEach: 2, campaignsEach: 25 };
const CAMPAIGNS = POPULATION.users * POPULATION.accountsEach * POPULATION.campaignsEach;
const WAIT_MS = 120_000;

/** Measures what a campaign and an outage add to the database, and what a page transfers. */
export async function measureSize(): Promise<Figure[]> {
  await using bench = await startBench();
  const { db, simulators } = bench;
  const empty = await sizeOf(db);
  await bench.plant(POPULATION);
  const planted = await sizeOf(db);
  await simulators.status.reports('High disruptions');
  await bench.startWorker(1);
  await emailsAreSent(bench, { paused: CAMPAIGNS, emails: POPULATION.users });
  await simulators.status.reports('Resolved');
  await emailsAreSent(bench, { paused: 0, emails: 2 * POPULATION.users });
  const after = await sizeOf(db);
  return [
    inBytes('a campaign with SmartPause on', (planted - empty) / CAMPAIGNS, 1000),
    inBytes('a campaign paused and resumed, with emails', (after - planted) / CAMPAIGNS, 2500),
    ...(await measurePages()),
  ];
}

function inBytes(what: string, bytes: number, most: number): Figure {
  const yardstick = `limit ${most} bytes`;
  return { what, measured: `${bytes.toFixed(0)} bytes`, yardstick, ratio: bytes / most, atMost: 1 };
}

function emailsAreSent({ db, countPaused }: Bench, expected: { paused: number; emails: number }) {
  const isDone = async (): Promise<boolean> => {
    const { rows } = await sql<{ sent: number; all: number }>`
      select count(sent_at)::int as sent, count(*)::int as all from notification`.execute(db);
    const { sent = 0, all = 0 } = rows[0] ?? {};
    return sent === all && sent >= expected.emails && (await countPaused()) === expected.paused;
  };
  return waitFor(`${expected.emails} emails`, isDone, WAIT_MS);
}

/** Of all tables with their indexes, after a vacuum: dead rows do not count. */
async function sizeOf(db: Db): Promise<number> {
  await sql`vacuum full`.execute(db);
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace s on s.oid = c.relnamespace
    where s.nspname = 'public' and c.relkind = 'r'`.execute(db);
  return Number(rows[0]?.bytes);
}
