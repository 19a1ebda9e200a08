import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { createDb } from '../database.ts';
import { isRefused, type Migration } from '../migrate.ts';
import { hasDatabase, replaceDatabase } from '../pool/data-folder.ts';
import { openDatabase, openEmbedded } from '../pool/open.ts';
import type { DatabaseLog } from '../pool/pool.ts';
import type { Snapshot } from './backup.ts';
import { countOtherConnections } from './backup.ts';
import { openBackupFile, verifyBackupFile } from './file.ts';
import type { Loaded } from './load.ts';
import { loadInto, requireKnownMigrations } from './load.ts';
import { readMigrations, readTables } from './tables.ts';

export interface RestoreOptions {
  /** Where to: the server of this address, or without one the embedded database of this folder. */
  url: string | undefined;
  dataDir: string;
  migrations: Readonly<Record<string, Migration>>;
  /** What is there may go. */
  replace: boolean;
  /** Nobody has run SmartPause since these rows were read. */
  isLatest: boolean;
  now: Instant;
  log: DatabaseLog;
}

export interface Restored extends Loaded {
  /** Where the embedded database is kept that was there before; null: there was none. */
  former: string | null;
  /** What is to be looked at by whoever restored it. */
  found: Found;
  /** Why the database could not get to know how much is in its tables; null: it does. */
  notAnalyzed: string | null;
}

type InPlace = Omit<Restored, 'former'>;

interface Found {
  /** Campaigns that were held when the rows were read. */
  held: number;
  /** Mails that were not sent then. */
  unsent: number;
  /** An administrator's word on the status, which counts again. */
  directive: string | null;
}

/** Restores a backup into an empty place, all of it or nothing. The file is read to its end before anything is touched. */
export async function restoreBackup(
  file: string,
  options: RestoreOptions,
): Promise<Restored & { header: Snapshot['facts'] }> {
  const checked = await verifyBackupFile(file);
  requireKnownMigrations(checked.migrations, options.migrations);
  const { header, pieces } = await openBackupFile(file);
  return { ...(await restoreRows({ facts: header, pieces }, options)), header };
}

export async function restoreRows(snapshot: Snapshot, options: RestoreOptions): Promise<Restored> {
  const { url } = options;
  return url === undefined ? intoFolder(snapshot, options) : intoServer(snapshot, { ...options, url });
}

/** Into a folder of its own, which takes its place when it is whole. */
async function intoFolder(snapshot: Snapshot, options: RestoreOptions): Promise<Restored> {
  const { dataDir, log, replace, now } = options;
  if (!replace && hasDatabase(dataDir)) {
    throw new Error(
      `There is a database in ${dataDir} already. With --replace it is kept beside the restored one.`,
    );
  }
  const place = replaceDatabase(dataDir);
  try {
    const database = await openEmbedded({ dataDir: place.draftDir, log });
    let loaded: InPlace;
    try {
      loaded = await load(createDb(database.pool), snapshot, options);
    } finally {
      await database.close();
    }
    return { ...loaded, former: place.finish(new Date(now)) };
  } finally {
    place.release();
  }
}

/** In one transaction: until its end everybody sees what was there before. */
async function intoServer(snapshot: Snapshot, options: RestoreOptions & { url: string }): Promise<Restored> {
  const { url, dataDir, log, replace } = options;
  const database = await openDatabase({ url, dataDir, log, maxConnections: 1 });
  try {
    const db = createDb(database.pool);
    await requireNobody(db);
    const loaded = await load(db, snapshot, options, (tx) => makeEmpty(tx, replace));
    return { ...loaded, former: null };
  } catch (error) {
    if (!isRefused(error)) throw error;
    const hint = 'This role may not make tables: restore as the one that owns the tables.';
    throw new Error(hint, { cause: error });
  } finally {
    await database.close();
  }
}

async function requireNobody(db: Db): Promise<void> {
  let others = await countOtherConnections(db);
  // The server notices a little later that a process has ended.
  for (let tries = 0; others > 0 && tries < 10; tries += 1) {
    await sleep(200);
    others = await countOtherConnections(db);
  }
  if (others === 0) return;
  throw new Error(
    `SmartPause is still running: the database has ${others} connections of it. Stop all its processes first.`,
  );
}

async function load(
  db: Db,
  snapshot: Snapshot,
  { migrations, isLatest, now }: RestoreOptions,
  prepare: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<InPlace> {
  const loaded = await db.transaction().execute(async (tx) => {
    await prepare(tx);
    const rows = await loadInto(tx, snapshot, { migrations, isLatest, now });
    return { ...rows, found: await lookAt(tx) };
  });
  return { ...loaded, notAnalyzed: await analyze(db) };
}

/** What the database knows of its tables is from when they were empty. All is there already: this may fail. */
async function analyze(db: Db): Promise<string | null> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`analyze`.execute(tx);
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function lookAt(db: Db): Promise<Found> {
  const { rows } = await sql<{ held: string; unsent: string; directive: string | null }>`
    select (select count(*) from hold where state <> 'ended') as held,
      (select count(*) from mail where due_at is not null) as unsent,
      (select directive from platform_status where id = 1) as directive`.execute(db);
  const [row] = rows;
  return { held: Number(row?.held), unsent: Number(row?.unsent), directive: row?.directive ?? null };
}

/** @throws Error when there is something in it that may not go */
async function makeEmpty(tx: Db, replace: boolean): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  const tables = (await readTables(tx)).map(({ name }) => name);
  const isOurs = (await readMigrations(tx)) !== null;
  if (tables.length > 0 && !isOurs) {
    throw new Error(
      'The database of DATABASE_URL holds tables that are not of SmartPause. Give it one of its own.',
    );
  }
  if (isOurs && !replace && (await hasPeople(tx))) {
    throw new Error('There is somebody in the database of DATABASE_URL already. With --replace it goes.');
  }
  for (const name of [...tables, 'kysely_migration', 'kysely_migration_lock']) {
    await sql`drop table if exists ${sql.table(name)} cascade`.execute(tx);
  }
  const { rows } = await sql<{ signature: string }>`
    select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace s on s.oid = p.pronamespace
    where s.nspname = current_schema()
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(tx);
  for (const { signature } of rows) await sql`drop function ${sql.raw(signature)} cascade`.execute(tx);
}

async function hasPeople(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from person) as found`.execute(tx);
  return rows[0]?.found === true;
}
