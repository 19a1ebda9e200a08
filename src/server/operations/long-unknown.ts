import { LONG_UNKNOWN_MS } from '#core/mails.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import { inTransaction } from '../db/database.ts';
import { findHolders } from '../db/holds.ts';
import { addMails } from '../db/mails.ts';
import { readStatus } from '../db/status.ts';
import type { OperationDeps } from './deps.ts';

/** Writes, once for each such time, to everybody whose campaigns have been held for an hour of UNKNOWN. */
export async function tellLongUnknown(deps: OperationDeps): Promise<void> {
  const now = deps.clock.now();
  const stored = await readStatus(deps.db);
  if (currentStatus(stored, now, deps.staleMs).effective !== 'UNKNOWN') return;
  // A status that nobody has read for long is unknown since it was last read.
  const since = stored.effective === 'UNKNOWN' ? stored.since : stored.checkedAt;
  if (since === null || now - since < LONG_UNKNOWN_MS) return;
  await inTransaction(deps.db, async (tx) => {
    const personIds = await findHolders(tx);
    await addMails(tx, { personIds, kind: 'unknown', event: `unknown:${since}` }, now);
  });
}
