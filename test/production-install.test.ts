import type { ChildProcessByStdio } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/outside/free-port.ts';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import type { Image } from './support/image.ts';
import { contentOf, makeImage } from './support/image.ts';
import { KEY_OF_TESTS, newAdvertiser, waitForStatuses } from './support/product.ts';
import type { DatabaseOfTwoRoles } from './support/two-roles.ts';
import { databaseOfTwoRoles } from './support/two-roles.ts';

/** What the image holds is read by somebody else than its owner, and nothing of it can be written. */
const IS_ROOT = process.getuid?.() === 0;
const NOWHERE = '/no-such-folder';

let under = '';
let image: Image;
let asMade: string[] = [];
let simulators: Simulators;
let roles: DatabaseOfTwoRoles;
const started: ChildProcessByStdio<null, Readable, Readable>[] = [];

const toClose: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  under = await mkdtemp(join(tmpdir(), 'smartpause-image-'));
  toClose.push(() => removeImage());
  simulators = await startSimulators(SIMULATORS, 'free');
  toClose.push(() => simulators.stop());
  roles = await databaseOfTwoRoles();
  toClose.push(() => roles.close());
  image = await makeImage(under);
  execFileSync('chmod', ['-R', 'a-w', image.folder]);
  asMade = await contentOf(image.folder);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  for (const close of toClose.reverse()) await close();
});

async function removeImage(): Promise<void> {
  execFileSync('chmod', ['-R', 'u+w', under]);
  await rm(under, { recursive: true, force: true });
}

interface Started {
  child: ChildProcessByStdio<null, Readable, Readable>;
  told: { out: string; err: string };
  ended: Promise<unknown[]>;
  url: string;
  /** Where whoever runs it asks. */
  operations: string;
}

/** As a container is started: by the image's own user, with its variables and these, and nothing of ours. */
async function start(
  settings: Record<string, string>,
  { program = image.entrypoint, args = image.command, folder = image.folder } = {},
): Promise<Started> {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const own = {
    HOST: '127.0.0.1',
    PORT: String(port),
    OPERATIONS_PORT: String(operationsPort),
    PUBLIC_URL: url,
  };
  const child = spawn(program[0] ?? '', [...program.slice(1), ...args], {
    cwd: folder,
    env: { ...image.environment, HOME: NOWHERE, TMPDIR: NOWHERE, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(IS_ROOT ? image.user : {}),
  });
  started.push(child);
  const told = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (told.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (told.err += text.toString()));
  return { child, told, ended: once(child, 'close'), url, operations: `http://127.0.0.1:${operationsPort}` };
}

/** What somebody would set, but that the services are the simulators: on this machine, which production has to be told. */
function settings(more: Record<string, string> = {}): Record<string, string> {
  return {
    ...simulators.environment,
    DATABASE_URL: roles.app.url,
    ENCRYPTION_KEY: KEY_OF_TESTS,
    MAIL_FROM: 'SmartPause <mail@example.com>',
    STATUS_POLL_SECONDS: '0.5',
    DEMO: '1',
    ...more,
  };
}

async function startReady(more: Record<string, string>): Promise<Started> {
  const one = await start(settings(more));
  const isReady = waitFor('SmartPause', () => one.told.out.includes('SmartPause is ready'));
  const ended = one.ended.then(() => {
    throw new Error(`it ended: ${one.told.out}${one.told.err}`);
  });
  await Promise.race([isReady, ended]);
  return one;
}

/** By the image's own check, and by what decides where people are sent. */
async function isHealthy({ operations }: Started): Promise<void> {
  const check = async (OPERATIONS_PORT: string): Promise<unknown> => {
    const { ended } = await start({ OPERATIONS_PORT }, { program: image.healthCheck, args: [] });
    return (await ended)[0];
  };
  expect([await check(new URL(operations).port), await check(String(await freePort()))]).toEqual([0, 1]);
  const ready = await fetch(`${operations}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { isReady: true, isMigrated: true }]);
}

async function endsWell({ child, ended, told }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(told.err).toBe('');
}

/** Of a lock file, by their places. */
function packagesIn(file: string): [string, { dev?: true; optional?: true; devOptional?: true }][] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> };
  return Object.entries(packages);
}

async function migrate(): Promise<string> {
  const { ended, told } = await start({ DATABASE_URL: roles.owner.url }, { args: ['scripts/migrate.ts'] });
  expect([...(await ended), told.err]).toEqual([0, null, '']);
  return told.out;
}

test('it holds what production needs, of the versions in the lock file, and nothing else', () => {
  const locked = packagesIn(join(import.meta.dirname, '../package-lock.json'));
  const needed = locked.filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !(dev ?? optional ?? devOptional),
  );
  const installed = packagesIn(join(image.folder, 'node_modules/.package-lock.json')).map(([path]) => path);
  expect(installed.sort()).toEqual(needed.map(([path]) => path).sort());
  const others = asMade.filter((file) => !/^(|dist|node_modules|src|scripts)[/ ]/.test(file));
  expect(others.map((file) => file.split(' ')[0])).toEqual(['LICENSE', 'package.json']);
  expect(asMade.filter((file) => /^(src|scripts)\/.*(\.test\.|fixture)/.test(file))).toEqual([]);
});

test('nothing is played there: what is not configured is named, and it ends', async () => {
  const { ended, told } = await start({ PUBLIC_URL: '' });
  expect(await ended).toEqual([1, null]);
  for (const name of [
    'META_APP_ID',
    'STRIPE_SECRET_KEY',
    'SMTP_URL',
    'ENCRYPTION_KEY',
    'PUBLIC_URL',
    'MAIL_FROM',
  ]) {
    expect(told.err).toContain(`${name}: is missing`);
  }
});

test('the embedded database is not for production', async () => {
  const { ended, told } = await start(settings({ DATABASE_URL: '', DATA_DIR: './data' }));
  expect(await ended).toEqual([1, null]);
  expect(told.err).toContain('DATABASE_URL: is missing');
});

test('without the web app it says how that is built', async () => {
  const folder = await mkdtemp(join(under, 'unbuilt-'));
  for (const part of ['package.json', 'scripts', 'src']) {
    await cp(join(image.folder, part), join(folder, part), { recursive: true });
  }
  await symlink(join(image.folder, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('chmod', ['755', folder]);
  const { ended, told } = await start(settings(), { folder });
  expect(await ended).toEqual([1, null]);
  expect(told.err).toContain('npm run build');
});

test('before the migration it ends, as the role that may not change tables', async () => {
  const { ended, told } = await start(settings({ ROLE: 'web' }));
  expect(await ended).toEqual([1, null]);
  expect(told.err).toContain('npm run migrate');
});

test('told to end before it is ready it ends at once, also as the first process of a container', async () => {
  const deaf = createServer().listen(0, '127.0.0.1');
  const isAsked = once(deaf, 'connection');
  await once(deaf, 'listening');
  const { port } = deaf.address() as AddressInfo;
  const { child, ended } = await start(
    settings({ DATABASE_URL: `postgres://app:app@127.0.0.1:${port}/app` }),
  );
  await isAsked;
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  deaf.close();
});

test('migrated once, it runs in one process, with pages, health and administrators', async () => {
  expect(await migrate()).toMatch(/^Applied: \w+/);
  expect(await migrate()).toMatch(/^The database is up to date\. \(PostgreSQL, [^@]+\)\n$/);
  const all = await startReady({});
  const landing = await fetch(all.url);
  expect([landing.status, landing.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await landing.text()).toContain('SmartPause');
  const health = await fetch(`${all.url}/health`);
  expect([health.status, await health.json()]).toEqual([200, { healthy: true }]);

  await isHealthy(all);

  const admin = await start({ DATABASE_URL: roles.app.url }, { args: ['scripts/admin.ts', 'list'] });
  expect([...(await admin.ended), admin.told.out]).toEqual([0, null, 'Nobody has a role.\n']);
  await endsWell(all);
});

test('web takes the calls, worker does the work, and each ends when it is told to', async () => {
  await migrate();
  const asked = (await simulators.status.requests()).length;
  const web = await startReady({ ROLE: 'web' });
  const who = await newAdvertiser({ product: web, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  await simulators.status.reports('High disruptions');
  expect(await simulators.status.requests()).toHaveLength(asked);

  const worker = await startReady({ ROLE: 'worker' });
  await expect(fetch(worker.url)).rejects.toThrow();
  await Promise.all([web, worker].map(isHealthy));
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await simulators.status.post('/reset');
  await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'PAUSED']);
  await Promise.all([endsWell(web), endsWell(worker)]);
});

test('nothing was written', async () => {
  expect(await contentOf(image.folder)).toEqual(asMade);
  expect(existsSync(NOWHERE)).toBe(false);
});
