import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from './clock.ts';
import { hasMigrations } from './db/applied-migrations.ts';
import type { Db } from './db/database.ts';
import type { Gauges } from './db/reports/gauges.ts';
import { readGauges } from './db/reports/gauges.ts';

export interface StoredState {
  gauges: Gauges;
  /** Whether the tables match this version. */
  isMigrated: boolean;
}

/** Cache duration: the database counts its rows at most this often. */
const KEPT_MS = seconds(5);

/** Caches the state that all processes share in the database. Rejects when the database does not answer. */
export function shareStoredState(deps: {
  db: Db;
  clock: Clock;
  migrations: readonly string[];
}): () => Promise<StoredState> {
  const { db, clock, migrations } = deps;
  let last: { at: Instant; state: Promise<StoredState> } | null = null;
  const read = async (now: Instant): Promise<StoredState> => {
    const [gauges, isMigrated] = await Promise.all([readGauges(db, now), hasMigrations(db, migrations)]);
    return { gauges, isMigrated };
  };
  return () => {
    const now = clock.now();
    if (last === null || Math.abs(now - last.at) > KEPT_MS) {
      const reading = { at: now, state: read(now) };
      // Do not cache a failure.
      reading.state.catch(() => {
        if (last === reading) last = null;
      });
      last = reading;
    }
    return last.state;
  };
}
