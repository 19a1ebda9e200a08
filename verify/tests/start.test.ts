import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildWeb } from '../../scripts/build.ts';
import { startDemo } from '../../test/support/demo.ts';

beforeAll(() => buildWeb());

async function start(...options: Parameters<typeof startDemo>) {
  const demo = await startDemo(...options);
  onTestFinished(demo.stop);
  return demo;
}

test('two run on one machine; one ends with its simulators, the other when npm gets SIGTERM', async () => {
  const [one, other] = [await start(), await start('free', true)];
  for (const demo of [one, other]) await demo.runs();
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
