import { sql } from 'kysely';
import type { SqlBool } from 'kysely';

/**
 * The condition for "Paused by SmartPause", on `hold` joined with its `campaign` and `smart_pause`.
 * A live test does not count. One read of a running campaign changes it; the release of the hold needs a verification read.
 */
export const isPausedBySmartPause = sql<SqlBool>`(hold.state <> 'ended' and hold.resumed_at is null and hold.test_until is null
  and smart_pause.setting = 'ON' and campaign.status is distinct from 'ACTIVE')`;

/** The holds of such campaigns; append `and` to extend the query. */
export const pausedHolds = sql`from hold
  join smart_pause on smart_pause.user_id = hold.user_id and smart_pause.campaign_id = hold.campaign_id
  left join campaign on campaign.id = hold.campaign_id
  where ${isPausedBySmartPause}`;
