import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResult } from '../../http.ts';
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
let sent: HttpRequest[];
/** What the server answers next; the date is as old as `old` says. */
let answer: Answer;
/** What it answers to a request without validators; null: the same. */
let inFull: Answer | null;
let readFile: ReturnType<typeof createFileReader>;

beforeEach(() => {
  now = START;
  sent = [];
  answer = {};
  inFull = null;
  const http = {
    send: (request: HttpRequest): Promise<HttpResult> => {
      sent.push(request);
      const isConditional = request.headers?.['if-none-match'] !== undefined;
      const {
        status = 200,
        old = 0,
        headers = { etag: '"1"' },
        body = '[]',
      } = isConditional ? answer : (inFull ?? answer);
      const date = old === null ? {} : { date: new Date(now - old).toUTCString() };
      return Promise.resolve({ ok: true, status, headers: { ...date, ...headers }, body });
    },
    close: () => Promise.resolve(),
  };
  readFile = createFileReader({ http, timeoutMs: 1000, base: 'http://status.test', now: () => now });
});

/** What is read after a wait: the body, or why there is none. */
async function reads(given: Answer, waitMs = 10 * SECOND): Promise<string> {
  answer = given;
  now += waitMs;
  const read = await readFile('/data/orgs.json');
  return read.trouble ?? read.body;
}
const validators = () =>
  sent.map(({ headers = {} }) => headers['if-none-match'] ?? headers['cache-control'] ?? 'nothing');

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

  const DOUBTFUL: [what: string, given: Answer][] = [
    ['dated three hours ago', { old: 3 * HOUR }],
    ['dated two minutes ago', { old: 2 * MINUTE }],
    ['from a cache, two minutes old', { headers: { age: '120' } }],
    ['without any date', { old: null, headers: {} }],
    ['with a date that is none', { old: null, headers: { date: 'soon' } }],
  ];

  test.each<[what: string, given: Answer]>([
    ['dated now', { old: 0 }],
    ['with an age', { old: null, headers: { age: '10' } }],
    ['of a clock that is ahead of ours', { old: -HOUR }],
  ])('304 %s: the file is unchanged', async (_what, given) => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    expect(await reads({ status: 304, body: '', ...given })).toBe('[1]');
    expect(sent).toHaveLength(2);
  });

  test.each(DOUBTFUL)('304 %s: the file is requested in full at once', async (_what, given) => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    inFull = { body: '[2]' };
    expect(await reads({ status: 304, body: '', ...given })).toBe('[2]');
    expect(validators()).toEqual(['no-cache', '"1"', 'no-cache']);
  });

  test.each(DOUBTFUL)('304 %s to everything: the file is not read', async (_what, given) => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    for (let polls = 0; polls < 3; polls += 1)
      expect(await reads({ status: 304, body: '', ...given })).toBe('HTTP 304');
  });

  test('a date that stands still is in doubt after a minute', async () => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    const since = now;
    const unchanged = () => reads({ status: 304, old: now + 10 * SECOND - since, body: '' });
    for (let polls = 0; polls < 6; polls += 1) expect(await unchanged()).toBe('[1]');
    expect(await unchanged()).toBe('HTTP 304');
  });

  test('a 304 that was not asked for says nothing', async () => {
    expect(await reads({ status: 304 })).toBe('HTTP 304');
    expect(await reads({ headers: {}, body: '[1]' })).toBe('[1]');
    expect(await reads({ status: 304 })).toBe('HTTP 304');
  });

  test('an old copy is not read after a newer one; servers whose clocks differ by seconds are', async () => {
    expect(await reads({ body: '[1]' })).toBe('[1]');
    expect(await reads({ old: 15 * SECOND, body: '[2]' })).toBe('[2]');
    expect(await reads({ old: 2 * MINUTE, body: '[3]' })).toBe('HTTP 200, older than the last one');
    expect(await reads({ body: '[4]' })).toBe('[4]');
  });

  test('no step of a clock makes everything old', async () => {
    expect(await reads({ old: -2 * HOUR, body: '[1]' })).toBe('[1]');
    expect(await reads({ body: '[2]' })).toBe('[2]');
    expect(await reads({ old: 3 * MINUTE, body: '[3]' }, 3 * MINUTE)).toBe('[3]');
    now -= HOUR;
    expect(await reads({ old: -HOUR, body: '[4]' })).toBe('[4]');
  });

  test('every few minutes, and after anything unexpected, the request has no validators', async () => {
    await reads({ headers: { etag: 'W/"1"' } });
    await reads({ status: 304 });
    await reads({ status: 304 }, 2 * MINUTE);
    await reads({ headers: { etag: '"1"' } }, MINUTE);
    await reads({ headers: { etag: '"2"' } });
    await reads({ status: 500 });
    await reads({});
    expect(validators()).toEqual(['no-cache', 'W/"1"', 'W/"1"', 'no-cache', '"1"', '"2"', 'no-cache']);
  });
});
