import { sql } from 'kysely';
import type { ResumeSettings } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { timeZoneOf } from '../ad-accounts.ts';
import { onlyRow, rowsOf } from '../database.ts';
import type { Db } from '../database.ts';
import { pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** Since when Meta has refused our app; null: it serves it. */
export async function readAppStoppedSince(db: Db): Promise<Instant | null> {
  return onlyRow(await sql<{ since: Instant | null }>`select since from app_state`.execute(db)).since;
}

interface UserAccount {
  userId: string;
  accountId: string;
}

const waiting = sql`${pausedHolds} and holds.ended_at is null and holds.paused_at is not null and holds.postponed_until is null`;

/** Where users have paused campaigns and have not been told that these wait since then. */
export async function findUntold(db: Db, since: Instant) {
  const { rows } = await sql<
    UserAccount & {
      resume: ResumeSettings;
      timeZone: string | null;
      thresholds: Threshold[];
      isAsked: boolean;
      isLeaving: boolean;
    }
  >`
    select held.*, users.resume_settings as resume, users.leaving is not null as "isLeaving",
      ${timeZoneOf('held.account_id')} as time_zone from (
      select holds.user_id, holds.account_id, array_agg(distinct holds.threshold) as thresholds,
        bool_or(holds.resume_asked_at is not null) as "isAsked" ${waiting} group by holds.user_id, holds.account_id) held
    join users on users.id = held.user_id
    where not exists (select from activities act where act.user_id = held.user_id and act.event = 'held_up'
      and act.dedupe_key = held.account_id || ${` ${since}`}) order by held.user_id, held.account_id`.execute(
    db,
  );
  return rows;
}

/** The campaigns that are paused there, with their holds. */
export async function findWaiting(db: Db, accounts: readonly UserAccount[]) {
  const { rows } = await sql<UserAccount & { campaignId: string; name: string; holdId: string }>`
    select one.* from ${rowsOf({ userId: 'bigint', accountId: 'text' }, accounts)} cross join lateral (
      select holds.user_id, holds.account_id, holds.campaign_id, holds.id as "holdId",
        coalesce(campaigns.name, holds.campaign_id) as name ${waiting}
        and holds.user_id = given.user_id and holds.account_id = given.account_id offset 0) one order by one."holdId"`.execute(
    db,
  );
  return rows;
}
