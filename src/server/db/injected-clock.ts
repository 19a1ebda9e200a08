import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Clock } from '../clock.ts';

/** For tests and demo mode, whose clock can be advanced: the database's times in SQL follow it. */
export function withClock(pool: PostgresPool, clock: Pick<Clock, 'now'>): PostgresPool {
  const atClock = (text: string): string =>
    text.replaceAll(/\b(?:now|clock_timestamp)\(\)/g, `timestamptz '${new Date(clock.now()).toISOString()}'`);
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const query = ((text: string, values: readonly unknown[]) =>
        client.query(atClock(text), values)) as PostgresPoolClient['query'];
      return { query, release: client.release.bind(client) };
    },
  };
}
