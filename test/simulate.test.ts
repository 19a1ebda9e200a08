import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The time to find the fault and to shrink its history. */
const UNTIL_FOUND_MS = 600_000;
const MAIN = join(import.meta.dirname, '../verify/main.ts');

function simulate(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'simulate', ...args], (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), out, err }),
    );
  });
}

test(
  'a planted fault that is found counts as a success, and the output says where',
  async () => {
    const { code, out } = await simulate('--mutant', 'unknown-is-up', '--players', '1');
    expect(out).toMatch(/^The fault was found at seed \d+\.$/m);
    expect(code).toBe(0);
  },
  UNTIL_FOUND_MS,
);

test('a planted fault that is not found counts as a failure, and the output says so', async () => {
  const planted = ['--mutant', 'a-midnight-without-summer-time'];
  const { code, out } = await simulate(...planted, '--seeds', '1', '--players', '1');
  expect(out).toContain('NOT FOUND');
  expect(code).toBe(1);
});

test.each([
  [['--only', '1,2'], '--only needs --seed'],
  [['--seeds', '0'], 'seeds'],
  [['--mutant', 'nothingLikeThat'], 'no such mutant'],
  [['--no-such-thing'], "'--no-such-thing'"],
])('refuses %j and prints the usage', async (args, message) => {
  const { code, out, err } = await simulate(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(message);
  expect(err).toContain('npm run simulate -- --seed S');
});
