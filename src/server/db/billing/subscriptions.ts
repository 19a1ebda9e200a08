import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Subscription } from '#core/billing/subscription.ts';
import { PLAN_TYPES, SUBSCRIPTION_STATUSES, effectiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, instant } from '../database.ts';
import type { Schema } from '../schema.ts';

/** At Stripe, or our own: an administrator's grant. */
export type Source = 'stripe' | 'grant';

const status = z.enum(SUBSCRIPTION_STATUSES);
const planType = z.enum(PLAN_TYPES);

function toSubscription(row: Selectable<Schema['subscription']>): Subscription {
  return {
    status: status.parse(row.status),
    planType: planType.parse(row.plan_type),
    currentPeriodEnd: instant(row.current_period_end),
    canceledAt: instant(row.canceled_at),
    trialEnd: instant(row.trial_end),
    renews: row.renews,
  };
}

export interface OwnSubscriptions {
  stripe: Subscription | null;
  grant: Subscription | null;
}

/** By person; who has none is not in it. */
export async function findSubscriptionsOf(
  db: Db,
  personIds: readonly string[],
): Promise<Map<string, OwnSubscriptions>> {
  const own = new Map<string, OwnSubscriptions>();
  if (personIds.length === 0) return own;
  const rows = await db.selectFrom('subscription').selectAll().where('person_id', 'in', personIds).execute();
  for (const row of rows) {
    const before = own.get(row.person_id) ?? { stripe: null, grant: null };
    own.set(row.person_id, { ...before, [row.source]: toSubscription(row) });
  }
  return own;
}

export async function findOwnSubscriptions(db: Db, personId: string): Promise<OwnSubscriptions> {
  return (await findSubscriptionsOf(db, [personId])).get(personId) ?? { stripe: null, grant: null };
}

/** The one that counts now. */
export async function findSubscription(db: Db, personId: string, now: Instant): Promise<Subscription | null> {
  return effectiveSubscription(await findOwnSubscriptions(db, personId), now);
}

/** Null: the person has none from there any more. */
export async function saveSubscription(
  tx: Db,
  of: { personId: string; source: Source },
  subscription: Subscription | null,
): Promise<void> {
  const { personId: person_id, source } = of;
  if (subscription === null) {
    await tx
      .deleteFrom('subscription')
      .where('person_id', '=', person_id)
      .where('source', '=', source)
      .execute();
    return;
  }
  const row = {
    status: subscription.status,
    plan_type: subscription.planType,
    current_period_end: new Date(subscription.currentPeriodEnd),
    canceled_at: date(subscription.canceledAt),
    trial_end: date(subscription.trialEnd),
    renews: subscription.renews,
  };
  await tx
    .insertInto('subscription')
    .values({ person_id, source, ...row })
    .onConflict((conflict) => conflict.columns(['person_id', 'source']).doUpdateSet(row))
    .execute();
}

/** Everything there is, from wherever. What is held stays held to its end; nothing new is. */
export async function dropSubscriptions(tx: Db, personId: string): Promise<void> {
  await tx.deleteFrom('subscription').where('person_id', '=', personId).execute();
}
