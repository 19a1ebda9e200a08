import type { DestinationKind } from '#core/destinations.ts';
import { isDue, isUnfinished } from '#core/notifications.ts';
import { seconds } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import { adoptFormerEmails } from '../db/former-emails.ts';
import type { PendingNotification } from '../db/notifications.ts';
import { findPendingNotifications } from '../db/notifications.ts';
import { countLiveHolds } from '../db/reports/notified-activities.ts';
import { readStatus } from '../db/status/status.ts';
import { findUsers } from '../db/users/users.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { Channels } from './channels/channels.ts';
import { writeNotification } from './write-notifications.ts';
import { resumesOf } from './facts.ts';
import type { SenderDeps } from './sender.ts';
import { startSender } from './sender.ts';

export interface OutboxWorkerDeps extends SenderDeps {
  channels: Channels;
  /** Of the senders; by default as of all else. */
  sendersDb?: Db;
  /** Nothing runs by itself. */
  isStepped: boolean;
}

const EVERY_MS = seconds(5);
/** As many are written before the first of them are sent. */
const WRITTEN_AT_ONCE = 10;

/** Writes notifications about new activities, and sends them on each channel by itself. */
export function startOutboxWorker(deps: OutboxWorkerDeps): ScheduledTask {
  const { clock, log, isStepped, channels, sendersDb = deps.db } = deps;
  const everyMs = isStepped ? null : EVERY_MS;
  const closing = new AbortController();
  const senders = Object.entries(channels).map(([kind, channel]) =>
    startSender({ ...deps, db: sendersDb }, { kind: kind as DestinationKind, channel, everyMs }),
  );
  const wakeSenders = () => senders.forEach((sender) => sender.wake());
  const run = () => writeDue(deps, closing.signal, wakeSenders);
  const writer = startScheduledTask({ name: 'outbox', everyMs, clock, log, run });
  return {
    wake: () => writer.wake(),
    async run() {
      await writer.run();
      await Promise.all(senders.map((sender) => sender.run()));
    },
    async close() {
      closing.abort();
      await Promise.all([writer, ...senders].map((task) => task.close()));
    },
  };
}

/** @param closing aborted: no further notification is written, since the database closes soon */
async function writeDue(deps: OutboxWorkerDeps, closing: AbortSignal, onWritten: () => void): Promise<void> {
  await adoptFormerEmails(deps.db);
  const due = await findDue(deps);
  while (due.length > 0 && !closing.aborted) {
    for (const pending of due.splice(0, WRITTEN_AT_ONCE)) await writeSafely(deps, pending);
    onWritten();
  }
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
