import { sql } from 'kysely';
import { byName } from '#core/campaign.ts';
import { NO_ANSWER } from '#core/platform.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Cause } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import { timeZoneOf } from '../ad-accounts.ts';
import { deliversNothing } from '../account-delivery.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { wasResumedSince } from '../holds/holds.ts';
import { pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** An ad account with campaigns that SmartPause has paused for the user, and what may delay their resume. */
export interface HeldAccount {
  id: string;
  name: string;
  count: number;
  /** What the holds began with, and when the last one of each was decided. */
  began: { threshold: Threshold; cause: Cause; decidedAt: Instant; isLeftAlone: boolean }[];
  currency: string | null;
  timeZone: string | null;
  /** Of the daily budgets, in Meta's unit of the currency. */
  budget: number;
  unknownBudgets: number;
  isTokenUsable: boolean;
  isAccountLost: boolean;
  /** Meta refuses all changes of the user there now. */
  isBlocked: boolean;
  blockedUntil: Instant | null;
  /** The last failure: Meta did not answer. */
  isUnanswered: boolean;
  /** Meta refuses the resume of some, or another tool has them off. */
  isRefused: boolean;
  isPostponed: boolean;
  /** Those that another tool has off, and when the last of them is resumed at the latest; null: none. */
  postponed: { count: number; until: Instant } | null;
  /** Its campaigns do not count as protected. */
  deliversNothing: boolean;
}

/**
 * Most campaigns first. Reads only the live holds of the user.
 * @param moment.matchBegan of the user's match beside their own word; null: there is none
 */
export async function readHeldAccounts(
  db: Db,
  userId: string,
  { now, matchBegan }: { now: Instant; matchBegan: Instant | null },
): Promise<HeldAccount[]> {
  const isLeftAlone =
    matchBegan === null ? sql`false` : sql`holds.cause = 'user' and ${wasResumedSince(matchBegan)}`;
  const { rows } = await sql<HeldAccount>`
    select held.id, coalesce(a.name, held.id) as name, held.count, held.began,
      a.currency, ${timeZoneOf('held.id')} as "timeZone", held.budget, held.unknown_budgets as "unknownBudgets",
      held.is_refused as "isRefused", held.is_postponed as "isPostponed", held.postponed,
      t.user_id is not null and t.rejected_at is null as "isTokenUsable",
      a.lost_at is not null as "isAccountLost",
      coalesce(a.writes_blocked_until > ${timestamp(now)}, false) as "isBlocked", w.blocked_until,
      coalesce(w.failure_kind = ${NO_ANSWER}, false) as "isUnanswered", ${deliversNothing(now)} as "deliversNothing"
    from (select holds.user_id, holds.account_id as id, count(*)::int as count,
        coalesce(sum(campaigns.daily_budget), 0)::float8 as budget,
        count(*) filter (where campaigns.daily_budget is null)::int as unknown_budgets,
        array_agg(distinct jsonb_build_object('threshold', holds.threshold, 'cause', holds.cause, 'decidedAt',
          floor(extract(epoch from holds.decided_at) * 1000), 'isLeftAlone', ${isLeftAlone})) as began, bool_or(holds.refusal is not null and holds.state <> 'pausing') as is_refused,
        bool_or(holds.postponed_until is not null) as is_postponed,
        case when bool_or(holds.postponed_until is not null) then json_build_object('count', count(holds.postponed_until),
          'until', floor(extract(epoch from max(holds.postponed_until)) * 1000)) end as postponed
      ${pausedHolds} and holds.user_id = ${userId} group by holds.user_id, holds.account_id) held
    left join ad_accounts a on a.user_id = held.user_id and a.id = held.id
    left join work_items w on w.account_id = held.id
    left join platform_tokens t on t.user_id = held.user_id
    order by held.id`.execute(db);
  return rows.toSorted((a, b) => b.count - a.count || byName(a.name, b.name));
}
