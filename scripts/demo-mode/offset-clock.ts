import type { Clock } from '../../src/server/clock.ts';

interface Alarm {
  at: number;
  callback: () => void;
  timer: NodeJS.Timeout | null;
}

/** Runs like the real clock and can be advanced: due timers fire. */
export class OffsetClock implements Clock {
  #offsetMs = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  after(ms: number, callback: () => void): () => void {
    const alarm: Alarm = { at: this.now() + ms, callback, timer: null };
    this.#alarms.add(alarm);
    this.#set(alarm);
    return () => this.#clear(alarm);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
    for (const alarm of [...this.#alarms].sort((a, b) => a.at - b.at)) this.#set(alarm);
  }

  #set(alarm: Alarm): void {
    if (alarm.timer !== null) clearTimeout(alarm.timer);
    alarm.timer = setTimeout(
      () => {
        this.#clear(alarm);
        alarm.callback();
      },
      Math.max(0, alarm.at - this.now()),
    );
  }

  #clear(alarm: Alarm): void {
    if (alarm.timer !== null) clearTimeout(alarm.timer);
    this.#alarms.delete(alarm);
  }
}
