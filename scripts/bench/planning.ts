import { sql } from 'kysely';
import type { Db } from '../../src/server/db/database.ts';
import { recordStatus } from '../../src/server/db/status/status.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';
import { plantRows } from './parts/population.ts';
import { ownDatabase } from './parts/stage.ts';

/** Measures on PostgreSQL how long a status change takes to mark the ad accounts to check. */
const SIZES = [100, 1_000, 10_000, 100_000];
const REPETITIONS = 5;
const LIMIT_MS = 2000;
const STALE_MS = 60_000;

export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const users of SIZES) {
    const database = await ownDatabase();
    try {
      figures.push(...(await database.during((db) => measure(db, users))));
    } finally {
      await database.close();
    }
  }
  return figures;
}

async function measure(db: Db, users: number): Promise<Figure[]> {
  const population = { users, accountsEach: 1, campaignsEach: 10 };
  const start = Date.now();
  await plantRows(db, population, new Date(start));
  await sql`vacuum analyze`.execute(db);
  const took: number[] = [];
  const bare: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    await recordStatus(db, { trueLevel: 'UP' }, start, { staleMs: STALE_MS });
    await forgetWorkItems(db);
    bare.push(await time(() => sql`update work_item set next_due_at = ${new Date(start)}`.execute(db)));
    await forgetWorkItems(db);
    took.push(
      await time(() => recordStatus(db, { trueLevel: 'HIGH_DISRUPTION' }, start, { staleMs: STALE_MS })),
    );
    const [due] = await db
      .selectFrom('work_item')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('next_due_at', 'is not', null)
      .execute();
    if (Number(due?.count) !== users) throw new Error(`${due?.count ?? 'none'} of ${users} accounts are due`);
  }
  const campaigns = users * 10;
  const measured = median(took);
  const floor = median(bare);
  const what = `status change to accounts to look at, ${campaigns.toLocaleString('en')} campaigns`;
  return [
    {
      what,
      measured: inMs(measured),
      yardstick: `limit ${inMs(LIMIT_MS)}`,
      ratio: measured / LIMIT_MS,
      limit: { atMost: 1 },
    },
    {
      what,
      measured: inMs(measured),
      yardstick: `the same rows updated without a question: ${inMs(floor)}`,
      ratio: measured / floor,
      limit: null,
    },
  ];
}

async function forgetWorkItems(db: Db): Promise<void> {
  await sql`update work_item set next_due_at = null where next_due_at is not null`.execute(db);
  await sql`vacuum work_item`.execute(db);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
