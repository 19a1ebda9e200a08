import { createHash, randomUUID } from 'node:crypto';
import type { Migration } from 'kysely/migration';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';

import { afterAll, beforeAll, inject } from 'vitest';
import type { PlatformAdAccount } from '#core/platform.ts';
import type { Clock } from '../../src/server/clock.ts';
import type { Db } from '../../src/server/db/database.ts';
import { createDb } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations as productMigrations } from '../../src/server/db/migrations/all.ts';
import type { Schema } from '../../src/server/db/schema.ts';
import { openDatabase, type Database, type DatabaseOptions } from '../../src/server/db/open-database.ts';

export interface FreshDatabase extends Database<pg.Pool> {
  url: string;
  /** Leaves the database without connections. */
  disconnect(): Promise<void>;
}

export interface FreshDatabaseOptions extends Partial<Omit<DatabaseOptions, 'url'>> {
  /** Replaces the product's own. */
  migrations?: Record<string, Migration>;
}

/** Meta serves our app. */
const NOT_LIMITED = { isSparing: () => false, isNearLimit: () => false };
export const OPEN_APP = { stopped: () => null, ...NOT_LIMITED, msUntilNextCall: () => 0 };
export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A migrated, empty database for one test. close() removes it. */
export async function freshDatabase(options: FreshDatabaseOptions = {}): Promise<FreshDatabase> {
  const { migrations = productMigrations, log = silentLog, ...rest } = options;
  const template = await makeTemplateOnce(migrations);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const url = urlOf(name);
  const database = await openDatabase({ ...rest, url, log });
  const drop = async (): Promise<void> => {
    await database.close();
    await administer((client) => client.query(`drop database if exists ${name} with (force)`));
  };
  let dropping: Promise<void> | undefined;
  return { ...database, url, disconnect: () => database.close(), close: () => (dropping ??= drop()) };
}

/** Shares a database between consecutive processes: close() has no effect. */
export function outliving(database: Database): Database {
  return { ...database, close: () => Promise.resolve() };
}

/** Every row of every table (or of these) as text; bytes as hexadecimal digits. */
export async function dumpOf(db: Db, only?: readonly string[]): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
    db,
  );
  const parts = [];
  for (const { name } of tables) {
    if (only?.includes(name) === false) continue;
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    parts.push(name, ...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

/**
 * One for all tests of a `describe`; created before its first test.
 * @param simulated time that the tests move
 */
export function useFreshDb(simulated?: Pick<Clock, 'now'>): () => Db {
  let database: FreshDatabase | undefined;
  let db: Db | undefined;
  beforeAll(async () => {
    database = await freshDatabase();
    db = createDb(database.pool, simulated);
  });
  afterAll(() => database?.close());
  return () => {
    if (db === undefined) throw new Error('the tests have not begun');
    return db;
  };
}

/** A user's row with these values, without a setup. */
export function userRow(given: Partial<Insertable<Schema['users']>>): Insertable<Schema['users']> {
  const user = { platformUserId: randomUUID(), name: 'Maya Chen', resumeSettings: '{"mode": "instant"}' };
  return { ...user, loggedInAt: new Date(), createdAt: new Date(), ...given };
}

/** A user's row alone, for tests of queries; `signIn` begins the real way. @returns the id, 1 for the first */
export async function plantUser(db: Db, given: Partial<Insertable<Schema['users']>> = {}): Promise<string> {
  return (await db.insertInto('users').values(userRow(given)).returning('id').executeTakeFirstOrThrow()).id;
}

/** An ad account as a list of Meta has it. */
export function listedAccount(id: string, given: Partial<PlatformAdAccount> = {}): PlatformAdAccount {
  const unknown = { accountStatus: null, disableReason: null, timeZone: null, businessId: null };
  return { id, name: id, currency: 'USD', mayPause: true, ...unknown, ...given };
}

type Migrations = Record<string, Migration>;
// Test files run in separate processes; an advisory lock lets one create it and the others wait.
async function makeTemplateOnce(migrations: Migrations): Promise<string> {
  const source = Object.entries(migrations).map(([name, migration]) => `${name}:${migration.up.toString()}`);
  const key = createHash('sha256').update(source.join('\n')).digest('hex').slice(0, 16);
  const LOCK = 7_283_645;
  return await administer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    return await makeTemplate(key, migrations, client);
  });
}

async function makeTemplate(key: string, migrations: Migrations, client: pg.Client): Promise<string> {
  const name = `template_${key}`;
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 1) return name;
  const draft = `${name}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft} template template0 encoding 'UTF8' locale 'C'`);
  const database = await openDatabase({ url: urlOf(draft), log: silentLog });
  try {
    await migrate(database, migrations);
  } finally {
    await database.close();
  }
  await client.query(`alter database ${draft} rename to ${name}`);
  return name;
}

async function administer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** The number of statements in this PostgreSQL database that wait for a lock. */
export async function countBlocked(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return Number(rows[0]?.count);
}
