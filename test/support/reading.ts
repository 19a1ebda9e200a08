import type { Level } from '../../src/core/smartpause/level.ts';
import type { Db } from '../../src/server/db/database.ts';
import { takePollerLease } from '../../src/server/db/status/status.ts';
import type { RecordedReading } from '../../src/server/status/record-status.ts';
import { NOT_USED, recordStatus } from '../../src/server/status/record-status.ts';

const OWNER = 'the test';

/** A complete reading of the status page, whose files carry the date of that time. */
export function readingOf(level: Level, at: number): RecordedReading {
  return {
    ...{ level, message: '', quote: null, isIncomplete: false, atLeast: null, dates: { orgs: at } },
    ...{ loginDisrupted: false, trouble: null, components: [], cleanSince: {}, silentIncidents: [] },
  };
}

/** Records a reading by the process that has the lease. */
export async function recordReading(
  db: Db,
  reading: RecordedReading,
  at: number,
  staleMs: number,
): Promise<Level | null> {
  await takePollerLease(db, { owner: OWNER, leaseMs: 60_000 });
  const poller = { owner: OWNER, pollMs: 10_000 };
  const changedTo = await recordStatus(db, { reading: { ...reading, poller } }, at, { staleMs });
  if (changedTo === NOT_USED) throw new Error('the reading was not used');
  return changedTo;
}
