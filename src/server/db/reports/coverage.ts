import { sql } from 'kysely';
import type { Coverage, CoverageGroup, Spend } from '#core/coverage.ts';
import { NO_SPEND } from '#core/coverage.ts';
import type { Instant } from '#core/time.ts';
import { deliversNothing } from '../account-delivery.ts';
import { areWritesBlocked } from '../blocked-writes.ts';
import { isDelivered } from '../campaigns.ts';
import type { Db } from '../database.ts';
import { date } from '../database.ts';
import { isResumedForAll } from '../holds/holds.ts';

export interface AccountCoverage extends Coverage {
  id: string;
  name: string;
  currency: string;
}

interface Row extends Spend {
  id: string;
  name: string;
  currency: string;
  isUnread: boolean;
  /** Null: no campaign of the account runs. */
  group: CoverageGroup | null;
}

/**
 * The user's running campaigns by ad account, as last read. Reads only campaigns of the user's ad accounts.
 * @param match.since the begin of the match, null: before our records; without a match no pause was refused in it
 */
export async function readCoverage(
  db: Db,
  userId: string,
  { now, match }: { now: Instant; match: { since: Instant | null } | null },
): Promise<AccountCoverage[]> {
  const isLeftAlone = match === null ? sql`false` : leftAloneSince(match.since);
  const { rows } = await sql<Row>`
    select a.id, a.name, a.currency, a.lost_at is null and not ${deliversNothing(now)} and not exists (
        select from campaign_lists l where l.account_id = a.id) as "isUnread", c."group",
      count(c.id)::int as count, coalesce(sum(c.daily_budget), 0)::float8 as budget,
      count(c.id) filter (where c.daily_budget is null)::int as "unknownBudgets"
    from ad_accounts a left join lateral (
      select c.id, c.daily_budget, case
        when not a.may_pause or a.lost_at is not null or ${areWritesBlocked(now)} or c.is_legacy_advantage
          then 'blocked'
        when sp.setting is distinct from 'ON' then 'open' when ${isLeftAlone} then 'blocked' else 'protected' end as "group"
      from campaigns c
      left join smartpause_settings sp on sp.user_id = a.user_id and sp.campaign_id = c.id
      where c.account_id = a.id and c.is_listed and c.status = 'ACTIVE' and ${isDelivered(now)}
        and not ${deliversNothing(now)}) c on true
    where a.user_id = ${userId} and a.removed_at is null
    group by a.user_id, a.id, c."group" order by a.id`.execute(db);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const { id, name, currency, isUnread } = first;
    const spendOf = (group: CoverageGroup): Spend => {
      const { count, budget, unknownBudgets } = of.find((row) => row.group === group) ?? NO_SPEND;
      return { count, budget, unknownBudgets };
    };
    const [isProtected, open, blocked] = [spendOf('protected'), spendOf('open'), spendOf('blocked')];
    return [{ id, name, currency, ...(isUnread && { isUnread }), protected: isProtected, open, blocked }];
  });
}

/** Meta refuses the pause in this match, or another tool has turned the campaign on in it. */
const leftAloneSince = (since: Instant | null) => sql`exists (select from holds r
  where r.account_id = c.account_id and r.campaign_id = c.id
    and (r.user_id = a.user_id or ${isResumedForAll(sql`r.release_reason`)})
    and (r.state = 'pausing' and r.refusal is not null
      or (r.release_reason = 'pause_refused' or ${isResumedForAll(sql`r.release_reason`)}) and r.test_until is null
        and r.ended_at > sp.changed_at and r.ended_at >= ${date(since)}::timestamptz))`;
