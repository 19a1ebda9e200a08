import { afterEach, expect, test, vi } from 'vitest';
import { oneOf, readArguments, whole } from '../scripts/arguments.ts';

const command = { usage: 'npm run thing [-- --count N]', names: ['count'], flags: ['force'] } as const;

afterEach(() => void vi.restoreAllMocks());

/** What the command prints and how it ends. */
function run(...args: string[]): { code: string | null; out: string; err: string } {
  const printed = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed.out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((printed.err += String(text))));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(String(code));
  });
  try {
    readArguments(command, ({ values }) => whole('count', values.count ?? '1', 1, 9), args);
    return { code: null, ...printed };
  } catch (error) {
    return { code: (error as Error).message, ...printed };
  }
}

test('options are read, a number within its bounds, and a choice that exists', () => {
  const read = readArguments(command, ({ values, flags }) => [values, ...flags], ['--count', '7', '--force']);
  expect(read).toEqual([{ count: '7', force: true }, 'force']);
  expect(['1', '9'].map((text) => whole('count', text, 1, 9))).toEqual([1, 9]);
  expect(oneOf('only', 'a', ['a', 'b'])).toBe('a');
  expect(() => oneOf('only', 'c', ['a', 'b'])).toThrow('--only is one of: a, b');
});

test('--help prints the usage and ends with 0', () => {
  expect(run('--help')).toEqual({ code: '0', out: `${command.usage}\n`, err: '' });
});

test.each([['--no-such-thing'], ['word'], ['--count=0'], ['--count=10'], ['--count=many']])(
  '%s ends with 2, before anything is done, and prints the usage',
  (argument) => {
    const { code, out, err } = run(argument);
    expect([code, out]).toEqual(['2', '']);
    expect(err).toContain(argument.split('=')[0]);
    expect(err).toContain(command.usage);
  },
);
