import { ApiError } from '#contract/errors.ts';
import { effectiveSubscription, hasActiveSubscription } from '#core/billing/subscription.ts';
import { findOwnSubscriptions } from '../../db/billing/subscriptions.ts';
import type { OwnCampaign } from '../../db/campaigns.ts';
import type { Db } from '../../db/database.ts';
import type { User } from '../../db/users/users.ts';
import type { Instant } from '#core/time.ts';

/** Meta accepts changes of the campaign by the user. */
export function requireChangeable({ isLegacyAdvantage, mayPause }: OwnCampaign): void {
  if (isLegacyAdvantage) throw new ApiError('LEGACY_CAMPAIGN');
  if (!mayPause) throw new ApiError('ROLE_CANNOT_PAUSE');
}

/** Changes on the dashboard need an active subscription, a finished setup, and a user who is not leaving. */
export async function requireMayAct(db: Db, user: User, now: Instant): Promise<void> {
  await requireSubscription(db, user, now);
  if (user.initializedAt === null) throw new ApiError('NOT_INITIALIZED');
}

export async function requireSubscription(db: Db, user: User, now: Instant): Promise<void> {
  if (user.leaving !== null) throw new ApiError('ACCOUNT_LEAVING');
  if (!hasActiveSubscription(effectiveSubscription(await findOwnSubscriptions(db, user.id), now), now)) {
    throw new ApiError('SUBSCRIPTION_REQUIRED');
  }
}
