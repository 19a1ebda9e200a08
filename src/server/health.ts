import { isStale } from '#core/smartpause/status.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import { isQueueBehind } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from './clock.ts';
import type { Readiness } from './readiness.ts';

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

type Ages = Pick<SystemNumbers, 'statusCheckedAt' | 'oldestDueAt'>;

/**
 * A stale status or a late work queue does not affect readiness: other processes share the problem,
 * and users would lose the pages that report it.
 */
export function createHealth(deps: {
  clock: Clock;
  readiness: () => Promise<Readiness>;
  stored: () => Promise<{ gauges: Ages; isMigrated: boolean }>;
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

function warningsOf(gauges: Ages, now: Instant, staleMs: number): Warning[] {
  return [
    ...(isStale(gauges.statusCheckedAt, now, staleMs) ? (['status_not_read'] as const) : []),
    ...(isQueueBehind(gauges, now) ? (['queue_behind'] as const) : []),
  ];
}

function secondsSince(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.round((now - at) / 100) / 10);
}
