import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { PostgresCluster } from '../../src/server/db/embedded/cluster.ts';
import { openDatabase, type DatabaseOptions } from '../../src/server/db/pool/open.ts';
import { silentLog } from '../../test/support/database.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';

let home = '';
let dataDir = '';

beforeAll(async () => {
  home = await makeDataFolder('embedded');
  dataDir = path.join(home, 'data');
});
afterEach(async () => {
  if (!PostgresCluster.isIn(placeOf(dataDir))) return;
  const cluster = await PostgresCluster.open(placeOf(dataDir));
  if (cluster.lastServer !== null) await cluster.stop('immediate').catch(() => undefined);
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const placeOf = (folder: string): string => path.join(folder, 'postgres');

const postmaster = (): number =>
  Number(fs.readFileSync(path.join(placeOf(dataDir), 'data/postmaster.pid'), 'utf8').split('\n')[0]);

const open = (more: Partial<Pick<DatabaseOptions, 'share' | 'log'>> = {}) =>
  openDatabase({ dataDir, log: silentLog, ...more });

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A separate process that has the database open and has committed a row. */
async function otherProcess(): Promise<{ kill: () => Promise<void> }> {
  const script = `
    import { openDatabase } from '${path.join(import.meta.dirname, '../../src/server/db/pool/open.ts')}';
    const nothing = () => undefined;
    const log = { info: nothing, warn: nothing, error: nothing };
    const database = await openDatabase({ dataDir: '${dataDir}', log });
    await database.pool.query('create table if not exists entry (id int)');
    await database.pool.query('insert into entry values (1)');
    console.log('ready');
    setInterval(nothing, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => {
      throw new Error('the other process ended');
    }),
  ]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { kill };
}

async function count(): Promise<number> {
  const database = await open();
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from entry');
  await database.close();
  return rows[0]?.count ?? 0;
}

describe('the embedded PostgreSQL', () => {
  test('listens on localhost only, restricts its password file to its user, and ends with its process', async () => {
    const database = await open();
    const { rows } = await database.pool.query('show listen_addresses');
    expect(rows).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(fs.statSync(path.join(placeOf(dataDir), 'password')).mode & 0o777).toBe(0o600);
    await database.close();
    expect(fs.existsSync(path.join(placeOf(dataDir), 'data/postmaster.pid'))).toBe(false);
  });

  test('refuses a second process in one sentence, unless that only shares the server', async () => {
    const first = await otherProcess();
    await expect(open()).rejects.toThrow(
      /^Another SmartPause is running on .*: stop it first, or set another DATA_DIR\.$/,
    );
    const shared = await open({ share: true });
    expect([shared.exclusive, (await shared.pool.query('select 1 as one')).rows]).toEqual([
      false,
      [{ one: 1 }],
    ]);
    await shared.close();
    await first.kill();
  });

  test('loses no data when its process is killed, and replaces the orphaned server', async () => {
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

  test('restarts a killed server and logs it', async () => {
    const said: string[] = [];
    const say = (_details: object, message: string) => void said.push(message);
    const database = await open({ log: { info: say, warn: () => undefined, error: say } });
    process.kill(postmaster(), 'SIGKILL');
    await waitFor('the server to be back', () =>
      database.pool.query('select 1').then(
        () => said.includes('PostgreSQL runs again'),
        () => false,
      ),
    );
    expect(said).toContain('PostgreSQL ended; it is started again');
    await database.close();
  });

  test('refuses a folder of the former embedded engine and does not change it', async () => {
    const former = path.join(home, 'former');
    fs.mkdirSync(path.join(former, 'pglite'), { recursive: true });
    await expect(openDatabase({ dataDir: former, log: silentLog })).rejects.toThrow(
      /pglite is a database of the former embedded engine, which this version cannot read: /,
    );
    expect(fs.readdirSync(former, { recursive: true })).toEqual(['pglite']);
  });

  test('refuses data of another PostgreSQL version', async () => {
    const other = path.join(home, 'other');
    fs.mkdirSync(other, { mode: 0o711 });
    fs.mkdirSync(path.join(other, 'postgres/data'), { recursive: true });
    fs.writeFileSync(path.join(other, 'postgres/data/PG_VERSION'), '12\n');
    await expect(openDatabase({ dataDir: other, log: silentLog })).rejects.toThrow(
      'was written by PostgreSQL 12, and this version of SmartPause brings PostgreSQL',
    );
  });
});

/** As root, PostgreSQL runs as another user, who cannot enter a home folder with mode 700. */
describe.skipIf(process.getuid?.() !== 0)('as root, in a folder that only root may enter', () => {
  test('stores the data in a folder that PostgreSQL can enter, and logs its path', async () => {
    const closed = path.join(home, 'closed');
    fs.mkdirSync(closed, { mode: 0o700 });
    const said: object[] = [];
    const log = { ...silentLog, info: (details: object) => void said.push(details) };
    const database = await openDatabase({ dataDir: path.join(closed, 'data'), log });
    const { rows } = await database.pool.query<{ data_directory: string }>('show data_directory');
    await database.close();
    const folder = fs.realpathSync(path.join(closed, 'data/postgres'));
    expect(rows[0]?.data_directory).toBe(path.join(folder, 'data'));
    expect(said).toContainEqual({ folder });
    expect(folder.startsWith(closed)).toBe(false);
    fs.rmSync(folder, { recursive: true });
    await expect(openDatabase({ dataDir: path.join(closed, 'data'), log })).rejects.toThrow(
      'which is not there',
    );
  });

  test('leaves no files in the folder of another user', async () => {
    const OTHER_USER_ID = 65_534;
    const foreign = path.join(home, 'foreign');
    fs.mkdirSync(foreign);
    fs.chownSync(foreign, OTHER_USER_ID, OTHER_USER_ID);
    await expect(openDatabase({ dataDir: foreign, log: silentLog })).rejects.toThrow(
      /belongs to the user with the id 65534.*sudo -u/s,
    );
    expect(fs.readdirSync(foreign)).toEqual([]);
  });
});
