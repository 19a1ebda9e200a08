import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Http } from '../http.ts';
import { createHttp } from '../http.ts';
import type { AdPlatform } from './ads.ts';
import { createAdPlatform } from './ads.ts';
import { createGraphClient } from './client.ts';

/** More calls than any test allows: a list that never ends would otherwise end only by the time limit. */
const TOO_MANY = 40;

/** A page of campaigns; `next`: the cursor of the next page; undefined: the last page. */
interface Page {
  ids: readonly string[];
  next?: string | null;
  /** Instead of `next`: Meta's own field. */
  paging?: unknown;
}

let server: Server;
let http: Http;
let asked: URLSearchParams[];
/** The page that Meta answers to a cursor; null: it asks for less data. */
let answer: (after: string, limit: number) => Page | null;
/** Bodies with status 200 instead of the answers, by the number of the call. */
let garbled: Record<number, string>;

beforeEach(async () => {
  asked = [];
  garbled = {};
  server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://graph.test').searchParams;
    asked.push(query);
    if (asked.length > TOO_MANY) return void response.destroy();
    const body = garbled[asked.length];
    if (body !== undefined) return void response.end(body);
    const page = answer(query.get('after') ?? '', Number(query.get('limit')));
    if (page === null)
      return void response.writeHead(500).end(JSON.stringify({ error: { code: 1, message: REDUCE } }));
    const { ids, next, paging: own } = page;
    const data = ids.map((id) => ({ id, status: 'ACTIVE' }));
    const cursors = next == null ? {} : { after: next };
    const paging =
      next === undefined ? { cursors: { after: 'end' } } : { cursors, next: 'https://next.test' };
    response.end(JSON.stringify({ data, paging: own ?? paging }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttp();
});
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const REDUCE = "Please reduce the amount of data you're asking for, then retry your request";

function platform(): AdPlatform {
  const graphUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { graphUrl, apiVersion: 'v1', appId: '1', appSecret: 's' };
  return createAdPlatform(
    createGraphClient(config, http, () => 0),
    config.appId,
  );
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
  const read = await platform().listCampaigns('token', 'act_1');
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
