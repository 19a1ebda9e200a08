import type { Level } from '#core/smartpause/level.ts';
import { hours, seconds } from '#core/time.ts';
import type { StatusPage } from '../platforms/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { dropPollerLease, readRemembered, takePollerLease } from '../db/status/status.ts';
import { noteStatusFiles } from '../db/status/status-files.ts';
import type { Log } from '../observability/log.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import { NOT_USED, recordStatus } from './record-status.ts';

export interface PollerDeps {
  db: Db;
  page: Omit<StatusPage, 'publishedIn'>;
  clock: Clock;
  log: Log;
  owner: string;
  pollMs: number;
  staleMs: number;
  /** Called after the effective status has changed. */
  onChange: () => void;
  /** Called after a reading that is used. */
  onReading?: (level: Level) => void;
}

/** Another process takes over after this many missed polls. */
const MISSED_POLLS = 3;
/** Longer than any read, whose result would not be stored without the lease. */
const SHORTEST_LEASE_MS = seconds(10);
/** A longer read spans a suspend of the machine, so its result may be hours old. */
const LONGEST_READ_MS = seconds(30);

/**
 * Reads the status page at every poll interval, in one of many processes, and its history now and then.
 * @param isStepped only when it is asked to
 */
export function startStatusPoller(deps: PollerDeps, isStepped = false) {
  const { db, page, clock, log, owner, pollMs } = deps;
  const tasks = [
    startScheduledTask({
      ...{ name: 'reading the status', everyMs: isStepped ? null : pollMs, clock, log },
      run: () => pollStatus(deps),
    }),
    startScheduledTask({
      ...{ name: 'reading the status history', everyMs: isStepped ? null : hours(1), clock, log },
      run: async () => {
        if (await isReader(deps)) await noteStatusFiles(db, await page.readHistory(), clock.now());
      },
    }),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(tasks.map((task) => task.close()));
      await dropPollerLease(db, owner);
    },
  };
}

/** One process of many reads the status page. */
function isReader({ db, owner, pollMs }: PollerDeps): Promise<boolean> {
  return takePollerLease(db, { owner, leaseMs: Math.max(pollMs * MISSED_POLLS, SHORTEST_LEASE_MS) });
}

/** Reads the status page if this process is the one that reads it. After a failure the status becomes UNKNOWN by its age. */
export async function pollStatus(deps: PollerDeps): Promise<void> {
  const { db, clock, log, owner, pollMs, staleMs } = deps;
  if (!(await isReader(deps))) return;
  const askedAt = clock.now();
  const found = await deps.page.observe({ ...(await readRemembered(db)), now: askedAt });
  const readAt = clock.now();
  if (readAt - askedAt > LONGEST_READ_MS) return;
  const reading = { ...found, poller: { owner, pollMs } };
  const status = await recordStatus(db, { reading }, readAt, { staleMs });
  if (status === NOT_USED) return;
  deps.onReading?.(found.level);
  if (status !== null) {
    const { components, trouble } = found;
    log.info({ status, components, trouble }, 'the platform status changed');
    deps.onChange();
  }
  // Last: it decides nothing, so it may fail.
  await noteStatusFiles(db, found.files, readAt);
}
