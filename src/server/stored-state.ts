import type { SystemNumbers, WebhookFailures } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from './clock.ts';
import { hasMigrations } from './db/applied-migrations.ts';
import type { Db } from './db/database.ts';
import { readGauges } from './db/reports/gauges.ts';

export interface StoredState {
  gauges: SystemNumbers;
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
  /** The keys that decrypt tokens. */
  keyIds: readonly string[];
  /** Of this process: webhooks are not stored. */
  webhookFailures: () => WebhookFailures;
}): () => Promise<StoredState> {
  const { db, clock, migrations, keyIds, webhookFailures } = deps;
  let last: { at: Instant; state: Promise<StoredState> } | null = null;
  const read = async (now: Instant): Promise<StoredState> => {
    const [gauges, isMigrated] = await Promise.all([
      readGauges(db, keyIds, now),
      hasMigrations(db, migrations),
    ]);
    return { gauges: { ...gauges, ...webhookFailures() }, isMigrated };
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
