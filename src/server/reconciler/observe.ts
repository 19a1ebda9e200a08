import type { Level } from '#core/smartpause/level.ts';
import { isSleptOver } from '#core/smartpause/status.ts';
import { days, minutes } from '#core/time.ts';
import { UNKNOWN } from '../platforms/meta/status-page/status-page.ts';
import type { Observation, StatusPage } from '../platforms/meta/status-page/status-page.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { dropPollerLease, recordStatus, takePollerLease } from '../db/status/status.ts';
import { noteStatusFiles } from '../db/status/status-files.ts';
import type { Log } from '../observability/log.ts';
import { startScheduledTask } from '../scheduled-task.ts';

export interface ObserverDeps {
  db: Db;
  page: StatusPage;
  clock: Clock;
  log: Log;
  owner: string;
  pollMs: number;
  staleMs: number;
  /** Called after the effective status has changed. */
  onChange: () => void;
  onReading?: (level: Level) => void;
}

export interface Observer {
  close(): Promise<void>;
}

/** Meta's history files are read at the first poll and once a day. */
const HISTORY_MS = days(1);
const HISTORY_RETRY_MS = minutes(10);

/** Another process takes over after this many missed polls. */
const MISSED_POLLS = 3;

/** Reads the status page at every poll interval, in one of many processes. */
export function startObserver(deps: ObserverDeps): Observer {
  const { db, clock, log, owner, pollMs } = deps;
  let historyDueAt = -Infinity;
  const history = startScheduledTask({
    ...{ name: 'reading the status history', everyMs: null, clock, log },
    run: async () => {
      const now = clock.now();
      historyDueAt = now + HISTORY_RETRY_MS;
      if (await readHistoryOnce(deps)) historyDueAt = now + HISTORY_MS;
    },
  });
  const status = startScheduledTask({
    ...{ name: 'reading the status', everyMs: pollMs, clock, log },
    run: async () => {
      const isRead = await observeOnce(deps);
      if (isRead && clock.now() >= historyDueAt) history.wake();
    },
  });
  return {
    async close() {
      await status.close();
      await history.close();
      await dropPollerLease(db, owner);
    },
  };
}

/** @returns false if no file could be read */
async function readHistoryOnce({
  db,
  page,
  clock,
}: Pick<ObserverDeps, 'db' | 'page' | 'clock'>): Promise<boolean> {
  const files = await page.readHistory();
  await noteStatusFiles(db, files, clock.now());
  return files.length > 0;
}

/** @returns true if this process is the one that reads the page, and it did */
export async function observeOnce(deps: ObserverDeps): Promise<boolean> {
  const leaseMs = deps.pollMs * MISSED_POLLS;
  if (!(await takePollerLease(deps.db, { owner: deps.owner, leaseMs }))) return false;
  const seen = await lookSafely(deps);
  if (seen === null) return false;
  const readAt = deps.clock.now();
  deps.onReading?.(seen.level);
  // Before the status, so that the public page reads both as one. It decides nothing, so it may fail.
  await noteStatusFiles(deps.db, seen.files, readAt).catch((error: unknown) =>
    deps.log.error({ err: error }, 'the files of the status page could not be stored'),
  );
  const status = await recordStatus(deps.db, { reading: seen }, readAt, { staleMs: deps.staleMs });
  if (status !== null) {
    const { components, trouble } = seen;
    deps.log.info({ status, components, trouble }, 'the platform status changed');
    deps.onChange();
  }
  return true;
}

/** Null: the observation is outdated. */
async function lookSafely(deps: ObserverDeps): Promise<Observation | null> {
  const askedAt = deps.clock.now();
  try {
    const seen = await deps.page.observe();
    return isSleptOver(askedAt, deps.clock.now()) ? null : seen;
  } catch (error) {
    deps.log.error({ err: error }, 'status page read failed unexpectedly');
    const nothing = { isIncomplete: true, atLeast: null, loginDisrupted: null, components: [], files: [] };
    return { ...UNKNOWN, ...nothing, trouble: 'a fault of ours: see the log' };
  }
}
