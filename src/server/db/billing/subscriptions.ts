import type { Selectable } from 'kysely';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date } from '../database.ts';
import type { Schema } from '../schema.ts';

export interface OwnSubscriptions {
  stripe: Subscription<PlanType> | null;
  /** Given by an admin without Stripe. */
  grant: Subscription<PlanType> | null;
}

/** By user id; users without a subscription have no entry. */
export async function findSubscriptionsOf(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, OwnSubscriptions>> {
  if (userIds.length === 0) return new Map();
  return byUser(await db.selectFrom('subscriptions').selectAll().where('userId', 'in', userIds).execute());
}

function byUser(rows: readonly Selectable<Schema['subscriptions']>[]): Map<string, OwnSubscriptions> {
  const own = new Map<string, OwnSubscriptions>();
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
  return protectedOf(await findSubscriptionsOf(db, userIds), now);
}

/** Of all users. */
export async function findAllProtected(db: Db, now: Instant): Promise<ReadonlySet<string>> {
  return protectedOf(byUser(await db.selectFrom('subscriptions').selectAll().execute()), now);
}

function protectedOf(all: ReadonlyMap<string, OwnSubscriptions>, now: Instant): ReadonlySet<string> {
  const isProtected = ([, own]: [string, OwnSubscriptions]) =>
    hasActiveSubscription(effectiveSubscription(own, now), now);
  return new Set([...all].filter(isProtected).map(([userId]) => userId));
}

export async function findOwnSubscriptions(db: Db, userId: string): Promise<OwnSubscriptions> {
  return (await findSubscriptionsOf(db, [userId])).get(userId) ?? { stripe: null, grant: null };
}

/** Returns the subscription that currently applies. */
export async function findSubscription(db: Db, userId: string, now: Instant): Promise<Subscription | null> {
  return effectiveSubscription(await findOwnSubscriptions(db, userId), now);
}

export async function saveSubscription(
  tx: Db,
  of: { userId: string; source: keyof OwnSubscriptions },
  { isPaused, openInvoiceUrl, ...subscription }: Subscription<PlanType>,
): Promise<void> {
  const row = {
    ...subscription,
    currentPeriodEnd: new Date(subscription.currentPeriodEnd),
    canceledAt: date(subscription.canceledAt),
    trialEnd: date(subscription.trialEnd),
    isPaused: isPaused ?? false,
    openInvoiceUrl: openInvoiceUrl ?? null,
  };
  await tx
    .insertInto('subscriptions')
    .values({ ...of, ...row })
    .onConflict((conflict) => conflict.columns(['userId', 'source']).doUpdateSet(row))
    .execute();
}

/** Existing holds continue; no new ones start. Without a source: all. */
export async function dropSubscriptions(
  tx: Db,
  { userId, source }: { userId: string; source?: keyof OwnSubscriptions },
): Promise<void> {
  const query = tx.deleteFrom('subscriptions').where('userId', '=', userId);
  await (source === undefined ? query : query.where('source', '=', source)).execute();
}
