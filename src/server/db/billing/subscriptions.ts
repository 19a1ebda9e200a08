import type { RawBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp } from '../database.ts';
import type { Schema } from '../schema.ts';

export interface OwnSubscriptions {
  stripe: Subscription<PlanType> | null;
  /** Given by an admin without Stripe. */
  grant: Subscription<PlanType> | null;
}

/** The user with this id has a subscription at that time. */
export const isSubscribed = (userId: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from subscriptions s where s.user_id = ${userId} and s.access_until > ${at})`;

/** Those of the users whose campaigns SmartPause protects. */
export async function findProtected(
  db: Db,
  userIds: readonly string[],
  now: Instant,
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const active = db.selectFrom('subscriptions').select('userId').where('userId', 'in', userIds);
  const rows = await active.where('accessUntil', '>', timestamp(now)).execute();
  return new Set(rows.map(({ userId }) => userId));
}

export async function findOwnSubscriptions(db: Db, userId: string): Promise<OwnSubscriptions> {
  const rows = await db.selectFrom('subscriptions').selectAll().where('userId', '=', userId).execute();
  const own = (source: keyof OwnSubscriptions): Subscription<PlanType> | null => {
    const row = rows.find((one) => one.source === source);
    return row === undefined ? null : toSubscription(row);
  };
  return { stripe: own('stripe'), grant: own('grant') };
}

/** Those at Stripe, by user. */
export async function findStripeSubscriptions(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, Subscription<PlanType>>> {
  const isOne = sql<boolean>`user_id = any(${[...userIds]}::bigint[])`;
  const own = db.selectFrom('subscriptions').selectAll().where(isOne).where('source', '=', 'stripe');
  return new Map((await own.execute()).map((row) => [row.userId, toSubscription(row)]));
}

function toSubscription({
  userId: _userId,
  source: _source,
  accessUntil: _accessUntil,
  ...subscription
}: Selectable<Schema['subscriptions']>): Subscription<PlanType> {
  return subscription;
}

/** @param until when its access ends, also while a renewal is late; null: it gives none */
export async function saveSubscription(
  tx: Db,
  of: { userId: string; source: keyof OwnSubscriptions },
  { isPaused, openInvoiceUrl, ...subscription }: Subscription<PlanType>,
  until: Instant | null,
): Promise<void> {
  const row = {
    ...subscription,
    currentPeriodEnd: new Date(subscription.currentPeriodEnd),
    canceledAt: date(subscription.canceledAt),
    trialEnd: date(subscription.trialEnd),
    isPaused: isPaused ?? false,
    openInvoiceUrl: openInvoiceUrl ?? null,
    accessUntil: date(until),
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
