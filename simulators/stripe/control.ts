import { z } from 'zod';
import { pattern } from '../kit/faults.ts';
import type { ControlRoute } from '../kit/simulator.ts';
import { ControlError, ask, clockOffset, order } from '../kit/simulator.ts';
import { CARDS } from './account.ts';
import { subscribe } from './billing/subscribe.ts';
import { change } from './events.ts';
import type { Subscription } from './objects.ts';
import { attachCard } from './resources/payment-methods.ts';
import { createEndpoint } from './resources/webhook-endpoints.ts';
import type { StripeWorld } from './world.ts';

const settingsBody = z.strictObject({
  afterRetries: z.enum(['unpaid', 'cancel', 'past_due']).optional(),
  retryDays: z.array(z.number().positive()).optional(),
  invoiceDelaySeconds: z.number().min(0).optional(),
  checkoutWaitMs: z.number().min(0).optional(),
});
const subscriptionBody = z.strictObject({
  customer: z.string(),
  price: z.string(),
  card: z.enum(CARDS).nullable().default('good'),
  trialDays: z.number().int().positive().optional(),
  missingPaymentMethod: z.enum(['cancel', 'create_invoice', 'pause']).default('cancel'),
});
/** Any text: also a status that Stripe will only invent one day. */
const changeBody = z.strictObject({ status: z.string().min(1), announce: z.boolean().default(true) });
const endpointBody = z.strictObject({
  url: z.url(),
  secret: z.string().min(1),
  events: z.array(z.string()).default(['*']),
});
const releaseBody = z.strictObject({
  order: z.enum(['oldest_first', 'newest_first']).default('oldest_first'),
});

/** A webhook that nobody answers must not keep whoever moves the clock waiting for ever. */
const PATIENCE_MS = 10_000;

/** The control door of Stripe. */
export function controls(world: StripeWorld, reset: (empty: boolean) => void): ControlRoute[] {
  const moveTo = async (offsetMs: number): Promise<object> => {
    world.account.clock.offsetMs = offsetMs;
    world.catchUp();
    await world.deliveries.settle(PATIENCE_MS);
    return { offsetMs, now: world.account.now() };
  };
  return [
    order('/reset', z.strictObject({ empty: z.boolean().default(false) }), ({ empty }) => reset(empty)),
    order('/clock', z.strictObject({ offsetMs: clockOffset }), ({ offsetMs }) => moveTo(offsetMs)),
    order('/advance', z.strictObject({ ms: clockOffset }), ({ ms }) =>
      moveTo(world.account.clock.offsetMs + ms),
    ),
    order('/settings', settingsBody, (given) => {
      const known = Object.entries(given).filter(([, value]) => value !== undefined);
      return Object.assign(world.account.settings, Object.fromEntries(known));
    }),
    ask('GET', '/state', () => state(world)),
    ask('GET', '/calls', () => ({ calls: world.log.calls() })),
    ask('DELETE', '/calls', () => world.log.clear()),
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
      const event = world.account.events.get(id);
      if (event === undefined) throw new ControlError(`there is no event ${id}`, 404);
      deliveries.deliver(event);
      await deliveries.settle(PATIENCE_MS);
    }),
    ask('GET', '/webhooks', () => ({ deliveries: deliveries.list() })),
    order('/webhooks/endpoints', endpointBody, ({ url, secret, events }) => {
      const { account } = world;
      const known = [...account.wiredEndpoints].find((id) => account.webhookEndpoints.get(id)?.url === url);
      if (known !== undefined) account.webhookEndpoints.delete(known);
      const endpoint = createEndpoint(account, { url, enabled_events: events }, secret);
      account.wiredEndpoints.add(endpoint.id);
      return endpoint;
    }),
    order('/webhooks/hold', z.strictObject({ types: pattern.default('.') }), ({ types }) =>
      deliveries.hold(new RegExp(types)),
    ),
    order('/webhooks/release', releaseBody, async (body) => {
      const released = deliveries.release(body.order);
      await deliveries.settle(PATIENCE_MS);
      return { released };
    }),
    ask('POST', '/webhooks/discard', () => ({ discarded: deliveries.discard() })),
    ask('POST', '/webhooks/retry', async () => {
      const retried = deliveries.retry();
      await deliveries.settle(PATIENCE_MS);
      return { retried };
    }),
    ask('POST', '/webhooks/settle', () => deliveries.settle(PATIENCE_MS)),
  ];
}

/** A subscription as Checkout would have made it. */
function plantSubscription({ account }: StripeWorld, body: z.infer<typeof subscriptionBody>): Subscription {
  const price = account.prices.get(body.price);
  if (price === undefined) throw new ControlError(`there is no price ${body.price}`, 404);
  if (!account.customers.has(body.customer))
    throw new ControlError(`there is no customer ${body.customer}`, 404);
  return subscribe(account, {
    customer: body.customer,
    price,
    quantity: 1,
    paymentMethod: body.card === null ? null : attachCard(account, body.customer, body.card).id,
    data: {
      trial_period_days: body.trialDays,
      metadata: {},
      description: null,
      missingPaymentMethod: body.missingPaymentMethod,
    },
    by: 'person',
  });
}

function changeSubscription(
  { account }: StripeWorld,
  id: string,
  { status, announce }: z.infer<typeof changeBody>,
): Subscription {
  const subscription = account.subscriptions.get(id);
  if (subscription === undefined) throw new ControlError(`there is no subscription ${id}`, 404);
  const isOver = status === 'canceled' || status === 'incomplete_expired';
  const ended_at = isOver ? (subscription.ended_at ?? account.now()) : null;
  const fields = { status, ended_at } as Partial<Subscription>;
  if (announce) change(account, 'customer.subscription.updated', subscription, fields);
  else Object.assign(subscription, fields);
  return subscription;
}

function state({ account, faults }: StripeWorld): object {
  return {
    now: account.now(),
    clockOffsetMs: account.clock.offsetMs,
    settings: account.settings,
    products: [...account.products.values()],
    prices: [...account.prices.values()],
    customers: [...account.customers.values()],
    subscriptions: [...account.subscriptions.values()],
    invoices: [...account.invoices.values()],
    checkoutSessions: [...account.checkoutSessions.values()],
    webhookEndpoints: [...account.webhookEndpoints.values()],
    faults: faults.list(),
  };
}
