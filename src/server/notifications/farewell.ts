import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import type { NotificationContent } from '../db/notifications.ts';
import type { Leaving, User } from '../db/users/users.ts';
import type { NamedActivity } from '../db/reports/notified-activities.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import { findReleased } from '../db/reports/notified-activities.ts';
import { deauthorizedNotification, deletedNotification } from './account.ts';
import { render } from './render.ts';

/** The last notification, rendered while the data still exists; null without an email address. */
export async function composeFarewell(
  tx: Db,
  given: {
    user: User;
    leaving: Leaving;
    confirmationCode: string | null;
    publicUrl: string;
    now: Instant;
    /** Resumed because the user left, and not reported yet. */
    resumed: readonly NamedActivity[];
  },
): Promise<NotificationContent | null> {
  const { user, leaving, confirmationCode, publicUrl, now, resumed } = given;
  if (user.email === null) return null;
  const release = await findReleased(tx, user.id, leaving.since);
  const stranded = release
    .filter(({ reason }) => reason === 'access_lost')
    .map((act) => ({ ...act, at: act.pausedAt ?? act.at }));
  const { stripe } = await findOwnSubscriptions(tx, user.id);
  const subscribed = stripe === null ? null : stripe.renews ? 'renews' : 'was';
  const facts = { publicUrl, at: now, byMeta: leaving.by === 'meta', resumed, stranded, subscribed } as const;
  const notification =
    leaving.how === 'delete'
      ? deletedNotification({ ...facts, confirmationCode })
      : deauthorizedNotification(facts);
  return { to: user.email, ...render(notification, publicUrl) };
}
