import { sql } from 'kysely';
import { z } from 'zod';
import type { Instant } from '#core/time.ts';
import type { ActivityType } from '../journal.ts';
import { ACTIVITY_TYPES } from '../journal.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';

export interface Statistics {
  totalUsers: number;
  /** With a finished setup and a subscription that is active now. */
  activeUsers: number;
  smartPauseCampaigns: number;
}

export async function readStatistics(db: Db, now: Instant): Promise<Statistics> {
  const at = new Date(now);
  const { rows } = await sql<{ total: string; active: string; campaigns: string }>`
    select (select count(*) from person) as total,
      (select count(distinct p.id) from person p join subscription s on s.person_id = p.id
       where p.initialized_at is not null and s.status in ('active', 'trialing', 'canceled')
         and s.current_period_end > ${at}::timestamptz) as active,
      (select count(*) from smart_pause where setting = 'ON') as campaigns`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('counting gave no row');
  return {
    totalUsers: Number(row.total),
    activeUsers: Number(row.active),
    smartPauseCampaigns: Number(row.campaigns),
  };
}

export interface RecentActivity {
  id: string;
  type: ActivityType;
  message: string;
  /** Null: nobody in particular, or somebody whose data is gone. */
  user: string | null;
  at: Instant;
}

const type = z.enum(ACTIVITY_TYPES);

/** The newest acts of everybody. */
export async function listRecentActivities(db: Db, limit: number): Promise<RecentActivity[]> {
  const rows = await db
    .selectFrom('activity')
    .leftJoin('person', 'person.id', 'activity.person_id')
    .select(['activity.id', 'activity.type', 'activity.message', 'activity.at', 'person.name'])
    .orderBy('activity.at', 'desc')
    .orderBy('activity.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: type.parse(row.type),
    message: row.message,
    user: row.name,
    at: instant(row.at),
  }));
}
