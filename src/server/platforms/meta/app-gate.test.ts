import { beforeEach, expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { seconds } from '../../../core/time.ts';
import { createAppStateStore } from '../../db/app-state.ts';
import { AppGate } from './app-gate.ts';
import type { GraphClient, GraphResult } from './client.ts';
import { interpretJson } from './client.ts';
import { unreadable } from './errors.ts';

const FINE: GraphResult<unknown> = { ok: true, value: { data: [] } };
const error = (code: number, message = 'no') => interpretJson({ error: { message, code } }, 400);
const LIMITED = error(4);
const BLOCKED = error(200, 'API access blocked.');
const LATE: GraphResult<unknown> = { ok: false, failure: unreadable('TimeoutError', true) };
const batchOf = (...answers: GraphResult<unknown>[]): GraphResult<unknown> => ({
  ok: true,
  value: answers.map((answer) => ({
    code: answer.ok ? 200 : 400,
    body: JSON.stringify(answer.ok ? answer.value : { error: answer.failure }),
  })),
});

const open = useFreshDb();
let now: number;
let answer: GraphResult<unknown>;
let headers: Record<string, string>;
let asked: number;
let statements: number;
let logged: string[];
let opened: number;
let gates: AppGate[];
let graphs: GraphClient[];

/** A process with this database. */
async function startProcess(): Promise<void> {
  const log = (_details: object, message: string) => void logged.push(message);
  const stored = createAppStateStore(open());
  const store = Object.fromEntries(
    Object.entries(stored).map(([name, run]) => [
      name,
      (...given: never[]) => {
        if (name !== 'read') statements += 1;
        return (run as (...all: never[]) => unknown)(...given);
      },
    ]),
  ) as unknown as typeof stored;
  const gate = new AppGate({
    ...{ store, now: () => now, log: { info: log, warn: log, error: log } },
    onOpen: () => void (opened += 1),
  });
  const call = () => {
    asked += 1;
    return Promise.resolve({ ...answer, headers });
  };
  gates.push(gate);
  graphs.push(gate.guard({ now: () => now, aheadMs: () => 0, call }));
  await gate.refresh();
}

beforeEach(async () => {
  now = 1_790_000_000_000;
  [answer, headers] = [FINE, {}];
  [asked, statements, opened] = [0, 0, 0];
  [logged, gates, graphs] = [[], [], []];
  await open()
    .updateTable('appState')
    .set({ stopped: null, since: null, probeAt: null, openedAt: null, usedPercent: null, usedAt: null })
    .execute();
  await startProcess();
  await startProcess();
});

const ask = async (process: number, token?: string) =>
  graphs[process]?.call({ method: 'GET', path: 'me', ...(token !== undefined && { token }) });
const refresh = () => Promise.all(gates.map((gate) => gate.refresh()));
const stops = () => gates.map((gate) => gate.stopped());
/** Each process tries calls and reads the state each second. */
async function goOn(forSeconds: number): Promise<number> {
  const before = asked;
  for (let second = 0; second < forSeconds; second += 1) {
    now += 1000;
    await refresh();
    await Promise.all([ask(0, 'a'), ask(1, 'b'), ask(0, 'c'), ask(1)]);
  }
  return asked - before;
}

test('[FR-31, ENG-22] two processes share one limit: a probe a minute in all, then both go on', async () => {
  answer = LIMITED;
  expect(await ask(0, 'a')).toMatchObject({ failure: { kind: 'app_limited', nextProbeInMs: 60_000 } });
  await refresh();
  expect(stops()).toEqual(['limited', 'limited']);
  now += 1000;
  expect(await ask(1, 'b')).toMatchObject({
    ok: false,
    failure: { kind: 'app_limited', maybeDone: false, code: null, nextProbeInMs: 59_000 },
  });
  expect(asked).toBe(1);
  expect(await goOn(240)).toBe(4);
  answer = FINE;
  expect(await goOn(60)).toBeGreaterThan(1);
  await refresh();
  expect([stops(), logged]).toEqual([
    [null, null],
    ['Meta refuses our app', 'Meta serves our app again'],
  ]);
  // Also for the process that did not send the probe.
  expect(opened).toBeGreaterThan(1);
  expect(gates.map((gate) => gate.isSparing())).toEqual([true, true]);
});

test.each<[what: string, answer: GraphResult<unknown>, opens: boolean]>([
  ['a list', FINE, true],
  ['a refusal of the user', error(190), true],
  ['a failure of Meta', error(2), true],
  ['a limit of the account', error(17), true],
  ['a batch with one answer', batchOf(error(100), LIMITED), false],
  ['a batch of limits', batchOf(LIMITED, LIMITED), false],
  ['no answer', LATE, false],
  ['the limit', LIMITED, false],
  ['a block', BLOCKED, false],
])('a probe that gets %s', async (_what, got, opens) => {
  answer = LIMITED;
  await ask(0, 'a');
  answer = got;
  now += 60_000;
  await ask(0, 'a');
  expect(stops()[0] === null).toBe(opens);
});

test('[FR-31] no call is sent before the time that Meta states, for an hour at most', async () => {
  answer = LIMITED;
  headers = { 'x-app-usage': '{"call_count":100,"estimated_time_to_regain_access":7}' };
  await ask(0, 'a');
  headers = {};
  expect(await goOn(419)).toBe(0);
  expect(await goOn(2)).toBe(1);
  headers = { 'x-app-usage': '{"call_count":100,"estimated_time_to_regain_access":700}' };
  now += 60_000;
  await ask(0);
  expect(gates[0]?.msUntilNextCall()).toBe(seconds(3600));
});

test('[FR-31] from 70 % on all processes know of it, with a statement a minute; below there is none', async () => {
  const used = (percent: number) => ({ 'x-app-usage': JSON.stringify({ call_count: percent }) });
  headers = used(69);
  await goOn(30);
  expect(statements).toBe(0);
  headers = used(97);
  await goOn(120);
  expect(statements).toBeLessThan(10);
  await refresh();
  expect(gates.map((gate) => gate.isSparing())).toEqual([true, true]);
  headers = used(50);
  await ask(0);
  await refresh();
  expect(gates.map((gate) => gate.isSparing())).toEqual([false, false]);
});

test('[FR-32] a block is of the app if two tokens meet it, or if no other one was accepted lately', async () => {
  await ask(0, 'a');
  answer = BLOCKED;
  await ask(0, 'b');
  await ask(0, 'b');
  expect(stops()[0]).toBeNull();
  expect(await ask(0, 'c')).toMatchObject({ failure: { kind: 'app_blocked', nextProbeInMs: 60_000 } });
  expect([stops()[0], logged]).toEqual(['blocked', ['Meta refuses our app']]);
});

test.each<[what: string, before: () => Promise<unknown>, token: string | undefined, stops: boolean]>([
  ['the first call', () => Promise.resolve(), 'a', true],
  ['the only token', () => ask(0, 'a'), 'a', true],
  ['a token beside one that is accepted', () => ask(0, 'b'), 'a', false],
  ['a call without a token', () => ask(0, 'b'), undefined, true],
  [
    'a token long after another one was accepted',
    async () => {
      await ask(0, 'b');
      now += 600_000;
    },
    'a',
    true,
  ],
])('[FR-32] a block that %s meets', async (_what, before, token, isStop) => {
  await before();
  for (const refused of [BLOCKED, batchOf(BLOCKED, BLOCKED), error(104), error(2635), error(101)]) {
    answer = refused;
    await ask(0, token);
    expect(stops()[0] !== null).toBe(isStop);
  }
});

test('a batch of which all operations are refused fails as a whole; one with an answer keeps it', async () => {
  answer = batchOf(FINE, LIMITED);
  expect(await ask(0, 'a')).toMatchObject({ ok: true });
  expect(stops()[0]).toBe('limited');
  now += 60_000;
  answer = batchOf(LIMITED, LIMITED);
  expect(await ask(0, 'a')).toMatchObject({ failure: { kind: 'app_limited', nextProbeInMs: 60_000 } });
});
