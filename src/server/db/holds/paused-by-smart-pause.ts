import { sql } from 'kysely';
import type { SqlBool } from 'kysely';

/**
 * What is shown and counted as paused by SmartPause, of a `hold` joined with its `campaign` and `smart_pause`. One read of
 * a running campaign decides this, while the hold is released only after a second one.
 */
export const isPausedBySmartPause = sql<SqlBool>`(hold.state <> 'ended' and hold.resumed_at is null
  and smart_pause.setting = 'ON' and campaign.status is distinct from 'ACTIVE')`;

/** The holds of such campaigns; the query goes on with `and`. */
export const pausedHolds = sql`from hold
  join smart_pause on smart_pause.person_id = hold.person_id and smart_pause.campaign_id = hold.campaign_id
  left join campaign on campaign.id = hold.campaign_id
  where ${isPausedBySmartPause}`;
