import { clearNames } from '#core/clear-names.ts';
import type { NotificationKind } from '#core/notifications.ts';
import { isUnfinished, lastActivities } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import type { Db } from '../db/database.ts';
import { readCoverage } from '../db/reports/coverage.ts';
import type { NamedCampaign } from '../db/reports/notified-activities.ts';
import {
  countLiveHolds,
  findHeld,
  findNamesakes,
  findPendingActivities,
} from '../db/reports/notified-activities.ts';
import { findOutagesBetween } from '../db/status/outages.ts';
import { readStatus } from '../db/status/status.ts';
import { findTokens } from '../db/users/tokens.ts';
import type { User } from '../db/users/users.ts';
import { shortName } from './render.ts';

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
  const { acts, unread } = await findPendingActivities(tx, user.id, kinds, now);
  const held = await findHeld(tx, user.id, now);
  const named = [...acts, ...held];
  const namesakes = await findNamesakes(tx, [...new Set(named.map(({ campaignId }) => campaignId))]);
  const others = namesakes.map((one) => {
    const account = named.find(({ accountId }) => accountId === one.accountId)?.account ?? '';
    return { ...one, account };
  });
  const [first] = lastActivities(acts);
  // An activity about no campaign of its own is about all that are held.
  const isOfHeld = first?.campaignId === '';
  const threshold = (isOfHeld ? held[0] : first?.cause)?.threshold ?? user.threshold;
  const begun = isOfHeld ? held : acts.map(({ cause, at }) => cause ?? { decidedAt: at });
  const begunAt = earliest(begun.map(({ decidedAt }) => decidedAt));
  const outages = await findOutagesBetween(tx, begunAt ?? now, acts.at(-1)?.at ?? now);
  const status = await readStatus(tx);
  const isResumeDue = resumesOf(user, status, now);
  const live = await countLiveHolds(tx, [user.id], now);
  return {
    ...given,
    user,
    status,
    /** What the notification reports, oldest first. */
    acts: withClearNames(acts, [...held, ...others]),
    unread,
    /** Counts campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
    unfinished: live
      .filter((hold) => isUnfinished(kinds[0], hold, isResumeDue))
      .reduce((sum, { count }) => sum + count, 0),
    /** Campaigns that SmartPause has paused. */
    held: withClearNames(held, [...acts, ...others]),
    /** Running campaigns, with what has happened to them in the match of the threshold. */
    coverage: await readCoverage(tx, user.id, {
      now,
      match: meetsThreshold(status.known, threshold) ? { since: status.matchSince[threshold] } : null,
    }),
    /** That its pauses began with. */
    threshold,
    /** Those that met it, and in which its pauses began or went on, oldest first. */
    outages: outages.filter(({ peak }) => meetsThreshold(peak, threshold)),
    token: (await findTokens(tx, [user.id])).get(user.id) ?? null,
    /** At Stripe; null: there never was one. */
    subscription: (await findOwnSubscriptions(tx, user.id)).stripe,
  };
}

type Named = Omit<NamedCampaign, 'at'>;

/**
 * Short names, and clear ones where the notification has several of one name.
 * @param others further campaigns of the same notification
 */
export function withClearNames<T extends Named>(given: readonly T[], others: readonly Named[] = []): T[] {
  const campaignOf = ({ campaignId, name, accountId }: Named) => ({
    ...{ id: campaignId, name: shortName(name), accountId: accountId ?? '' },
  });
  const accountOf = ({ accountId, account }: Named) => ({ id: accountId ?? '', name: shortName(account) });
  const all = [...given, ...others];
  const nameOf = clearNames(all.map(campaignOf));
  const accountNameOf = clearNames(all.map(accountOf));
  return given.map((one) => {
    return { ...one, name: nameOf(campaignOf(one)), account: accountNameOf(accountOf(one)) };
  });
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
