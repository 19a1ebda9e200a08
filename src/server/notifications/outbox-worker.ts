import type { DestinationKind } from '#core/destinations.ts';
import { isDue, isUnfinished } from '#core/notifications.ts';
import { seconds } from '#core/time.ts';
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
  /** Nothing runs by itself. */
  isStepped: boolean;
}

const EVERY_MS = seconds(5);
/** As many are written before the first of them are sent. */
const WRITTEN_BEFORE_SENT = 10;
/** Users at a time: the database's answers to one leave the processor to another, and a connection to the senders. */
const WRITTEN_AT_ONCE = 3;

/** Writes notifications about new activities, and sends them on each channel by itself. */
export function startOutboxWorker(deps: OutboxWorkerDeps): ScheduledTask {
  const { clock, log, isStepped, channels } = deps;
  const everyMs = isStepped ? null : EVERY_MS;
  const closing = new AbortController();
  const senders = Object.entries(channels).map(([kind, channel]) =>
    startSender(deps, { kind: kind as DestinationKind, channel, everyMs }),
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
  // Those of a user are written in their order.
  const due = [...Map.groupBy(await findDue(deps), ({ userId }) => userId).values()];
  let written = 0;
  const write = async (): Promise<void> => {
    for (let next = due.shift(); next !== undefined && !closing.aborted; next = due.shift()) {
      for (const pending of next) await writeSafely(deps, pending);
      written += 1;
      if (written % WRITTEN_BEFORE_SENT === 0) onWritten();
    }
  };
  await Promise.all(Array.from({ length: WRITTEN_AT_ONCE }, write));
  if (written > 0) onWritten();
}

async function findDue({ db, clock }: OutboxWorkerDeps): Promise<PendingNotification[]> {
  const pending = await findPendingNotifications(db);
  if (pending.length === 0) return [];
  const ids = [...new Set(pending.map(({ userId }) => userId))];
  const [users, status] = [await findUsers(db, ids), await readStatus(db)];
  const now = clock.now();
  const holds = Map.groupBy(await countLiveHolds(db, ids, now), ({ userId }) => userId);
  return pending.filter(({ userId, kind, ...owed }) => {
    const user = users.get(userId);
    if (user === undefined) return false;
    const isResumeDue = resumesOf(user, status, now);
    const own = holds.get(userId) ?? [];
    const isWaiting = own.some((hold) => isUnfinished(kind, hold, isResumeDue));
    return isDue({ ...owed, isUnfinished: isWaiting }, now);
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
