import * as z from 'zod/mini';
import { DESTINATION_EVENTS } from '#core/destination-events.ts';
import { DESTINATION_KINDS, DESTINATION_STATES } from '#core/destinations.ts';
import { callsFor } from './endpoint.ts';
import { orNull } from './known.ts';
import { done, instant } from './shapes.ts';

const { get, post } = callsFor('user');

const failure = z.nullable(z.string());

const destination = z.object({
  id: z.string(),
  kind: orNull(z.enum(DESTINATION_KINDS)),
  name: z.string(),
  /** Where it is, without secrets: a host, or an email address. Null: it can't be read. */
  hint: z.nullable(z.string()),
  events: z.array(z.string()),
  state: orNull(z.enum(DESTINATION_STATES)),
  /** Why SmartPause disabled it; null: it did not. */
  disabledReason: failure,
  quietUntil: z.nullable(instant),
  /** Its owner has confirmed it, or need not. */
  isConfirmed: z.boolean(),
  /** It has accepted a delivery or a test since it has its address. */
  hasDelivered: z._default(z.boolean(), true),
  /** It has opened an incident that is not ended. */
  hasIncident: z._default(z.boolean(), false),
  /** Null: nothing was sent yet. `nextAt`: of the next attempt of a delivery. */
  last: z.nullable(
    z.object({ at: instant, failure, nextAt: z.nullable(instant), isTest: z.optional(z.literal(true)) }),
  ),
});
export type Destination = z.output<typeof destination>;

export const DELIVERY_STATES = ['sent', 'failed', 'waiting'] as const;
const delivery = z.object({
  id: z.string(),
  title: z.string(),
  at: instant,
  state: orNull(z.enum(DELIVERY_STATES)),
  attempts: z.number(),
  /** Of the last attempt; null: there was none. */
  triedAt: z.nullable(instant),
  nextAt: z.nullable(instant),
  /** The last answer; null: it was accepted, or there was none. */
  failure,
});
export type Delivery = z.output<typeof delivery>;

export const destinationName = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(60), z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'one line'));
const events = z.array(z.enum(DESTINATION_EVENTS)).check(z.minLength(1), z.maxLength(20));
/** What the user enters: a URL, for PagerDuty also a key, for email an address. */
const target = z.string().check(z.minLength(1), z.maxLength(2100));

const id = z.string().check(z.regex(/^\d{1,18}$/, 'an id'));
const params = z.object({ id });

/** Where notifications go besides the user's own address. A part of its own, which only its page loads. */
export const destinationApi = {
  destinations: get('/api/destinations', { reply: z.object({ destinations: z.array(destination) }) }),
  addDestination: post('/api/destinations', {
    body: z.object({ kind: z.enum(DESTINATION_KINDS), name: destinationName, target, events }),
    /** The secret of a webhook is in no other reply. */
    reply: z.extend(done, { id: z.string(), secret: z.optional(z.string()) }),
  }),
  /** What is absent stays. Another target, or `isOn`, also ends that SmartPause has disabled it. */
  changeDestination: post('/api/destinations/{id}', {
    params,
    body: z.object({
      ...{ name: z.optional(destinationName), target: z.optional(target), events: z.optional(events) },
      isOn: z.optional(z.boolean()),
      quietUntil: z.optional(z.nullable(z.iso.datetime())),
    }),
    reply: done,
  }),
  deleteDestination: post('/api/destinations/{id}/delete', { params, reply: done }),
  /** Sends a further link that confirms an address. */
  sendDestinationLink: post('/api/destinations/{id}/email-link', { params, reply: done }),
  /** Sends a message now. `failure`: what the receiver answered; null: it accepted it. */
  testDestination: post('/api/destinations/{id}/test', { params, reply: z.extend(done, { failure }) }),
  /** A new secret for a webhook; the older one also signs for 24 hours. */
  rotateSecret: post('/api/destinations/{id}/rotate-secret', {
    params,
    reply: z.extend(done, { secret: z.string() }),
  }),
  /** Of 30 days, newest first. */
  deliveries: get('/api/destinations/{id}/deliveries', {
    params,
    reply: z.object({ deliveries: z.array(delivery) }),
  }),
  /** With the same id as before. */
  sendDeliveryAgain: post('/api/destinations/{id}/deliveries/{deliveryId}/send-again', {
    params: z.object({ id, deliveryId: id }),
    reply: done,
  }),
};
