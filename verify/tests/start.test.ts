import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWeb } from '../../scripts/build.ts';
import { makeDataFolder } from '../../scripts/outside/data-folder.ts';
import { freePort } from '../../scripts/outside/free-port.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { ROOT } from '../../scripts/run.ts';

let folder = '';

beforeAll(async () => {
  folder = await makeDataFolder('start');
  await buildWeb();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(SIMULATOR_PORTS = 'free') {
  const PORT = String(await freePort());
  const own = { DATA_DIR: join(folder, PORT), LOG_LEVEL: 'fatal', PORT, SIMULATOR_PORTS };
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    env: { PATH: process.env['PATH'], ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  return { child, output, ended: once(child, 'close') };
}

test('two run on one machine; one ends with its simulators, the other at SIGTERM', async () => {
  const [one, other] = [await start(), await start()];
  for (const { output } of [one, other])
    await waitFor('SmartPause', () => output.out.includes('SmartPause is running'), 120_000);
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const line = stdout
    .split('\n')
    .find((text) => text.includes('simulators/main.ts') && text.includes(` ${String(one.child.pid)} `));
  process.kill(parseInt(line ?? ''), 'SIGKILL');
  expect(await one.ended).toEqual([1, null]);
  expect(one.output.err).toContain('The simulators have ended (SIGKILL)');
  other.child.kill('SIGTERM');
  expect(await other.ended).toEqual([0, null]);
  expect(other.output.err).toBe('');
});

test('names the taken port and how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { output, ended } = await start(String(port));
  expect(await ended).toEqual([1, null]);
  expect(output.err).toMatch(new RegExp(`port ${port} is taken[^]*SIMULATOR_PORTS=free`));
  server.close();
});
