import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevPostgres } from '../../scripts/dev-postgres/server.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { ROOT } from '../../scripts/run.ts';

let home = '';
let dataDir = '';

beforeAll(async () => {
  home = await makeDataFolder('embedded');
  dataDir = path.join(home, 'data');
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const postmaster = (): number =>
  parseInt(fs.readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'));

async function query<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<R>(text);
  await client.end();
  return rows;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A separate process that owns the server and has committed a row. */
async function otherProcess(): Promise<{ kill: () => Promise<void> }> {
  const script = `
    import pg from 'pg';
    import { startDevPostgres } from './scripts/dev-postgres/server.ts';
    const client = new pg.Client((await startDevPostgres('${dataDir}')).url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table if not exists entry (id int); insert into entry values (1)');
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function countEntries(): Promise<number> {
  const server = await startDevPostgres(dataDir);
  const [row] = await query<{ count: number }>(server.url, 'select count(*)::int as count from entry');
  await server.stop();
  return row?.count ?? 0;
}

test('listens on localhost only, restricts its password file, and refuses a second process', async () => {
  const first = await otherProcess();
  await expect(startDevPostgres(dataDir)).rejects.toThrow(
    /^Another SmartPause is running on .*: stop it first, or set another DATA_DIR\.$/,
  );
  // A command shares it.
  const shared = await startDevPostgres(dataDir, { share: true });
  expect(await query(shared.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  expect(fs.statSync(path.join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
  await shared.stop();
  expect([shared.isOurs, isThere(postmaster())]).toEqual([false, true]);
  await first.kill();
});

test.each([
  ['its process is killed', () => undefined],
  ['process and server are killed', () => process.kill(postmaster(), 'SIGKILL')],
])('loses no data when %s, and leaves no server behind in the end', async (_what, killServer) => {
  const before = await countEntries();
  const killed = await otherProcess();
  const leftBehind = postmaster();
  killServer();
  await killed.kill();
  expect(await countEntries()).toBe(before + 1);
  await waitFor('the server left behind to be gone', () => Promise.resolve(!isThere(leftBehind)));
});

/** As root, PostgreSQL runs as another user, who cannot enter a home folder with mode 700. */
test.skipIf(process.getuid?.() !== 0)('as root, uses a folder that PostgreSQL can enter', async () => {
  const closed = path.join(home, 'closed');
  fs.mkdirSync(closed, { mode: 0o700 });
  const server = await startDevPostgres(path.join(closed, 'data'));
  const rows = await query<{ data_directory: string }>(server.url, 'show data_directory');
  await server.stop();
  const folder = fs.readFileSync(path.join(closed, 'data/postgres-folder'), 'utf8');
  expect(rows).toEqual([{ data_directory: path.join(folder, 'data') }]);
  fs.rmSync(folder, { recursive: true });
});
