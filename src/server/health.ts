import { isStale } from '#core/smartpause/status.ts';
import { minutes } from '#core/time.ts';
import type { Clock } from './clock.ts';
import type { Gauges } from './db/reports/gauges.ts';
import type { Readiness } from './readiness.ts';
import type { StoredState } from './stored-state.ts';

/** Conditions that an operator should look at, although the process can serve users. */
export type Warning = 'status_not_read' | 'queue_behind';

export interface Health {
  /** False: load balancers should send no requests here. */
  isReady: boolean;
  database: Readiness;
  /** Whether the tables match this version; null: the database does not answer. */
  isMigrated: boolean | null;
  /** Since Meta's status page was last read; null: never, or the database does not answer. */
  statusAgeSeconds: number | null;
  /** Age of the oldest due work item; null: none is due, or the database does not answer. */
  queueAgeSeconds: number | null;
  warnings: Warning[];
}

/** Due work starts within a second in normal operation. */
const BEHIND_MS = minutes(1);

/**
 * A stale status or a late work queue does not affect readiness: other processes share the problem,
 * and users would lose the pages that report it.
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
