import type { NotificationKind } from '#core/notifications.ts';
import { isUnfinished } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { PendingNotification } from '../db/notifications.ts';
import { findPendingNotifications, storeNotification } from '../db/notifications.ts';
import { countLiveHolds, findHeld, findPendingActivities } from '../db/reports/notified-activities.ts';
import { findOutageAt } from '../db/status/outages.ts';
import { readStatus } from '../db/status/status.ts';
import { findTokens } from '../db/users/tokens.ts';
import type { User } from '../db/users/users.ts';
import { lockUserForNotification } from '../db/users/users.ts';
import type { Notification } from './render.ts';
import { render, shortMessage, shortName } from './render.ts';
import * as account from './templates/account.ts';
import * as campaigns from './templates/campaigns.ts';
import type { Facts } from './templates/facts.ts';

interface Kind {
  /** Null: there is nothing to report any more. */
  compose: (facts: Facts) => Notification | null;
  /** Kinds of activities that it reports besides its own. */
  alsoReports?: readonly NotificationKind[];
  /** The farewell covers users who are leaving. */
  isForLeaving?: true;
}

export const KINDS: Record<NotificationKind, Kind> = {
  paused: { compose: campaigns.paused, isForLeaving: true },
  resumed: { compose: campaigns.resumed, alsoReports: ['disabled'], isForLeaving: true },
  disabled: { compose: campaigns.disabled, isForLeaving: true },
  live_test: { compose: campaigns.liveTest, isForLeaving: true },
  unknown: { compose: account.unknown },
  token_stale: { compose: account.tokenStale },
  token_expired: { compose: account.tokenExpired },
  account_lost: { compose: account.accountLost },
  account_blocked: { compose: account.accountBlocked },
  deauthorized: { compose: account.deauthorized, alsoReports: ['resumed'], isForLeaving: true },
  deleted: { compose: account.deleted, alsoReports: ['resumed'], isForLeaving: true },
};

interface Given {
  publicUrl: string;
  now: Instant;
  confirmationCode?: string | null;
}

/** One transaction stores the notification and marks its activities as reported: each is in one notification. */
export async function writeNotification(db: Db, pending: PendingNotification, given: Given): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockUserForNotification(tx, pending.userId);
    if (user !== null) await write(tx, user, pending, given);
  });
}

/** Before the data of a user is deleted: all that is pending, and the farewell, which reports the last resumes. */
export async function writeLastNotifications(tx: Db, user: User, given: Given): Promise<void> {
  for (const pending of await findPendingNotifications(tx, user.id))
    if (pending.kind !== 'resumed') await write(tx, user, pending, given);
  const kind = user.leaving === 'delete' ? 'deleted' : 'deauthorized';
  await write(tx, user, { kind, lastAt: null }, given);
}

async function write(
  tx: Db,
  user: User,
  { kind, lastAt }: Pick<PendingNotification, 'kind' | 'lastAt'>,
  given: Given,
): Promise<void> {
  const { compose, alsoReports = [], isForLeaving } = KINDS[kind];
  const facts = { ...(await findFacts(tx, user, [kind, ...alsoReports], given)), lastAt };
  // Another process has written it.
  if (facts.acts.length === 0 && !(kind === 'deauthorized' || kind === 'deleted')) return;
  const isWanted = user.email !== null && (user.leaving === null || isForLeaving === true);
  const notification = isWanted ? compose(facts) : null;
  const content =
    notification === null ? null : { to: user.email ?? '', ...render(notification, given.publicUrl) };
  const activityIds = facts.acts.map(({ id }) => id);
  await storeNotification(tx, { userId: user.id, kind, content, activityIds }, given.now);
}

async function findFacts(
  tx: Db,
  user: User,
  kinds: readonly [NotificationKind, ...NotificationKind[]],
  { publicUrl, now, confirmationCode = null }: Given,
): Promise<Omit<Facts, 'lastAt'>> {
  const acts = await findPendingActivities(tx, user.id, kinds, now);
  const status = await readStatus(tx);
  const isResumeDue = resumesOf(user, status, now);
  const live = await countLiveHolds(tx, [user.id]);
  const outage = await findOutageAt(tx, acts[0]?.cause?.decidedAt ?? acts[0]?.at ?? now);
  const { stripe } = await findOwnSubscriptions(tx, user.id);
  return {
    ...{ publicUrl, now, user, status, confirmationCode },
    acts: acts.map(withShortNames),
    unfinished: live
      .filter((hold) => isUnfinished(kinds[0], hold, isResumeDue))
      .reduce((sum, { count }) => sum + count, 0),
    held: (await findHeld(tx, user.id)).map(withShortNames),
    outage,
    token: (await findTokens(tx, [user.id])).get(user.id) ?? null,
    subscribed: stripe === null ? null : stripe.renews ? 'renews' : 'was',
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
