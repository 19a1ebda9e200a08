import type { Instant } from '#core/time.ts';
import type { Fingerprints } from '../../secrets.ts';
import type { Db } from '../database.ts';

/** One trial per Meta user, also after the account was deleted and created again. */
export async function hasUsedTrial(db: Db, fingerprints: Fingerprints): Promise<boolean> {
  const row = await db
    .selectFrom('used_trials')
    .select('used_at')
    .where('platform_user_hash', 'in', fingerprints)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteTrial(db: Db, fingerprints: Fingerprints, now: Instant): Promise<void> {
  if (await hasUsedTrial(db, fingerprints)) return;
  await db
    .insertInto('used_trials')
    .values({ platform_user_hash: fingerprints[0], used_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
