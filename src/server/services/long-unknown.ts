import { longUnknownSince } from '#core/notifications.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { inTransaction } from '../db/database.ts';
import { addNotifications, unknownEvent } from '../db/notifications.ts';
import { readStatus } from '../db/status/status.ts';
import { findHolders } from '../db/reports/notified-activities.ts';
import type { Needs } from './deps.ts';

/**
 * After an hour of UNKNOWN: one email to each user whose campaigns stay paused by the known level.
 * Scheduled resumes happen on time and need no email.
 * @param startedAt start of this process
 */
export async function notifyLongUnknown(
  deps: Needs<'db' | 'clock' | 'staleMs'>,
  startedAt: Instant,
): Promise<void> {
  const now = deps.clock.now();
  const status = await readStatus(deps.db);
  const since = longUnknownSince(status, { startedAt, staleMs: deps.staleMs }, now);
  if (since === null) return;
  const matched = THRESHOLDS.filter((threshold) => meetsThreshold(status.known, threshold));
  await inTransaction(deps.db, async (tx) => {
    const userIds = await findHolders(tx, matched);
    await addNotifications(tx, { userIds, kind: 'unknown', event: unknownEvent(since) }, now);
  });
}
