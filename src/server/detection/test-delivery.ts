import { sql } from 'kysely';
import { nextDelivery } from '#core/detection/delivery.ts';
import { DELIVERY } from '#core/detection/parameters.ts';
import type { Clock } from '../clock.ts';
import { planJobs } from '../db/account-jobs.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import { findDeliveryState, findDeliveryVotes, lockDeliveryTest } from '../db/delivery.ts';
import { saveSignal } from '../db/detection.ts';

/** Tests what the newest looks show together; one process at a time. An anomaly is soon looked at again. */
export async function testDelivery({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockDeliveryTest(tx))) return;
    const now = clock.now();
    const before = await findDeliveryState(tx);
    const votes = await findDeliveryVotes(tx);
    const after = nextDelivery(before, votes, now);
    if (before === null && after === null) return;
    await saveSignal(tx, 'delivery', after, now);
    if (after === null || before !== null) return;
    const those = votes.filter(({ direction }) => direction === after.evidence.direction);
    const ids = sql`select unnest(${those.map(({ accountId }) => accountId)}::text[])`;
    await planJobs(tx, 'delivery', ids, DELIVERY.secondLookMs);
  });
}
