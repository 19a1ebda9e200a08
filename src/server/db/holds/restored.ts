import type { Instant } from '#core/time.ts';
import { date, inTransaction } from '../database.ts';
import type { Db } from '../database.ts';
import { dropAllLeases } from '../lanes.ts';

/**
 * Prepares a database that was restored to an earlier time. The status of that time says nothing about now, sessions may
 * have been ended since, and Meta permissions may have been revoked since.
 */
export async function settleRestored(db: Db, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await dropAllLeases(tx, now);
    await tx.updateTable('platform_status').set({ checked_at: null, known_is_from_backup: true }).execute();
    await tx.deleteFrom('session').execute();
    await tx.deleteFrom('login_attempt').execute();
    await tx
      .updateTable('platform_token')
      .set({ check_at: date(now) })
      .where('refused_at', 'is', null)
      .execute();
  });
}
