import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import type { Http } from '../http.ts';
import { createHttp } from '../http.ts';
import type { GraphClient, RawAnswer } from './client.ts';
import { createGraphClient } from './client.ts';
import type { PlatformGate } from './guarded-client.ts';
import { guardClient } from './guarded-client.ts';
import { limitCalls } from './call-limits.ts';

const NOT_SENT = { ok: false, failure: { kind: 'transient', maybeDone: false, isOwnLimit: true } };

let server: Server;
let http: Http;
/** Held requests, until a test answers them. */
let held: ServerResponse[];
let engine: GraphClient;
let gate: PlatformGate;

beforeEach(async () => {
  held = [];
  server = createServer((request, response) => {
    if (request.headers.authorization === 'Bearer hangs') held.push(response);
    else response.end('{"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttp({ connections: 8 });
  const graphUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const graph = createGraphClient({ graphUrl, apiVersion: 'v1', appId: '1', appSecret: 's' }, http, Date.now);
  ({ graph: engine, gate } = guardClient(graph, { roll: () => 0.5, onChange: () => undefined }));
});
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const read = (graph: GraphClient, token: string) => graph.call({ method: 'GET', path: 'me', token });
const act = (graph: GraphClient, token: string) => graph.call({ method: 'POST', path: 'me', token });
const releaseAll = async (calls: readonly Promise<RawAnswer>[]) => {
  const done = Promise.all(calls);
  let isDone = false;
  void done.then(() => (isDone = true));
  await waitFor('all to be answered', () => {
    for (const response of held.splice(0)) response.end('{"data":[]}');
    return isDone;
  });
  return done;
};

test('one whose calls hang takes nothing from anybody else, nor from what they do themselves, nor from the engine', async () => {
  const pages = limitCalls(engine, { inAll: 6, perToken: 2, maxWaitMs: 60_000 });
  const hanging = Array.from({ length: 4 }, () => read(pages, 'hangs'));
  for (let n = 0; n < 40; n += 1) expect(await read(pages, 'hangs')).toMatchObject(NOT_SENT);
  const acts = [act(pages, 'hangs'), act(pages, 'hangs')];
  await waitFor('two reads and two writes to start', () => held.length === 4);
  for (const graph of [pages, engine]) {
    expect([await read(graph, 'other'), await act(graph, 'other')]).toMatchObject([
      { ok: true },
      { ok: true },
    ]);
  }
  expect([gate.isOpen(), held.length]).toEqual([false, 4]);
  expect((await releaseAll([...hanging, ...acts])).map(({ ok }) => ok)).toEqual(Array(6).fill(true));
});

test('many whose calls hang take what is for pages, and nothing from the engine', async () => {
  const pages = limitCalls(engine, { inAll: 3, perToken: 3 });
  const hanging = Array.from({ length: 3 }, () => read(pages, 'hangs'));
  await waitFor('three to be under way', () => held.length === 3);
  for (let n = 0; n < 40; n += 1) expect(await read(pages, `other ${n}`)).toMatchObject(NOT_SENT);
  expect(await read(engine, 'other')).toMatchObject({ ok: true });
  expect(gate.isOpen()).toBe(false);
  await releaseAll(hanging);
  expect(await read(pages, 'other')).toMatchObject({ ok: true });
});

test('who waits for their turn does not wait for ever', async () => {
  const pages = limitCalls(engine, { inAll: 3, perToken: 1, maxWaitMs: 1 });
  const first = read(pages, 'hangs');
  expect(await read(pages, 'hangs')).toMatchObject(NOT_SENT);
  await releaseAll([first]);
  expect(await read(pages, 'other')).toMatchObject({ ok: true });
});
