import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Outage } from '#core/outages/outage.ts';
import { foldOutage } from '#core/outages/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp } from '../database.ts';

const COLUMNS = ['startedAt', 'endedAt', 'peak', 'levels'] as const;

/** Updates the open outage with a new known level, or opens one. */
export async function recordOutage(tx: Db, level: KnownLevel, now: Instant): Promise<void> {
  const row = await tx
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  const folded = foldOutage(row ?? null, level, now);
  if (folded === null) return;
  const values = {
    startedAt: new Date(folded.startedAt),
    endedAt: date(folded.endedAt),
    peak: folded.peak,
    levels: JSON.stringify(folded.levels),
  };
  if (row === undefined) await tx.insertInto('outages').values(values).execute();
  else await tx.updateTable('outages').set(values).where('id', '=', row.id).execute();
}

export interface StoredOutage extends Outage {
  id: string;
}

/** Outages that were open at some time between these, oldest first. */
export async function findOutagesBetween(db: Db, from: Instant, to: Instant): Promise<StoredOutage[]> {
  return db
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('startedAt', '<=', timestamp(to))
    .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', timestamp(from))]))
    .orderBy('id')
    .execute();
}
