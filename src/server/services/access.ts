import { Refusal } from '#contract/errors.ts';
import { hasActiveSubscription } from '#core/billing/subscription.ts';
import { findSubscription } from '../db/billing/subscriptions.ts';
import type { Db } from '../db/database.ts';
import type { Person } from '../db/users/people.ts';
import type { Instant } from '#core/time.ts';

/** The acts of the dashboard need an active subscription, a finished setup and somebody who is not leaving. */
export async function requireMayAct(db: Db, person: Person, now: Instant): Promise<void> {
  await requireSubscription(db, person, now);
  if (!person.isInitialized) throw new Refusal('NOT_INITIALIZED');
}

export async function requireSubscription(db: Db, person: Person, now: Instant): Promise<void> {
  if (person.leaving !== null) throw new Refusal('ACCOUNT_LEAVING');
  if (!hasActiveSubscription(await findSubscription(db, person.id, now), now)) {
    throw new Refusal('SUBSCRIPTION_REQUIRED');
  }
}
