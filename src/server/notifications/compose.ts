import { lastActivities, lastMatch, unknownSince } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import type { OutboxNotification } from '../db/notifications.ts';
import { blockedAccountOf, lastFinalizedAt, unknownEvent } from '../db/notifications.ts';
import { findOutagesUntil } from '../db/status/outages.ts';
import { findBlockedAccount } from '../db/blocked-writes.ts';
import type { User } from '../db/users/users.ts';
import { findDirectiveAt, readStatus } from '../db/status/status.ts';
import type { NotifiedActivity } from '../db/reports/notified-activities.ts';
import { findHeld, findReleased, findNotifiedActivities } from '../db/reports/notified-activities.ts';
import { findTokenFacts, tokenEvent } from '../db/users/tokens.ts';
import { tokenExpiredNotification, tokenStaleNotification } from './account.ts';
import { disabledNotification, endCopy, pausedNotification, resumedNotification } from './campaigns.ts';
import type { Notification } from './blocks.ts';
import { liveTestNotification } from './live-test.ts';
import { accountBlockedNotification, accountLostNotification, unknownNotification } from './still-paused.ts';

export interface ComposeInput {
  notification: OutboxNotification;
  user: User;
  publicUrl: string;
  /** Campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
  unfinished: readonly string[];
  now: Instant;
}

/** Composes an open notification from the current data; null when there is nothing left to report. */
export async function compose(tx: Db, input: ComposeInput): Promise<Notification | null> {
  const { notification, user, publicUrl } = input;
  switch (notification.kind) {
    case 'paused':
      return composePaused(tx, input);
    case 'resumed':
      return composeResumed(tx, input);
    case 'live_test': {
      const acts = await findNotifiedActivities(tx, notification.id);
      return acts.length === 0
        ? null
        : liveTestNotification({ publicUrl, acts, unfinished: input.unfinished.length });
    }
    case 'disabled': {
      const acts = lastActivities(await findNotifiedActivities(tx, notification.id));
      if (acts.length === 0) return null;
      const off = acts.filter(({ isOn }) => !isOn).length;
      return disabledNotification({ publicUrl, campaigns: acts.map(withLaterState), off });
    }
    case 'unknown': {
      const status = await readStatus(tx);
      const since = unknownSince(status);
      const isSame = since !== null && notification.event === unknownEvent(since);
      const isDue = isSame && user.leaving === null;
      const held = (isDue ? await findHeld(tx, user.id) : []).filter(
        ({ threshold }) => threshold !== null && meetsThreshold(status.known, threshold),
      );
      if (since === null || held.length === 0) return null;
      const unreachable = held.filter((one) => !one.isReachable).length;
      return unknownNotification({ publicUrl, since, held, unreachable });
    }
    case 'token_stale':
    case 'token_expired': {
      const token = (await findTokenFacts(tx, [user.id])).get(user.id) ?? null;
      // The user has logged in again since: nothing to report.
      if (token === null || tokenEvent(token.savedAt) !== notification.event) return null;
      const { expiresAt, lacksPermission } = token;
      const held = await findHeld(tx, user.id);
      if (notification.kind === 'token_stale') return tokenStaleNotification({ publicUrl, expiresAt });
      const isOver = expiresAt !== null && expiresAt <= notification.createdAt;
      return tokenExpiredNotification({
        publicUrl,
        expiresAt: isOver ? expiresAt : null,
        lacksPermission,
        held,
      });
    }
    case 'account_lost': {
      const held = (await findHeld(tx, user.id)).filter(({ isAccountLost }) => isAccountLost);
      return held.length === 0 ? null : accountLostNotification({ publicUrl, held });
    }
    case 'account_blocked':
      return composeBlocked(tx, input);
    case 'deauthorized':
    case 'deleted':
      // Rendered when it happens: afterwards the data is deleted.
      return null;
  }
}

/** Null: Meta accepts changes in the ad account again. */
async function composeBlocked(
  tx: Db,
  { notification, user, publicUrl, now }: ComposeInput,
): Promise<Notification | null> {
  const accountId = blockedAccountOf(notification.event);
  const account = await findBlockedAccount(tx, { userId: user.id, accountId }, now);
  // The farewell email covers users who are leaving.
  if (account === null || user.leaving !== null) return null;
  const held = (await findHeld(tx, user.id)).filter((one) => one.accountId === accountId);
  return accountBlockedNotification({ publicUrl, account, held });
}

async function composePaused(tx: Db, input: ComposeInput): Promise<Notification | null> {
  const { notification, user, publicUrl, now } = input;
  const acts = lastActivities(await findNotifiedActivities(tx, notification.id));
  const [first] = acts;
  if (first === undefined) return null;
  const decidedAt = first.decidedAt ?? first.at;
  const [outage] = await findOutagesUntil(tx, decidedAt);
  const level = outage?.levels.findLast(({ at }) => at <= decidedAt);
  const { resume } = user;
  const isLeaving = user.leaving !== null;
  const threshold = first.threshold ?? user.threshold;
  const dueAt = isLeaving ? now : resumeAt(await readStatus(tx), { threshold, resume });
  return pausedNotification({
    publicUrl,
    campaigns: acts
      .filter(({ event }) => event !== 'refused')
      .map((act) => ({ ...act, then: act.isHeld ? null : endCopy(act.end) })),
    refused: acts.filter(({ event }) => event === 'refused'),
    held: acts.filter(({ isHeld, isReachable }) => isHeld && isReachable).length,
    unreachable: acts.filter(({ isHeld, isReachable }) => isHeld && !isReachable).length,
    level: level?.level ?? 'UP',
    levelSince: level?.at ?? null,
    threshold,
    resume,
    unfinished: withoutListed(input.unfinished, acts),
    isOverridden: (await findDirectiveAt(tx, decidedAt)) !== null,
    isLeaving,
    dueAt: dueAt === null ? null : Math.max(dueAt, now),
    now,
  });
}

function withLaterState(act: NotifiedActivity): NotifiedActivity & { then: string | null } {
  const isOnAgain = act.event === 'deactivated' && act.isOn;
  const then = act.isHeld
    ? 'paused again since then'
    : isOnAgain
      ? 'SmartPause has been turned on again'
      : null;
  return { ...act, then };
}

/** Counts campaigns that the notification does not list already. */
function withoutListed(unfinished: readonly string[], listed: readonly { campaignId: string }[]): number {
  const ids = new Set(listed.map(({ campaignId }) => campaignId));
  return new Set(unfinished.filter((id) => !ids.has(id))).size;
}

async function composeResumed(tx: Db, input: ComposeInput): Promise<Notification | null> {
  const { notification, user, publicUrl } = input;
  const acts = await findNotifiedActivities(tx, notification.id);
  const [first] = acts;
  if (first === undefined) return null;
  const outages = await findOutagesUntil(tx, first.at);
  // A lesser outage may have begun since the one that they were paused for.
  const threshold = first.threshold ?? user.threshold;
  const outage = outages.find((one) => lastMatch(one, threshold) !== null) ?? null;
  // Releases since the outage began, or since the last notification of this kind: each is reported once.
  const since = Math.max(
    outage?.startedAt ?? notification.createdAt,
    (await lastFinalizedAt(tx, user.id, 'resumed')) ?? 0,
  );
  const release = await findReleased(tx, user.id, since);
  const last = lastActivities([...release, ...acts.map(withLaterState)].toSorted((a, b) => a.at - b.at));
  return resumedNotification({
    publicUrl,
    resumed: last.filter(({ event }) => event === 'resumed'),
    leftAlone: last.filter(({ event }) => event !== 'resumed'),
    outage: outage === null ? null : notifiedOutage(outage, threshold),
    threshold,
    unfinished: withoutListed(input.unfinished, last),
    isLeaving: user.leaving !== null,
  });
}

function notifiedOutage(outage: Outage, threshold: Threshold) {
  const match = lastMatch(outage, threshold);
  if (match === null) return null;
  return { ...match, peak: outage.peak, level: outage.levels.at(-1)?.level ?? 'UP' } as const;
}
