import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import { needsPayment } from '#core/billing/subscription.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, trialExpiresFrom } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { makeDueForUser } from '../../db/work-items.ts';
import { addNotifications } from '../../db/notifications.ts';
import type { User } from '../../db/users/users.ts';
import { saveSubscription } from '../../db/billing/subscriptions.ts';

/** An older end leads to no notification: the row that proves an earlier one may be dropped. */
const NEWS_MS = days(30);

/** The subscription at Stripe before and after a read. */
interface Change {
  before: Subscription | null;
  after: Subscription | null;
  /** The source of `after`; null: the customer is deleted. */
  chosen: StripeSubscription | null;
  /** The customer id at Stripe. */
  of: string;
}

/** Saves the subscription, records the change, and makes the ad accounts due if access changed. */
export async function takeOver(tx: Db, user: User, change: Change, now: Instant): Promise<void> {
  const { before, after } = change;
  await saveSubscription(tx, { userId: user.id, source: 'stripe' }, after);
  await tellChange(tx, user, change, now);
  await writeAbout(tx, user, change, now);
  if (hasActiveSubscription(before, now) !== hasActiveSubscription(after, now)) {
    await makeDueForUser(tx, user.id, now);
  }
}

async function tellChange(tx: Db, user: User, { before, after }: Change, now: Instant): Promise<void> {
  if (after === null || (before?.status === after.status && before.planType === after.planType)) return;
  const message = `The subscription of ${user.name} (${after.planType}) is ${after.status.replace('_', ' ')}.`;
  const about = { userId: user.id, actor: 'stripe', type: 'other', event: 'subscription' } as const;
  await recordActivities(tx, [{ ...about, message, reason: after.status }], now);
}

/** Adds the notifications about a subscription, each once per event. */
async function writeAbout(tx: Db, user: User, change: Change, now: Instant): Promise<void> {
  const { before, after, chosen, of } = change;
  if (after === null || user.leaving !== null) return;
  const userIds = [user.id];
  const { status, currentPeriodEnd } = after;
  const nearEnd = trialExpiresFrom(after);
  if (nearEnd !== null && nearEnd <= now) {
    await addNotifications(tx, { userIds, kind: 'trial_ending', event: `trial:${after.trialEnd}` }, now);
  }
  if (needsPayment(chosen) && before?.status !== status) {
    await addNotifications(tx, { userIds, kind: 'payment_failed', event: `${status}:${now}` }, now);
  }
  const isOver = status === 'canceled' && currentPeriodEnd <= now && now - currentPeriodEnd < NEWS_MS;
  // A customer deleted after the end was notified at the end.
  const isNotified = chosen === null && before?.status === 'canceled' && before.currentPeriodEnd <= now;
  if (isOver && before !== null && !isNotified) {
    const event = `ended:${chosen?.id ?? of}`;
    await addNotifications(tx, { userIds, kind: 'subscription_ended', event }, now);
  }
}
