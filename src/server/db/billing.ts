import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Subscription } from '#core/subscription.ts';
import { PLAN_TYPES, SUBSCRIPTION_STATUSES, TRIAL_MS } from '#core/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { instant } from './database.ts';
import type { Schema } from './schema.ts';

const status = z.enum(SUBSCRIPTION_STATUSES);
const planType = z.enum(PLAN_TYPES);

export function toSubscription(row: Omit<Selectable<Schema['subscription']>, 'person_id'>): Subscription {
  return {
    status: status.parse(row.status),
    planType: planType.parse(row.plan_type),
    currentPeriodEnd: instant(row.current_period_end),
    canceledAt: instant(row.canceled_at),
    trialEnd: instant(row.trial_end),
    renews: row.renews,
  };
}

export async function findSubscription(db: Db, personId: string): Promise<Subscription | null> {
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/**
 * Starts the local trial of 30 days, once per platform user, also after deleting and returning.
 * @param userFingerprints what is kept of the user for ever: not the id itself; the newest key's first
 */
export async function startTrial(
  db: Db,
  given: { personId: string; userFingerprints: readonly Uint8Array[] },
  now: Instant,
): Promise<boolean> {
  const [newest] = given.userFingerprints;
  if (newest === undefined) throw new Error('a trial needs a fingerprint of the user');
  const before = await db
    .selectFrom('trial_used')
    .select('at')
    .where('platform_user_hash', 'in', given.userFingerprints)
    .executeTakeFirst();
  if (before !== undefined) return false;
  const used = await db
    .insertInto('trial_used')
    .values({ platform_user_hash: newest, at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (used.numInsertedOrUpdatedRows === 0n) return false;
  const end = new Date(now + TRIAL_MS);
  await db
    .insertInto('subscription')
    .values({
      person_id: given.personId,
      status: 'trialing',
      plan_type: 'monthly',
      current_period_end: end,
      canceled_at: null,
      trial_end: end,
      renews: false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

const GRANT_YEARS = 10;

/** An administrator's own subscription: local, yearly, and nobody is ever charged for it. */
export async function grantSubscription(db: Db, personId: string, now: Instant): Promise<void> {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + GRANT_YEARS);
  const row = {
    status: 'active',
    plan_type: 'yearly',
    current_period_end: end,
    canceled_at: null,
    trial_end: null,
    renews: false,
  };
  await db
    .insertInto('subscription')
    .values({ person_id: personId, ...row })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(row))
    .execute();
}

/** What is held stays held to its end; nothing new is. */
export async function clearSubscription(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('subscription').where('person_id', '=', personId).execute();
}
