import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { verifyBackupFile, writeBackupFile } from '../src/server/db/backup/file.ts';
import { moveDatabase } from '../src/server/db/backup/move.ts';
import type { Db } from '../src/server/db/database.ts';
import { createDb } from '../src/server/db/database.ts';
import { migrate } from '../src/server/db/migrate.ts';
import { migrations } from '../src/server/db/migrations/index.ts';
import { openDatabase, openEmbedded } from '../src/server/db/pool/open.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase, silentLog } from './database.ts';
import { everythingIn, fillEveryTable } from './every-table.ts';

const SCRIPTS = path.join(import.meta.dirname, '../scripts');
let folder = '';
let server: FreshDatabase;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'smartpause-backup-'));
  server = await freshDatabase('postgresql');
  await fillEveryTable(createDb(server.pool));
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | string;
  out: string;
  err: string;
}

function start(command: string, args: string[], env: Record<string, string>, nodeArgs: string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, path.join(SCRIPTS, `${command}.ts`), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    cwd: folder,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]): Ended => ({
    code: code ?? signal ?? '',
    out,
    err,
  }));
  return { child, ended };
}

const run = (command: string, args: string[], env: Record<string, string>, nodeArgs: string[] = []) =>
  start(command, args, env, nodeArgs).ended;

const newFolder = (): string => fs.mkdtempSync(path.join(folder, 'data-'));

/** An empty database that nobody is connected to. */
async function emptyServer(): Promise<FreshDatabase & { url: string }> {
  const empty = await freshDatabase('postgresql', { migrations: {} });
  await empty.pool.end();
  return { ...empty, url: empty.url ?? '' };
}

async function inFolder<T>(dataDir: string, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openEmbedded({ dataDir, log: silentLog });
  try {
    return await use(createDb(database.pool));
  } finally {
    await database.close();
  }
}

/** Made once, and copied: to make one takes seconds. */
let withRows: Promise<string> | null = null;

async function embeddedWithRows(): Promise<string> {
  withRows ??= makeEmbeddedWithRows();
  const dataDir = newFolder();
  fs.cpSync(await withRows, dataDir, { recursive: true });
  return dataDir;
}

async function makeEmbeddedWithRows(): Promise<string> {
  const dataDir = newFolder();
  const database = await openEmbedded({ dataDir, log: silentLog });
  await migrate(database, migrations);
  await fillEveryTable(createDb(database.pool));
  await database.close();
  return dataDir;
}

test('backup and restore are a command each, and say what they did', async () => {
  const file = path.join(folder, 'by-command');
  const made = await run('backup', [file], { DATABASE_URL: server.url ?? '' });
  expect(made).toMatchObject({ code: 0, err: '' });
  const [, rows, tables] =
    /: (\d+) rows in (\d+) tables \(PostgreSQL, [^@]+\), as of 20.*, written and read again\.\nNot here: the key/.exec(
      made.out,
    ) ?? [];
  const everything = await everythingIn(createDb(server.pool));
  const stored = everything.filter((line) => /^\w+ \(/.test(line));
  expect(rows).toBe(String(stored.length));
  expect(tables).toBe(String(new Set(stored.map((line) => line.split(' ')[0])).size));
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);

  const dataDir = newFolder();
  const restored = await run('restore', [file], { DATA_DIR: dataDir });
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain('All sessions were ended: everybody logs in again.');
  expect(restored.out).toContain('1 campaigns were held then, and 1 mails were not sent');
  expect(restored.out).toContain("An administrator's override of the status counts again: HIGH_DISRUPTION");

  const again = await run('restore', [file], { DATA_DIR: dataDir });
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('--replace');
  const exact = await run('restore', [file, '--replace', '--not-run-since'], { DATA_DIR: dataDir });
  expect(exact).toMatchObject({ code: 0, err: '' });
  expect(exact.out).toContain('is kept in');
  expect(await inFolder(dataDir, everythingIn)).toEqual(everything);
});

test('a backup says where the key is that it does not hold', async () => {
  const dataDir = await embeddedWithRows();
  const file = path.join(folder, 'with-key');
  fs.writeFileSync(path.join(dataDir, 'encryption-key'), 'x'.repeat(43), { mode: 0o600 });
  await inFolder(dataDir, (db) => sql`update platform_token set key_id = 'a1b2c3d4e5f6'`.execute(db));
  const { out } = await run('backup', [file], { DATA_DIR: dataDir });
  expect(out).toContain(`Not here: the key that opens access tokens of Meta in it (a1b2c3d4e5f6; looked at`);
  expect(out).toContain(path.join(dataDir, 'encryption-key'));
});

test('a backup is not written over another one, unless it is told', async () => {
  const file = path.join(folder, 'there-already');
  fs.writeFileSync(file, 'something dear');
  const env = { DATABASE_URL: server.url ?? '' };
  const refused = await run('backup', [file], env);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('--overwrite');
  expect(fs.readFileSync(file, 'utf8')).toBe('something dear');
  expect(await run('backup', [file, '--overwrite'], env)).toMatchObject({ code: 0, err: '' });
  await verifyBackupFile(file);
});

test('a backup that is interrupted leaves no file, and the one before', async () => {
  const file = path.join(folder, 'interrupted');
  fs.writeFileSync(file, 'the one before');
  const writing = writeBackupFile(file, {
    overwrite: true,
    // eslint-disable-next-line @typescript-eslint/require-await
    async *contents() {
      yield 'half of it';
      throw new Error('the disk is full');
    },
  });
  await expect(writing).rejects.toThrow('the disk is full');
  expect(fs.readFileSync(file, 'utf8')).toBe('the one before');
  expect(fs.existsSync(`${file}.unfinished`)).toBe(false);
});

test('of a folder without a database there is no backup, and none is made in it', async () => {
  const dataDir = path.join(folder, 'nothing-here');
  const { code, err } = await run('backup', [path.join(folder, 'nothing')], { DATA_DIR: dataDir });
  expect({ code, err }).toEqual({ code: 1, err: `There is no database in ${dataDir}.\n` });
  expect(fs.existsSync(dataDir)).toBe(false);
  const empty = await emptyServer();
  const other = await run('backup', [path.join(folder, 'nothing')], { DATABASE_URL: empty.url });
  expect(other.err).toContain('There is no database of SmartPause there.');
  expect(fs.existsSync(path.join(folder, 'nothing'))).toBe(false);
  await empty.close();
});

test('while SmartPause runs on it, an embedded database is not read, and a server is not restored into', async () => {
  const dataDir = await embeddedWithRows();
  const file = path.join(folder, 'while-running');
  await run('backup', [file], { DATA_DIR: dataDir });
  const running = await openEmbedded({ dataDir, log: silentLog });
  for (const [command, args] of [
    ['backup', [`${file}-2`]],
    ['restore', [file, '--replace']],
  ] as const) {
    const { code, err } = await run(command, [...args], { DATA_DIR: dataDir });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('in use by another SmartPause') as string,
    });
  }
  await running.close();
  const atWork = await server.pool.connect();
  const { code, err } = await run('restore', [file, '--replace'], { DATABASE_URL: server.url ?? '' });
  atWork.release();
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('SmartPause is still running') as string,
  });
});

test('everything moves from the embedded database to PostgreSQL, and the former one is put aside', async () => {
  const dataDir = await embeddedWithRows();
  const before = await inFolder(dataDir, everythingIn);
  const target = await emptyServer();
  const env = { DATA_DIR: dataDir, DATABASE_URL: target.url };
  const moved = await run('move-database', [], env);
  expect(moved).toMatchObject({ code: 0, err: '' });
  expect(moved.out).toContain('encryption-key');
  const there = await freshConnection(target.url, everythingIn);
  expect(there).toEqual(before);
  const [aside = '', ...others] = fs.readdirSync(dataDir).filter((name) => name.startsWith('pglite.moved-'));
  expect(others).toEqual([]);
  expect(await run('move-database', [], env)).toMatchObject({
    code: 1,
    err: `There is no embedded database in ${dataDir}.\n`,
  });

  // Whoever forgets DATABASE_URL makes no empty SmartPause beside the real one.
  const forgotten = await run('migrate', [], { DATA_DIR: dataDir });
  expect(forgotten).toMatchObject({ code: 1, out: '' });
  expect(forgotten.err).toContain(`moved to PostgreSQL, ${new URL(target.url).host}`);
  expect(forgotten.err).toContain(`rename ${aside} to pglite and delete pglite.moved`);
  expect(fs.existsSync(path.join(dataDir, 'pglite'))).toBe(false);
  // The way back that it tells.
  fs.renameSync(path.join(dataDir, aside), path.join(dataDir, 'pglite'));
  await expect(inFolder(dataDir, everythingIn)).rejects.toThrow('moved to PostgreSQL');
  fs.rmSync(path.join(dataDir, 'pglite.moved'));
  expect(await inFolder(dataDir, everythingIn)).toEqual(before);
  await target.close();
});

test('a database that moved comes back by a backup, restored into its folder', async () => {
  const dataDir = await embeddedWithRows();
  const target = await emptyServer();
  await run('move-database', [], { DATA_DIR: dataDir, DATABASE_URL: target.url });
  const file = path.join(folder, 'way-back');
  expect(await run('backup', [file], { DATABASE_URL: target.url })).toMatchObject({ code: 0, err: '' });
  const there = await freshConnection(target.url, everythingIn);
  const back = await run('restore', [file, '--not-run-since'], { DATA_DIR: dataDir });
  expect(back).toMatchObject({ code: 0, err: '' });
  expect(fs.existsSync(path.join(dataDir, 'pglite.moved'))).toBe(false);
  expect(await inFolder(dataDir, everythingIn)).toEqual(there);
  await target.close();
});

test('a folder that cannot be put aside after all has moved is opened by nobody either', async () => {
  const dataDir = await embeddedWithRows();
  const target = await emptyServer();
  const now = Date.parse('2026-11-23T12:00:00Z');
  fs.mkdirSync(path.join(dataDir, 'pglite.moved-20261123T120000Z/in-the-way'), { recursive: true });
  const options = { url: target.url, dataDir, migrations, replace: false, now, log: silentLog };
  await expect(moveDatabase(options)).rejects.toThrow(/^Everything has moved to PostgreSQL.*put aside/);
  await expect(inFolder(dataDir, everythingIn)).rejects.toThrow('moved to PostgreSQL');
  expect((await freshConnection(target.url, everythingIn)).length).toBeGreaterThan(20);
  await target.close();
});

test('tables of others are left where they are by a move, and named', async () => {
  const dataDir = await embeddedWithRows();
  await inFolder(dataDir, (db) => sql`create table jotted_down as select 1 as one`.execute(db));
  const target = await emptyServer();
  const moved = await run('move-database', [], { DATA_DIR: dataDir, DATABASE_URL: target.url });
  expect(moved).toMatchObject({ code: 0, err: '' });
  expect(moved.out).toContain('jotted_down (1 row)');
  await target.close();
});

test('nothing moves to where somebody is, and the embedded database stays', async () => {
  const dataDir = await embeddedWithRows();
  const target = await emptyServer();
  await run('move-database', [], { DATA_DIR: dataDir, DATABASE_URL: target.url });
  const second = await embeddedWithRows();
  const { code, err } = await run('move-database', [], { DATA_DIR: second, DATABASE_URL: target.url });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('--replace') as string });
  expect((await inFolder(second, everythingIn)).length).toBeGreaterThan(20);
  await target.close();
});

async function freshConnection<T>(url: string, use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url, dataDir: folder, log: silentLog });
  try {
    return await use(createDb(database.pool));
  } finally {
    await database.close();
  }
}

test('a restore that is killed leaves what was there', async () => {
  const dataDir = await embeddedWithRows();
  const file = path.join(folder, 'to-be-killed');
  await run('backup', [file], { DATA_DIR: dataDir });
  await inFolder(dataDir, (db) => sql`update person set name = 'Changed since'`.execute(db));
  const before = await inFolder(dataDir, everythingIn);
  const { child, ended } = start('restore', [file, '--replace'], { DATA_DIR: dataDir });
  await waitFor('it to have begun', () =>
    Promise.resolve(fs.existsSync(path.join(dataDir, 'restoring/pglite/PG_VERSION'))),
  );
  child.kill('SIGKILL');
  expect((await ended).code).toBe('SIGKILL');
  expect(await inFolder(dataDir, everythingIn)).toEqual(before);
  expect(await run('restore', [file, '--replace'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    err: '',
  });
  expect(fs.existsSync(path.join(dataDir, 'restoring'))).toBe(false);
});

test('a machine that stops between the two names of a restore goes on with the restored one', async () => {
  const dataDir = await embeddedWithRows();
  const rows = await inFolder(dataDir, everythingIn);
  // As it is when the former one has gone and the new one has not come.
  fs.renameSync(path.join(dataDir, 'pglite'), path.join(dataDir, 'pglite.whole'));
  expect(await inFolder(dataDir, everythingIn)).toEqual(rows);
});

test('however much there is, little of it is in memory', async () => {
  const big = await freshDatabase('postgresql');
  const db = createDb(big.pool);
  // 65 MB as they are read: as a whole they would not fit into the memory that the commands are given.
  await sql`insert into mail (kind, created_at, html)
    select 'k', now(), n || repeat(' words that a mail has', 60) from generate_series(1, 50000) n`.execute(
    db,
  );
  const file = path.join(folder, 'big');
  const small = ['--max-old-space-size=40'];
  const made = await run('backup', [file], { DATABASE_URL: big.url ?? '' }, small);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('50001 rows');
  const target = await emptyServer();
  expect(await run('restore', [file], { DATABASE_URL: target.url }, small)).toMatchObject({
    code: 0,
    err: '',
  });
  expect(await freshConnection(target.url, digestOfMails)).toEqual(await digestOfMails(db));
  await target.close();
  await big.close();
});

async function digestOfMails(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select count(*), min(length(html)), md5(string_agg(md5(html), '' order by id)) from mail`.execute(db);
  expect(rows).toMatchObject([{ count: '50000' }]);
  return rows;
}
