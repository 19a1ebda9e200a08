import { sql } from 'kysely';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import { SCHEDULE_TRIED_AGAIN_MS } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { planJobs } from './account-jobs.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';

/** SmartPause was turned on in the ad account. Lock order: its work item before its job. */
export async function makeSchedulesDue(tx: Db, accountId: string): Promise<void> {
  await planJobs(tx, 'other_schedules', sql`select ${accountId}::text`, SCHEDULE_TRIED_AGAIN_MS);
}

export async function isSmartPauseOn(db: Db, accountId: string): Promise<boolean> {
  const query = db.selectFrom('smartpauseSettings').select('accountId').where('accountId', '=', accountId);
  return (await query.where('setting', '=', 'ON').limit(1).execute()).length > 0;
}

/** Users with access and SmartPause on in the ad account. None: its time zone is not known, or Meta's limit is reached. */
export async function findLogReaders(db: Db, accountId: string, now: Instant) {
  const { rows } = await sql<{ userId: string; timeZone: string }>`
    select a.user_id, zone.name as time_zone from ad_accounts a join users u on u.id = a.user_id,
      (select min(time_zone) as name from ad_accounts where id = ${accountId}) zone
    where a.id = ${accountId} and a.lost_at is null and a.removed_at is null and u.leaving is null
      and zone.name is not null and exists (select from smartpause_settings sp
        where sp.account_id = a.id and sp.user_id = a.user_id and sp.setting = 'ON')
      and not exists (select from work_items w where w.account_id = a.id and w.blocked_until > ${timestamp(now)})
    order by a.user_id`.execute(db);
  return rows;
}

/** Replaces the schedules of the ad account's campaigns. */
export async function saveSchedules(
  db: Db,
  accountId: string,
  schedules: Readonly<Record<string, OtherSchedule>>,
): Promise<void> {
  const schedule = sql`${JSON.stringify(schedules)}::jsonb -> id`;
  await sql`
    update campaigns set other_schedule = ${schedule}
    where account_id = ${accountId} and other_schedule is distinct from ${schedule}`.execute(db);
}
