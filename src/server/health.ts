import { sql } from 'kysely';
import { isStale } from '#core/smartpause/status.ts';
import type { SystemNumbers, WebhookFailures } from '#core/system-health.ts';
import { isQueueBehind } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { cached } from './cached.ts';
import type { Clock } from './clock.ts';
import { hasMigrations } from './db/applied-migrations.ts';
import type { Db } from './db/database.ts';
import { readGauges } from './db/reports/gauges.ts';

/** State of the database. */
export type Readiness = 'fine' | 'slow' | 'gone';

/** Conditions that an operator should look at, although the process can serve users. */
export type Warning = 'status_not_read' | 'queue_behind';

export interface Health {
  /** False: load balancers should send no requests here. */
  isReady: boolean;
  database: Readiness;
  /** Whether the tables match this version; null: the database does not respond. */
  isMigrated: boolean | null;
  /** Since Meta's status page was last read; null: never, or the database does not respond. */
  statusAgeSeconds: number | null;
  /** Age of the oldest due work item; null: none is due, or the database does not respond. */
  queueAgeSeconds: number | null;
  warnings: Warning[];
}

/** What all processes share in the database. */
export interface StoredState {
  gauges: SystemNumbers;
  /** Whether the tables match this version. */
  isMigrated: boolean;
}

type Ages = Pick<SystemNumbers, 'statusCheckedAt' | 'oldestDueAt'>;

const SLOW_MS = seconds(2);
/** The database counts its rows at most this often. */
const KEPT_MS = seconds(5);

/** Probes the database with a short timeout. Concurrent callers share one probe. */
export function createReadiness(db: Db): () => Promise<Readiness> {
  let probe: Promise<Readiness> | null = null;
  const ask = (): Promise<Readiness> =>
    sql`select 1`
      .execute(db)
      .then(
        (): Readiness => 'fine',
        (): Readiness => 'gone',
      )
      .finally(() => (probe = null));
  return async () => {
    probe ??= ask();
    const late = Promise.withResolvers<Readiness>();
    const timer = setTimeout(() => late.resolve('slow'), SLOW_MS);
    return Promise.race([probe, late.promise]).finally(() => clearTimeout(timer));
  };
}

/** Reads the stored state, at most every 5 s. Rejects when the database does not respond. */
export function createStoredState(deps: {
  db: Db;
  clock: Clock;
  migrations: readonly string[];
  /** The keys that decrypt tokens. */
  keyIds: readonly string[];
  /** Of this process: webhooks are not stored. */
  webhookFailures: () => WebhookFailures;
}): () => Promise<StoredState> {
  const { db, clock, migrations, keyIds, webhookFailures } = deps;
  const read = async (): Promise<StoredState> => {
    const [gauges, isMigrated] = await Promise.all([
      readGauges(db, keyIds, clock.now()),
      hasMigrations(db, migrations),
    ]);
    return { gauges: { ...gauges, ...webhookFailures() }, isMigrated };
  };
  return cached(KEPT_MS, read, () => clock.now()).read;
}

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
    const found = database === 'fine' ? await stored().catch(() => null) : null;
    if (found === null) return { ...UNKNOWN, database };
    const { isMigrated, gauges } = found;
    const now = clock.now();
    return {
      isReady: isMigrated,
      database,
      isMigrated,
      statusAgeSeconds: secondsSince(gauges.statusCheckedAt, now),
      queueAgeSeconds: secondsSince(gauges.oldestDueAt, now),
      warnings: warningsOf(gauges, now, staleMs),
    };
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
