import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

/** @param month of this time: '2026-11' */
export async function countRead(tx: Db, month: string, now: Instant): Promise<void> {
  await tx
    .insertInto('statusReads')
    .values({ month, count: 1, since: new Date(now) })
    .onConflict((conflict) =>
      conflict.column('month').doUpdateSet((eb) => ({ count: eb('statusReads.count', '+', 1) })),
    )
    .execute();
}

/** How often the status page was read in the month, and since when that is counted. Null: it was not. */
export async function findReads(db: Db, month: string): Promise<{ count: number; since: Instant } | null> {
  const query = db.selectFrom('statusReads').select(['count', 'since']).where('month', '=', month);
  return (await query.executeTakeFirst()) ?? null;
}
