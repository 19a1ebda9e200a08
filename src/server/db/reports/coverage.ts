import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Coverage, CoverageGroup, Spend } from '#core/coverage.ts';
import { LIST_COUNTS_MS, NO_SPEND } from '#core/coverage.ts';
import type { Instant } from '#core/time.ts';
import { timeZoneOf } from '../ad-accounts.ts';
import { deliversNothing } from '../account-delivery.ts';
import { areWritesBlocked } from '../blocked-writes.ts';
import { isDelivered } from '../campaigns.ts';
import type { Db } from '../database.ts';
import { date, rowsOf, timestamp } from '../database.ts';
import { endedInMatch, isPauseRefused, isResumedForAll, liveHoldOf } from '../holds/holds.ts';

export interface AccountCoverage extends Coverage {
  id: string;
  name: string;
  currency: string;
}

interface Row extends Spend {
  userId: string;
  id: string;
  name: string;
  currency: string;
  timeZone: string | null;
  isUnread: boolean;
  /** Null: no campaign of the account runs. */
  group: CoverageGroup | null;
}

interface Given {
  now: Instant;
  match: Match | null;
}

/** Of the user `a` and the campaign `c` in a match that began then. */
interface Match {
  since: Instant | null;
}

/** `readCoverages` of one user. */
export async function readCoverage(db: Db, userId: string, given: Given): Promise<AccountCoverage[]> {
  return (await readCoverages(db, [userId], given)).get(userId) ?? [];
}

/**
 * The running campaigns of each user by ad account, by the lists of the last day. Reads only campaigns of the users' ad accounts.
 * @param match.since the begin of the match, null: before our records; without a match nothing has happened in it
 */
export async function readCoverages(
  db: Db,
  userIds: readonly string[],
  { now, match }: Given,
): Promise<Map<string, AccountCoverage[]>> {
  const wanted = userIds.map((userId) => ({ userId }));
  const { rows } = await sql<Row>`
    select one.* from ${rowsOf({ userId: 'bigint' }, wanted)} cross join lateral (
    select a.user_id, a.id, a.name, a.currency, ${timeZoneOf('a.id')} as time_zone, not ${deliversNothing(now)} and not ${isKnown} as "isUnread", c."group",
      count(c.id)::int as count, coalesce(sum(c.daily_budget), 0)::float8 as budget,
      count(c.id) filter (where c.daily_budget is null)::int as "unknownBudgets"
    from ad_accounts a
    left join campaign_lists l on l.account_id = a.id and l.read_at > ${timestamp(now - LIST_COUNTS_MS)}
    left join lateral (
      select c.id, c.daily_budget, case
        when not a.may_pause or ${areWritesBlocked(now)} or c.is_legacy_advantage then 'blocked'
        when sp.setting is distinct from 'ON' then 'open'
        ${match === null ? sql`` : inMatch(match)} else 'protected' end as "group"
      from campaigns c
      left join smartpause_settings sp on sp.user_id = a.user_id and sp.campaign_id = c.id
      ${match === null ? sql`` : sql`left join ${liveHoldOf('c.id')} h on h.user_id = a.user_id`}
      where c.account_id = a.id and c.is_listed and c.status = 'ACTIVE' and ${isDelivered(now)}
        and ${isKnown} and not ${deliversNothing(now)}) c on true
    where a.user_id = given.user_id and a.removed_at is null
    group by a.user_id, a.id, l.account_id, c."group" offset 0) one order by one.id`.execute(db);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map([...byUser].map(([userId, own]) => [userId, toCoverage(own)]));
}

function toCoverage(rows: readonly Row[]): AccountCoverage[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const { id, name, currency, timeZone, isUnread } = first;
    const spendOf = (group: CoverageGroup): Spend => {
      const { count, budget, unknownBudgets } = of.find((row) => row.group === group) ?? NO_SPEND;
      return { count, budget, unknownBudgets };
    };
    const [isProtected, open, blocked] = [spendOf('protected'), spendOf('open'), spendOf('blocked')];
    const [resumed, checking] = [spendOf('resumed'), spendOf('checking')];
    return [
      {
        ...{
          id,
          name,
          currency,
          ...(timeZone !== null && { timeZone }),
          ...(isUnread && { isUnread }),
          protected: isProtected,
          open,
          blocked,
        },
        ...(resumed.count > 0 && { resumed }),
        ...(checking.count > 0 && { checking }),
      },
    ];
  });
}

const isKnown = sql`(a.lost_at is null and l.account_id is not null)`;

/** What has happened in the match to a campaign with SmartPause on. */
function inMatch({ since }: Match) {
  const isOfMatch = endedInMatch(sql`${date(since)}::timestamptz`);
  const hold = (where: RawBuilder<unknown>) => sql`exists (select from holds r
    where r.account_id = c.account_id and r.campaign_id = c.id and ${where})`;
  return sql`when h.state in ('paused', 'resuming') then 'checking'
    when ${hold(sql`${isResumedForAll} and ${isOfMatch}`)} then 'resumed'
    when ${isPauseRefused} or ${hold(sql`r.user_id = a.user_id and r.release_reason = 'pause_refused' and ${isOfMatch}`)} then 'blocked'`;
}
