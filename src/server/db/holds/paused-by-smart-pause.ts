import { sql } from 'kysely';
import type { SqlBool } from 'kysely';

/**
 * The condition for "Paused by SmartPause", on `holds` joined with `campaigns` and `smartpause_settings`.
 * A live test does not count. One read of a running campaign changes it; the release of the hold needs Meta's log and more reads.
 */
export const isPausedBySmartPause = sql<SqlBool>`(holds.state <> 'ended' and holds.test_until is null
  and smartpause_settings.setting = 'ON' and campaigns.status is distinct from 'ACTIVE')`;

/** The hold is of an outage on Meta's page: no live test, and not of its user's own word or of an early warning alone. */
export const isOfOutage = (hold: 'h' | 'holds' | 'own' | 'earlier') =>
  sql<SqlBool>`(${sql.ref(`${hold}.testUntil`)} is null and ${sql.ref(`${hold}.cause`)} = 'status')`;

/** The holds of such campaigns; append `and` to extend the query. */
export const pausedHolds = sql`from holds
  join smartpause_settings on smartpause_settings.user_id = holds.user_id and smartpause_settings.campaign_id = holds.campaign_id
  left join campaigns on campaigns.id = holds.campaign_id
  where ${isPausedBySmartPause}`;
