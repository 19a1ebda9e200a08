import type { Subscription } from '#core/billing/subscription.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date } from '../database.ts';

export interface OwnSubscriptions {
  stripe: Subscription | null;
  /** Given by an admin without Stripe. */
  grant: Subscription | null;
}

/** By user id; users without a subscription have no entry. */
export async function findSubscriptionsOf(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, OwnSubscriptions>> {
  const own = new Map<string, OwnSubscriptions>();
  if (userIds.length === 0) return own;
  const rows = await db.selectFrom('subscriptions').selectAll().where('userId', 'in', userIds).execute();
  for (const { userId, source, ...subscription } of rows) {
    const before = own.get(userId) ?? { stripe: null, grant: null };
    own.set(userId, { ...before, [source]: subscription });
  }
  return own;
}

/** Those of the users whose campaigns SmartPause protects. */
export async function findProtected(
  db: Db,
  userIds: readonly string[],
  now: Instant,
): Promise<ReadonlySet<string>> {
  const found = [...(await findSubscriptionsOf(db, userIds))];
  return new Set(
    found.filter(([, own]) => hasActiveSubscription(effectiveSubscription(own, now), now)).map(([id]) => id),
  );
}

export async function findOwnSubscriptions(db: Db, userId: string): Promise<OwnSubscriptions> {
  return (await findSubscriptionsOf(db, [userId])).get(userId) ?? { stripe: null, grant: null };
}

/** Returns the subscription that currently applies. */
export async function findSubscription(db: Db, userId: string, now: Instant): Promise<Subscription | null> {
  return effectiveSubscription(await findOwnSubscriptions(db, userId), now);
}

/** Null removes the user's subscription of this source. */
export async function saveSubscription(
  tx: Db,
  of: { userId: string; source: keyof OwnSubscriptions },
  subscription: Subscription | null,
): Promise<void> {
  const { userId, source } = of;
  if (subscription === null) {
    await tx.deleteFrom('subscriptions').where('userId', '=', userId).where('source', '=', source).execute();
    return;
  }
  const row = {
    status: subscription.status,
    planType: subscription.planType,
    currentPeriodEnd: new Date(subscription.currentPeriodEnd),
    canceledAt: date(subscription.canceledAt),
    trialEnd: date(subscription.trialEnd),
    renews: subscription.renews,
    isPaused: subscription.isPaused ?? false,
    openInvoiceUrl: subscription.openInvoiceUrl ?? null,
  };
  await tx
    .insertInto('subscriptions')
    .values({ userId, source, ...row })
    .onConflict((conflict) => conflict.columns(['userId', 'source']).doUpdateSet(row))
    .execute();
}

/** Drops subscriptions of all sources. Existing holds continue; no new ones start. */
export async function dropSubscriptions(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('subscriptions').where('userId', '=', userId).execute();
}
