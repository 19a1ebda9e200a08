import { sql } from 'kysely';
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

  /**
   * A slow response changes nothing: the database's time lies between request and response.
   * If the machine's clock was put back in between, its time of the response counts.
   */
  async read(db: Db): Promise<void> {
    const sentAt = this.#machine.now();
    const result = await sql<{ at: Instant }>`select clock_timestamp() as at`.execute(db);
    const receivedAt = this.#machine.now();
    const at = onlyRow(result).at;
    this.#aheadMs = Math.max(Math.min(this.#aheadMs, at + 1 - sentAt), at - receivedAt);
  }
}
