import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { deliversNothing } from '../account-delivery.ts';
import { isDelivered } from '../campaigns.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

/** Only pages and the reconciler read lists: an older one says little about now. */
const LIST_COUNTS_MS = days(1);

/** Campaigns of one currency. */
export interface RunningCampaigns {
  currency: string;
  count: number;
  /** Of these, SmartPause can pause so many. */
  pausable: number;
  /** The sum of the known daily budgets, in the currency's smallest unit. */
  dailyBudget: number;
  unknownBudgets: number;
}

/** The user's campaigns that run on Meta with SmartPause off, by the lists of the last day; largest budgets first. */
export async function countRunning(db: Db, userId: string, now: Instant): Promise<RunningCampaigns[]> {
  const { rows } = await sql<RunningCampaigns>`
    select a.currency, count(*)::int as count, count(*) filter (where not c.is_legacy_advantage)::int as pausable,
      coalesce(sum(c.daily_budget), 0)::float8 as "dailyBudget",
      count(*) filter (where c.daily_budget is null)::int as "unknownBudgets"
    from ad_accounts a
    join campaign_lists l on l.account_id = a.id and l.read_at > ${timestamp(now - LIST_COUNTS_MS)}
    join campaigns c on c.account_id = a.id
    left join smartpause_settings sp on sp.user_id = a.user_id and sp.campaign_id = c.id
    where a.user_id = ${userId} and a.removed_at is null and a.lost_at is null and not ${deliversNothing(now)}
      and c.is_listed and c.status = 'ACTIVE' and ${isDelivered(now)} and sp.setting is distinct from 'ON'
    group by a.currency order by sum(c.daily_budget) desc nulls last, a.currency`.execute(db);
  return rows;
}
