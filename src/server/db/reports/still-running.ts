import { sql } from 'kysely';
import { NO_ANSWER } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, onlyRow, timestamp } from '../database.ts';
import { deliversNothing } from '../account-delivery.ts';
import { isDelivered } from '../campaigns.ts';
import { endedInMatch, isPauseRefused, isResumedForAll, liveHoldOf } from '../holds/holds.ts';

export interface StillRunning {
  count: number;
  /** Of those without a pause: Meta refuses it in this match, or all changes, or the ad account. Not in `count`. */
  refused: number;
  /** The user's running campaigns with SmartPause on, and those that another user's hold covers. */
  running: number;
  /** The last failure in one of the user's ad accounts: Meta did not answer. */
  isUnanswered: boolean;
  isLimited: boolean;
}

/**
 * The user's running campaigns with SmartPause on, without a confirmed pause of ours.
 * A held campaign that is running was resumed outside SmartPause and does not count, nor does one that another tool
 * or 'Resume now' has turned on in this match.
 */
export async function readStillRunning(
  db: Db,
  userId: string,
  { now, matchSince }: { now: Instant; matchSince: Instant | null },
): Promise<StillRunning> {
  const isOfMatch = endedInMatch(sql`${date(matchSince)}::timestamptz`);
  const result = await sql<StillRunning>`
    select count(*) filter (where not is_paused and not is_refused)::int as count,
      count(*) filter (where not is_paused and is_refused)::int as refused, count(*)::int + (
        select count(*) from smartpause_settings own join ${liveHoldOf('own.campaign_id')} other on other.user_id <> own.user_id
        where own.user_id = ${userId} and own.setting = 'ON')::int as running,
      coalesce(bool_or(l.failure_kind = ${NO_ANSWER}) filter (where not is_paused), false) as "isUnanswered",
      coalesce(bool_or(l.blocked_until > now()) filter (where not is_paused), false)
        as "isLimited"
    from smartpause_settings sp
    join campaigns c on c.id = sp.campaign_id
    join ad_accounts a on a.user_id = sp.user_id and a.id = c.account_id and a.removed_at is null
    left join work_items l on l.account_id = c.account_id
    left join ${liveHoldOf('c.id')} h on h.user_id = sp.user_id
    cross join lateral (select coalesce(h.state in ('paused', 'resuming'), false) as is_paused,
      a.lost_at is not null or coalesce(${isPauseRefused} or a.writes_blocked_until > ${timestamp(now)}, false)
      or exists (select from holds r where r.account_id = c.account_id and r.campaign_id = c.id and r.user_id = sp.user_id
        and r.release_reason = 'pause_refused' and ${isOfMatch}) as is_refused) as final
    where sp.user_id = ${userId} and sp.setting = 'ON' and c.is_listed and c.status = 'ACTIVE'
      and not exists (select from holds r where r.account_id = c.account_id and r.campaign_id = c.id
        and ${isResumedForAll} and ${isOfMatch})
      and not c.is_legacy_advantage and ${isDelivered(now)} and not ${deliversNothing(now)}`.execute(db);
  return onlyRow(result);
}
