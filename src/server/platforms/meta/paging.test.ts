import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResult } from '../http.ts';
import type { AdPlatform } from '../platform.ts';
import { createAdPlatform } from './ads.ts';
import { CircuitBreaker, LONGEST_PROBE_MS } from './circuit-breaker.ts';
import { createGraphClient } from './client.ts';

/** More calls than any test allows: a list that never ends would otherwise not end. */
const TOO_MANY = 60;
const REDUCE = "Please reduce the amount of data you're asking for, then retry your request";

/** A page of campaigns; `next`: the cursor of the next page; undefined: the last page. */
interface Page {
  ids: readonly string[];
  next?: string | null;
  /** Instead of `next`: Meta's own field. */
  paging?: unknown;
}

let platform: AdPlatform;
let now: number;
let asked: URLSearchParams[];
/** The page that Meta answers to a cursor; null: it asks for less data. */
let answer: (after: string, limit: number) => Page | null;
/** Bodies with status 200 instead of the answers, by the number of the call. */
let garbled: Record<number, string>;
/** Of every page that is larger; null: Meta answers all. */
let tooLarge: { above: number; fails: HttpResult } | null;

beforeEach(() => {
  asked = [];
  garbled = {};
  tooLarge = null;
  now = 0;
  const config = { graphUrl: 'http://graph.test', apiVersion: 'v1', appId: '1', appSecret: 's' };
  const http = { send, close: () => Promise.resolve() };
  platform = createAdPlatform(
    createGraphClient(config, http, () => now),
    config.appId,
  );
});

function send({ url: { searchParams: query } }: HttpRequest): Promise<HttpResult> {
  asked.push(query);
  if (asked.length > TOO_MANY) throw new Error('too many calls');
  if (tooLarge !== null && Number(query.get('limit')) > tooLarge.above)
    return Promise.resolve(tooLarge.fails);
  const page = answer(query.get('after') ?? '', Number(query.get('limit')));
  const status = page === null ? 500 : 200;
  const body =
    garbled[asked.length] ??
    JSON.stringify(page === null ? { error: { code: 1, message: REDUCE } } : toMeta(page));
  return Promise.resolve({ ok: true, status, headers: {}, body });
}

function toMeta({ ids, next, paging: own }: Page) {
  const data = ids.map((id) => ({ id, status: 'ACTIVE' }));
  const cursors = next == null ? {} : { after: next };
  const paging = next === undefined ? { cursors: { after: 'end' } } : { cursors, next: 'https://next.test' };
  return { data, paging: own ?? paging };
}

const serve = (pages: Record<string, Page>): void => {
  answer = (after) => pages[after] ?? { ids: [] };
};
const numbered = (count: number) => {
  answer = (after) => {
    const number = Number(after) + 1;
    return { ids: [String(number)], ...(number < count && { next: String(number) }) };
  };
};

async function list() {
  const read = await platform.listCampaigns('token', 'act_1');
  return read.ok ? { ids: read.value.map(({ id }) => id), isPartial: read.isPartial } : read.failure;
}

const sizes = () => asked.map((query) => Number(query.get('limit')));

test('reads a list to its end', async () => {
  numbered(6);
  expect(await list()).toEqual({ ids: ['1', '2', '3', '4', '5', '6'], isPartial: false });
});

describe('[FR-04] a page that is cut off', () => {
  const CUT = '{"data":[{"id":"1200000000000';
  const NO_JSON = 'error=invalid_token&error_description=';
  beforeEach(() => numbered(3));

  test.each([
    ['once', { 2: CUT }, ['', '1', '1', '2']],
    ['at first', { 1: NO_JSON }, ['', '', '1', '2']],
  ])('%s is read again', async (_times, bodies, cursors) => {
    garbled = bodies;
    expect(await list()).toEqual({ ids: ['1', '2', '3'], isPartial: false });
    expect(asked.map((query) => query.get('after') ?? '')).toEqual(cursors);
  });

  test('at each size leads to no list, which is no information; the same request is sent twice', async () => {
    garbled = Object.fromEntries(Array.from({ length: TOO_MANY }, (_one, call) => [call + 2, CUT]));
    expect(await list()).toMatchObject({ kind: 'transient', code: null });
    expect(sizes()).toEqual([500, 500, 500, 250, 125, 62, 31, 25]);
  });
});

const errorOf = (code: number, more = {}): HttpResult => ({
  ...{ ok: true, status: 500, headers: {} },
  body: JSON.stringify({ error: { message: 'An unknown error occurred', code, ...more } }),
});
const noAnswer = (message: string, more = {}): HttpResult => ({
  ...{ ok: false, maybeSent: true, message },
  ...more,
});
const TIMEOUT = noAnswer('TimeoutError', { isTimeout: true });

describe('[FR-26] a page that is too large for Meta', () => {
  const HOUR = 3_600_000;
  beforeEach(() => numbered(2));
  const ALL = { ids: ['1', '2'], isPartial: false };

  test.each([
    ['code 1', errorOf(1, { error_subcode: 99 })],
    ['code 2', errorOf(2)],
    ['a cut connection', noAnswer('SocketError UND_ERR_SOCKET')],
    ['a cut response', { ok: true, status: 200, headers: {}, body: '{"data":[{"id":"12' } as const],
    ['a proxy that gives up', { ok: true, status: 502, headers: {}, body: '<html>' } as const],
  ])(
    '%s: the same request once more, then half of it, and the size that worked is kept for an hour',
    async (_, fails) => {
      tooLarge = { above: 100, fails };
      expect(await list()).toEqual(ALL);
      expect(sizes()).toEqual([500, 500, 250, 125, 62, 62]);
      asked = [];
      now = HOUR - 1;
      expect(await list()).toEqual(ALL);
      expect(sizes()).toEqual([62, 62]);
      asked = [];
      await platform.listCampaigns('token', 'act_2');
      expect(sizes()[0]).toBe(500);
      asked = [];
      now = HOUR;
      tooLarge = null;
      expect(await list()).toEqual(ALL);
      expect(sizes()).toEqual([500, 500]);
    },
  );

  test('a failure that passes costs one call more, and no smaller page', async () => {
    garbled = { 1: '{"error":{"code":2,"message":"Service temporarily unavailable"}}' };
    expect(await list()).toEqual(ALL);
    expect(sizes()).toEqual([500, 500, 500]);
    asked = [];
    garbled = {};
    await list();
    expect(sizes()).toEqual([500, 500]);
  });

  test('a page that fails at each size costs seven calls; from a kept size fewer', async () => {
    tooLarge = { above: 0, fails: errorOf(1) };
    expect(await list()).toMatchObject({ kind: 'transient', code: '1', isRepeated: true });
    expect(sizes()).toEqual([500, 500, 250, 125, 62, 31, 25]);
    asked = [];
    await list();
    expect(sizes()).toHaveLength(7);
  });

  test('no response in time is not asked for again; the next read begins with half of it', async () => {
    tooLarge = { above: 200, fails: TIMEOUT };
    const reads = async (expected: number[][]) => {
      for (const one of expected) {
        asked = [];
        await list();
        expect(sizes()).toEqual(one);
      }
    };
    // The full size is tried once more: the cause may have been an outage.
    await reads([[500], [250], [125, 125], [500], [125, 125], [125, 125]]);
    now = 2 * HOUR - 1;
    await reads([[500], [125, 125], [125, 125]]);
  });

  test('after an outage in which nothing came in time the full size is asked for again', async () => {
    tooLarge = { above: 0, fails: TIMEOUT };
    for (let reads = 0; reads < 6; reads += 1) await list();
    tooLarge = null;
    await list();
    asked = [];
    for (let reads = 0; reads < 2; reads += 1) await list();
    expect(sizes()).toEqual([500, 500, 500, 500]);
  });

  test('the ad accounts of one user say nothing about the list of another', async () => {
    tooLarge = { above: 100, fails: errorOf(1) };
    await platform.listAdAccounts('token a');
    asked = [];
    await platform.listAdAccounts('token b');
    expect(sizes()[0]).toBe(500);
    asked = [];
    await platform.listAdAccounts('token a');
    expect(sizes()).toEqual([62, 62]);
  });

  test.each<[what: string, fails: HttpResult, sizes: number[]]>([
    ['code 1', errorOf(1), [500]],
    ['code 2', errorOf(2), [500]],
    ['no response in time', TIMEOUT, [500]],
    ['a cut response', { ok: true, status: 200, headers: {}, body: '{"data":[{"id":"12' }, [500, 500]],
    ['a demand for less', errorOf(1, { message: REDUCE }), [500, 250, 125, 62, 31, 25]],
  ])('is never the activity log: %s', async (_, fails, expected) => {
    tooLarge = { above: 0, fails };
    for (let reads = 0; reads < 2; reads += 1) {
      asked = [];
      await platform.readStatusChanges('token', 'act_1', 0);
      expect(sizes()).toEqual(expected);
    }
  });

  test.each([
    ['a call that was not sent', noAnswer('ECONNREFUSED', { maybeSent: false })],
    ['a limit', errorOf(613)],
    ['a token', errorOf(190)],
    ['a refusal', errorOf(100, { error_subcode: 33 })],
  ])('%s is no matter of the size', async (_, fails) => {
    tooLarge = { above: 0, fails };
    await list();
    await list();
    expect(sizes()).toEqual([500, 500]);
  });

  /** The platform behind a circuit breaker. */
  function guarded(): CircuitBreaker {
    const breaker = new CircuitBreaker(
      () => now,
      () => undefined,
    );
    const config = { graphUrl: 'http://graph.test', apiVersion: 'v1', appId: '1', appSecret: 's' };
    const http = { send, close: () => Promise.resolve() };
    platform = createAdPlatform(breaker.guard(createGraphClient(config, http, () => now)), '1');
    return breaker;
  }

  test('six large accounts read at once: no circuit breaker opens, and each size is kept', async () => {
    const breaker = guarded();
    tooLarge = { above: 30, fails: errorOf(1) };
    numbered(1);
    const read = () =>
      Promise.all(Array.from({ length: 6 }, (_, n) => platform.listCampaigns(`token ${n}`, `act_${n}`)));
    expect((await read()).every(({ ok }) => ok)).toBe(true);
    expect(breaker.isOpen()).toBe(false);
    asked = [];
    await read();
    expect(sizes()).toEqual([25, 25, 25, 25, 25, 25]);
  });

  test('while the circuit breaker is open nothing is repeated, and each probe asks for less', async () => {
    const breaker = guarded();
    tooLarge = { above: 0, fails: errorOf(2) };
    // The seven calls of one read count as one failure.
    for (const token of ['a', 'b', 'a', 'b', 'a']) {
      expect(breaker.isOpen()).toBe(false);
      await platform.listCampaigns(`token ${token}`, `act_${token}`);
    }
    expect([breaker.isOpen(), asked.length]).toEqual([true, 35]);
    tooLarge = { above: 100, fails: errorOf(2) };
    asked = [];
    for (let probes = 0; breaker.isOpen() && probes < 9; probes += 1) {
      now += LONGEST_PROBE_MS;
      await platform.listCampaigns('token a', 'act_3');
    }
    expect(sizes()).toEqual([500, 250, 125, 62, 62]);
    expect(breaker.isOpen()).toBe(false);
    // What an outage made smaller is asked for in full again.
    asked = [];
    tooLarge = null;
    await platform.listCampaigns('token a', 'act_3');
    expect(sizes()).toEqual([500, 500]);
  });
});

describe('[FR-05] paging that never ends', () => {
  test.each<[what: string, pages: Record<string, Page>, ids: string[], calls: number]>([
    [
      'an empty page whose next page is itself',
      { '': { ids: ['1'], next: 'a' }, a: { ids: ['2'], next: 'b' }, b: { ids: [], next: 'b' } },
      ['1', '2'],
      3,
    ],
    [
      'a cycle of three pages',
      {
        '': { ids: ['1'], next: 'a' },
        a: { ids: ['2'], next: 'b' },
        b: { ids: ['3'], next: 'c' },
        c: { ids: ['4'], next: 'a' },
      },
      ['1', '2', '3', '4'],
      4,
    ],
    [
      'a next page without a cursor',
      { '': { ids: ['1'], next: 'a' }, a: { ids: ['2'], next: null } },
      ['1', '2'],
      2,
    ],
  ])('%s: what was read stays, the list is partial', async (_what, pages, ids, calls) => {
    serve(pages);
    expect(await list()).toEqual({ ids, isPartial: true });
    expect(asked).toHaveLength(calls);
  });

  test('the same campaigns under new cursors end the list', async () => {
    answer = (after) => ({ ids: ['1', '2'], next: `${after}x` });
    expect(await list()).toEqual({ ids: ['1', '2'], isPartial: true });
    expect(asked).toHaveLength(2);
  });

  test('empty pages under new cursors end the list', async () => {
    answer = (after) => ({ ids: after === '' ? ['1'] : [], next: `${after}x` });
    expect(await list()).toEqual({ ids: ['1'], isPartial: true });
    expect(asked.length).toBeLessThan(15);
  });

  test('many empty pages between others do not end the list', async () => {
    const at = ['0', '3', '6', '9', '12', '15', '18', '21', '24'];
    answer = (after) => {
      const place = String(after.length);
      return { ids: at.includes(place) ? [place] : [], ...(place !== '24' && { next: `${after}x` }) };
    };
    expect(await list()).toEqual({ ids: at, isPartial: false });
  });

  test('a smaller page size asks for the same cursor again: no cycle', async () => {
    answer = (after, limit) => {
      if (limit > 200) return null;
      return after === '' ? { ids: ['1'], next: 'a' } : { ids: ['2'] };
    };
    expect(await list()).toEqual({ ids: ['1', '2'], isPartial: false });
    expect(asked.map((query) => query.get('limit'))).toEqual(['500', '250', '125', '125']);
  });

  const nextPage = (after: string) =>
    `https://graph.facebook.com/v1/act_1/campaigns?access_token=token&limit=25&after=${after}`;

  test.each<[what: string, paging: unknown]>([
    ['without cursors', { next: nextPage('a%3D') }],
    ['with cursors that are null', { cursors: { before: null, after: null }, next: nextPage('a%3D') }],
  ])('a next page named only by its address, %s, is read', async (_what, paging) => {
    serve({ '': { ids: ['1'], paging }, 'a=': { ids: ['2'] } });
    expect(await list()).toEqual({ ids: ['1', '2'], isPartial: false });
    expect(asked).toHaveLength(2);
    expect(asked.some((query) => query.has('access_token'))).toBe(false);
  });

  test.each<[what: string, paging: unknown]>([
    ['no next page, as null', { cursors: { before: null, after: null }, next: null, previous: null }],
    ['nothing, as an empty list', []],
  ])('%s: the list is complete', async (_what, paging) => {
    serve({ '': { ids: ['1'], paging } });
    expect(await list()).toEqual({ ids: ['1'], isPartial: false });
  });
});
