import { sql } from 'kysely';
import { clockDifference } from '#core/clock-difference.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from './database.ts';
import { onlyRow } from './database.ts';

/** The database's clock, by the clock of this machine, which may be wrong: all processes compare stored times. */
export class DatabaseClock implements Clock {
  readonly #machine: Clock;
  #aheadMs = 0;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  now(): Instant {
    return this.#machine.now() + this.#aheadMs;
  }

  after(ms: number, callback: () => void): () => void {
    return this.#machine.after(ms, callback);
  }

  async read(db: Db): Promise<void> {
    const sentAt = this.#machine.now();
    const result = await sql<{ at: Instant }>`select clock_timestamp() as at`.execute(db);
    const reading = { sentAt, at: onlyRow(result).at, receivedAt: this.#machine.now() };
    this.#aheadMs = clockDifference(this.#aheadMs, reading, 1);
  }
}
