import { ApiError } from '#contract/errors.ts';
import { hasActiveSubscription } from '#core/billing/subscription.ts';
import { findSubscription } from '../db/billing/subscriptions.ts';
import type { Db } from '../db/database.ts';
import type { User } from '../db/users/users.ts';
import type { Instant } from '#core/time.ts';

/** Changes on the dashboard need an active subscription, a finished setup, and a user who is not leaving. */
export async function requireMayAct(db: Db, user: User, now: Instant): Promise<void> {
  await requireSubscription(db, user, now);
  if (!user.isInitialized) throw new ApiError('NOT_INITIALIZED');
}

export async function requireSubscription(db: Db, user: User, now: Instant): Promise<void> {
  if (user.leaving !== null) throw new ApiError('ACCOUNT_LEAVING');
  if (!hasActiveSubscription(await findSubscription(db, user.id, now), now)) {
    throw new ApiError('SUBSCRIPTION_REQUIRED');
  }
}
