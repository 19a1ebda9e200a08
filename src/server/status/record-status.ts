import type { Directive, Level } from '#core/smartpause/level.ts';
import { foldOutage } from '#core/outages/outage.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component } from '#core/smartpause/status.ts';
import { touchedThresholds } from '#core/smartpause/status.ts';
import type { StatusReading, StoredStatus } from '#core/smartpause/status-reading.ts';
import { changeOf, showsReading } from '#core/smartpause/status-reading.ts';
import { monthOf } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { requestWake } from '../db/status/account-wakes.ts';
import { findOpenOutage, saveOutage } from '../db/status/outages.ts';
import type { ShownReading } from '../db/status/status.ts';
import { countRead } from '../db/status/status-reads.ts';
import { addObservation, lockStatus, saveStatus } from '../db/status/status.ts';

/** `trouble`, `components` and `silentIncidents` are shown and decide nothing. */
export interface RecordedReading extends StatusReading {
  loginDisrupted: boolean | null;
  trouble: string | null;
  components: readonly Component[];
  cleanSince: CleanSince;
  silentIncidents: readonly SilentIncident[];
}

interface StatusNews {
  reading?: RecordedReading & { poller: Poller };
  directive?: Directive | null;
}

/** The process that has read the page. */
interface Poller {
  owner: string;
  pollMs: number;
}

/** The reading of a process without the lease, or with an old copy of a file. */
export const NOT_USED = Symbol('not used');

/**
 * Updates status, history and outages, and requests that all ad accounts with affected holds or matches become due.
 * One transaction, so that a crash loses no account; the reconciler makes them due after it.
 * @returns the effective level if the reconciler has work
 */
export async function recordStatus(
  db: Db,
  { reading, directive }: StatusNews,
  now: Instant,
  { staleMs }: { staleMs: number },
): Promise<Level | null | typeof NOT_USED> {
  return inTransaction(db, async (tx) => {
    const { isPoller, ...before } = await lockStatus(tx, reading?.poller.owner ?? null);
    if (reading !== undefined && !isPoller) return NOT_USED;
    const pollMs = reading?.poller.pollMs ?? 0;
    const change = changeOf(before, { reading, directive }, now, { pollMs, staleMs });
    if (change === null) return NOT_USED;
    const { after, isNews, isObserved } = change;
    const loginDisrupted = reading?.loginDisrupted ?? before.loginDisrupted;
    await saveStatus(
      tx,
      { ...after, since: change.since, loginDisrupted },
      reading === undefined ? null : shownOf(reading, { before, after }),
    );
    if (reading !== undefined && reading.level !== 'UNKNOWN') await countRead(tx, monthOf(now), now);
    if (isNews) await requestWake(tx, touchedThresholds(before, after));
    if (isObserved) await addObservation(tx, after, now);
    if (before.known !== after.known) {
      const open = await findOpenOutage(tx);
      const folded = foldOutage(open, after.known, now);
      if (folded !== null) await saveOutage(tx, open?.id ?? null, folded);
    }
    return isNews ? after.effective : null;
  });
}

function shownOf(
  reading: RecordedReading,
  status: { before: StoredStatus; after: StoredStatus },
): ShownReading {
  const { trouble, cleanSince, components, silentIncidents } = reading;
  const unread = components.filter(({ level, isWatched }) => isWatched && level === null);
  return {
    ...{ trouble, cleanSince, unreadServices: unread.map(({ name }) => name) },
    ...(!reading.isIncomplete && { silentIncidents }),
    ...(showsReading(reading, status) && { components }),
  };
}
