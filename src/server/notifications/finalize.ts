import { minutes } from '#core/time.ts';
import type { Instant } from '#core/time.ts';
import { lastActivities, waitForMore } from '#core/notifications.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { OutboxNotification, NotificationContent } from '../db/notifications.ts';
import {
  dropNotification,
  findOpenNotifications,
  lastFinalizedAt,
  lockWithoutContent,
  postponeNotification,
  storeContent,
} from '../db/notifications.ts';
import type { User } from '../db/users/users.ts';
import { findUser } from '../db/users/users.ts';
import { readStatus } from '../db/status/status.ts';
import type { NamedActivity } from '../db/reports/notified-activities.ts';
import {
  findInState,
  findNotifiedActivities,
  findTested,
  moveReports,
} from '../db/reports/notified-activities.ts';
import type { ComposeInput } from './compose.ts';
import { compose } from './compose.ts';
import { render } from './render.ts';

/** A notification of the same kind within this time makes the next one a follow-up, which may wait longer. */
const FOLLOW_UP_MS = minutes(60);

/**
 * Renders an open notification, unless more events are about to join it. Null: not now, or nothing to report.
 * A retry renders a failed notification again, since its content was not kept.
 */
export async function finalizeNotification(
  db: Db,
  id: string,
  given: { publicUrl: string; now: Instant },
): Promise<NotificationContent | null> {
  return inTransaction(db, async (tx) => {
    const notification = await lockWithoutContent(tx, id);
    if (notification === null) return null;
    const user = notification.userId === null ? null : await findUser(tx, notification.userId);
    if (user === null) {
      await dropNotification(tx, id);
      return null;
    }
    const unfinished = await findUnfinished(tx, notification, user, given.now);
    const { kind, createdAt: openedAt } = notification;
    const last = await lastFinalizedAt(tx, user.id, kind);
    const isFollowUp = last !== null && last >= openedAt - FOLLOW_UP_MS;
    const waitUntil = waitForMore({ openedAt, unfinished: unfinished.length, isFollowUp }, given.now);
    if (waitUntil !== null) {
      await postponeNotification(tx, id, waitUntil - given.now);
      return null;
    }
    if (kind === 'resumed') await absorbDisabled(tx, notification, user);
    return composeAndStore(tx, { notification, user, unfinished, ...given });
  });
}

/**
 * Renders a user's pending notifications before their data is deleted, and makes them due now.
 * Exception: resumes caused by the deletion. The farewell, which is the last notification, reports them.
 */
export async function finalizeAll(
  tx: Db,
  user: User,
  given: { publicUrl: string; now: Instant },
): Promise<{ unreported: string | null; resumed: NamedActivity[] }> {
  const notifications = await findOpenNotifications(tx, user.id);
  const unreported = notifications.find(({ kind }) => kind === 'resumed') ?? null;
  for (const notification of notifications.filter((one) => one !== unreported)) {
    const unfinished = await findUnfinished(tx, notification, user, given.now);
    const content = await composeAndStore(tx, { notification, user, unfinished, ...given });
    if (content !== null) await postponeNotification(tx, notification.id, 0);
  }
  if (unreported === null) return { unreported, resumed: [] };
  const acts = lastActivities(await findNotifiedActivities(tx, unreported.id));
  // A deletion removes it with its user. If the user is kept, the farewell takes over its activities.
  await postponeNotification(tx, unreported.id, null);
  return { unreported: unreported.id, resumed: acts.filter(({ event }) => event === 'resumed') };
}

/** Reports recently noticed external changes together with the resume that they were left out of. */
async function absorbDisabled(tx: Db, notification: OutboxNotification, user: User): Promise<void> {
  const open = await findOpenNotifications(tx, user.id);
  const disabled = open.find(({ kind }) => kind === 'disabled');
  if (disabled !== undefined) await moveReports(tx, disabled.id, notification.id);
}

async function composeAndStore(tx: Db, input: ComposeInput): Promise<NotificationContent | null> {
  const { notification, user, publicUrl, now } = input;
  const composed = await compose(tx, input);
  if (composed === null || user.email === null) {
    await dropNotification(tx, notification.id);
    return null;
  }
  const content = { to: user.email, ...render(composed, publicUrl) };
  await storeContent(tx, notification.id, content, now);
  return content;
}

/** Campaigns with a pause or resume of the notification's kind that is decided and not done yet. */
async function findUnfinished(
  tx: Db,
  notification: OutboxNotification,
  user: User,
  now: Instant,
): Promise<string[]> {
  if (notification.kind === 'paused') return findInState(tx, user.id, 'pausing');
  if (notification.kind === 'live_test') return findTested(tx, user.id);
  if (notification.kind !== 'resumed') return [];
  const status = await readStatus(tx);
  const isDue = (threshold: Threshold): boolean =>
    user.leaving !== null || (resumeAt(status, { threshold, resume: user.resume }) ?? Infinity) <= now;
  const waiting = await findInState(tx, user.id, 'paused', THRESHOLDS.filter(isDue));
  return [...waiting, ...(await findInState(tx, user.id, 'resuming'))];
}
