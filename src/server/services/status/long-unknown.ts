import { longUnknownSince } from '#core/notifications.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import { findHolders } from '../../db/reports/notified-activities.ts';
import { readStatus } from '../../db/status/status.ts';
import type { Needs } from '../deps.ts';

/**
 * After an hour of UNKNOWN: one activity of each user whose campaigns stay paused by the known level.
 * Scheduled resumes happen on time.
 * @param startedAt start of this process
 */
export async function noteLongUnknown(
  deps: Needs<'db' | 'clock' | 'staleMs'>,
  startedAt: Instant,
): Promise<void> {
  const now = deps.clock.now();
  const status = await readStatus(deps.db);
  const since = longUnknownSince(status, { startedAt, staleMs: deps.staleMs }, now);
  if (since === null) return;
  const matched = THRESHOLDS.filter((threshold) => meetsThreshold(status.known, threshold));
  const about = { actor: 'smartpause', event: 'status_unknown', facts: { since } } as const;
  const users = await findHolders(deps.db, matched, now);
  await recordActivities(
    deps.db,
    users.map((userId) => ({ ...about, userId })),
    now,
  );
}
