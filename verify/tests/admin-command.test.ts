import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startDevPostgres } from '../../scripts/dev-postgres/server.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';
import { ROOT } from '../../scripts/run.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/index.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import { silentLog } from '../../test/support/database.ts';

test('npm run admin uses the embedded database of a running SmartPause, and does not create one', async () => {
  const dataDir = await makeDataFolder('admin');
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const run = () => promisify(execFile)(process.execPath, ['scripts/admin.ts', 'list'], { cwd: ROOT, env });
  await expect(run()).rejects.toThrow(`There is no database in ${dataDir}.`);
  expect(await readdir(dataDir)).toEqual([]);
  const server = await startDevPostgres(dataDir);
  const running = await openDatabase({ url: server.url, log: silentLog });
  await expect(run()).rejects.toThrow('The tables are not those of this version.');
  await migrate(running, migrations);
  expect((await run()).stdout).toBe('No user has a role.\n');
  await running.close();
  await server.stop();
  expect((await run()).stdout).toBe('No user has a role.\n');
  await rm(dataDir, { recursive: true });
});
