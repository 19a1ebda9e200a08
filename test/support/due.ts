import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { TestProduct } from './product.ts';

/**
 * Advances time to an instant, once no pass is under way: a write that is not sent within 5 s of its intent is
 * never sent. Does nothing if the instant has passed.
 */
export async function advanceTo({ app, clock }: TestProduct, at: number): Promise<void> {
  await waitFor('no pass to be under way', async () => {
    if (at <= clock.now()) return true;
    const leased = app.db.selectFrom('work_item').select('account_id').where('lease_until', 'is not', null);
    if ((await leased.executeTakeFirst()) !== undefined) return false;
    clock.advance(Math.max(0, at - clock.now()));
    return true;
  });
}

/** Advances time to when the reconciler looks at the account next, as the account's row states. */
export async function advanceToNextPass(product: TestProduct, accountId: string): Promise<void> {
  const { next_due_at, blocked_until } = await product.app.db
    .selectFrom('work_item')
    .select(['next_due_at', 'blocked_until'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await advanceTo(product, Math.max(next_due_at?.getTime() ?? 0, blocked_until?.getTime() ?? 0));
}
