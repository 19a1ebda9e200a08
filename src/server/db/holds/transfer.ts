import { sql } from 'kysely';
import { transferredText } from '#core/smartpause/activity-text.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { recordActivities } from '../activities.ts';
import { wake } from '../work-items.ts';

interface HandedOver {
  accountId: string;
  campaignId: string;
  name: string | null;
  userId: string;
  /** Paused, and the former owner was notified; otherwise the pause is still to come and notifies then. */
  isHeld: boolean;
  isTest: boolean;
}

/**
 * A user without access cannot resume. Their holds move to another user who has SmartPause on and access.
 * The new owner is notified why the campaign is paused. Responses to the former owner's writes are ignored.
 * @param of.accountId limits the transfer to this ad account
 */
export async function transferHolds(
  tx: Db,
  of: { userId: string; accountId?: string },
  now: Instant,
): Promise<void> {
  const { userId, accountId = null } = of;
  const { rows } = await sql<HandedOver>`
    update holds set user_id = heir.user_id, attempt = holds.attempt + 1, failures = 0,
      retry_at = case when holds.refusals > 0 then holds.retry_at end from (
      select distinct on (sp.campaign_id) sp.campaign_id, sp.user_id, campaigns.name from smartpause_settings sp
      join platform_tokens t on t.user_id = sp.user_id and t.rejected_at is null
      join ad_accounts a on a.user_id = sp.user_id and a.id = sp.account_id and a.lost_at is null
      join users p on p.id = sp.user_id and p.leaving is null and p.initialized_at is not null
      left join campaigns on campaigns.id = sp.campaign_id
      where sp.setting = 'ON' and sp.user_id <> ${userId} order by sp.campaign_id, sp.user_id
    ) heir
    where holds.user_id = ${userId} and holds.state <> 'ended' and holds.release is null
      and holds.campaign_id = heir.campaign_id
      and (${accountId}::text is null or holds.account_id = ${accountId}::text)
    returning holds.account_id, holds.campaign_id, heir.name, heir.user_id,
      holds.paused_at is not null and holds.resumed_at is null as is_held,
      holds.test_until is not null as is_test`.execute(tx);
  await recordActivities(
    tx,
    rows
      .filter((row) => row.isHeld)
      .map((row) => ({
        userId: row.userId,
        actor: 'smartpause',
        type: 'pause',
        event: 'taken_over',
        accountId: row.accountId,
        campaignId: row.campaignId,
        message: transferredText(row.name ?? row.campaignId, row.isTest),
        reason: 'the user that it was paused for no longer has access to the ad account',
      })),
    now,
  );
  await wake(
    tx,
    rows.map((row) => row.accountId),
  );
}
