import { isStale } from '#core/smartpause/status.ts';
import { minutes } from '#core/time.ts';
import type { Clock } from './clock.ts';
import type { Gauges } from './db/reports/gauges.ts';
import type { Readiness } from './readiness.ts';
import type { StoredState } from './stored-state.ts';

/** What of all this keeps nobody from being served, and yet needs somebody to look. */
export type Warning = 'status_not_read' | 'queue_behind';

export interface Health {
  /** Whether this process is worth sending anybody to. */
  isReady: boolean;
  database: Readiness;
  /** Whether the tables are of this version; null: the database does not say. */
  isMigrated: boolean | null;
  /** Since Meta's status page was last read; null: never, or the database does not say. */
  statusAgeSeconds: number | null;
  /** For how long the first ad account that is due has been so; null: none is, or the database does not say. */
  queueAgeSeconds: number | null;
  warnings: Warning[];
}

/** Work is begun within a second when all is well. */
const BEHIND_MS = minutes(1);

/**
 * A status that nobody reads and a queue that nobody works on are no reason to send people elsewhere: elsewhere it is the same,
 * and they would lose the pages that tell them.
 */
export function createHealth(deps: {
  clock: Clock;
  readiness: () => Promise<Readiness>;
  stored: () => Promise<StoredState>;
  staleMs: number;
}): () => Promise<Health> {
  const { clock, readiness, stored, staleMs } = deps;
  return async () => {
    const database = await readiness();
    if (database !== 'fine') return { ...UNKNOWN, database };
    const now = clock.now();
    try {
      const { isMigrated, gauges } = await stored();
      const { statusCheckedAt, oldestDueAt } = gauges;
      return {
        isReady: isMigrated,
        database,
        isMigrated,
        statusAgeSeconds: secondsSince(statusCheckedAt, now),
        queueAgeSeconds: secondsSince(oldestDueAt, now),
        warnings: warningsOf(gauges, now, staleMs),
      };
    } catch {
      return { ...UNKNOWN, database };
    }
  };
}

const UNKNOWN = {
  isReady: false,
  isMigrated: null,
  statusAgeSeconds: null,
  queueAgeSeconds: null,
  warnings: [],
} satisfies Omit<Health, 'database'>;

function warningsOf({ statusCheckedAt, oldestDueAt }: Gauges, now: number, staleMs: number): Warning[] {
  const isBehind = oldestDueAt !== null && now - oldestDueAt > BEHIND_MS;
  return [
    ...(isStale(statusCheckedAt, now, staleMs) ? (['status_not_read'] as const) : []),
    ...(isBehind ? (['queue_behind'] as const) : []),
  ];
}

function secondsSince(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.round((now - at) / 100) / 10);
}
