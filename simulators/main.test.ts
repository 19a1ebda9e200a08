import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

test('starts all simulators, prints their addresses, and ends with its parent, also during a parked request', async () => {
  const names = ['meta-graph', 'meta-status', 'mailbox', 'mailbox-smtp', 'stripe'];
  const args = ['--with-parent', ...names.flatMap((name) => [`--${name}-port`, '0'])];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env });
  const urls = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const { simulator, url } = JSON.parse(line) as { simulator: string; url: string };
    urls.set(simulator, url);
    expect(await (await fetch(`${url}/_sim`)).text()).toContain('Make it fail');
    if (simulator === 'stripe') break;
  }
  expect([...urls.keys()]).toEqual(['meta-graph', 'meta-status', 'mailbox', 'stripe']);
  const graph = urls.get('meta-graph') ?? '';
  await fetch(`${graph}/_sim/faults`, { method: 'POST', body: '{"kind":"hang_before"}' });
  const parked = fetch(`${graph}/me`);
  child.stdin.end();
  const [exit] = await Promise.all([once(child, 'exit'), expect(parked).rejects.toThrow()]);
  expect(exit).toEqual([0, null]);
});
