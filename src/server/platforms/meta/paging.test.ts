import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResult } from '../http.ts';
import type { AdPlatform } from './ads.ts';
import { createAdPlatform } from './ads.ts';
import { createGraphClient } from './client.ts';

/** More calls than any test allows: a list that never ends would otherwise not end. */
const TOO_MANY = 40;
const REDUCE = "Please reduce the amount of data you're asking for, then retry your request";

/** A page of campaigns; `next`: the cursor of the next page; undefined: the last page. */
interface Page {
  ids: readonly string[];
  next?: string | null;
  /** Instead of `next`: Meta's own field. */
  paging?: unknown;
}

let platform: AdPlatform;
let asked: URLSearchParams[];
/** The page that Meta answers to a cursor; null: it asks for less data. */
let answer: (after: string, limit: number) => Page | null;
/** Bodies with status 200 instead of the answers, by the number of the call. */
let garbled: Record<number, string>;

beforeEach(() => {
  asked = [];
  garbled = {};
  const config = { graphUrl: 'http://graph.test', apiVersion: 'v1', appId: '1', appSecret: 's' };
  const http = { send, close: () => Promise.resolve() };
  platform = createAdPlatform(
    createGraphClient(config, http, () => 0),
    config.appId,
  );
});

function send({ url: { searchParams: query } }: HttpRequest): Promise<HttpResult> {
  asked.push(query);
  if (asked.length > TOO_MANY) throw new Error('too many calls');
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

  test('three times leads to no list, which is no information', async () => {
    garbled = { 2: CUT, 3: CUT, 4: CUT };
    expect(await list()).toMatchObject({ kind: 'transient', code: null });
    expect(asked).toHaveLength(4);
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
