import { z } from 'zod';
import type { ControlPage } from '../kit/page.ts';
import type { ControlRoute } from '../kit/simulator.ts';
import { ask, clockBody, order, required } from '../kit/simulator.ts';
import { DAY } from './account.ts';
import { ENDED, itemOf, subscribe } from './billing.ts';
import type { Subscription } from './objects.ts';
import { day, priceText } from './pages.ts';
import { createEndpoint } from './routes.ts';
import type { StripeWorld } from './world.ts';

const subscriptionBody = z.strictObject({
  customer: z.string(),
  price: z.string(),
  /** Null: no card; then it needs a trial. */
  card: z.enum(['good', 'fails_at_renewal', 'needs_confirmation']).nullable().default('good'),
  trialDays: z.number().int().positive().optional(),
  missingPaymentMethod: z.enum(['cancel', 'create_invoice']).default('cancel'),
});
/** Any text: also a status that Stripe does not have yet. */
const changeBody = z.strictObject({ status: z.string().min(1) });
const endpointBody = z.strictObject({ url: z.url(), secret: z.string().min(1) });
const releaseBody = z.strictObject({ order: z.enum(['oldest_first', 'newest_first']) });

/** The control API of Stripe. What sends webhooks ends when they are answered. */
export function controls(world: StripeWorld): ControlRoute[] {
  const settled = (): Promise<void> => world.deliveries.settle();
  const moveTo = (offsetMs: number): Promise<void> => {
    world.account.offsetMs = offsetMs;
    world.catchUp();
    return settled();
  };
  return [
    order('/reset', z.strictObject({ empty: z.boolean().default(false) }), (given) => {
      world.faults.drop();
      world.reset(given);
    }),
    order('/clock', clockBody, ({ offsetMs }) => moveTo(offsetMs)),
    order('/advance', z.strictObject({ ms: z.number() }), ({ ms }) => moveTo(world.account.offsetMs + ms)),
    order('/payment-methods', z.strictObject({ cards: z.boolean() }), ({ cards }) => {
      world.account.takesCards = cards;
    }),
    ask('GET', '/state', () => ({ subscriptions: [...world.account.subscriptions.values()] })),
    ask('GET', '/calls', () => ({ calls: world.api.calls })),
    ask('GET', '/events', () => ({ events: [...world.account.events.values()] })),
    order('/subscriptions', subscriptionBody, ({ customer, card, price: priceId, ...terms }) => {
      const price = required(world.account.prices, 'price', priceId);
      const purchase = { price, metadata: {}, ...terms, trialDays: terms.trialDays };
      return subscribe(world.account, { customer, card, purchase });
    }),
    order('/subscriptions/:id', changeBody, ({ status }, id) => {
      const subscription = required(world.account.subscriptions, 'subscription', id);
      const ended_at = ENDED.includes(status) ? world.account.now() : null;
      const fields = { status, ended_at } as Partial<Subscription>;
      world.account.change('customer.subscription.updated', subscription, fields);
    }),
    ask('GET', '/webhooks', () => ({ deliveries: world.deliveries.list() })),
    order('/webhooks/endpoints', endpointBody, (given) => {
      const { endpoints } = world.account;
      for (const { id, url } of endpoints.values()) if (url === given.url) endpoints.delete(id);
      createEndpoint(world.account, { ...given, enabled_events: ['*'] });
    }),
    ask('POST', '/webhooks/hold', () => world.deliveries.hold()),
    order('/webhooks/release', releaseBody, (body) => {
      world.deliveries.release(body.order);
      return settled();
    }),
    ask('POST', '/webhooks/discard', () => world.deliveries.discard()),
    ask('POST', '/webhooks/retry', () => {
      world.deliveries.retry();
      return settled();
    }),
    ask('POST', '/webhooks/settle', settled),
    ask('POST', '/events/:id/deliver', (id) => {
      world.deliveries.deliver(required(world.account.events, 'event', id));
      return settled();
    }),
  ];
}

/** The clock, the subscriptions, and what can go wrong. */
export function stripeControlPage({ account }: StripeWorld): ControlPage {
  const step = (label: string, days: number) => ({
    texts: [label],
    buttons: [[`${label} later`, '/_sim/advance', { ms: days * DAY * 1000 }] as [string, string, object]],
  });
  const subscriptions = [...account.subscriptions.values()].map((one) => {
    const { price, current_period_end: end } = itemOf(one);
    const email = account.customers.get(one.customer)?.email ?? one.customer;
    return { texts: [email, `${priceText(price)}, until ${day(end)}`, one.status] };
  });
  return {
    title: 'Stripe',
    note: 'Checkout and the billing portal open from SmartPause. A card that fails later makes the next renewal fail.',
    sections: [
      {
        heading: `Stripe’s clock: ${day(account.now())}`,
        rows: [step('A day', 1), step('A week', 7), step('A month', 31)],
      },
      { heading: 'Subscriptions', rows: subscriptions },
    ],
    faults: [
      ['Answer every call with an error, until removed', { kind: 'error', times: 0 }],
      ['Lose one webhook', { kind: 'webhook_drop' }],
    ],
  };
}
