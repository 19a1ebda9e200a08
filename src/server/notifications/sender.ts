import { askedUntil, holdsUp, nextTryAt } from '#core/deliveries.ts';
import type { DestinationKind } from '#core/destinations.ts';
import { INCIDENT_KIND, incidentSaid } from '#core/destinations.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { ClaimedDelivery } from '../db/deliveries.ts';
import { claimDeliveries, isDeliveryDue, storeAttempt } from '../db/deliveries.ts';
import { decryptTarget, disableDestination, markAccepted } from '../db/destinations.ts';
import { keepIncidents, noteIncidentAnswered } from '../db/incidents.ts';
import { lockUserForNotification } from '../db/users/users.ts';
import type { Log } from '../observability/log.ts';
import type { ScheduledTask } from '../scheduled-task.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { TokenCipher } from '../secrets.ts';
import type { Channel, SendResult } from './channels/channel.ts';
import { FAILED, LEASE_MS, PLACES_OF_USER } from './channels/channel.ts';
import { emailTarget } from './channels/email.ts';
import { confirmationOf } from './confirmation.ts';
import type { Message } from './message.ts';
import { storedMessage } from './message.ts';
import { noteAccepted, noteRefused } from './refused-address.ts';
import { summaryPath } from './unsubscribe-link.ts';

export interface SenderDeps {
  db: Db;
  cipher: TokenCipher;
  clock: Clock;
  log: Log;
  publicUrl: string;
  /** An attempt to reach a user's own address. */
  onTried?: (outcome: 'sent' | 'retried' | 'failed') => void;
}

/** What a sender is for. */
interface Sending {
  kind: DestinationKind;
  channel: Channel;
}

/**
 * Sends the due deliveries of one channel and retries failures. A slow one takes one of the channel's places: as soon as
 * another one ends, the next is claimed. `run` resolves when nothing is due any more.
 */
export function startSender(deps: SenderDeps, given: Sending & { everyMs: number | null }): ScheduledTask {
  const { db, clock, log } = deps;
  const { kind, channel, everyMs } = given;
  const open = new Set<Promise<void>>();
  let isClosing = false;
  /** The last claim found as many as it may: more are due. */
  let areMoreDue = false;
  const claim = async (): Promise<void> => {
    const limit = channel.atOnce - open.size;
    if (limit === 0 || isClosing || !(areMoreDue || (await isDeliveryDue(db, kind)))) return;
    const wanted = { channel: kind, limit, perUser: PLACES_OF_USER, leaseMs: LEASE_MS };
    const claimed = await claimDeliveries(db, wanted);
    areMoreDue = claimed.length === limit;
    for (const delivery of claimed) {
      const sent = send(deps, given, delivery)
        .catch((error: unknown) =>
          log.error({ err: error, delivery: delivery.id }, 'an attempt could not be stored'),
        )
        .then(() => {
          open.delete(sent);
          task.wake();
        });
      open.add(sent);
    }
  };
  const task = startScheduledTask({ name: `sending by ${kind}`, everyMs, clock, log, run: claim });
  return {
    wake: () => task.wake(),
    async run() {
      await task.run();
      while (open.size > 0) {
        await Promise.race(open);
        await task.run();
      }
    },
    async close() {
      isClosing = true;
      await task.close();
      await Promise.all(open);
    },
  };
}

const ENDED = { error: null, retryAt: null, notBefore: null, holdsUp: false } as const;

async function send(deps: SenderDeps, { kind, channel }: Sending, delivery: ClaimedDelivery): Promise<void> {
  const { db, clock, log } = deps;
  const { destination, createdAt } = delivery;
  const triedAt = clock.now();
  // The former version deletes a user without the link that waits for them.
  if (delivery.userId === null && delivery.notification.kind === 'confirm_address') {
    await storeAttempt(db, delivery, { ...ENDED, error: 'NO_USER', triedAt }, triedAt);
    return;
  }
  const result = await attempt(deps, channel, delivery);
  const now = clock.now();
  const attempts = delivery.attempts + 1;
  if (result.ok) {
    await noteIncident(db, kind, delivery);
    await storeAttempt(db, delivery, { ...ENDED, triedAt }, now);
    if (destination === null) deps.onTried?.('sent');
    await noteAccepted(db, delivery);
    if (destination?.wasAccepted === false) await markAccepted(db, destination, now);
    return;
  }
  const { error, copy = FAILED, isGone = false, isRecipientRefused = false, ...failure } = result;
  const failed = { channel: kind, createdAt, attempts, random: Math.random(), ...failure };
  const retryAt = isGone ? null : nextTryAt(failed, now);
  const { retryAfterMs } = failure;
  const notBefore = retryAt === null || retryAfterMs === undefined ? null : askedUntil(retryAfterMs, now);
  // Users read why their destinations fail.
  const said = destination === null ? error : copy;
  const isOver = isGone || (isRecipientRefused && retryAt === null);
  const tried = { error: said, retryAt, notBefore, holdsUp: holdsUp(failed), triedAt };
  if (isOver && destination !== null) await storeLast(db, { ...delivery, destination }, tried, now);
  else await storeAttempt(db, delivery, tried, now);
  if (isRecipientRefused) await noteRefused(db, delivery, now);
  if (retryAt === null) await noteUnsent(db, kind, delivery, failure.isPermanent && !isGone);
  const details = {
    notification: delivery.notification.id,
    kind: delivery.notification.kind,
    attempts,
    error,
  };
  if (destination !== null) {
    log.warn(
      { ...details, channel: kind, destination: destination.id },
      'a destination could not be reached',
    );
    return;
  }
  deps.onTried?.(retryAt === null ? 'failed' : 'retried');
  if (retryAt === null) log.error(details, 'a notification failed for good');
  else log.warn(details, 'notification could not be sent, will retry');
}

/** What disables its destination is stored with that, or a process that ends between them would leave it on. */
async function storeLast(
  db: Db,
  delivery: ClaimedDelivery & { destination: object },
  tried: Parameters<typeof storeAttempt>[2] & { error: string },
  now: Instant,
): Promise<void> {
  const { destination } = delivery;
  await inTransaction(db, async (tx) => {
    // As changes of destinations do, before their deliveries.
    await lockUserForNotification(tx, destination.userId);
    await storeAttempt(tx, delivery, tried, now);
    await disableDestination(tx, destination, tried.error, now);
  });
}

/** An end that is refused for good would be refused again. Others are written once more. */
async function noteUnsent(
  db: Db,
  kind: DestinationKind,
  delivery: ClaimedDelivery,
  isRefused: boolean,
): Promise<void> {
  if (isRefused) await noteIncident(db, kind, delivery, isRefused);
  else if (delivery.destination !== null) await keepIncidents(db, delivery.destination.id);
}

async function noteIncident(
  db: Db,
  kind: DestinationKind,
  { destination, notification }: ClaimedDelivery,
  isRefused = false,
): Promise<void> {
  if (destination === null || kind !== INCIDENT_KIND) return;
  const said = incidentSaid(storedMessage.parse(notification.message));
  // A begin that is refused opens nothing.
  if (said === null || (isRefused && !said.isEnd)) return;
  await noteIncidentAnswered(db, { ...said, destinationId: destination.id });
}

/** It never throws: what this version does not understand, another one may send. */
async function attempt(deps: SenderDeps, channel: Channel, delivery: ClaimedDelivery): Promise<SendResult> {
  const { cipher, clock, log, publicUrl } = deps;
  const { id, toAddress, destination, notification } = delivery;
  const failed = (error: string) => ({ ok: false, error, isPermanent: false }) as const;
  try {
    const target = destination === null ? { address: toAddress } : decryptTarget(cipher, destination);
    if (target === null) return failed('NO_KEY');
    const parsed = channel.target.parse(target);
    const message = await messageOf(deps, delivery, parsed);
    return await channel.send(parsed, message, {
      ...{ id, notificationId: notification.id, destinationId: destination?.id ?? null },
      ...{ writtenAt: notification.writtenAt, now: clock.now(), publicUrl },
      ...unsubscribeOf(deps, delivery),
    });
  } catch (error) {
    log.error({ err: error, delivery: id }, 'a delivery failed unexpectedly');
    return failed('UNEXPECTED');
  }
}

/** Only the monthly summary can be turned off, also by who reads it without an account. */
function unsubscribeOf(
  { cipher, publicUrl }: SenderDeps,
  { userId, destination, notification }: ClaimedDelivery,
): { unsubscribe?: string } {
  if (notification.kind !== 'monthly_summary' || userId === null) return {};
  return {
    unsubscribe: `${publicUrl}${summaryPath(cipher, { userId, destinationId: destination?.id ?? null })}`,
  };
}

async function messageOf(
  { db, clock, publicUrl }: SenderDeps,
  delivery: ClaimedDelivery,
  target: unknown,
): Promise<Message> {
  const { kind, message } = delivery.notification;
  if (kind !== 'confirm_address') return storedMessage.parse(message);
  const { address } = emailTarget.parse(target);
  return confirmationOf(db, delivery, { address, publicUrl, now: clock.now() });
}
