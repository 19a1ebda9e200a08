import { ApiError } from '#contract/errors.ts';
import type { LinkState } from '#core/confirmation.ts';
import {
  COUNTED_MS,
  beginningOf,
  formerAddress,
  isSameAddress,
  linkStateOf,
  maySendLink,
  mayWarn,
  needsLink,
  unreachedOf,
} from '#core/confirmation.ts';
import { EMAIL_KEPT } from '#core/outages/activity-text.ts';
import type { Instant } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { decryptTarget, findDestination } from '../../db/destinations.ts';
import type { Recipient } from '../../db/notifications.ts';
import type { EmailLink } from '../../db/users/email-links.ts';
import {
  confirmDestination,
  confirmOwnAddress,
  findAsked,
  findEmailLink,
  isForAddress,
  markAsked,
} from '../../db/users/email-links.ts';
import type { User } from '../../db/users/users.ts';
import { findUser, lockUser, saveEmail } from '../../db/users/users.ts';
import { emailTarget } from '../../notifications/channels/email.ts';
import { queueConfirmation, queueWarning } from '../../notifications/confirmation.ts';
import { shortName } from '../../notifications/render.ts';
import type { Needs } from '../deps.ts';

interface FoundLink {
  state: LinkState;
  /** Null: the link is not for the address of today. */
  address: string | null;
  channel?: { of: string; events: string[] };
}

/** Sends a link to the user's own address. For a refused one it is a further attempt. */
export async function sendLink(deps: Needs<'db' | 'clock'>, { id }: User): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, id);
    // Confirmed since the page was read.
    if (user?.email == null || unreachedOf(user) === null) return;
    if (!(await sendTo(tx, user.id, ownAddress(user.email), now))) throw tooMany();
    await markAsked(tx, id, user.email, now);
  });
}

/**
 * Sends a link to a destination of kind 'email'.
 * @param isNew in the transaction that adds it or gives it another address, which may correct a mistyped one
 * @throws ApiError if the user has asked for too many
 */
export async function sendDestinationLink(
  tx: Db,
  { id: destinationId, userId }: { id: string; userId: string },
  now: Instant,
  isNew: boolean,
): Promise<void> {
  const recipient = { channel: 'email', toAddress: null, destinationId } as const;
  if (!(await sendTo(tx, userId, recipient, now, isNew))) throw tooMany();
}

/**
 * After settings were saved, which they are in any case: an address without a valid link gets one, and the confirmed
 * address that it is to replace a warning.
 */
export async function sendAfterSave(
  tx: Db,
  { before, user, publicUrl }: { before: User; user: User; publicUrl: string },
  now: Instant,
): Promise<void> {
  const { id: userId, email } = user;
  if (email === null) return;
  if (needsLink(user, now) && (await sendTo(tx, userId, ownAddress(email), now)))
    await markAsked(tx, userId, email, now);
  const former = formerAddress(user);
  if (former === null || isSameAddress(email, before.email)) return;
  const warned = await findAsked(tx, userId, { kind: 'address_changed', since: now - COUNTED_MS });
  if (mayWarn(warned.length))
    await queueWarning(tx, { user, to: ownAddress(former), publicUrl, next: email }, now);
}

/** Back to the confirmed address; the link to the new one confirms nothing. */
export async function cancelEmailChange(deps: Needs<'db' | 'clock'>, { id: userId }: User): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, userId);
    const former = user && formerAddress(user);
    if (former === null) return;
    await saveEmail(tx, userId, former);
    const facts = { changes: [EMAIL_KEPT] };
    await recordActivities(tx, [{ userId, actor: 'user', event: 'settings', facts }], deps.clock.now());
  });
}

function ownAddress(email: string): Recipient {
  return { channel: 'email', toAddress: email, destinationId: null };
}

/** False: too many were asked for. */
async function sendTo(
  tx: Db,
  userId: string,
  recipient: Recipient,
  now: Instant,
  isNew = false,
): Promise<boolean> {
  const to = isNew ? null : (recipient.toAddress ?? recipient.destinationId);
  const asked = await findAsked(tx, userId, { kind: 'confirm_address', since: now - COUNTED_MS });
  if (!maySendLink(to, asked, now)) return false;
  await queueConfirmation(tx, userId, recipient, now);
  return true;
}

function tooMany(): ApiError {
  const text = 'You’ve just sent one. You can send one a minute to an address, and 20 a day.';
  return new ApiError('TOO_MANY_REQUESTS', text);
}

/** What the page of a link shows. It changes nothing, so that a scanner may open it. */
export async function readLink(deps: Needs<'db' | 'cipher' | 'clock'>, token: string): Promise<FoundLink> {
  const link = await findEmailLink(deps.db, token);
  return shown(await stateOf(deps, deps.db, { link, token }));
}

/** The button of the page. Pressed twice, it is used. */
export async function confirmLink(deps: Needs<'db' | 'cipher' | 'clock'>, token: string): Promise<FoundLink> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (tx) => {
    const link = await findEmailLink(tx, token);
    if (link !== null) await lockUser(tx, link.userId);
    const found = await stateOf(deps, tx, { link, token });
    const { state, address } = found;
    if (link === null || state !== 'open' || address === null) return shown(found);
    const { userId, destinationId } = link;
    if (destinationId === null) {
      await confirmOwnAddress(tx, userId, address);
      const confirmed = { userId, actor: 'user', event: 'address_confirmed', facts: {} } as const;
      await recordActivities(tx, [confirmed], now);
    } else await confirmDestination(tx, destinationId, now);
    return shown({ ...found, state: 'used' });
  });
}

/** A visitor sees no whole address. */
function shown({ address, ...rest }: FoundLink): FoundLink {
  return { ...rest, address: address === null ? null : beginningOf(address) };
}

async function stateOf(
  { cipher, clock }: Needs<'cipher' | 'clock'>,
  db: Db,
  { link, token }: { link: EmailLink | null; token: string },
): Promise<FoundLink> {
  const current = link === null ? null : await currentOf({ cipher }, db, link);
  if (link === null || current === null) return { state: 'unknown', address: null };
  const { address, isConfirmed, channel } = current;
  const isFor = isForAddress(link, token, address);
  const state = linkStateOf({ ...link, isForAddress: isFor, isConfirmed }, clock.now());
  return { state, address: isFor ? address : null, ...(channel && { channel }) };
}

/** The address that the link's user or destination has now. Null: none. */
async function currentOf(
  { cipher }: Needs<'cipher'>,
  db: Db,
  { userId, destinationId }: EmailLink,
): Promise<({ isConfirmed: boolean } & Pick<FoundLink, 'channel'> & { address: string }) | null> {
  const user = await findUser(db, userId);
  if (user === null) return null;
  if (destinationId === null)
    return user.email === null
      ? null
      : { address: user.email, isConfirmed: isSameAddress(user.confirmedEmail, user.email) };
  const destination = await findDestination(db, destinationId);
  const target = emailTarget.safeParse(destination && decryptTarget(cipher, destination));
  if (!target.success || destination === null) return null;
  const { verifiedAt, events } = destination;
  const channel = { of: shortName(user.name), events };
  return { address: target.data.address, isConfirmed: verifiedAt !== null, channel };
}
