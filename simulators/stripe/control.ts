import { z } from 'zod';
import type { ControlRoute } from '../kit/simulator.ts';
import { ask, clockOffset, order, required } from '../kit/simulator.ts';
import { CARDS } from './account.ts';
import { ENDED } from './billing/end.ts';
import { addCard } from './billing/payments.ts';
import { subscribe } from './billing/subscribe.ts';
import { change } from './events.ts';
import type { Subscription } from './objects.ts';
import { createEndpoint } from './resources/webhook-endpoints.ts';
import type { StripeWorld } from './world.ts';

const settingsBody = z.strictObject({ afterRetries: z.enum(['unpaid', 'cancel']) });
const subscriptionBody = z
  .strictObject({
    customer: z.string(),
    price: z.string(),
    card: z.enum(CARDS).exclude(['declined']).nullable().default('good'),
    trialDays: z.number().int().positive().optional(),
    missingPaymentMethod: z.enum(['cancel', 'create_invoice']).default('cancel'),
  })
  .refine(
    ({ card, trialDays }) => card !== null || trialDays !== undefined,
    'without a card it needs a trial',
  );
/** Any text: also a status that Stripe does not have yet. */
const changeBody = z.strictObject({ status: z.string().min(1) });
const endpointBody = z.strictObject({
  url: z.url(),
  secret: z.string().min(1),
  events: z.array(z.string()).default(['*']),
});
const releaseBody = z.strictObject({
  order: z.enum(['oldest_first', 'newest_first']).default('oldest_first'),
});

/** Maximum wait for webhooks. */
const WAIT_MS = 10_000;

export function controls(world: StripeWorld, reset: (empty: boolean) => void): ControlRoute[] {
  const moveTo = async (offsetMs: number): Promise<object> => {
    world.account.clock.offsetMs = offsetMs;
    world.catchUp();
    await world.deliveries.settle(WAIT_MS);
    return { offsetMs, now: world.account.now() };
  };
  return [
    order('/reset', z.strictObject({ empty: z.boolean().default(false) }), ({ empty }) => reset(empty)),
    order('/clock', z.strictObject({ offsetMs: clockOffset }), ({ offsetMs }) => moveTo(offsetMs)),
    order('/advance', z.strictObject({ ms: clockOffset }), ({ ms }) =>
      moveTo(world.account.clock.offsetMs + ms),
    ),
    order('/settings', settingsBody, (given) => Object.assign(world.account.settings, given)),
    ask('GET', '/state', () => state(world)),
    ask('GET', '/calls', () => ({ calls: world.calls })),
    order('/subscriptions', subscriptionBody, (body) => plantSubscription(world, body)),
    order('/subscriptions/:id', changeBody, (body, id) => changeSubscription(world, id, body)),
    ...webhookControls(world),
  ];
}

function webhookControls(world: StripeWorld): ControlRoute[] {
  const { deliveries } = world;
  return [
    ask('GET', '/events', () => ({ events: [...world.account.events.values()] })),
    ask('POST', '/events/:id/deliver', async (id) => {
      deliveries.deliver(required(world.account.events, 'event', id));
      await deliveries.settle(WAIT_MS);
    }),
    ask('GET', '/webhooks', () => ({ deliveries: deliveries.list() })),
    order('/webhooks/endpoints', endpointBody, ({ url, secret, events }) => {
      const { account } = world;
      for (const [id, { endpoint, isFromControl }] of account.webhooks)
        if (isFromControl && endpoint.url === url) account.webhooks.delete(id);
      return createEndpoint(account, { url, enabled_events: events }, secret, true);
    }),
    ask('POST', '/webhooks/hold', () => deliveries.hold()),
    order('/webhooks/release', releaseBody, async (body) => {
      const released = deliveries.release(body.order);
      await deliveries.settle(WAIT_MS);
      return { released };
    }),
    ask('POST', '/webhooks/discard', () => ({ discarded: deliveries.discard() })),
    ask('POST', '/webhooks/retry', () => {
      deliveries.retry();
      return deliveries.settle(WAIT_MS);
    }),
    ask('POST', '/webhooks/settle', () => deliveries.settle(WAIT_MS)),
  ];
}

/** A subscription as Checkout creates it. */
function plantSubscription({ account }: StripeWorld, body: z.infer<typeof subscriptionBody>): Subscription {
  return subscribe(account, {
    customer: required(account.customers, 'customer', body.customer).id,
    price: required(account.prices, 'price', body.price),
    paymentMethod: body.card === null ? null : addCard(account, body.card),
    purchase: {
      trialDays: body.trialDays,
      metadata: {},
      missingPaymentMethod: body.missingPaymentMethod,
    },
  });
}

function changeSubscription(
  { account }: StripeWorld,
  id: string,
  { status }: z.infer<typeof changeBody>,
): Subscription {
  const subscription = required(account.subscriptions, 'subscription', id);
  const ended_at = ENDED.includes(status) ? (subscription.ended_at ?? account.now()) : null;
  const fields = { status, ended_at } as Partial<Subscription>;
  change(account, 'customer.subscription.updated', subscription, fields);
  return subscription;
}

function state({ account }: StripeWorld): object {
  return {
    customers: [...account.customers.values()],
    subscriptions: [...account.subscriptions.values()],
  };
}
