import type { ChildProcessByStdio } from 'node:child_process';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/outside/free-port.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Images } from './image.ts';
import { contentOf, makeImage } from './image.ts';
import { KEY_OF_TESTS, newAdvertiser, waitForStatuses } from '../../test/support/product.ts';
import type { DatabaseOfTwoRoles } from '../../test/support/two-roles.ts';
import { databaseOfTwoRoles } from '../../test/support/two-roles.ts';

/** A user other than the owner reads the image's files; no file is writable. */
const IS_ROOT = process.getuid?.() === 0;
const NOWHERE = '/no-such-folder';

let under = '';
let image: Images;
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
  output: { out: string; err: string };
  ended: Promise<unknown[]>;
  url: string;
  /** The address of the operations port. */
  operations: string;
}

/** Starts it like a container: as the image's user, with its variables and these, without our environment. */
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
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  return {
    child,
    output,
    ended: once(child, 'close'),
    url,
    operations: `http://127.0.0.1:${operationsPort}`,
  };
}

/** An operator's settings with simulators on this machine, which production must allow explicitly. */
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
  const isReady = waitFor('SmartPause', () => one.output.out.includes('SmartPause is ready'));
  const ended = one.ended.then(() => {
    throw new Error(`it ended: ${one.output.out}${one.output.err}`);
  });
  await Promise.race([isReady, ended]);
  return one;
}

/** Runs the image's own health check and the readiness check of a load balancer. */
async function isHealthy({ operations }: Started): Promise<void> {
  const check = async (OPERATIONS_PORT: string): Promise<unknown> => {
    const { ended } = await start({ OPERATIONS_PORT }, { program: image.healthCheck, args: [] });
    return (await ended)[0];
  };
  expect([await check(new URL(operations).port), await check(String(await freePort()))]).toEqual([0, 1]);
  const ready = await fetch(`${operations}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { isReady: true, isMigrated: true }]);
}

async function endsWell({ child, ended, output }: Started): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(output.err).toBe('');
}

/** The packages of a lock file, by path. */
function packagesIn(file: string): [string, { dev?: true; optional?: true; devOptional?: true }][] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> };
  return Object.entries(packages);
}

async function migrate(): Promise<string> {
  const { ended, output } = await start({ DATABASE_URL: roles.owner.url }, { args: ['scripts/migrate.ts'] });
  expect([...(await ended), output.err]).toEqual([0, null, '']);
  return output.out;
}

test('[DEMO-02] the demonstration starts from its stage alone, with a database of its own', async () => {
  const { demo } = image;
  const data = join(under, 'demo-data');
  await mkdir(data);
  await chmod(data, 0o777);
  const own = {
    ...demo.environment,
    DATA_DIR: join(data, 'own'),
    SIMULATOR_PORTS: 'free',
    NODE_ENV: '',
  };
  const one = await start(own, { program: demo.entrypoint, args: demo.command, folder: demo.folder });
  const isReady = waitFor('SmartPause', () => one.output.out.includes('SmartPause is running'), 120_000);
  const ended = one.ended.then(() => {
    throw new Error(`it ended: ${one.output.out}${one.output.err}`);
  });
  await Promise.race([isReady, ended]);
  const answer = await fetch(`${one.url}/_demo/sign-in`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')?.startsWith(one.url)]).toEqual([302, true]);
  await endsWell(one);
});

test('[DEMO-01] the image has no part of the demo panel', () => {
  const parts = ['src', 'scripts', 'dist'].map((part) => join(image.folder, part));
  const found = spawnSync('grep', ['-rlE', '_demo|demo-panel|demo-mode/', ...parts], { encoding: 'utf8' });
  expect([found.status, found.stdout]).toEqual([1, '']);
});

test('contains what production needs, in the versions of the lock file, and nothing else', () => {
  const locked = packagesIn(join(import.meta.dirname, '../../package-lock.json'));
  const needed = locked.filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !(dev ?? optional ?? devOptional),
  );
  const installed = packagesIn(join(image.folder, 'node_modules/.package-lock.json')).map(([path]) => path);
  expect(installed.sort()).toEqual(needed.map(([path]) => path).sort());
  const others = asMade.filter((file) => !/^(|dist|node_modules|src|scripts)[/ ]/.test(file));
  expect(others.map((file) => file.split(' ')[0])).toEqual(['LICENSE', 'package.json']);
  expect(asMade.filter((file) => /^(src|scripts)\/.*(\.test\.|fixture)/.test(file))).toEqual([]);
});

test('exits without simulators and names the missing services', async () => {
  const { ended, output } = await start({ PUBLIC_URL: '' });
  expect(await ended).toEqual([1, null]);
  for (const name of [
    'META_APP_ID',
    'STRIPE_SECRET_KEY',
    'SMTP_URL',
    'ENCRYPTION_KEY',
    'PUBLIC_URL',
    'MAIL_FROM',
  ]) {
    expect(output.err).toContain(`${name}: is missing`);
  }
});

test('refuses the embedded database in production', async () => {
  const { ended, output } = await start(settings({ DATABASE_URL: '', DATA_DIR: './data' }));
  expect(await ended).toEqual([1, null]);
  expect(output.err).toContain('DATABASE_URL: is missing');
});

test('prints how to build the web app when it is missing', async () => {
  const folder = await mkdtemp(join(under, 'unbuilt-'));
  for (const part of ['package.json', 'scripts', 'src']) {
    await cp(join(image.folder, part), join(folder, part), { recursive: true });
  }
  await symlink(join(image.folder, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('chmod', ['755', folder]);
  const { ended, output } = await start(settings(), { folder });
  expect(await ended).toEqual([1, null]);
  expect(output.err).toContain('npm run build');
});

test('exits without migrated tables when its role may not change them', async () => {
  const { ended, output } = await start(settings({ ROLE: 'web' }));
  expect(await ended).toEqual([1, null]);
  expect(output.err).toContain('npm run migrate');
});

test('exits at once on a signal before it is ready, also as the first process of a container', async () => {
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

test('after one migration it runs in one process, with pages, health and administrators', async () => {
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
  expect([...(await admin.ended), admin.output.out]).toEqual([0, null, 'No user has a role.\n']);
  await endsWell(all);
});

test('web serves requests, worker runs the background work, and each exits on SIGTERM', async () => {
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

test('writes no files', async () => {
  expect(await contentOf(image.folder)).toEqual(asMade);
  expect(existsSync(NOWHERE)).toBe(false);
});
