import { expect, test } from 'vitest';
import { sessionOrAddress } from './serve.ts';

test('who is counted by a limit takes little memory, whatever they send, and two sessions are two', () => {
  const caller = (authorization?: string) =>
    sessionOrAddress({ headers: authorization === undefined ? {} : { authorization }, ip: '10.0.0.1' });
  const session = (last: string) => `Bearer ${'a'.repeat(42)}${last}`;
  expect(caller(`Bearer ${'x'.repeat(15_000)}`)).toHaveLength(64);
  expect(caller(session('b'))).not.toBe(caller(session('c')));
  expect(caller()).toBe('10.0.0.1');
});
