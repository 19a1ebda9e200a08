import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** As many histories as it takes, and those that make the one with the fault shorter. */
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
  'a planted fault that was found is a success, and says where',
  async () => {
    const { code, out } = await simulate('--mutant', 'unknown-is-up', '--players', '2');
    expect(out).toMatch(/^The fault was found at seed \d+\.$/m);
    expect(code).toBe(0);
  },
  UNTIL_FOUND_MS,
);

test('a planted fault that was not found is a failure, and says so', async () => {
  const found = await simulate(
    '--mutant',
    'a-midnight-without-summer-time',
    '--seeds',
    '1',
    '--players',
    '1',
  );
  expect(found.out).toContain('NOT FOUND');
  expect(found.code).toBe(1);
});

test.each([
  [['--only', '1,2'], '--only needs --seed'],
  [['--seeds', '0'], 'seeds'],
  [['--mutant', 'nothingLikeThat'], 'no such mutant'],
  [['--no-such-thing'], "'--no-such-thing'"],
])('%j is refused, with what there is', async (args, told) => {
  const { code, out, err } = await simulate(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(told);
  expect(err).toContain('npm run simulate -- --seed S');
});
