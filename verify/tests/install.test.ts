import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWeb } from '../../scripts/build.ts';
import { freePort } from '../../scripts/programs/free-port.ts';
import { startProgram } from '../../scripts/programs/program.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { ROOT } from '../../scripts/run.ts';
import { readImage } from '../../test/support/dockerfile.ts';
import { KEY_OF_TESTS, newAdvertiser, waitForStatuses } from '../../test/support/product.ts';
import { startSimulators, type LocalSimulators } from '../../test/support/simulators.ts';
import { databaseOfTwoRoles, type DatabaseOfTwoRoles } from '../../test/support/two-roles.ts';

// A production install in a folder: the files that the Dockerfile copies, without optional and development packages.

const image = await readImage();
const closing = new AsyncDisposableStack();
let folder = '';
let simulators: LocalSimulators;
let roles: DatabaseOfTwoRoles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smartpause-install-'));
  closing.defer(() => rm(folder, { recursive: true }));
  simulators = await startSimulators();
  closing.defer(() => simulators.stop());
  roles = await databaseOfTwoRoles();
  closing.defer(() => roles.close());
  await buildWeb();
  for (const path of [...image.copied, 'package-lock.json', '.npmrc', 'dist/web']) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const filter = (file: string): boolean => !/\.test\.tsx?$|fixture/.test(file);
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter });
  }
  const options = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline'];
  await promisify(execFile)('npm', options, { cwd: folder });
});
afterAll(() => closing.disposeAsync());

/** Starts a program of the install with the image's variables and these, without ours. */
async function start(settings: Record<string, string>, args = image.command.slice(1)) {
  const [port, operationsPort] = [String(await freePort()), String(await freePort())];
  const url = `http://127.0.0.1:${port}`;
  const own = { HOST: '127.0.0.1', PORT: port, PUBLIC_URL: url, OPERATIONS_PORT: operationsPort };
  const env = { ...image.environment, ...own, ...settings };
  return {
    ...startProgram(args, { cwd: folder, env }),
    url,
    operations: `http://127.0.0.1:${operationsPort}`,
  };
}

test('[DEMO-01] the image has no part of the demo panel', () => {
  const parts = ['src', 'scripts', 'dist'].map((part) => join(folder, part));
  const found = spawnSync('grep', ['-rlE', '_demo|demo-panel|demo-mode/', ...parts], { encoding: 'utf8' });
  expect([found.status, found.stdout]).toEqual([1, '']);
});

test('every command starts, and the server names what is missing', async () => {
  const commands = image.copied.filter((path) =>
    /(serve|migrate|admin|export-user|recover-holds|stripe-setup)\.ts$/.test(path),
  );
  expect(commands).toHaveLength(6);
  for (const command of commands) {
    const { ended, output } = await start({}, [command, '--help']);
    expect([command, ...(await ended), output.err]).toEqual([command, 0, null, '']);
  }
  const { ended, output } = await start({ PUBLIC_URL: '' });
  expect(await ended).toEqual([1, null]);
  for (const name of ['META_APP_ID', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'ENCRYPTION_KEY', 'DATABASE_URL'])
    expect(output.err).toContain(`${name}: is missing`);
});

/** As the role of the running product. */
async function expectOnlyRowsToChange(): Promise<void> {
  const client = new pg.Client(roles.app.url);
  await client.connect();
  for (const statement of [
    ...['drop table users', 'truncate users', 'create table extra (id int)', 'create role extra'],
    ...[`set role ${roles.owner.name}`, "copy users to program 'cat'", "select pg_read_file('/etc/passwd')"],
  ]) {
    const refused = client.query(statement).catch((error: unknown) => (error as pg.DatabaseError).code);
    expect([statement, await refused]).toEqual([statement, '42501']);
  }
  await client.end();
}

test('after one migration, web and worker carry an outage out, write no file and exit on SIGTERM', async () => {
  const refused = await start({ DATABASE_URL: roles.app.url }, ['scripts/migrate.ts']);
  expect(await refused.ended).toEqual([1, null]);
  const migration = await start({ DATABASE_URL: roles.owner.url }, ['scripts/migrate.ts']);
  expect([...(await migration.ended), migration.output.err]).toEqual([0, null, '']);
  await expectOnlyRowsToChange();
  const mark = join(folder, 'package.json');
  execFileSync('touch', [mark]);

  // DEMO allows services on this machine.
  const settings = {
    ...{ ...simulators.environment, DATABASE_URL: roles.app.url, ENCRYPTION_KEY: KEY_OF_TESTS, DEMO: '1' },
    ...{ MAIL_FROM: 'SmartPause <mail@example.com>', STATUS_POLL_SECONDS: '0.5' },
  };
  const web = await start({ ...settings, ROLE: 'web' });
  const worker = await start({ ...settings, ROLE: 'worker' });
  for (const { output, operations } of [web, worker]) {
    await waitFor('SmartPause', () => output.out.includes('SmartPause is ready'));
    expect((await fetch(`${operations}/health/ready`)).status).toBe(200);
  }
  await expect(fetch(worker.url)).rejects.toThrow();
  expect(await (await fetch(web.url)).text()).toContain('SmartPause');
  const who = await newAdvertiser({ product: web, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  await simulators.status.reports('High disruptions');
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await simulators.status.reports('Resolved');
  await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);

  for (const { child, ended, output } of [web, worker]) {
    child.kill('SIGTERM');
    expect([...(await ended), output.err]).toEqual([0, null, '']);
  }
  expect(execFileSync('find', [folder, '-newer', mark], { encoding: 'utf8' })).toBe('');
});
