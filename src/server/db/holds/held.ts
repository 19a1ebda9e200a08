import { sql } from 'kysely';
import { HOLD_STATES } from '#core/smartpause/hold.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import type { Instant } from '#core/time.ts';

/** One page of live holds, newest first. The query reads each state by its index. */
export async function findHeldIds(
  db: Db,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const onwards = after === null ? sql`true` : sql`id < ${after}::bigint`;
  const { rows } = await sql<{ id: string }>`
    select live.id from unnest(${[...HOLD_STATES]}::text[]) as one(state) cross join lateral (
      select id from hold where state = one.state and state <> 'ended' and ${onwards}
      order by id desc limit ${limit}) live
    order by live.id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Data of a hold that other tables store: names, ad account, setting, activity log. */
export interface HeldAround {
  holdId: string;
  campaignName: string | null;
  isOn: boolean;
  isAccountLost: boolean;
  hasToken: boolean;
  blockedUntil: Instant | null;
  /** The ad account's last error; null: the last pass succeeded. */
  accountError: string | null;
  createdAt: Instant;
}

export async function findHeldAround(db: Db, holdIds: readonly string[]): Promise<Map<string, HeldAround>> {
  interface Row {
    id: string;
    name: string | null;
    setting: string | null;
    lost_at: Date | null;
    has_token: boolean;
    blocked_until: Date | null;
    account_error: string | null;
    created_at: Date;
  }
  const { rows } = await sql<Row>`
    select hold.id, hold.created_at, campaign.name, sp.setting, a.lost_at, work_item.blocked_until,
      work_item.last_error as account_error,
      coalesce(t.refused_at is null and t.user_id is not null, false) as has_token
    from hold
    left join campaign on campaign.id = hold.campaign_id
    left join smart_pause sp on sp.user_id = hold.user_id and sp.campaign_id = hold.campaign_id
    left join ad_account a on a.user_id = hold.user_id and a.id = hold.account_id
    left join work_item on work_item.account_id = hold.account_id
    left join platform_token t on t.user_id = hold.user_id
    where hold.id = any(${[...holdIds]}::bigint[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        holdId: row.id,
        campaignName: row.name,
        isOn: row.setting === 'ON',
        isAccountLost: row.lost_at !== null,
        hasToken: row.has_token,
        blockedUntil: instant(row.blocked_until),
        accountError: row.account_error,
        createdAt: instant(row.created_at),
      },
    ]),
  );
}
