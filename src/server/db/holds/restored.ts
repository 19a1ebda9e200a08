import type { Instant } from '#core/time.ts';
import { date, inTransaction } from '../database.ts';
import type { Db } from '../database.ts';
import { dropAllLeases } from '../work-items.ts';

/**
 * Prepares a database that was restored to an earlier time.
 * Its status is old, and sessions and Meta permissions may have ended since.
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
