import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevPostgres } from '../../scripts/dev-postgres/server.ts';
import { makeDataFolder } from '../../test/support/data-folder.ts';
import { startProgram } from '../../scripts/programs/program.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
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

async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<object>(text);
  await client.end();
  return Object.values(rows[0] ?? {})[0];
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A separate process that owns the server and has committed a row. */
async function otherProcess() {
  const script = `
    import pg from 'pg';
    import { startDevPostgres } from './scripts/dev-postgres/server.ts';
    const client = new pg.Client((await startDevPostgres('${dataDir}')).url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table if not exists entry (id int); insert into entry values (1)');
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const args = ['--input-type=module', '-e', script];
  const { child, output, ended } = startProgram(args, { cwd: ROOT, env: { PATH: process.env['PATH'] } });
  await waitFor('the other process', () => output.out.includes('ready'));
  return { kill: () => [child.kill('SIGKILL'), ended][1] };
}

async function countEntries(): Promise<number> {
  const server = await startDevPostgres(dataDir);
  const count = await query(server.url, 'select count(*) from entry');
  await server.stop();
  return Number(count);
}

test('listens on localhost only, restricts its password file, and refuses a second process', async () => {
  const first = await otherProcess();
  await expect(startDevPostgres(dataDir)).rejects.toThrow(
    /^Another SmartPause is running on .*: stop it first, or set another DATA_DIR\.$/,
  );
  // A command shares it.
  const shared = await startDevPostgres(dataDir, { share: true });
  expect(await query(shared.url, 'show listen_addresses')).toBe('127.0.0.1');
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
