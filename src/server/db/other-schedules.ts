import { sql } from 'kysely';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from './database.ts';
import { inTransaction, timestamp } from './database.ts';

const READ_EVERY_MS = days(7);
const TRIED_AGAIN_MS = days(1);

/** SmartPause was turned on in the ad account. Lock order: its work item before its list. */
export async function makeSchedulesDue(tx: Db, accountId: string, now: Instant): Promise<void> {
  const dueAt = sql`greatest(${timestamp(now)}, schedules_tried_at + ${TRIED_AGAIN_MS}::int * interval '1 millisecond')`;
  await sql`
    update campaign_lists set schedules_due_at = ${dueAt}
    where account_id = ${accountId} and coalesce(schedules_due_at > ${dueAt}, true)`.execute(tx);
}

/** The ad account whose log is due longest. It is due again in a day, or never if SmartPause is off there. */
export async function claimSchedules(db: Db, now: Instant): Promise<string | null> {
  const { rows } = await sql<{ accountId: string }>`
    update campaign_lists l set schedules_tried_at = ${timestamp(now)}, schedules_due_at = case when exists (
        select from smartpause_settings sp where sp.account_id = l.account_id and sp.setting = 'ON')
      then ${timestamp(now + TRIED_AGAIN_MS)} end
    where account_id = (select account_id from campaign_lists where schedules_due_at <= ${timestamp(now)}
      order by schedules_due_at limit 1 for update skip locked)
    returning account_id`.execute(db);
  return rows[0]?.accountId ?? null;
}

/** Its log was not asked for: it is due as before, unless SmartPause is off there. */
export async function unclaimSchedules(db: Db, accountId: string, now: Instant): Promise<void> {
  await sql`
    update campaign_lists set schedules_due_at = ${timestamp(now)}
    where account_id = ${accountId} and schedules_due_at is not null`.execute(db);
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
  { accountId, schedules }: { accountId: string; schedules: Readonly<Record<string, OtherSchedule>> },
  now: Instant,
): Promise<void> {
  const schedule = sql`${JSON.stringify(schedules)}::jsonb -> id`;
  await inTransaction(db, async (tx) => {
    await sql`
      update campaign_lists set schedules_due_at = ${timestamp(now + READ_EVERY_MS)}
      where account_id = ${accountId} and schedules_due_at is not null`.execute(tx);
    await sql`
      update campaigns set other_schedule = ${schedule}
      where account_id = ${accountId} and other_schedule is distinct from ${schedule}`.execute(tx);
  });
}
