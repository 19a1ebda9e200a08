import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Dice } from '../fixtures/dice.ts';

interface Alarm {
  at: number;
  /** Alarms of the same instant ring in the order in which they were set. */
  order: number;
  ring: () => void;
  isCancelled: boolean;
}

const realImmediate = setImmediate;
const RealDate = Date;

/** The one time of a simulated history. It stands still until somebody moves it. */
export class VirtualTime {
  now: number;
  #alarms: Alarm[] = [];
  #set = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** @returns what cancels it */
  after(ms: number, ring: () => void): () => void {
    this.#set += 1;
    const alarm: Alarm = { at: this.now + Math.max(0, ms), order: this.#set, ring, isCancelled: false };
    this.#alarms.push(alarm);
    siftUp(this.#alarms);
    return () => void (alarm.isCancelled = true);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** When the next alarm rings; null: there is none. */
  nextAt(): number | null {
    for (;;) {
      const [first] = this.#alarms;
      if (first === undefined) return null;
      if (!first.isCancelled) return first.at;
      popFirst(this.#alarms);
    }
  }

  /** Moves to that instant, if it lies ahead, and lets the next alarm ring that is due. False: none is. */
  ringNext(atMost: number): boolean {
    const at = this.nextAt();
    if (at === null || at > atMost) return false;
    const alarm = popFirst(this.#alarms);
    this.now = Math.max(this.now, at);
    alarm?.ring();
    return true;
  }

  /** Everything that a former history still waits for is forgotten. */
  startAt(now: number): void {
    this.now = now;
    this.#alarms = [];
    this.#set = 0;
  }
}

/** Waits until all that can go on without the time going on has done so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve));
}

/**
 * From now on this process has no time but the virtual one and no chance but the dice: timers, dates, random numbers and
 * keys, whoever asks for them, our own code or a library.
 */
export function rule(time: VirtualTime, dice: () => Dice): void {
  class VirtualDate extends RealDate {
    constructor(...given: ConstructorParameters<typeof RealDate> | []) {
      if (given.length === 0) super(time.now);
      else super(...(given as [number]));
    }

    static override now(): number {
      return time.now;
    }
  }
  const timers = new WeakMap<object, () => void>();
  const startTimer = (ring: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): object => {
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true };
    timers.set(
      handle,
      time.after(ms, () => ring(...given)),
    );
    return handle;
  };
  const stopTimer = (handle: unknown): void => {
    if (typeof handle === 'object' && handle !== null) timers.get(handle)?.();
  };
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: startTimer,
    clearTimeout: stopTimer,
    setInterval: () => {
      throw new Error('nothing here repeats by itself');
    },
  });
  Object.assign(timersPromises, {
    setTimeout: (ms = 0, value?: unknown) => time.sleep(ms).then(() => value),
  });
  performance.now = () => time.now;
  Math.random = () => dice().roll();
  const bytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => dice().whole(0, 255)));
  Object.assign(crypto, {
    randomBytes: bytes,
    randomUUID: () => uuidOf(bytes(16).toString('hex')),
    randomInt: (least: number, below?: number) =>
      below === undefined ? dice().whole(0, least - 1) : dice().whole(least, below - 1),
  });
  syncBuiltinESMExports();
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function isSooner(a: Alarm, b: Alarm): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function siftUp(heap: Alarm[]): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!swapIfSooner(heap, child, parent)) return;
    child = parent;
  }
}

function popFirst(heap: Alarm[]): Alarm | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  heap[0] = last;
  let parent = 0;
  for (;;) {
    const left = 2 * parent + 1;
    const right = left + 1;
    const a = heap[left];
    const b = heap[right];
    if (a === undefined) return first;
    const child = b !== undefined && isSooner(b, a) ? right : left;
    if (!swapIfSooner(heap, child, parent)) return first;
    parent = child;
  }
}

function swapIfSooner(heap: Alarm[], child: number, parent: number): boolean {
  const a = heap[child];
  const b = heap[parent];
  if (a === undefined || b === undefined || !isSooner(a, b)) return false;
  heap[child] = b;
  heap[parent] = a;
  return true;
}
