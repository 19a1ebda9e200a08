import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { recordActivities } from '../journal.ts';
import { makeDue } from '../lanes.ts';

interface HandedOver {
  account_id: string;
  campaign_id: string;
  name: string | null;
  person_id: string;
  /** Paused, and the former holder was told so; otherwise the pause is still to come, and is told then. */
  is_held: boolean;
}

/**
 * Without access nothing can be resumed, so what this person holds goes to somebody who wants the same campaign looked
 * after and can reach it; they are told why it is paused. An answer to what the former holder has sent counts no
 * longer: the new one looks first.
 * @param of.accountId only there; otherwise everywhere
 */
export async function handOverHolds(
  tx: Db,
  of: { personId: string; accountId?: string },
  now: Instant,
): Promise<void> {
  const { personId, accountId = null } = of;
  const { rows } = await sql<HandedOver>`
    update hold set person_id = heir.person_id, attempt = hold.attempt + 1, failures = 0, retry_at = null from (
      select distinct on (sp.campaign_id) sp.campaign_id, sp.person_id, campaign.name from smart_pause sp
      join platform_token t on t.person_id = sp.person_id and t.refused_at is null
      join ad_account a on a.person_id = sp.person_id and a.id = sp.account_id and a.lost_at is null
      join person p on p.id = sp.person_id and p.leaving is null and p.initialized_at is not null
      left join campaign on campaign.id = sp.campaign_id
      where sp.setting = 'ON' and sp.person_id <> ${personId} order by sp.campaign_id, sp.person_id
    ) heir
    where hold.person_id = ${personId} and hold.state <> 'ended' and hold.given_up is null
      and hold.campaign_id = heir.campaign_id
      and (${accountId}::text is null or hold.account_id = ${accountId}::text)
    returning hold.account_id, hold.campaign_id, heir.name, heir.person_id,
      hold.paused_at is not null and hold.resumed_at is null as is_held`.execute(tx);
  await recordActivities(
    tx,
    rows
      .filter((row) => row.is_held)
      .map((row) => ({
        personId: row.person_id,
        actor: 'smartpause',
        type: 'pause',
        event: 'taken_over',
        accountId: row.account_id,
        campaignId: row.campaign_id,
        message: `"${row.name ?? row.campaign_id}" is paused for the outage, and SmartPause resumes it for you.`,
        reason: 'whoever it was paused for has no access to the ad account any more',
      })),
    now,
  );
  await makeDue(
    tx,
    rows.map((row) => row.account_id),
    now,
  );
}
