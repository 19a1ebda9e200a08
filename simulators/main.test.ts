import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  children.push(child);
  return child;
}

interface Ready {
  simulator: string;
  url: string;
  smtpUrl?: string;
}

async function linesOf(child: ChildProcessWithoutNullStreams, count: number): Promise<Ready[]> {
  const lines: Ready[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(JSON.parse(line) as Ready);
    if (lines.length === count) break;
  }
  return lines;
}

const PORTS = [
  '--meta-graph-port',
  '--meta-status-port',
  '--mailbox-port',
  '--mailbox-smtp-port',
  '--stripe-port',
];
const FREE = PORTS.flatMap((flag) => [flag, '0']);

test('starts all simulators, prints their addresses, and ends on SIGTERM', async () => {
  const child = run(...FREE);
  const lines = await linesOf(child, 4);
  expect(lines.map(({ simulator }) => simulator)).toEqual(['meta-graph', 'meta-status', 'mailbox', 'stripe']);
  expect(lines.map(({ smtpUrl }) => smtpUrl)).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
    undefined,
  ]);
  for (const { url } of lines) {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/_sim`)).status).toBe(200);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('ends with its parent, even during a parked request', async () => {
  const child = run('--only', 'meta-graph', '--with-parent', ...FREE);
  const [graph] = await linesOf(child, 1);
  const url = graph?.url ?? '';
  await fetch(`${url}/_sim/faults`, { method: 'POST', body: '{"kind":"hang_before"}' });
  const parked = fetch(`${url}/me`);
  child.stdin.end();
  const [exit] = await Promise.all([once(child, 'exit'), expect(parked).rejects.toThrow()]);
  expect(exit).toEqual([0, null]);
});

test.each([
  [['--only', 'meta'], "there is no 'meta', only meta-graph, meta-status, mailbox, stripe"],
  [['--meta-graph-port', 'x'], "'x' is no port"],
  [['--only', 'mailbox', '--mailbox-smtp-port', '65536'], "'65536' is no port"],
])('reports what is wrong with %j', async (args, message) => {
  const child = run(...args);
  let output = '';
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(output).toContain(message);
});
