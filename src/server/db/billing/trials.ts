import type { Instant } from '#core/time.ts';
import type { Fingerprints } from '../../secrets.ts';
import type { Db } from '../database.ts';

/** One trial per Meta user, also after the account was deleted and created again. */
export async function hasUsedTrial(db: Db, fingerprints: Fingerprints): Promise<boolean> {
  const row = await db
    .selectFrom('usedTrials')
    .select('usedAt')
    .where('platformUserHash', 'in', fingerprints)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteTrial(db: Db, fingerprints: Fingerprints, now: Instant): Promise<void> {
  if (await hasUsedTrial(db, fingerprints)) return;
  await db
    .insertInto('usedTrials')
    .values({ platformUserHash: fingerprints[0], usedAt: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
