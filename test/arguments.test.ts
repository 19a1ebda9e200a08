import { afterEach, expect, test, vi } from 'vitest';
import { oneOf, readArguments, whole } from '../scripts/arguments.ts';

const command = { usage: 'npm run thing [-- --count N]', names: ['count'], flags: ['force'] } as const;

afterEach(() => void vi.restoreAllMocks());

/** What the command prints and how it ends. */
function run(...args: string[]): { code: unknown; out: string; err: string; result?: unknown } {
  const printed = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed.out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed.err += String(text))));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`);
  });
  try {
    const result = readArguments(
      command,
      ({ values, flags }) => ({
        count: whole('count', values.count ?? '1', 1, 9),
        force: flags.has('force'),
      }),
      args,
    );
    return { code: null, ...printed, result };
  } catch (error) {
    return { code: (error as Error).message, ...printed };
  }
}

test('options are read', () => {
  expect(run('--count', '7', '--force')).toMatchObject({ code: null, result: { count: 7, force: true } });
  expect(run()).toMatchObject({ code: null, result: { count: 1, force: false } });
});

test('--help prints the usage and ends with 0', () => {
  expect(run('--help')).toEqual({ code: 'exit 0', out: `${command.usage}\n`, err: '' });
});

test.each([
  [['--no-such-thing'], '--no-such-thing'],
  [['word'], 'word'],
  [['--count', '0'], '--count is a whole number from 1 to 9'],
  [['--count', 'many'], '--count is a whole number from 1 to 9'],
])('%j ends with 2, before anything is done, and prints the usage', (args, message) => {
  const { code, out, err } = run(...args);
  expect({ code, out }).toEqual({ code: 'exit 2', out: '' });
  expect(err).toContain(message);
  expect(err).toContain(command.usage);
});

test('a choice is one of those that exist', () => {
  expect(oneOf('only', 'a', ['a', 'b'])).toBe('a');
  expect(() => oneOf('only', 'c', ['a', 'b'])).toThrow('--only is one of: a, b');
});
