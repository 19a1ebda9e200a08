import type { DestinationKind } from '#core/destinations.ts';
import { isDue, isUnfinished } from '#core/notifications.ts';
import { seconds } from '#core/time.ts';
import { adoptFormerEmails } from '../db/former-emails.ts';
import type { PendingNotification } from '../db/notifications.ts';
import { findPendingNotifications } from '../db/notifications.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import { countLiveHolds } from '../db/reports/notified-activities.ts';
import { findActing } from '../db/signals.ts';
import { readStatus } from '../db/status/status.ts';
import { findUsers } from '../db/users/users.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { Channels } from './channels/channels.ts';
import { writeNotifications } from './write-notifications.ts';
import { resumesFor } from './facts.ts';
import type { SenderDeps } from './sender.ts';
import { startSender } from './sender.ts';

export interface OutboxWorkerDeps extends SenderDeps {
  channels: Channels;
  /** Nothing runs by itself. */
  isStepped: boolean;
}

const EVERY_MS = seconds(5);
/** Users whose notifications are written in one transaction, before the first of them are sent. */
const WRITTEN_AT_ONCE = 50;

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
  const byUser = [...Map.groupBy(await findDue(deps), ({ userId }) => userId).values()];
  for (let first = 0; first < byUser.length && !closing.aborted; first += WRITTEN_AT_ONCE) {
    await writeSafely(deps, byUser.slice(first, first + WRITTEN_AT_ONCE).flat());
    onWritten();
  }
}

async function findDue({ db, clock }: OutboxWorkerDeps): Promise<PendingNotification[]> {
  const pending = await findPendingNotifications(db);
  if (pending.length === 0) return [];
  const ids = [...new Set(pending.map(({ userId }) => userId))];
  const [users, status] = [await findUsers(db, ids), await readStatus(db)];
  const now = clock.now();
  const signals = await findActing(db, ids, { now, matchBegan: null });
  const holds = Map.groupBy(await countLiveHolds(db, ids, now), ({ userId }) => userId);
  return pending.filter(({ userId, kind, ...owed }) => {
    const user = users.get(userId);
    if (user === undefined) return false;
    const isResumeDue = resumesFor(user, status, signals.get(userId) ?? [], now);
    const own = holds.get(userId) ?? [];
    const isWaiting = own.some((hold) => isUnfinished(kind, hold, isResumeDue));
    return isDue({ ...owed, isUnfinished: isWaiting }, now);
  });
}

/** One that cannot be written delays no other one. */
async function writeSafely(deps: OutboxWorkerDeps, due: readonly PendingNotification[]): Promise<void> {
  const { db, publicUrl, log, clock } = deps;
  try {
    await writeNotifications(db, due, { publicUrl, log, now: clock.now() });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const [pending] = due;
    if (due.length > 1) for (const one of due) await writeSafely(deps, [one]);
    else
      log.error(
        { err: error, user: pending?.userId, kind: pending?.kind },
        'a notification could not be written',
      );
  }
}
