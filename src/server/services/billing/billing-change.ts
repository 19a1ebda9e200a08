import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { saveSubscription } from '../../db/billing/subscriptions.ts';

/** The subscription at Stripe before and after a read. */
interface Change {
  before: Subscription | null;
  after: Subscription | null;
}

/** Saves the subscription, records the change, and makes the ad accounts due if access changed. */
export async function takeOver(tx: Db, user: User, change: Change, now: Instant): Promise<void> {
  const { before, after } = change;
  await saveSubscription(tx, { userId: user.id, source: 'stripe' }, after);
  await recordChange(tx, user, change, now);
  if (hasActiveSubscription(before, now) !== hasActiveSubscription(after, now)) {
    await wakeForUser(tx, user.id);
  }
}

async function recordChange(tx: Db, user: User, { before, after }: Change, now: Instant): Promise<void> {
  if (after === null || (before?.status === after.status && before.planType === after.planType)) return;
  const message = `The subscription of ${user.name} (${after.planType}) is ${after.status.replace('_', ' ')}.`;
  const about = { userId: user.id, actor: 'stripe', type: 'other', event: 'subscription' } as const;
  await recordActivities(tx, [{ ...about, message, reason: after.status }], now);
}
