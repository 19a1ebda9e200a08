import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Random } from '../../fixtures/random.ts';

interface Alarm {
  at: number;
  ring: () => void;
}

const realImmediate = setImmediate;
const RealDate = Date;

/**
 * The clock of a simulated history. It only moves when a timer fires or the run skips time; the worlds with sockets
 * and a PostgreSQL process need a clock that runs, `OffsetClock`.
 */
export class VirtualClock {
  now: number;
  /** By time; alarms of the same instant in the order in which they were set. */
  #alarms: Alarm[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** @returns a function that cancels the alarm */
  after(ms: number, ring: () => void): () => void {
    const alarm: Alarm = { at: this.now + Math.max(0, ms), ring };
    const before = this.#alarms.findLastIndex(({ at }) => at <= alarm.at);
    this.#alarms.splice(before + 1, 0, alarm);
    return () => (this.#alarms = this.#alarms.filter((one) => one !== alarm));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Moves to the next alarm and fires it. @returns false: none is due until then */
  fireNext(atMost: number): boolean {
    const [alarm] = this.#alarms;
    if (alarm === undefined || alarm.at > atMost) return false;
    this.#alarms.shift();
    this.now = Math.max(this.now, alarm.at);
    alarm.ring();
    return true;
  }

  /** Drops all alarms of the previous history. */
  startAt(now: number): void {
    this.now = now;
    this.#alarms = [];
  }
}

/** Waits until all work that does not need time to pass is done. */
export function drain(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve));
}

/** Replaces timers, dates, random numbers and keys of this process, for our own code and for libraries. */
export function installVirtualTime(time: VirtualClock, random: () => Random): void {
  class VirtualDate extends RealDate {
    constructor(...given: ConstructorParameters<typeof RealDate> | []) {
      if (given.length === 0) super(time.now);
      else super(...(given as [number]));
    }

    static override now(): number {
      return time.now;
    }
  }
  const startTimer = (ring: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): object => {
    const cancel = time.after(ms, () => ring(...given));
    const handle = { cancel, ref: () => handle, unref: () => handle, hasRef: () => true };
    return handle;
  };
  const stopTimer = (handle?: { cancel?: () => void }): void => handle?.cancel?.();
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
  Math.random = () => random().next();
  const bytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => random().whole(0, 255)));
  Object.assign(crypto, {
    randomBytes: bytes,
    randomUUID: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    randomInt: (least: number, below?: number) =>
      below === undefined ? random().whole(0, least - 1) : random().whole(least, below - 1),
  });
  syncBuiltinESMExports();
}
