import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { LEVELS } from '#core/smartpause/level.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import { foldOutage } from '#core/smartpause/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, instant } from '../database.ts';
import type { Schema } from '../schema.ts';

const known = z.enum(LEVELS).exclude(['UNKNOWN']);
const levels = z.array(z.object({ level: known, at: z.number() }));

function toOutage(row: Selectable<Schema['outage']>): Outage {
  return {
    startedAt: instant(row.started_at),
    endedAt: instant(row.ended_at),
    peak: known.parse(row.peak),
    levels: levels.parse(row.levels),
  };
}

/** Small ones may have come since the one that matters. */
const OUTAGES_SEEN = 50;

/** Folds a new known level into the outage that is open, or opens one. */
export async function recordOutage(tx: Db, level: KnownLevel, now: Instant): Promise<void> {
  const row = await tx.selectFrom('outage').selectAll().where('ended_at', 'is', null).executeTakeFirst();
  const folded = foldOutage(row === undefined ? null : toOutage(row), level, now);
  if (folded === null) return;
  const values = {
    started_at: new Date(folded.startedAt),
    ended_at: date(folded.endedAt),
    peak: folded.peak,
    levels: JSON.stringify(folded.levels),
  };
  if (row === undefined) await tx.insertInto('outage').values(values).execute();
  else await tx.updateTable('outage').set(values).where('id', '=', row.id).execute();
}

/** Outages that had begun by that time, the latest first. */
export async function findOutagesUntil(db: Db, at: Instant): Promise<Outage[]> {
  const rows = await db
    .selectFrom('outage')
    .selectAll()
    .where('started_at', '<=', new Date(at))
    .orderBy('started_at', 'desc')
    .orderBy(sql`id desc`)
    .limit(OUTAGES_SEEN)
    .execute();
  return rows.map(toOutage);
}
