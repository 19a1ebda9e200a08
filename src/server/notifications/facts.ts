import type { NotificationKind } from '#core/notifications.ts';
import { isUnfinished } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import type { Db } from '../db/database.ts';
import { countLiveHolds, findHeld, findPendingActivities } from '../db/reports/notified-activities.ts';
import { findOutageAt } from '../db/status/outages.ts';
import { readStatus } from '../db/status/status.ts';
import { findTokens } from '../db/users/tokens.ts';
import type { User } from '../db/users/users.ts';
import { shortMessage, shortName } from './render.ts';

export interface Given {
  publicUrl: string;
  now: Instant;
  /** When the last notification of the kind was written; null: never. */
  lastAt: Instant | null;
  /** Of a deletion that was asked for on Meta. */
  confirmationCode: string | null;
}

export type Facts = Awaited<ReturnType<typeof findFacts>>;

/** What is true for a user when a notification is written. */
export async function findFacts(
  tx: Db,
  user: User,
  kinds: readonly [NotificationKind, ...NotificationKind[]],
  given: Given,
) {
  const { now } = given;
  const acts = (await findPendingActivities(tx, user.id, kinds, now)).map(withShortNames);
  const status = await readStatus(tx);
  const isResumeDue = resumesOf(user, status, now);
  const live = await countLiveHolds(tx, [user.id]);
  const { stripe } = await findOwnSubscriptions(tx, user.id);
  return {
    ...given,
    user,
    status,
    /** What the notification reports, oldest first. */
    acts,
    /** Counts campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
    unfinished: live
      .filter((hold) => isUnfinished(kinds[0], hold, isResumeDue))
      .reduce((sum, { count }) => sum + count, 0),
    /** Campaigns that SmartPause has paused. */
    held: (await findHeld(tx, user.id, now)).map(withShortNames),
    /** The one in which the first of them began. */
    outage: await findOutageAt(tx, acts[0]?.cause?.decidedAt ?? acts[0]?.at ?? now),
    token: (await findTokens(tx, [user.id])).get(user.id) ?? null,
    /** Whether the user has had a subscription at Stripe, and whether it goes on. */
    wasSubscribed: stripe !== null,
    isCharged: stripe?.renews === true,
  };
}

export function withShortNames<T extends { name: string; account: string; message?: string }>(given: T): T {
  const { name, account, message } = given;
  return {
    ...given,
    ...{ name: shortName(name), account: shortName(account) },
    ...(message !== undefined && { message: shortMessage(message) }),
  };
}

/** Whether a hold with this threshold is to be resumed by now. */
export function resumesOf(
  user: Pick<User, 'resumeSettings' | 'leaving'>,
  status: Status,
  now: Instant,
): (threshold: Threshold) => boolean {
  return (threshold) =>
    user.leaving !== null ||
    (resumeAt(status, { threshold, resume: user.resumeSettings }) ?? Infinity) <= now;
}
