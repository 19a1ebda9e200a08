import { sql } from 'kysely';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import { foldOutage } from '#core/smartpause/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, withInstants } from '../database.ts';

const COLUMNS = ['started_at as startedAt', 'ended_at as endedAt', 'peak', 'levels'] as const;

/** Several small outages may follow the one that matters. */
const OUTAGES_SEEN = 50;

/** Updates the open outage with a new known level, or opens one. */
export async function recordOutage(tx: Db, level: KnownLevel, now: Instant): Promise<void> {
  const row = await tx
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const folded = foldOutage(row === undefined ? null : withInstants(row), level, now);
  if (folded === null) return;
  const values = {
    started_at: new Date(folded.startedAt),
    ended_at: date(folded.endedAt),
    peak: folded.peak,
    levels: JSON.stringify(folded.levels),
  };
  if (row === undefined) await tx.insertInto('outages').values(values).execute();
  else await tx.updateTable('outages').set(values).where('id', '=', row.id).execute();
}

/** Outages that began since then, oldest first. */
export async function findOutagesSince(db: Db, since: Instant): Promise<Outage[]> {
  const rows = await db
    .selectFrom('outages')
    .select(COLUMNS)
    .where('started_at', '>=', new Date(since))
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map(withInstants);
}

/** Outages that had begun by that time, newest first. */
export async function findOutagesUntil(db: Db, at: Instant): Promise<Outage[]> {
  const rows = await db
    .selectFrom('outages')
    .select(COLUMNS)
    .where('started_at', '<=', new Date(at))
    .orderBy('started_at', 'desc')
    .orderBy(sql`id desc`)
    .limit(OUTAGES_SEEN)
    .execute();
  return rows.map(withInstants);
}
