import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { destinationApi } from '#contract/destination-api.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { addressesOf, isSameAddress } from '#core/confirmation.ts';
import type { DestinationKind } from '#core/destinations.ts';
import type { DestinationChange } from '#core/event-words.ts';
import {
  DESTINATIONS_MAX,
  INCIDENT_KIND,
  SPARED_BY_QUIET,
  incidentSaid,
  isConfirmed,
  maySayAgain,
  withNewSecret,
} from '#core/destinations.ts';
import { DELIVERY_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days, seconds } from '#core/time.ts';
import { recordActivities } from '../../db/activities.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import * as sent from '../../db/deliveries.ts';
import type { Destination } from '../../db/destinations.ts';
import * as store from '../../db/destinations.ts';
import { findOpenIncidents } from '../../db/incidents.ts';
import type { User } from '../../db/users/users.ts';
import { unconfirmDestination } from '../../db/users/email-links.ts';
import { lockUserForNotification } from '../../db/users/users.ts';
import { FAILED } from '../../notifications/channels/channel.ts';
import { httpTarget } from '../../notifications/channels/http-channel.ts';
import { parseTarget } from '../../notifications/channels/http-channels.ts';
import { newWebhookSecret } from '../../notifications/channels/webhook.ts';
import { storedMessage } from '../../notifications/message.ts';
import { testMessage } from '../../notifications/templates/test-message.ts';
import type { Needs } from '../deps.ts';
import { sendDestinationLink } from '../users/email-address.ts';
import { requireMayAct } from '../users/may-act.ts';

/** The page waits for the answer. */
const TEST_TIMEOUT_MS = seconds(20);

const INCIDENT_LEFT = 'The test arrived, but its incident couldn’t be ended: resolve it in PagerDuty.';

type Deps = Needs<'db' | 'cipher' | 'clock' | 'channels' | 'allowedAddresses' | 'publicUrl' | 'log'>;
type BodyFor<Name extends keyof typeof destinationApi> = BodyOf<(typeof destinationApi)[Name]>;

export async function getDestinations(deps: Deps, { id: userId }: User) {
  const { db, clock } = deps;
  const own = await store.findDestinations(db, userId);
  const ids = own.map(({ id }) => id);
  const since = clock.now() - days(DELIVERY_DAYS);
  const tried = await sent.findLastDeliveries(db, ids, since);
  const incidents = await findOpenIncidents(db, ids);
  const open = new Set(incidents.filter((one) => one.isOpened).map(({ destinationId }) => destinationId));
  const destinations = own.map((one) => {
    const { id, kind, name, events, state, disabledReason, quietUntil } = one;
    return {
      ...{ id, kind, name, events, state, disabledReason, quietUntil, isConfirmed: isConfirmed(one) },
      hint: hintOf(kind, targetOf(deps, one)?.address),
      hasDelivered: one.acceptedAt !== null,
      hasIncident: open.has(id),
      last: lastAttempt(one, tried.get(id)),
    };
  });
  return { destinations };
}

type Tried = ReturnType<Awaited<ReturnType<typeof sent.findLastDeliveries>>['get']>;

/** Of the last delivery and the last test the later one. */
function lastAttempt({ testedAt, testError }: Destination, delivery: Tried) {
  if (testedAt !== null && testedAt >= (delivery?.triedAt ?? 0))
    return { at: testedAt, failure: testError, nextAt: null, isTest: true as const };
  return delivery === undefined
    ? null
    : { at: delivery.triedAt, failure: delivery.lastError, nextAt: delivery.dueAt };
}

/** What the targets of all channels have. */
const addressed = z.looseObject({ address: z.string() });

/** Null: its key is not in the configuration. */
function targetOf({ cipher }: Pick<Deps, 'cipher'>, one: Destination) {
  const stored = store.decryptTarget(cipher, one);
  return stored === null ? null : addressed.parse(stored);
}

/** The host of a URL, whose path is a secret. */
function hintOf(kind: DestinationKind, address: string | undefined): string | null {
  if (address === undefined) return null;
  return kind === 'email' ? address : (URL.parse(address)?.host ?? null);
}

export async function addDestination(deps: Deps, user: User, body: BodyFor<'addDestination'>) {
  const { db, cipher } = deps;
  const now = deps.clock.now();
  await requireMayAct(db, user, now);
  const { kind, name, events } = body;
  const secret = kind === 'webhook' ? newWebhookSecret() : undefined;
  const target = { address: addressOf(deps, kind, body.target), ...(secret && { secrets: [secret] }) };
  return inTransaction(db, async (tx) => {
    const owner = await lockUserForNotification(tx, user.id);
    if (owner === null) throw new ApiError('UNAUTHENTICATED');
    const others = await store.findDestinations(tx, user.id);
    if (others.length >= DESTINATIONS_MAX) throw new ApiError('TOO_MANY_DESTINATIONS');
    requireOnce(deps, owner, others, { kind, address: target.address });
    const row = { userId: user.id, kind, name, events, target, verifiedAt: null };
    const id = await store.addDestination(tx, cipher, row, now);
    if (kind === 'email') await sendDestinationLink(tx, { id, userId: user.id }, now, true);
    await record(tx, 'added', { userId: user.id, kind, name }, now);
    return { id, ...(secret && { secret }) };
  });
}

/** As it is stored. */
function addressOf({ allowedAddresses }: Deps, kind: DestinationKind, text: string): string {
  if (kind === 'email') {
    const email = z.email().max(254).safeParse(text.trim());
    if (!email.success) throw new ApiError('ADDRESS_REFUSED', 'Enter a complete email address.');
    return email.data;
  }
  const parsed = parseTarget(kind, text, allowedAddresses);
  if (!parsed.ok) throw new ApiError('ADDRESS_REFUSED', parsed.copy);
  return parsed.address;
}

interface Address {
  kind: DestinationKind;
  address: string;
}

/** The first of these that goes there. */
function channelTo(
  deps: Pick<Deps, 'cipher'>,
  all: readonly Destination[],
  { kind, address }: Address,
): Destination | undefined {
  return all.find((one) => {
    if (one.kind !== kind) return false;
    const own = targetOf(deps, one)?.address ?? null;
    return kind === 'email' ? isSameAddress(own, address) : own === address;
  });
}

/** What goes to one receiver twice would arrive twice. @param others of the user */
function requireOnce(
  deps: Pick<Deps, 'cipher'>,
  owner: User,
  others: readonly Destination[],
  to: Address,
): void {
  if (to.kind === 'email' && addressesOf(owner).some((own) => isSameAddress(own, to.address)))
    throw new ApiError('ADDRESS_REFUSED', 'You already get every email at this address.');
  const taken = channelTo(deps, others, to);
  if (taken !== undefined)
    throw new ApiError('ADDRESS_REFUSED', `Your channel “${taken.name}” already goes to this address.`);
}

/** The same for a new address of the settings. */
export async function requireNoChannel(deps: Pick<Deps, 'cipher'>, tx: Db, owner: User): Promise<void> {
  const others = await store.findDestinations(tx, owner.id);
  const { email } = owner;
  if (email !== null) requireOnce(deps, { ...owner, email: null }, others, { kind: 'email', address: email });
}

/** An address that the login brings is not taken then: the channel has it, and the login goes on. */
export async function hasChannelTo(
  deps: Pick<Deps, 'cipher'>,
  tx: Db,
  userId: string,
  email: string,
): Promise<boolean> {
  const own = await store.findDestinations(tx, userId);
  return channelTo(deps, own, { kind: 'email', address: email }) !== undefined;
}

export async function changeDestination(
  deps: Deps,
  user: User,
  { id, isOn, target: text, quietUntil, ...rest }: BodyFor<'changeDestination'> & { id: string },
): Promise<void> {
  const now = deps.clock.now();
  await withOwn(deps, user, id, async (tx, own, { owner, others }) => {
    const before = targetOf(deps, own);
    const entered = text === undefined ? undefined : addressOf(deps, own.kind, text);
    const address = entered === before?.address ? undefined : entered;
    if (address !== undefined) requireOnce(deps, owner, others, { kind: own.kind, address });
    const isRevived = entered !== undefined && own.state === 'disabled';
    const quiet = typeof quietUntil === 'string' ? Date.parse(quietUntil) : quietUntil;
    const wanted = isOn ?? (isRevived ? true : undefined);
    const state = wanted === undefined ? undefined : wanted ? 'on' : 'off';
    await store.changeDestination(tx, deps.cipher, own, {
      ...rest,
      ...(address !== undefined && { target: { ...before, address } }),
      ...(state && { state, disabledReason: null }),
      quietUntil: quiet,
    });
    if (state !== undefined && state !== own.state)
      await record(tx, state === 'on' ? 'turned_on' : 'turned_off', own, now);
    if (address !== undefined) {
      await store.forgetAttempts(tx, id, now);
      await record(tx, 'new_address', own, now);
    }
    if (state === 'off') await sent.endDeliveries(tx, id, 'You turned it off.', now);
    if ((quiet ?? 0) > now) await sent.endDeliveries(tx, id, 'You chose a quiet time.', now, SPARED_BY_QUIET);
    if (own.kind === 'email' && address !== undefined) {
      await sent.endDeliveries(tx, id, 'You changed its address.', now);
      await unconfirmDestination(tx, id);
      await sendDestinationLink(tx, own, now, true);
    }
  });
}

/** Sends a further link that confirms the address of a destination of kind 'email'. */
export async function sendLinkAgain(deps: Deps, user: User, id: string): Promise<void> {
  await withOwn(deps, user, id, async (tx, own) => {
    if (!isConfirmed(own)) await sendDestinationLink(tx, own, deps.clock.now(), false);
  });
}

export async function deleteDestination(deps: Deps, user: User, id: string): Promise<void> {
  const now = deps.clock.now();
  await withOwn(deps, user, id, async (tx, own) => {
    await store.deleteDestination(tx, id, now);
    await record(tx, 'deleted', own, now);
  });
}

/** @returns the new secret */
export async function rotateSecret(deps: Deps, user: User, id: string): Promise<string> {
  const now = deps.clock.now();
  return withOwn(deps, user, id, async (tx, own) => {
    const target = httpTarget.safeParse(store.decryptTarget(deps.cipher, own));
    if (own.kind !== 'webhook' || !target.success) throw new ApiError('NOT_FOUND');
    const secret = newWebhookSecret();
    const rotated = { ...target.data, ...withNewSecret(target.data, secret, now) };
    await store.changeDestination(tx, deps.cipher, own, { target: rotated });
    await record(tx, 'new_secret', own, now);
    return secret;
  });
}

/** Sends now, and keeps the result. @returns what the receiver answered, in words; null: it accepted the message */
export async function testDestination(deps: Deps, user: User, id: string): Promise<string | null> {
  const { db } = deps;
  const now = deps.clock.now();
  await requireMayAct(db, user, now);
  const own = await findOwn(db, user, id);
  if (!isConfirmed(own)) throw new ApiError('NOT_CONFIRMED');
  const failure = await sendTest(deps, own, now);
  await store.noteTest(db, own, failure, now);
  return failure;
}

async function sendTest(deps: Deps, own: Destination, now: Instant): Promise<string | null> {
  const { cipher, channels, publicUrl } = deps;
  const [channel, target] = [channels[own.kind], store.decryptTarget(cipher, own)];
  if (channel === undefined || target === null) return FAILED;
  const messageId = `test-${randomUUID()}`;
  const message = testMessage(publicUrl, now);
  const context = {
    ...{ id: messageId, notificationId: messageId, destinationId: own.id, writtenAt: now, now, publicUrl },
    withinMs: TEST_TIMEOUT_MS,
  };
  const parsed = channel.target.parse(target);
  const result = await channel.send(parsed, message, context);
  const ended =
    result.ok && own.kind === INCIDENT_KIND
      ? await channel.send(parsed, { ...message, ends: 'test' }, context)
      : result;
  if (ended.ok) return null;
  deps.log.info({ user: own.userId, channel: own.kind, error: ended.error }, 'a test was not accepted');
  return result.ok ? INCIDENT_LEFT : (ended.copy ?? FAILED);
}

export async function getDeliveries({ db, clock }: Deps, user: User, id: string) {
  await findOwn(db, user, id);
  const found = await sent.findDeliveries(db, id, clock.now() - days(DELIVERY_DAYS));
  const deliveries = found.map((one) => {
    const { id: deliveryId, subject: title, createdAt: at, attempts, triedAt, dueAt: nextAt, sentAt } = one;
    const state: 'sent' | 'waiting' | 'failed' =
      nextAt !== null ? 'waiting' : sentAt !== null ? 'sent' : 'failed';
    return { id: deliveryId, title, at, attempts, triedAt, nextAt, state, failure: one.lastError };
  });
  return { deliveries };
}

export async function sendDeliveryAgain(
  deps: Deps,
  user: User,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<void> {
  await requireMayAct(deps.db, user, deps.clock.now());
  await withOwn(deps, user, id, async (tx, own) => {
    if (own.state !== 'on') throw new ApiError('DESTINATION_OFF');
    if (!isConfirmed(own)) throw new ApiError('NOT_CONFIRMED');
    const message = await sent.findMessage(tx, deliveryId, id);
    if (message === null) throw new ApiError('NOT_FOUND');
    const read = storedMessage.safeParse(message);
    // Of another version: nothing tells what it would open or end.
    if (own.kind === INCIDENT_KIND && !read.success) throw new ApiError('NOT_FOUND');
    const said = own.kind === INCIDENT_KIND && read.success ? incidentSaid(read.data) : null;
    const open = said === null ? [] : await findOpenIncidents(tx, [id]);
    const isOpen = open.some(({ about, endingAt }) => about === said?.about && endingAt === null);
    if (said !== null && !maySayAgain(said, isOpen)) throw new ApiError('INCIDENT_CHANGED');
    await sent.sendAgain(tx, deliveryId, id);
  });
}

async function findOwn(db: Db, user: User, id: string): Promise<Destination> {
  return ownOf(await store.findDestinations(db, user.id), id);
}

function ownOf(all: readonly Destination[], id: string): Destination {
  const own = all.find((one) => one.id === id);
  if (own === undefined) throw new ApiError('NOT_FOUND');
  return own;
}

/** Changes of one user's destinations come one after the other. */
async function withOwn<T>(
  { db }: Deps,
  user: User,
  id: string,
  change: (tx: Db, own: Destination, more: { owner: User; others: Destination[] }) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const owner = (await lockUserForNotification(tx, user.id)) ?? user;
    const all = await store.findDestinations(tx, user.id);
    return change(tx, ownOf(all, id), { owner, others: all.filter((one) => one.id !== id) });
  });
}

async function record(
  tx: Db,
  what: DestinationChange | 'added' | 'deleted',
  { userId, kind, name }: Pick<Destination, 'userId' | 'kind' | 'name'>,
  now: Instant,
): Promise<void> {
  const of = { kind, destination: name };
  const happened =
    what === 'added' || what === 'deleted'
      ? ({ event: `destination_${what}`, facts: of } as const)
      : ({ event: 'destination_changed', facts: { ...of, what } } as const);
  await recordActivities(tx, [{ userId, actor: 'user', ...happened }], now);
}
