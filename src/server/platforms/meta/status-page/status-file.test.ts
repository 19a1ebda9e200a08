import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpResult } from '../../http.ts';
import { createFileReader } from './status-file.ts';

const START = Date.parse('2026-01-09T02:10:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Answer {
  status?: number;
  old?: number | null;
  headers?: Record<string, string>;
  body?: string;
}

let now: number;
/** What the server answers next; the date is as old as `old` says. */
let answer: Answer;
let readFile: ReturnType<typeof createFileReader>;

beforeEach(() => {
  now = START;
  answer = {};
  const http = {
    send: (): Promise<HttpResult> => {
      const { status = 200, old = 0, headers = {}, body = '[]' } = answer;
      const date = old === null ? {} : { date: new Date(now - old).toUTCString() };
      return Promise.resolve({ ok: true, status, headers: { ...date, ...headers }, body });
    },
    close: () => Promise.resolve(),
  };
  readFile = createFileReader({ http, base: 'http://status.test', now: () => now });
});

/** What is read after a wait: the body, or why there is none. */
async function reads(given: Answer, waitMs = 10 * SECOND, storedAt?: number): Promise<string> {
  answer = given;
  now += waitMs;
  const read = await readFile('/data/orgs.json', storedAt);
  return read.trouble ?? read.body;
}

describe('[FR-12] a file that a cache answers', () => {
  test.each([
    ['dated now', { old: 0 }, '[1]'],
    ['from a clock that is four minutes behind ours', { old: 4 * MINUTE }, '[1]'],
    ['from a clock that is hours ahead of ours', { old: -2 * HOUR }, '[1]'],
    ['without any date', { old: null }, '[1]'],
    ['from a cache, a minute old', { headers: { age: '60' } }, '[1]'],
    ['dated three hours ago', { old: 3 * HOUR }, 'HTTP 200, 180 minutes old'],
    [
      'from a cache that sets a new date, ten minutes old',
      { headers: { age: '600' } },
      'HTTP 200, 10 minutes old',
    ],
    ['without a date, ten minutes old', { old: null, headers: { age: '600' } }, 'HTTP 200, 10 minutes old'],
  ])('200 %s', async (_what, given, expected) => {
    expect(await reads({ ...given, body: '[1]' })).toBe(expected);
  });

  test('a 304, which was not asked for, says nothing', async () => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    expect(await reads({ status: 304 })).toBe('HTTP 304');
    expect(await reads({ body: '[2]' })).toBe('[2]');
  });

  test.each([
    ['of the stored date', 0, '[1]'],
    ['from a server that is ten seconds behind', 10, '[1]'],
    ['three minutes before it', 180, 'HTTP 200, older than the last one'],
  ])('[ENG-23, FR-38] dated %s: it is ordered by the stored date', async (_what, secondsBefore, expected) => {
    now = START + 10 * SECOND;
    const storedAt = now;
    expect(await reads({ old: secondsBefore * SECOND, body: '[1]' }, 0, storedAt)).toBe(expected);
  });

  test.each([
    ['now', 0, START],
    ['five minutes ahead', -5 * MINUTE, START + 5 * MINUTE],
    ['further ahead', -5 * MINUTE - SECOND, null],
    ['not at all', null, null],
  ])('[ENG-23] dated %s: the date that orders it', async (_what, old, expected) => {
    answer = { old };
    expect(await readFile('/data/orgs.json')).toMatchObject({ date: expected });
  });

  test('no step of a clock makes everything old', async () => {
    expect(await reads({ old: -2 * HOUR, body: '[1]' }, 0, START)).toBe('[1]');
    now -= HOUR;
    expect(await reads({ old: -HOUR, body: '[2]' }, 0, START)).toBe('[2]');
  });
});
