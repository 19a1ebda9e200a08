import { beforeEach, expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { minutes, seconds } from '../../../core/time.ts';
import { createAppStateStore } from '../../db/app-state.ts';
import { AppGate } from './app-gate.ts';
import { unreadable } from '#core/platform.ts';
import type { PlatformResult } from '../platform.ts';
import type { GraphCall, GraphClient } from './client.ts';
import { interpretJson } from './client.ts';

const FINE: PlatformResult<unknown> = { ok: true, value: { data: [] } };
const error = (code: number, message = 'no') => interpretJson({ error: { message, code } }, 400);
const LIMITED = error(4);
const BLOCKED = error(200, 'API access blocked.');
const LATE: PlatformResult<unknown> = { ok: false, failure: unreadable('TimeoutError', true) };
const batchOf = (...answers: PlatformResult<unknown>[]): PlatformResult<unknown> => ({
  ok: true,
  value: answers.map((answer) => ({
    code: answer.ok ? 200 : 400,
    body: JSON.stringify(answer.ok ? answer.value : { error: answer.failure }),
  })),
});

const open = useFreshDb();
let now: number;
let answer: PlatformResult<unknown>;
let headers: Record<string, string>;
let tokens: number;
let delay: Promise<unknown>;
let asked: number;
/** What Meta says to the app's own token. */
let answerToApp: PlatformResult<unknown>;
let askedAsApp: number;
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
    ...{
      store: { ...store, countTokens: () => Promise.resolve(tokens) },
      now: () => now,
      log: { info: log, warn: log, error: log },
    },
    onOpen: () => void (opened += 1),
    appCall: { method: 'GET', path: 'app' },
  });
  const call = async ({ path }: GraphCall) => {
    if (path === 'app') {
      askedAsApp += 1;
      return { ...answerToApp, headers: {} };
    }
    asked += 1;
    await delay;
    return { ...answer, headers };
  };
  gates.push(gate);
  graphs.push(gate.guard({ now: () => now, aheadMs: () => 0, call }));
  await gate.refresh();
}

beforeEach(async () => {
  now = 1_790_000_000_000;
  [answer, answerToApp, headers, tokens] = [FINE, FINE, {}, 3];
  [asked, askedAsApp, statements, opened] = [0, 0, 0, 0];
  delay = Promise.resolve();
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

test.each<[what: string, answer: PlatformResult<unknown>, opens: boolean]>([
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

test('[FR-32] a block is of the app if two tokens meet it', async () => {
  await ask(0, 'a');
  answer = BLOCKED;
  await ask(0, 'b');
  await ask(0, 'b');
  expect(stops()[0]).toBeNull();
  expect(await ask(0, 'c')).toMatchObject({ failure: { kind: 'app_blocked', nextProbeInMs: 60_000 } });
  expect([stops()[0], logged]).toEqual(['blocked', ['Meta refuses our app']]);
});

test.each<[what: string, toApp: PlatformResult<unknown>, stop: string | null]>([
  ['refuses, too', BLOCKED, 'blocked'],
  ['serves', FINE, null],
  ['refuses for another reason', error(190), null],
  ['does not answer', LATE, null],
])(
  '[FR-32, ENG-22] the only active user meets a block, and Meta %s the app’s own token',
  async (_what, toApp, stop) => {
    await ask(0, 'b');
    [answer, answerToApp] = [BLOCKED, toApp];
    await Promise.all([ask(0, 'a'), ask(0, 'a')]);
    expect([stops()[0], askedAsApp]).toEqual([stop, 1]);
    now += 59_999;
    await ask(0, 'a');
    expect(askedAsApp).toBe(1);
    now += 1;
    answerToApp = BLOCKED;
    await ask(0, 'a');
    expect([stops()[0], askedAsApp]).toEqual(['blocked', stop === null ? 2 : 1]);
  },
);

test('[FR-32] the only active user meets a block for a minute, while Meta serves the app: it is theirs alone', async () => {
  answer = BLOCKED;
  for (const [afterMs, kind] of [
    [0, 'app_blocked'],
    [59_999, 'app_blocked'],
    [1, 'permission'],
    [minutes(10), 'permission'],
  ] as const) {
    now += afterMs;
    expect(await ask(0, 'a')).toMatchObject({ failure: { kind } });
  }
  expect([stops()[0], askedAsApp]).toEqual([null, 3]);
  // Another user meets it, too: it is the app's.
  await ask(0, 'b');
  expect(stops()[0]).toBe('blocked');
});

test('[FR-32] a block that Meta states to the app, and not to users, stops them once', async () => {
  answerToApp = BLOCKED;
  for (const [kind, stop] of [
    ['app_blocked', 'blocked'],
    ['app_blocked', null],
    ['permission', null],
  ] as const) {
    now += minutes(5);
    answer = FINE;
    await ask(0, 'b');
    await refresh();
    answer = BLOCKED;
    const [first] = await Promise.all([ask(0, 'a'), ask(1, 'a')]);
    await refresh();
    expect([first, stops()]).toMatchObject([{ failure: { kind } }, [stop, stop]]);
  }
});

test('[FR-32] after a block that two users met the app’s own token is asked as before', async () => {
  answer = BLOCKED;
  await ask(0, 'a');
  await ask(0, 'b');
  await refresh();
  now += 60_000;
  answer = FINE;
  await ask(0, 'a');
  await refresh();
  expect([stops(), askedAsApp]).toEqual([[null, null], 1]);
  [answer, answerToApp] = [BLOCKED, BLOCKED];
  await ask(1, 'a');
  expect([stops()[1], askedAsApp]).toEqual(['blocked', 2]);
});

const nothing = () => Promise.resolve();
/** The token is refused, and then another one is accepted. */
async function refuseAlone(token: string): Promise<void> {
  answer = BLOCKED;
  await ask(0, token);
  answer = FINE;
  await ask(0, 'fine');
}

test.each<[what: string, before: () => Promise<unknown>, token: string | undefined, stops: boolean]>([
  ['the only token', () => Promise.resolve((tokens = 1)), 'a', true],
  ['the only token, which was accepted', () => ask(0, 'a').then(() => (tokens = 1)), 'a', true],
  ['one of three tokens', nothing, 'a', false],
  ['a token beside one that is accepted', () => ask(0, 'b'), 'a', false],
  ['a call without a token', nothing, undefined, false],
  [
    'a token long after another one was accepted',
    () => ask(0, 'b').then(() => (now += 1_200_000)),
    'a',
    false,
  ],
  ['a second token, when the first was refused alone', () => refuseAlone('odd'), 'a', false],
  ['the only other token', () => refuseAlone('odd').then(() => (tokens = 2)), 'a', true],
])('[FR-32] a block that %s meets', async (_what, before, token, isStop) => {
  await before();
  for (const refused of [BLOCKED, batchOf(BLOCKED, BLOCKED), error(104), error(2635), error(101)]) {
    answer = refused;
    await ask(0, token);
    expect(stops()[0] !== null).toBe(isStop);
  }
});

test.each([LIMITED, error(101), error(104)])(
  '[FR-32] a call that is not sent in a stop waits for the app: %j',
  async (refused) => {
    answer = refused;
    await ask(0, 'a');
    await ask(0, 'b');
    const [stop] = stops();
    const unsent = await ask(0, 'c');
    expect(unsent).toMatchObject({ ok: false, failure: { code: null, appStop: stop } });
    expect([stop === null, asked]).toEqual([false, stop === 'limited' ? 1 : 2]);
  },
);

test('[FR-32] a block of one token alone is a missing permission once another one was accepted since', async () => {
  await refuseAlone('odd');
  for (const [afterMs, given, kind] of [
    [59_000, BLOCKED, 'app_blocked'],
    [1000, BLOCKED, 'permission'],
    [0, batchOf(BLOCKED, BLOCKED), 'permission'],
    [0, error(2635), 'misconfigured'],
  ] as const) {
    now += afterMs;
    answer = given;
    expect(await ask(0, 'odd')).toMatchObject({ ok: false, failure: { kind } });
  }
  answer = FINE;
  await ask(0, 'odd');
  answer = BLOCKED;
  expect(await ask(0, 'odd')).toMatchObject({ failure: { kind: 'app_blocked' } });
  expect(await ask(0, 'b')).toMatchObject({ failure: { kind: 'app_blocked', nextProbeInMs: 60_000 } });
  // What was refused in a stop was the app.
  answer = FINE;
  now += 60_000;
  await ask(0, 'c');
  answer = BLOCKED;
  expect(await ask(0, 'b')).toMatchObject({ failure: { kind: 'app_blocked' } });
});

test('[FR-32] a call that was sent before a refusal says nothing about it', async () => {
  const late = Promise.withResolvers<unknown>();
  delay = late.promise;
  const early = ask(0, 'b');
  delay = Promise.resolve();
  [answer, answerToApp] = [BLOCKED, LATE];
  await ask(0, 'a');
  answer = FINE;
  late.resolve(null);
  await early;
  answer = BLOCKED;
  now += 60_000;
  expect(await ask(0, 'a')).toMatchObject({ failure: { kind: 'app_blocked' } });
});

test('[FR-31, ENG-22] only a refused probe, and the call that began the stop, say that they were', async () => {
  answer = LIMITED;
  const [first, underWay] = await Promise.all([ask(0, 'a'), ask(0, 'b')]);
  const notSent = await ask(0, 'c');
  now += 60_000;
  const probe = await ask(0, 'c');
  const flags = [first, underWay, notSent, probe].map((one) => one?.ok === false && one.failure.wasProbe);
  expect(flags).toEqual([true, undefined, undefined, true]);
});

test('a batch of which all operations are refused fails as a whole; one with an answer keeps it', async () => {
  answer = batchOf(FINE, LIMITED);
  expect(await ask(0, 'a')).toMatchObject({ ok: true });
  expect(stops()[0]).toBe('limited');
  now += 60_000;
  answer = batchOf(LIMITED, LIMITED);
  expect(await ask(0, 'a')).toMatchObject({ failure: { kind: 'app_limited', nextProbeInMs: 60_000 } });
});
