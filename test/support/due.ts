import type { World } from './world.ts';

type DueWorld = Pick<World, 'product' | 'advance'>;

/** Advances time to an instant. Does nothing if the instant has passed. */
export async function advanceTo({ product: { clock }, advance }: DueWorld, at: number): Promise<void> {
  if (at > clock.now()) await advance(at - clock.now());
}

/** Advances time to when the reconciler looks at the account next, as the account's row states. */
export async function advanceToNextPass(world: DueWorld, accountId: string): Promise<void> {
  const { dueAt, blockedUntil } = await world.product.app.db
    .selectFrom('workItems')
    .select(['dueAt', 'blockedUntil'])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  await advanceTo(world, Math.max(dueAt ?? 0, blockedUntil ?? 0));
}
