import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

/**
 * One trial per platform user, also after deleting and returning.
 * @param fingerprints all that is kept of the user for ever: not the id itself; the newest key's first
 */
export async function hasUsedTrial(db: Db, fingerprints: readonly Uint8Array[]): Promise<boolean> {
  const row = await db
    .selectFrom('trial_used')
    .select('at')
    .where('platform_user_hash', 'in', fingerprints)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteTrial(db: Db, fingerprints: readonly Uint8Array[], now: Instant): Promise<void> {
  const [newest] = fingerprints;
  if (newest === undefined) throw new Error('a trial needs a fingerprint of the user');
  if (await hasUsedTrial(db, fingerprints)) return;
  await db
    .insertInto('trial_used')
    .values({ platform_user_hash: newest, at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
