import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDevPostgres } from '../../scripts/dev-postgres/server.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';

let home = '';
let dataDir = '';

beforeAll(async () => {
  home = await makeDataFolder('embedded');
  dataDir = path.join(home, 'data');
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const placeOf = (...names: string[]): string => path.join(dataDir, 'postgres', ...names);
const postmaster = (): number => parseInt(fs.readFileSync(placeOf('data/postmaster.pid'), 'utf8'));

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
  const server = path.join(import.meta.dirname, '../../scripts/dev-postgres/server.ts');
  const script = `
    import pg from 'pg';
    import { startDevPostgres } from '${server}';
    const client = new pg.Client((await startDevPostgres('${dataDir}')).url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table if not exists entry (id int)');
    await client.query('insert into entry values (1)');
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const exited = once(child, 'exit');
  const failed = exited.then(() => {
    throw new Error('the other process ended');
  });
  failed.catch(() => undefined);
  await Promise.race([once(child.stdout, 'data'), failed]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { kill };
}

async function count(): Promise<number> {
  const server = await startDevPostgres(dataDir);
  const [row] = await query<{ count: number }>(server.url, 'select count(*)::int as count from entry');
  await server.stop();
  return row?.count ?? 0;
}

describe('the embedded PostgreSQL', () => {
  test('listens on localhost only, restricts its password file to its user, and ends with its process', async () => {
    const server = await startDevPostgres(dataDir);
    expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(fs.statSync(placeOf('password')).mode & 0o777).toBe(0o600);
    await server.stop();
    expect(fs.existsSync(placeOf('data/postmaster.pid'))).toBe(false);
  });

  test('refuses a second process in one sentence, unless that is a command, which shares it', async () => {
    const first = await otherProcess();
    await expect(startDevPostgres(dataDir)).rejects.toThrow(
      /^Another SmartPause is running on .*: stop it first, or set another DATA_DIR\.$/,
    );
    const shared = await startDevPostgres(dataDir, { share: true });
    expect(await query(shared.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await shared.stop();
    expect([shared.isOurs, isThere(postmaster())]).toEqual([false, true]);
    await first.kill();
  });

  test('loses no data when its process is killed, and stops the server left behind in the end', async () => {
    const before = await count();
    const killed = await otherProcess();
    const leftBehind = postmaster();
    await killed.kill();
    expect(await count()).toBe(before + 1);
    await waitFor('the server left behind to be gone', () => Promise.resolve(!isThere(leftBehind)));
  });

  test('loses no data when process and server are killed', async () => {
    const before = await count();
    const killed = await otherProcess();
    process.kill(postmaster(), 'SIGKILL');
    await killed.kill();
    expect(await count()).toBe(before + 1);
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('the PostgreSQL of a run ends with it at %s', async (signal) => {
  const own = path.join(import.meta.dirname, '../../scripts/outside/own-postgres.ts');
  const folder = path.join(home, signal);
  const script = `
    import { OwnPostgres } from '${own}';
    await OwnPostgres.start('${folder}');
    console.log('ready');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  await once(child.stdout, 'data');
  const server = parseInt(fs.readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8'));
  child.kill(signal);
  await waitFor('the server to be gone', () => Promise.resolve(!isThere(server)), 10_000);
});

/** As root, PostgreSQL runs as another user, who cannot enter a home folder with mode 700. */
describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  test('a folder that only root may enter names another one, which PostgreSQL can enter', async () => {
    const closed = path.join(home, 'closed');
    fs.mkdirSync(closed, { mode: 0o700 });
    const server = await startDevPostgres(path.join(closed, 'data'));
    const rows = await query<{ data_directory: string }>(server.url, 'show data_directory');
    await server.stop();
    const folder = fs.readFileSync(path.join(closed, 'data/postgres-folder'), 'utf8');
    expect([folder.startsWith('/var/lib/'), rows]).toEqual([
      true,
      [{ data_directory: path.join(folder, 'data') }],
    ]);
    fs.rmSync(folder, { recursive: true });
  });

  test('changes nothing in the database of another user', async () => {
    const OTHER_USER_ID = 12_345;
    const foreign = path.join(home, 'foreign');
    fs.mkdirSync(path.join(foreign, 'postgres/data'), { recursive: true });
    fs.chownSync(path.join(foreign, 'postgres/data'), OTHER_USER_ID, OTHER_USER_ID);
    await expect(startDevPostgres(foreign)).rejects.toThrow(
      'belongs to the user with the id 12345: run this as that user, or set DATA_DIR.',
    );
    expect(fs.readdirSync(foreign, { recursive: true })).toEqual(['postgres', 'postgres/data']);
  });
});
