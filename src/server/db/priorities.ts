import { sql } from 'kysely';
import { CENTS } from '#core/budget-order.ts';
import type { Db } from './database.ts';

/** Of these work items: the daily budgets in US cents of the campaigns with SmartPause on. Lock order: the work items first. */
export async function updatePriorities(db: Db, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const ids = sql`${[...accountIds]}::text[]`;
  await sql`
    update work_items set priority = budgets.cents from (
      select given.id, coalesce(sum(c.daily_budget) * coalesce((${JSON.stringify(CENTS)}::jsonb ->> (
          select currency from ad_accounts a where a.id = given.id limit 1))::float8, 1), 0)::bigint as cents
      from unnest(${ids}) as given(id)
      left join (
        select distinct account_id, campaign_id from smartpause_settings where setting = 'ON' and account_id = any(${ids})
      ) chosen on chosen.account_id = given.id
      left join campaigns c on c.id = chosen.campaign_id and c.account_id = given.id and c.is_listed
        and c.status not in ('ARCHIVED', 'DELETED')
      group by given.id) budgets
    where account_id = budgets.id and priority <> budgets.cents`.execute(db);
}
