import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../test/database.ts';
import { PGLITE_POSTGRES_MAJOR } from './data-folder.ts';
import { startScript } from './fixtures/start.ts';
import { openEmbedded, type DatabaseOptions, type EmbeddedDatabase } from './open.ts';
import { DatabaseLostError } from './pool.ts';

/** Housekeeping takes its time on a busy machine. */
const PATIENCE_MS = 20_000;

let home: string;
let pristine: string;
let database: EmbeddedDatabase | undefined;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'smartpause-embedded-'));
  pristine = path.join(home, 'pristine');
  const cutOff = path.join(pristine, 'pglite.new');
  fs.mkdirSync(cutOff, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(cutOff, 'PG_VERSION'), `${PGLITE_POSTGRES_MAJOR}\n`);
  await (await openEmbedded({ dataDir: pristine, log: silentLog })).close();
});
afterEach(() => database?.close());
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

function copyOfPristine(): string {
  const dataDir = fs.mkdtempSync(path.join(home, 'data-'));
  fs.cpSync(pristine, dataDir, { recursive: true });
  return dataDir;
}

async function open(dataDir: string, options: Partial<DatabaseOptions> = {}): Promise<EmbeddedDatabase> {
  return await openEmbedded({ dataDir, log: silentLog, ...options });
}

async function countOf(table: string): Promise<unknown> {
  return (await database?.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`))?.rows[0]?.n;
}

describe('the data folder', () => {
  it('is made private, and anew when an earlier first start was cut off', () => {
    expect(fs.readdirSync(pristine).sort()).toEqual(['pglite', 'pglite.lock']);
    for (const one of [pristine, path.join(pristine, 'pglite')])
      expect(fs.statSync(one).mode & 0o777).toBe(0o700);
  });

  it('of another PostgreSQL is refused with the way out, and the lock is not kept', async () => {
    const dataDir = copyOfPristine();
    const version = path.join(dataDir, 'pglite', 'PG_VERSION');
    fs.writeFileSync(version, '17\n');
    await expect(open(dataDir)).rejects.toThrow(/written by PostgreSQL 17.*embeds PostgreSQL 18.*Export it/);
    fs.writeFileSync(version, '18\n');
    database = await open(dataDir);
    const { rows } = await database.pool.query<{ v: string }>(
      `select current_setting('server_version_num') as v`,
    );
    expect(rows[0]?.v.slice(0, 2)).toBe(PGLITE_POSTGRES_MAJOR);
  });

  it('with foreign files is left alone', async () => {
    const dataDir = fs.mkdtempSync(path.join(home, 'foreign-'));
    fs.mkdirSync(path.join(dataDir, 'pglite'));
    fs.writeFileSync(path.join(dataDir, 'pglite', 'letter.txt'), 'dear');
    await expect(open(dataDir)).rejects.toThrow('holds files but no database');
    expect(fs.readdirSync(path.join(dataDir, 'pglite'))).toEqual(['letter.txt']);
  });
});

describe('durability', () => {
  it('asks the disk to confirm every commit', async () => {
    database = await open(copyOfPristine());
    await database.pool.query('create table entry (id int primary key)');
    const before = database.fsyncs();
    for (let id = 0; id < 200; id++) await database.pool.query('insert into entry values ($1)', [id]);
    expect(database.fsyncs() - before).toBeGreaterThanOrEqual(200);
    const afterwards = database.fsyncs();
    await database.pool.query('select * from entry');
    expect(database.fsyncs()).toBe(afterwards);
  });

  it('survives kill -9 without losing what was acknowledged, and frees the folder at once', async () => {
    const dataDir = copyOfPristine();
    for (const commits of [60, 250]) {
      const writer = startScript('writer.ts', dataDir);
      const seen = writer.lines;
      await writer.says(() => seen.length > commits);
      writer.process.kill('SIGKILL');
      await writer.exited;
      const acknowledged = Number(seen.at(-1));
      database = await open(dataDir);
      const { rows } = await database.pool.query<{ last: number; n: number; total: number }>(
        'select max(id) as last, count(*)::int as n, (select value from total) as total from entry',
      );
      const { last = 0, n = 0, total = 0 } = rows[0] ?? {};
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      expect(last).toBeLessThanOrEqual(acknowledged + 1);
      expect([n, total]).toEqual([last, last]);
      await database.close();
    }
  });

  it('keeps the WAL and the tables small by housekeeping', async () => {
    const dataDir = copyOfPristine();
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (details: object) => void warnings.push(details) };
    database = await open(dataDir, { housekeepingMs: 100, log });
    await database.pool.query('create table hot as select i, 0 as n from generate_series(1, 10000) i');
    for (let round = 0; round < 25; round++) await database.pool.query('update hot set n = n + 1');
    const { pool } = database;
    await vi.waitFor(async () => {
      const { rows } = await pool.query<{ n: string }>('select sum(size)::int8 as n from pg_ls_waldir()');
      expect(Number(rows[0]?.n) / 2 ** 20).toBeLessThan(60);
      const statistics = await pool.query<{ n: number }>(
        `select reltuples::int as n from pg_class where relname = 'hot'`,
      );
      expect(statistics.rows).toEqual([{ n: 10_000 }]);
    }, PATIENCE_MS);
    const { rows } = await pool.query<{ n: string }>(`select pg_total_relation_size('hot') as n`);
    expect(Number(rows[0]?.n) / 2 ** 20).toBeLessThan(8);
    expect(warnings).toEqual([]);
  });

  it('leaves an untouched database alone', async () => {
    database = await open(copyOfPristine(), { housekeepingMs: 20 });
    const { pool } = database;
    const checkpoint = async () =>
      (await pool.query('select checkpoint_lsn from pg_control_checkpoint()')).rows;
    // The first round settles what opening it has written; from then on there is nothing to do.
    const restUnchanged = async () => {
      const before = await checkpoint();
      for (let i = 0; i < 5; i++) await pool.query('select pg_sleep(0.05)');
      expect(await checkpoint()).toEqual(before);
    };
    await vi.waitFor(restUnchanged, PATIENCE_MS);
  });
});

describe('the lock', () => {
  it('refuses a second process and a second opening with one clear sentence', async () => {
    const dataDir = copyOfPristine();
    const holder = startScript('writer.ts', dataDir);
    await holder.says((line) => line === 'open');
    const second = startScript('writer.ts', dataDir);
    const refusal = `The database folder ${path.join(dataDir, 'pglite')} is in use by another SmartPause process.`;
    await expect(second.says((line) => line === 'open')).rejects.toThrow(refusal);
    await expect(open(dataDir)).rejects.toThrow(refusal);
    holder.process.kill('SIGKILL');
    await holder.exited;
    database = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(refusal);
    await database.pool.end();
    database = await open(dataDir);
  });
});

describe('a lost engine', () => {
  it('fails what was running with a clear error and comes back with everything committed', async () => {
    database = await open(copyOfPristine(), { statementTimeoutMs: 400 });
    await database.pool.query('create table entry (id int); insert into entry values (1)');
    const { pool } = database;
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into entry values (2)');
    const endless = client.query('select count(*) from generate_series(1, 1000000000000)');
    const queued = pool.query<{ n: number }>('select count(*)::int as n from entry');
    await expect(endless).rejects.toThrow('a statement did not end within 0.4 s and was stopped');
    await expect(endless).rejects.toBeInstanceOf(DatabaseLostError);
    await expect(client.query('commit')).rejects.toBeInstanceOf(DatabaseLostError);
    client.release();
    expect((await queued).rows).toEqual([{ n: 1 }]);
    await pool.query('insert into entry values (3)');
    expect(await countOf('entry')).toBe(2);
  });
});

describe('in memory', () => {
  it('starts from what another dumped, and stays lost when it is lost', async () => {
    const file = path.join(home, 'dump.tar');
    const source = await open(copyOfPristine());
    await source.pool.query('create table entry as select 1 as id');
    await source.dump(file);
    await source.close();
    database = await open('memory://', { restoreFrom: file, statementTimeoutMs: 300 });
    expect(await countOf('entry')).toBe(1);
    expect(fs.existsSync('memory:')).toBe(false);
    const { pool } = database;
    await expect(pool.query('select count(*) from generate_series(1, 1000000000000)')).rejects.toThrow(
      'did not end',
    );
    await expect(pool.query('select 1')).rejects.toBeInstanceOf(DatabaseLostError);
  });
});
