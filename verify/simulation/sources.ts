import { type Db, createDb } from '../../src/server/db/database.ts';
import type { SimulatedDatabase } from './world/database.ts';
import { Lifetime } from './world/lifetime.ts';

/** Of an early warning. Both are planted: no history has as many businesses as a real one stands on. */
export const SOURCES = ['calls', 'delivery'] as const;
export type Source = (typeof SOURCES)[number];

const EVIDENCE: Record<Source, object> = {
  calls: { kinds: ['campaigns', 'writes'], businesses: 7, ofBusinesses: 40 },
  delivery: { direction: 'low', accounts: 9, ofAccounts: 20, businesses: 6 },
};

/** What calls and delivery say, stored beside the processes. */
export class Sources {
  readonly #db: Db;
  /** They have said something in this history. */
  areUsed = false;
  /** Two events may follow each other at once. */
  #last = Promise.resolve();

  constructor(database: SimulatedDatabase) {
    this.#db = createDb(database.poolFor(new Lifetime(), []));
  }

  /** From now on the source suspects an outage, or does not. */
  set(source: Source, isSuspected: boolean): Promise<void> {
    this.#last = this.#last.then(() => this.#set(source, isSuspected));
    return this.#last;
  }

  async #set(source: Source, isSuspected: boolean): Promise<void> {
    const now = new Date();
    // No minute is tested, which would end what is planted.
    if (!this.areUsed)
      await this.#db
        .updateTable('detection')
        .set({ minute: new Date('2100-01-01') })
        .execute();
    this.areUsed = true;
    await this.#db
      .updateTable('signals')
      .set({ until: now })
      .where('source', '=', source)
      .where('until', 'is', null)
      .execute();
    if (!isSuspected) return;
    const evidence = JSON.stringify({ since: now.getTime(), ...EVIDENCE[source] });
    await this.#db
      .insertInto('signals')
      .values({ source, scope: 'everyone', state: 'SUSPECTED', since: now, evidence })
      .execute();
  }
}
