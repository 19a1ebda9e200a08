import { expect, test, vi } from 'vitest';
import { OffsetClock } from '../../../test/support/offset-clock.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import { Breaks } from './breaks.ts';
import type { CallsOfTurn } from './places.ts';
import { Places, inPlaces } from './places.ts';

/** However slow the machine is, nobody takes a break here. */
function placesOf(atOnce: number, clock: OffsetClock, whenFree: () => void): Places {
  return new Places(atOnce, clock, whenFree, new Breaks(() => 0));
}

/** A call that is answered when the test says so. */
function call(calls: CallsOfTurn | null) {
  const answer = Promise.withResolvers<undefined>();
  const begun = vi.fn();
  const made = calls?.make<unknown>(
    () => {
      begun();
      return answer.promise;
    },
    () => 'not made',
  );
  return { begun, made, answer: () => (answer.resolve(undefined), made) };
}

test('while all places are taken no turn begins, and the next may as soon as a call is answered', async () => {
  const whenFree = vi.fn();
  const places = placesOf(1, new OffsetClock(), whenFree);
  const first = call(places.begin());
  expect(places.begin()).toBeNull();
  expect(whenFree).not.toHaveBeenCalled();
  await first.answer();
  expect(whenFree).toHaveBeenCalledTimes(1);
  expect(places.begin()).not.toBeNull();
});

test('the further calls of a turn go before the first ones of others', async () => {
  const whenFree = vi.fn();
  const places = placesOf(1, new OffsetClock(), whenFree);
  const early = places.begin();
  await call(early).answer();
  const other = call(places.begin());
  const written = call(early);
  expect(written.begun).not.toHaveBeenCalled();
  whenFree.mockClear();
  await other.answer();
  await vi.waitFor(() => expect(written.begun).toHaveBeenCalled());
  expect(whenFree).not.toHaveBeenCalled();
  expect(places.begin()).toBeNull();
  await written.answer();
  expect(whenFree).toHaveBeenCalledTimes(1);
});

test('a call that fails and a turn that makes none give their places back, each once', async () => {
  const whenFree = vi.fn();
  const places = placesOf(2, new OffsetClock(), whenFree);
  const failing = places.begin();
  const cutOff = () => Promise.reject(new Error('cut off'));
  await expect(failing?.make(cutOff, () => null)).rejects.toThrow('cut off');
  failing?.end();
  places.begin()?.end();
  expect(whenFree).toHaveBeenCalledTimes(2);
  expect([places.begin(), places.begin(), places.begin()].map((turn) => turn !== null)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a turn whose call took long keeps its place, and gives it back at the end', async () => {
  const clock = new OffsetClock();
  const whenFree = vi.fn();
  const places = placesOf(1, clock, whenFree);
  const turn = places.begin();
  const slow = call(turn);
  clock.advance(2_000);
  await slow.answer();
  expect(whenFree).not.toHaveBeenCalled();
  const next = call(turn);
  expect(next.begun).toHaveBeenCalledTimes(1);
  await next.answer();
  turn?.end();
  expect(whenFree).toHaveBeenCalledTimes(1);
});

test('a call for which there is no place in time is not made, and takes none from the next', async () => {
  const clock = new OffsetClock();
  const places = placesOf(1, clock, () => undefined);
  const early = places.begin();
  await call(early).answer();
  const other = call(places.begin());
  const late = call(early);
  clock.advance(2_000);
  expect(await late.made).toBe('not made');
  expect(late.begun).not.toHaveBeenCalled();
  await other.answer();
  early?.end();
  // The other one's call took so long that it keeps its place to its own end.
  expect(places.begin()).toBeNull();
});

test('what waits for a place when all is closed gets none, and what comes after that neither', async () => {
  const places = placesOf(1, new OffsetClock(), () => undefined);
  const early = places.begin();
  await call(early).answer();
  void call(places.begin());
  const waiting = call(early);
  places.close();
  expect(await waiting.made).toBe('not made');
  expect(await call(early).made).toBe('not made');
});

test('who has kept its place because it is slow makes no call either when all is closed', async () => {
  const clock = new OffsetClock();
  const places = placesOf(1, clock, () => undefined);
  const slow = places.begin();
  const first = call(slow);
  clock.advance(2_000);
  await first.answer();
  places.close();
  const further = call(slow);
  expect(await further.made).toBe('not made');
  expect(further.begun).not.toHaveBeenCalled();
});

test('where lists are quick and writes are slow, whoever has a place keeps it until it has written', async () => {
  const clock = new OffsetClock();
  const places = placesOf(2, clock, () => undefined);
  for (let turn = 0; turn < 10; turn += 1) {
    const calls = places.begin();
    const list = call(calls);
    clock.advance(500);
    await list.answer();
    const write = call(calls);
    await vi.waitFor(() => expect(write.begun).toHaveBeenCalled());
    clock.advance(6_000);
    await write.answer();
    calls?.end();
  }
  const calls = places.begin();
  const list = call(calls);
  clock.advance(500);
  await list.answer();
  expect(places.begin()).not.toBeNull();
  expect(places.begin()).toBeNull();
});

test('a clock that is set during a call makes no call a slow one', async () => {
  const clock = new OffsetClock();
  const places = placesOf(1, clock, () => undefined);
  for (const byMs of [3_600_000, -7_200_000, 0]) {
    const calls = places.begin();
    const made = call(calls);
    clock.advance(byMs);
    await made.answer();
    const next = places.begin();
    expect(next, `set by ${byMs} ms`).not.toBeNull();
    next?.end();
  }
});

test('the platform of a turn says when it begins to write, and not when it reads', async () => {
  const onWrite = vi.fn();
  const places = placesOf(1, new OffsetClock(), () => undefined);
  const calls = places.begin();
  if (calls === null) throw new Error('there was no place');
  const answers: AdPlatform = {
    aheadMs: () => 0,
    listAdAccounts: () => Promise.resolve({ ok: true, value: [], usage: null }),
    listCampaigns: () => Promise.resolve({ ok: true, value: [], usage: null }),
    readStatuses: () => Promise.resolve({ ok: true, value: new Map(), usage: null }),
    readStatusChanges: () => Promise.resolve({ ok: true, value: [], usage: null }),
    setStatuses: () => Promise.resolve({ results: new Map(), usage: null }),
  };
  const platform = inPlaces(answers, calls, onWrite);
  await platform.listCampaigns('token', 'act_1');
  expect(onWrite).not.toHaveBeenCalled();
  await platform.setStatuses('token', 'act_1', [{ campaignId: '1', status: 'PAUSED' }]);
  expect(onWrite).toHaveBeenCalledTimes(1);
  places.close();
  await platform.setStatuses('token', 'act_1', [{ campaignId: '1', status: 'PAUSED' }]);
  expect(onWrite).toHaveBeenCalledTimes(1);
});

test('turns that go on at the same moment give others a turn as well', async () => {
  let nowMs = 0;
  const places = new Places(3, new OffsetClock(), () => undefined, new Breaks(() => nowMs));
  const seen: string[] = [];
  setImmediate(() => seen.push('somebody else'));
  const work = async (name: string): Promise<void> => {
    const call = (): Promise<void> => {
      seen.push(name);
      nowMs += 5;
      return Promise.resolve();
    };
    await places.begin()?.make(call, () => undefined);
  };
  await Promise.all(['first', 'second', 'third'].map(work));
  expect(seen).toEqual(['first', 'second', 'somebody else', 'third']);
});

test('who is at a break when all is closed makes no call', async () => {
  let nowMs = 0;
  const places = new Places(1, new OffsetClock(), () => undefined, new Breaks(() => nowMs));
  expect(places.breaks.areDue()).toBe(false);
  nowMs = 20;
  const late = call(places.begin());
  places.close();
  expect(await late.made).toBe('not made');
  expect(late.begun).not.toHaveBeenCalled();
});
