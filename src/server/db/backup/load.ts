import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { dropAllLeases } from '../lanes.ts';
import { migrateWithin, type Migration } from '../migrate.ts';
import type { Snapshot } from './backup.ts';
import { UnusableBackupError } from './file.ts';
import type { LeftOut } from './fitting.ts';
import { Fitting } from './fitting.ts';
import { insertPiece, readPieces, Tally } from './rows.ts';
import { readSequences, readTables, writeValuesInFull } from './tables.ts';

type Migrations = Readonly<Record<string, Migration>>;

export interface LoadOptions {
  migrations: Migrations;
  /** Nobody has run SmartPause since these rows were read. */
  isLatest: boolean;
  now: Instant;
}

export interface Loaded {
  counts: Record<string, number>;
  total: number;
  /** What this version added to a backup of an older one. */
  applied: string[];
  leftOut: LeftOut[];
}

/**
 * Fills an empty database, in the transaction that it is given: the tables as of the backup's version, then its rows, which
 * are read back and compared, then the migrations since.
 */
export async function loadInto(
  tx: Db,
  { facts, pieces }: Snapshot,
  { migrations, isLatest, now }: LoadOptions,
): Promise<Loaded> {
  await writeValuesInFull(tx);
  await migrateWithin(tx, upTo(facts.migrations, migrations));
  const tables = await readTables(tx);
  const fitting = new Fitting(facts.tables, tables);
  // What is written here is no news for anybody.
  await setTriggers(tx, 'disable');
  // The first migrations wrote a row or two themselves.
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx);
  const given = new Tally();
  for await (const piece of pieces) {
    const taken = fitting.take(piece);
    if (taken === null) continue;
    await insertPiece(tx, taken.table, taken.piece.rows);
    given.add(taken.piece);
  }
  const counters = new Set((await readSequences(tx)).map(({ name }) => name));
  for (const { name, lastValue, isCalled } of facts.sequences) {
    if (!counters.has(name)) continue;
    await sql`select setval(format('%I', ${name}::text)::regclass, ${lastValue}::bigint, ${isCalled})`.execute(
      tx,
    );
  }
  const found = new Tally();
  for await (const piece of readPieces(tx, fitting.tables)) found.add(piece);
  if (found.digest() !== given.digest()) {
    throw new Error('What was written is not what the database reads back. Nothing was restored.');
  }
  const applied = await migrateWithin(tx, migrations);
  await setTriggers(tx, 'disable');
  await settle(tx, { isLatest, now });
  await setTriggers(tx, 'enable');
  return { counts: given.counts, total: given.total, applied, leftOut: fitting.leftOut };
}

/** Of a process that is no more, and what must not come back to life. */
async function settle(tx: Db, { isLatest, now }: Pick<LoadOptions, 'isLatest' | 'now'>): Promise<void> {
  await dropAllLeases(tx, now);
  if (isLatest) return;
  // What the status page said then says nothing about now: it starts no pause and no resume.
  await tx.updateTable('platform_status').set({ checked_at: null, known_is_from_backup: true }).execute();
  // Some of them were ended since, and nobody knows which.
  await tx.deleteFrom('session').execute();
  await tx.deleteFrom('login_attempt').execute();
  // Meta is asked at once which of them were revoked since.
  await tx
    .updateTable('platform_token')
    .set({ check_at: new Date(now) })
    .where('refused_at', 'is', null)
    .execute();
}

/** @throws UnusableBackupError when this version does not know how such a database came to be */
export function requireKnownMigrations(has: readonly string[], migrations: Migrations): void {
  const known = Object.keys(migrations).sort();
  const unknown = has.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new UnusableBackupError(
      `The backup was made by a newer version of SmartPause (it has ${unknown.join(', ')}, unknown here). Restore it with that version.`,
    );
  }
  if (!isDeepStrictEqual([...has], known.slice(0, has.length)))
    throw new UnusableBackupError(
      'The backup is of no version of SmartPause: some of its migrations are missing.',
    );
}

function upTo(has: readonly string[], migrations: Migrations): Migrations {
  requireKnownMigrations(has, migrations);
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => has.includes(name)));
}

async function setTriggers(tx: Db, act: 'enable' | 'disable'): Promise<void> {
  for (const { name } of await readTables(tx)) {
    await sql`alter table ${sql.table(name)} ${sql.raw(act)} trigger user`.execute(tx);
  }
}
