import { sql } from 'kysely';
import type { SqlBool } from 'kysely';

/**
 * What is shown and counted as paused by SmartPause, of a `hold` joined with its `campaign` and `smart_pause`. One read of
 * a running campaign decides this, while the hold is released only after a second one.
 */
export const isPausedBySmartPause = sql<SqlBool>`(hold.state <> 'ended' and hold.resumed_at is null
  and smart_pause.setting = 'ON' and campaign.status is distinct from 'ACTIVE')`;
