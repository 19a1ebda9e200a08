import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import type { ClaimedDelivery } from '../db/deliveries.ts';
import type { Recipient } from '../db/notifications.ts';
import { storeNotification } from '../db/notifications.ts';
import { findDestination } from '../db/destinations.ts';
import { addEmailLink } from '../db/users/email-links.ts';
import type { Message } from './message.ts';
import { findUser } from '../db/users/users.ts';
import { shortName, shortened } from './render.ts';
import { addressChanged } from './templates/address-changed.ts';
import type { AskedChannel } from './templates/confirm-address.ts';
import { confirmAddress, confirmSubject } from './templates/confirm-address.ts';

/** An email with a link that confirms its address, also to a destination that gets nothing else before that. */
export async function queueConfirmation(
  tx: Db,
  userId: string,
  recipient: Recipient,
  now: Instant,
): Promise<void> {
  // The text is made at each attempt, with a link of its own: so no link is stored.
  const message = { subject: confirmSubject(await askedFor(tx, userId, recipient.destinationId)) };
  const given = { userId, kind: 'confirm_address', message, recipients: [recipient] } as const;
  await storeNotification(tx, { ...given, activityIds: [] }, now);
}

/** Who asks another person for what. Null: the address is the user's own. */
async function askedFor(db: Db, userId: string, destinationId: string | null): Promise<AskedChannel | null> {
  if (destinationId === null) return null;
  const [user, destination] = [await findUser(db, userId), await findDestination(db, destinationId)];
  return { of: shortName(user?.name ?? ''), events: destination?.events ?? [] };
}

/** An email to the user's confirmed address, which another one is to replace. */
export async function queueWarning(
  tx: Db,
  given: { user: { id: string; name: string }; to: Recipient; next: string; publicUrl: string },
  now: Instant,
): Promise<void> {
  const { user, to, ...rest } = given;
  const said = shortened(addressChanged({ ...rest, name: user.name, now }));
  const message: Message = { ...said, events: [], outage: null, occurredAt: now };
  const warning = { userId: user.id, kind: 'address_changed', message, recipients: [to] } as const;
  await storeNotification(tx, { ...warning, activityIds: [] }, now);
}

/** @param given.address that the email goes to */
export async function confirmationOf(
  db: Db,
  { userId, destination, notification }: ClaimedDelivery,
  given: { address: string; publicUrl: string; now: Instant },
): Promise<Message> {
  const { address, publicUrl, now } = given;
  if (userId === null) throw new Error('a deleted user has no address to confirm');
  const destinationId = destination?.id ?? null;
  const channel = await askedFor(db, userId, destinationId);
  const token = await addEmailLink(db, { userId, destinationId, address }, now);
  const said = shortened(confirmAddress({ publicUrl, token, channel }));
  return { ...said, events: [], outage: null, occurredAt: notification.writtenAt };
}
