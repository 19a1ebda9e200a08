import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const FREE = ['meta-graph', 'meta-status', 'mailbox', 'mailbox-smtp', 'stripe'].flatMap((name) => [
  `--${name}-port`,
  '0',
]);

function run(...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env });
}

test('starts all simulators, prints their addresses, and ends with its parent, also during a parked request', async () => {
  const child = run('--with-parent', ...FREE);
  const urls: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const { simulator, url } = JSON.parse(line) as { simulator: string; url: string };
    urls[simulator] = url;
    expect((await fetch(`${url}/_sim`)).status).toBe(200);
    if (simulator === 'stripe') break;
  }
  expect(Object.keys(urls)).toEqual(['meta-graph', 'meta-status', 'mailbox', 'stripe']);
  const graph = urls['meta-graph'] ?? '';
  await fetch(`${graph}/_sim/faults`, { method: 'POST', body: '{"kind":"hang_before"}' });
  const parked = fetch(`${graph}/me`);
  child.stdin.end();
  const [exit] = await Promise.all([once(child, 'exit'), expect(parked).rejects.toThrow()]);
  expect(exit).toEqual([0, null]);
});

test('reports a port that is none', async () => {
  const child = run('--only', 'mailbox', '--mailbox-smtp-port', '65536');
  let output = '';
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(output).toContain("'65536' is no port");
});
