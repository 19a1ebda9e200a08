import type { Instant } from '#core/time.ts';
import type { Fingerprints } from '../../secrets.ts';
import type { Db } from '../database.ts';

/** One trial per Meta user, also after the account was deleted and created again. */
export async function hasUsedTrial(db: Db, fingerprints: Fingerprints): Promise<boolean> {
  const row = await db
    .selectFrom('trial_used')
    .select('at')
    .where('platform_user_hash', 'in', fingerprints)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteTrial(db: Db, fingerprints: Fingerprints, now: Instant): Promise<void> {
  if (await hasUsedTrial(db, fingerprints)) return;
  await db
    .insertInto('trial_used')
    .values({ platform_user_hash: fingerprints[0], at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
