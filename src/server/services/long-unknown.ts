import { longUnknownSince } from '#core/mails.ts';
import { THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { inTransaction } from '../db/database.ts';
import { addMails, unknownEvent } from '../db/mails.ts';
import { readStatus } from '../db/status/status.ts';
import { findHolders } from '../db/reports/told.ts';
import type { OperationDeps } from './deps.ts';

/**
 * After an hour of UNKNOWN, and once for it: an email to each user whose campaigns stay paused since the known level
 * meets the threshold. Scheduled resumes happen on time and need no email.
 * @param startedAt of this process
 */
export async function tellLongUnknown(deps: OperationDeps, startedAt: Instant): Promise<void> {
  const now = deps.clock.now();
  const status = await readStatus(deps.db);
  const since = longUnknownSince(status, { startedAt, staleMs: deps.staleMs }, now);
  if (since === null) return;
  const matched = THRESHOLDS.filter((threshold) => meetsThreshold(status.known, threshold));
  await inTransaction(deps.db, async (tx) => {
    const personIds = await findHolders(tx, matched);
    await addMails(tx, { personIds, kind: 'unknown', event: unknownEvent(since) }, now);
  });
}
