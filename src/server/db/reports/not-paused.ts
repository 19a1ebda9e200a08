import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

export interface NotPaused {
  count: number;
  /** In the words of the last failure in one of their ad accounts: Meta did not answer. */
  isUnanswered: boolean;
  isLimited: boolean;
}

/**
 * The person's campaigns with SmartPause on that run as far as we know, and that no pause of ours has been confirmed
 * for. One that is held and seen running was resumed by somebody, and is none of them.
 */
export async function readNotPaused(db: Db, personId: string, now: Instant): Promise<NotPaused> {
  const { rows } = await sql<{ count: string; unanswered: boolean | null; limited: boolean | null }>`
    select count(*) as count, bool_or(l.last_error like 'transient%') as unanswered,
      bool_or(l.blocked_until > ${new Date(now)}::timestamptz) as limited
    from smart_pause sp
    join campaign c on c.id = sp.campaign_id
    join ad_account a on a.person_id = sp.person_id and a.id = c.account_id and a.lost_at is null
    left join lane l on l.account_id = c.account_id
    where sp.person_id = ${personId} and sp.setting = 'ON' and c.listed and c.status = 'ACTIVE'
      and not c.is_legacy_advantage
      and not exists (select from hold h where h.campaign_id = c.id and h.person_id = sp.person_id
        and h.state in ('paused', 'resuming'))`.execute(db);
  const [row] = rows;
  return {
    count: Number(row?.count ?? 0),
    isUnanswered: row?.unanswered === true,
    isLimited: row?.limited === true,
  };
}
