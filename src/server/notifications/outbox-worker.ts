import { isDue, isUnfinished, nextTryAt } from '#core/notifications.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { ClaimedNotification, PendingNotification } from '../db/notifications.ts';
import { claimNotifications, findPendingNotifications, storeAttempt } from '../db/notifications.ts';
import { countLiveHolds } from '../db/reports/notified-activities.ts';
import { readStatus } from '../db/status/status.ts';
import { findUsers } from '../db/users/users.ts';
import type { Log } from '../observability/log.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { Mailer } from './email.ts';
import { MAIL_CONNECTIONS, SEND_TIMEOUT_MS } from './email.ts';
import { writeNotification } from './compose.ts';
import { resumesOf } from './facts.ts';

export interface OutboxWorkerDeps {
  db: Db;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  publicUrl: string;
  /** Domain of the Message-ID. */
  mailDomain: string;
  onTried?: (outcome: 'sent' | 'retried' | 'failed') => void;
  /** Aborted: no further email is claimed, since the database closes soon. */
  closing?: AbortSignal;
}

const EVERY_MS = seconds(5);
/** A process that died in the middle delays an email by this long. */
const LEASE_MS = SEND_TIMEOUT_MS + minutes(1);

/** Writes notifications about new activities, sends them and retries failures. */
export function startOutboxWorker(deps: OutboxWorkerDeps & { isStepped: boolean }): ScheduledTask {
  const { clock, log, isStepped } = deps;
  const everyMs = isStepped ? null : EVERY_MS;
  const closing = new AbortController();
  const run = () => runOutbox({ ...deps, closing: closing.signal });
  const task = startScheduledTask({ name: 'outbox', everyMs, clock, log, run });
  const close = () => {
    closing.abort();
    return task.close().finally(() => deps.mailer.close?.());
  };
  return { ...task, close };
}

export async function runOutbox(deps: OutboxWorkerDeps): Promise<void> {
  const due = await findDue(deps);
  while (due.length > 0 && deps.closing?.aborted !== true) {
    for (const pending of due.splice(0, MAIL_CONNECTIONS)) await writeSafely(deps, pending);
    await sendDue(deps);
  }
  while ((await sendDue(deps)) > 0);
}

async function findDue({ db, clock }: OutboxWorkerDeps): Promise<PendingNotification[]> {
  const pending = await findPendingNotifications(db);
  if (pending.length === 0) return [];
  const ids = [...new Set(pending.map(({ userId }) => userId))];
  const [users, status] = [await findUsers(db, ids), await readStatus(db)];
  const holds = Map.groupBy(await countLiveHolds(db, ids), ({ userId }) => userId);
  const now = clock.now();
  return pending.filter(({ userId, kind, since, lastAt }) => {
    const user = users.get(userId);
    if (user === undefined) return false;
    const isResumeDue = resumesOf(user, status, now);
    const own = holds.get(userId) ?? [];
    const isWaiting = own.some((hold) => isUnfinished(kind, hold, isResumeDue));
    return isDue({ since, lastAt, isUnfinished: isWaiting }, now);
  });
}

async function writeSafely(deps: OutboxWorkerDeps, pending: PendingNotification): Promise<void> {
  const { userId, kind } = pending;
  const { publicUrl, log } = deps;
  try {
    await writeNotification(deps.db, pending, { publicUrl, log, now: deps.clock.now() });
  } catch (error) {
    deps.log.error({ err: error, user: userId, kind }, 'a notification could not be written');
  }
}

/** @returns how many were tried */
async function sendDue(deps: OutboxWorkerDeps): Promise<number> {
  if (deps.closing?.aborted === true) return 0;
  const claimed = await claimNotifications(deps.db, MAIL_CONNECTIONS, LEASE_MS);
  await Promise.all(claimed.map((notification) => send(deps, notification)));
  return claimed.length;
}

async function send(deps: OutboxWorkerDeps, notification: ClaimedNotification): Promise<void> {
  const { db, clock, log } = deps;
  const { id, kind, createdAt, attempts: failures, ...content } = notification;
  const messageId = `<smartpause.${id}.${createdAt}@${deps.mailDomain}>`;
  const result = await deps.mailer.send({ ...content, messageId, writtenAt: createdAt });
  const now = clock.now();
  const error = result.ok ? null : result.error;
  const attempts = failures + 1;
  const retryAt = result.ok
    ? null
    : nextTryAt({ createdAt, attempts, isPermanent: result.isPermanent, random: Math.random() }, now);
  await storeAttempt(db, notification, { error, retryAt }, now);
  deps.onTried?.(error === null ? 'sent' : retryAt === null ? 'failed' : 'retried');
  if (error === null) return;
  const details = { notification: id, kind, attempts, error };
  if (retryAt === null) log.error(details, 'a notification failed for good');
  else log.warn(details, 'notification could not be sent, will retry');
}
