import type { Outage } from '#core/outages/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp } from '../database.ts';

const COLUMNS = ['startedAt', 'endedAt', 'peak', 'levels'] as const;

/** The open one; null: there is none. */
export async function findOpenOutage(tx: Db): Promise<StoredOutage | null> {
  const open = tx
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('endedAt', 'is', null);
  return (await open.executeTakeFirst()) ?? null;
}

/** @param id null: a new one */
export async function saveOutage(tx: Db, id: string | null, outage: Outage): Promise<void> {
  const values = {
    startedAt: new Date(outage.startedAt),
    endedAt: date(outage.endedAt),
    peak: outage.peak,
    levels: JSON.stringify(outage.levels),
  };
  if (id === null) await tx.insertInto('outages').values(values).execute();
  else await tx.updateTable('outages').set(values).where('id', '=', id).execute();
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
