import { sql } from 'kysely';
import type { OverrideReach } from '#contract/admin-overview.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { areWritesBlocked } from '../blocked-writes.ts';
import { isDelivered } from '../campaigns.ts';
import type { Db } from '../database.ts';
import { isSubscribed } from '../billing/subscriptions.ts';
import { onlyRow, timestamp } from '../database.ts';
import { endedInMatch, isResumedForAll } from '../holds/holds.ts';
import { pausedHolds } from '../holds/paused-by-smart-pause.ts';

/**
 * The running campaigns that SmartPause would pause, and the paused ones whose match would be over, each counted once.
 * @param given.matched thresholds that the level meets
 */
export async function countOverrideReach(
  db: Db,
  given: { matched: readonly Threshold[]; startsPauses: boolean } & Pick<Status, 'matchSince'>,
  now: Instant,
): Promise<OverrideReach> {
  const isMatched = (threshold: string) => sql`${sql.ref(threshold)} = any(${[...given.matched]}::text[])`;
  const since = sql`to_timestamp((${JSON.stringify(given.matchSince)}::jsonb ->> u.threshold)::float8 / 1000)`;
  return onlyRow(
    await sql<OverrideReach>`
      with paused as (
        select u.id as user_id, c.id as campaign_id from users u
        join smartpause_settings sp on sp.user_id = u.id and sp.setting = 'ON'
        join campaigns c on c.id = sp.campaign_id
        join ad_accounts a on a.user_id = u.id and a.id = c.account_id
        where ${given.startsPauses} and ${isMatched('u.threshold')} and u.initialized_at is not null and u.leaving is null
          and ${isSubscribed(sql`u.id`, timestamp(now))}
          and exists (select from platform_tokens t where t.user_id = u.id and t.rejected_at is null)
          and a.removed_at is null and a.lost_at is null and a.may_pause and not ${areWritesBlocked(now)}
          and c.is_listed and c.status = 'ACTIVE' and not c.is_legacy_advantage and ${isDelivered(now)}
          and not exists (select from holds h where h.campaign_id = c.id and h.state <> 'ended')
          and not exists (select from holds r where r.account_id = c.account_id and r.campaign_id = c.id
            and (r.user_id = u.id and r.release_reason = 'pause_refused' or ${isResumedForAll})
            and ${endedInMatch(since)})
      ), resumed as (select holds.user_id, holds.campaign_id ${pausedHolds} and holds.ended_at is null and not (${isMatched('holds.threshold')}))
      select (select count(distinct campaign_id)::int from paused) as pauses,
        (select count(distinct campaign_id)::int from resumed) as resumes,
        (select count(*)::int from (select user_id from paused union select user_id from resumed) touched) as users`.execute(
      db,
    ),
  );
}
