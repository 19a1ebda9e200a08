import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import type { Http } from './http.ts';
import { ADDRESS_TIMEOUT_MS, CONNECT_TIMEOUT_MS, createHttp } from './http.ts';

let server: Server;
let http: Http;
let held: ServerResponse[];

beforeEach(async () => {
  held = [];
  server = createServer((_request, response) => void held.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttp({ connections: 2, maxBodyBytes: 1_000 });
});
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function ask(timeoutMs = 15_000, through = http) {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return through.send({ method: 'GET', url, timeoutMs });
}

test('a call beyond its connections waits, and leaves another client its own', async () => {
  const calls = [ask(), ask(), ask()];
  const other = createHttp();
  calls.push(ask(15_000, other));
  await waitFor('three to be under way', () => held.length === 3);
  held.shift()?.end('done');
  await waitFor('the waiting one', () => held.length === 3);
  for (const response of held.splice(0)) response.end('done');
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  await other.close();
});

test('rejects a response that is too large', async () => {
  const call = ask();
  await waitFor('the call', () => held.length > 0);
  held[0]?.end('x'.repeat(1_001));
  expect(await call).toMatchObject({ ok: false, maybeSent: true });
});

test('a response that arrives byte by byte times out like one that never arrives', async () => {
  const call = ask(600);
  await waitFor('the call', () => held.length > 0);
  const drops = setInterval(() => held[0]?.write('x'), 50);
  expect(await call).toMatchObject({ ok: false, maybeSent: true, isTimeout: true });
  clearInterval(drops);
});

test('a call that gets no connection in time is not sent later', async () => {
  const calls = [ask(), ask(), ask(100)];
  expect(await calls[2]).toMatchObject({ ok: false, isTimeout: true });
  for (const response of held.splice(0)) response.end('done');
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, false]);
  const last = ask();
  await waitFor('a further one', () => held.length > 0);
  held[0]?.end('done');
  expect(await last).toMatchObject({ ok: true });
  expect(held).toHaveLength(1);
});

test('other work runs between the responses that arrive together', async () => {
  const wide = createHttp({ connections: 40 });
  const calls = Array.from({ length: 40 }, () => ask(15_000, wide));
  await waitFor('all', () => held.length === 40);
  const perTurn: number[] = [];
  let inThisTurn = 0;
  const count = (): void => {
    if (inThisTurn > 0) perTurn.push(inThisTurn);
    inThisTurn = 0;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  for (const response of held.splice(0)) response.end('done');
  await Promise.all(calls.map((call) => call.then(() => (inThisTurn += 1))));
  count();
  clearImmediate(counting);
  await wide.close();
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(8);
});

test('a connection that is cut is no timeout', async () => {
  const call = ask();
  await waitFor('the call', () => held.length > 0);
  held[0]?.destroy();
  expect(await call).toMatchObject({ ok: false, maybeSent: true, isTimeout: false });
});

test('[FR-28] each of two addresses has time for a handshake of 300 ms, and both get their try', async () => {
  const connect = vi.spyOn(net, 'connect');
  const call = ask();
  await waitFor('the call', () => held.length > 0);
  held[0]?.end('done');
  expect(await call).toMatchObject({ ok: true });
  const [options] = connect.mock.calls.at(-1) ?? [];
  connect.mockRestore();
  expect(options).toMatchObject({ autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS });
  expect(ADDRESS_TIMEOUT_MS).toBeGreaterThan(4 * 300);
  expect(2 * ADDRESS_TIMEOUT_MS).toBeLessThan(CONNECT_TIMEOUT_MS);
});

test('redirects are not followed', async () => {
  const call = ask();
  await waitFor('the call', () => held.length > 0);
  held[0]?.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  expect(await call).toMatchObject({ ok: true, status: 302 });
});
