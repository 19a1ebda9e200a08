import { execFile, spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { buildWeb } from '../../scripts/build.ts';
import { freePort } from '../../scripts/outside/free-port.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';

const START = join(import.meta.dirname, '../../scripts/start.ts');
const run = promisify(execFile);
const started: ChildProcessByStdio<null, Readable, Readable>[] = [];
let folder = '';

beforeAll(async () => {
  folder = await makeDataFolder('start');
  await buildWeb();
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(settings: Record<string, string>) {
  const port = await freePort();
  const dataDir = join(folder, String(port));
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    PORT: String(port),
  };
  const child = spawn(process.execPath, [START], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  return { child, dataDir, output, ended: once(child, 'close') };
}

/** The process of the simulators, a child of npm start. */
async function simulatorsOf(pid: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const all = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  const found = all.find((one) => Number(one?.[2]) === pid && one?.[3]?.includes('simulators/main.ts'));
  return Number(found?.[1]);
}

test('two instances run on one machine; one whose simulators end reports it and exits', async () => {
  const one = await start({ SIMULATOR_PORTS: 'free' });
  const other = await start({ SIMULATOR_PORTS: 'free' });
  for (const { output } of [one, other]) {
    await waitFor('SmartPause', () => output.out.includes('SmartPause is running'), 120_000);
  }
  process.kill(await simulatorsOf(one.child.pid), 'SIGKILL');
  expect(await one.ended).toEqual([1, null]);
  expect(one.output.err).toContain('The simulators have ended (SIGKILL)');
  other.child.kill('SIGTERM');
  expect(await other.ended).toEqual([0, null]);
  expect(other.output.err).toBe('');
});

test('ended before it is ready, it leaves no PostgreSQL behind', async () => {
  const { child, dataDir, ended } = await start({ SIMULATOR_PORTS: 'free' });
  const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
  const said = () => readFile(pidFile, 'utf8').catch(() => '');
  await waitFor('PostgreSQL', async () => (await said()).includes('ready'), 60_000);
  child.kill('SIGINT');
  // Already running: 0.
  expect([0, 130]).toContain((await ended)[0]);
  expect(await said()).toBe('');
});

test.each([undefined, 'production', 'development'])('NODE_ENV=%s asks for no other build', async (value) => {
  vi.stubEnv('NODE_ENV', value);
  expect(await buildWeb()).toMatchObject({ built: false });
});

test('names the taken port and how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { output, ended } = await start({ SIMULATOR_PORTS: String(port) });
  expect(await ended).toEqual([1, null]);
  expect(output.err).toContain(`port ${port} is taken`);
  expect(output.err).toContain('SIMULATOR_PORTS=free');
  server.close();
});

test.each(['many', '0', '65512', '4001.5'])('does not start with the ports %s', async (ports) => {
  const { output, ended } = await start({ SIMULATOR_PORTS: ports });
  expect(await ended).toEqual([1, null]);
  expect(output.err).toContain("SIMULATOR_PORTS is 'free', or the first of them, from 1 to 65511");
});
