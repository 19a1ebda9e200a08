import { LONG_UNKNOWN_MS } from '#core/mails.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { inTransaction } from '../db/database.ts';
import { findHolders } from '../db/holds.ts';
import { addMails, unknownEvent } from '../db/mails.ts';
import { readStatus } from '../db/status.ts';
import type { OperationDeps } from './deps.ts';

/**
 * Writes, once for each such time, to everybody whose campaigns have been held for an hour of UNKNOWN.
 * @param startedAt of this process: what was not read before that says nothing of the page
 */
export async function tellLongUnknown(deps: OperationDeps, startedAt: Instant): Promise<void> {
  const now = deps.clock.now();
  const stored = await readStatus(deps.db);
  if (currentStatus(stored, now, deps.staleMs).effective !== 'UNKNOWN') return;
  // A status that nobody has read for long is unknown since it was last read.
  const isRead = stored.effective === 'UNKNOWN';
  const since = isRead ? stored.since : stored.checkedAt;
  if (since === null || now - (isRead ? since : Math.max(since, startedAt)) < LONG_UNKNOWN_MS) return;
  await inTransaction(deps.db, async (tx) => {
    const personIds = await findHolders(tx);
    await addMails(tx, { personIds, kind: 'unknown', event: unknownEvent(since) }, now);
  });
}
