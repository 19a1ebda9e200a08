import { nextTryAt } from '#core/notifications.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Mailer } from './channels/email.ts';
import { SEND_TIMEOUT_MS } from './channels/email.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { OutboxNotification } from '../db/notifications.ts';
import { claimDueNotifications, markFailed, markSent } from '../db/notifications.ts';
import type { Log } from '../observability/log.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import { finalizeNotification } from './finalize.ts';

export interface OutboxWorkerDeps {
  db: Db;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  publicUrl: string;
  /** Domain of the Message-ID. */
  mailDomain: string;
  onTried?: (outcome: 'sent' | 'retried' | 'failed') => void;
}

const EVERY_MS = seconds(2);
/** Each takes a dozen statements: few at once leave the database and the processor to the campaigns. */
const CLAIM_LIMIT = 2;
/** Attempts that could outlive it are left to the next claim, because another process may make them. */
const LEASE_MS = minutes(6);

/** Renders due notifications, sends rendered ones and retries failures. */
export function startOutboxWorker(deps: OutboxWorkerDeps & { isStepped: boolean }): ScheduledTask {
  const { clock, log, isStepped } = deps;
  const everyMs = isStepped ? null : EVERY_MS;
  return startScheduledTask({ name: 'outbox', everyMs, clock, log, run: () => sendAllDue(deps) });
}

export async function sendAllDue(deps: OutboxWorkerDeps): Promise<void> {
  for (;;) {
    const leaseEnd = deps.clock.now() + LEASE_MS;
    const notifications = await claimDueNotifications(deps.db, CLAIM_LIMIT, LEASE_MS);
    await Promise.all(
      byRecipient(notifications).map(async (ofOneRecipient) => {
        for (const notification of ofOneRecipient) {
          if (deps.clock.now() + SEND_TIMEOUT_MS > leaseEnd) return;
          await sendSafely(deps, notification);
        }
      }),
    );
    if (notifications.length < CLAIM_LIMIT) return;
  }
}

/** Keeps the order of notifications per recipient; different recipients do not wait for each other. */
function byRecipient(notifications: readonly OutboxNotification[]): OutboxNotification[][] {
  const oldestFirst = notifications.toSorted(
    (a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id),
  );
  return [...Map.groupBy(oldestFirst, ({ userId, content, id }) => userId ?? content?.to ?? id).values()];
}

async function sendSafely(deps: OutboxWorkerDeps, notification: OutboxNotification): Promise<void> {
  try {
    await sendOne(deps, notification);
  } catch (error) {
    // Retried when its lease expires.
    const details = { err: error, notification: notification.id, kind: notification.kind };
    deps.log.error(details, 'a notification could not be processed');
  }
}

async function sendOne(deps: OutboxWorkerDeps, notification: OutboxNotification): Promise<void> {
  const { db, clock, log, publicUrl } = deps;
  const { id, kind, createdAt } = notification;
  const content =
    notification.content ?? (await finalizeNotification(db, id, { publicUrl, now: clock.now() }));
  if (content === null) return;
  const messageId = `<smartpause.${id}.${createdAt}@${deps.mailDomain}>`;
  const result = await deps.mailer.send({ ...content, messageId, writtenAt: createdAt });
  const now = clock.now();
  if (result.ok) {
    await markSent(db, notification, now);
    deps.onTried?.('sent');
    return;
  }
  const { error, isPermanent } = result;
  const attempts = notification.attempts + 1;
  const retryAt = nextTryAt({ createdAt, attempts, isPermanent, random: Math.random() }, now);
  await markFailed(db, notification, { error, retryAt }, now);
  deps.onTried?.(retryAt === null ? 'failed' : 'retried');
  const details = { notification: id, kind, attempts, error };
  if (retryAt === null) log.error(details, 'a notification failed for good');
  else log.warn(details, 'notification could not be sent, will retry');
}
