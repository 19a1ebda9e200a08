import { controlButton, escapeHtml, faultSection, framePage, table } from '../../kit/page.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { DAY, HOUR } from '../clock.ts';
import type { Subscription } from '../objects.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import type { StripeWorld } from '../world.ts';
import { day, priceText } from './frame.ts';

const SHOWN = 40;
const STEPS: [label: string, seconds: number][] = [
  ['An hour on', HOUR],
  ['A day on', DAY],
  ['A week on', 7 * DAY],
  ['31 days on', 31 * DAY],
];
const FAULTS: [label: string, body: object][] = [
  ['API down (500), until removed', { kind: 'error', times: 0 }],
  ['Too many requests (429), 5 times', { kind: 'error', http: 429, times: 5 }],
  ['Done, but the connection cut, once', { kind: 'reset_after', method: 'POST' }],
  ['Webhook lost, once', { kind: 'webhook_drop' }],
  ['Webhook twice, once', { kind: 'webhook_twice' }],
];
const STATUSES = ['active', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled'];

/** Control page: the clock, subscriptions, webhooks and faults. */
export function controlPage(world: StripeWorld): string {
  const { account, faults, deliveries } = world;
  const steps = STEPS.map(([label, seconds]) =>
    controlButton(label, '/_sim/advance', { ms: seconds * 1000 }),
  );
  const subscriptions = [...account.subscriptions.values()].reverse().slice(0, SHOWN);
  return framePage(
    'Simulated Stripe',
    `<h1>Stripe, simulated</h1><p class="note">No money moves. Open Checkout and the portal from SmartPause.</p>
     <h2>Clock: ${escapeHtml(new Date(account.clock.nowMs()).toISOString().slice(0, 16).replace('T', ' '))} UTC</h2>${steps.join('')}
     ${controlButton('Back to now', '/_sim/clock', { offsetMs: 0 })}
     <h2>Subscriptions</h2>${subscriptions.length === 0 ? '<p>None yet.</p>' : table(subscriptions.map((one) => subscriptionRow(world, one)))}
     <h2>Webhooks</h2>${controlButton('Hold them', '/_sim/webhooks/hold')}${controlButton('Release', '/_sim/webhooks/release')}
     ${controlButton('Release, newest first', '/_sim/webhooks/release', { order: 'newest_first' })}${controlButton('Discard', '/_sim/webhooks/discard')}
     ${controlButton('Try again what failed', '/_sim/webhooks/retry')}
     ${table(deliveries.list().slice(-SHOWN).toReversed().map(deliveryRow))}
     ${faultSection(FAULTS, faults)}
     <h2>Start over</h2>${controlButton('Back to the seed', '/_sim/reset')}${controlButton('An empty account', '/_sim/reset', { empty: true })}`,
  );
}

function subscriptionRow({ account }: StripeWorld, subscription: Subscription): string {
  const email = account.customers.get(subscription.customer)?.email ?? subscription.customer;
  const item = itemOf(subscription);
  const buttons = STATUSES.filter((status) => status !== subscription.status).map((status) =>
    controlButton(status, `/_sim/subscriptions/${subscription.id}`, { status }, `${status}: ${email}`),
  );
  return `<tr><td>${escapeHtml(email)}<br><code>${subscription.id}</code></td>
    <td>${escapeHtml(priceText(priceOf(subscription)))}<br>until ${day(item.current_period_end)}</td>
    <td class="word">${escapeHtml(subscription.status)}</td><td>${buttons.join('')}</td></tr>`;
}

function deliveryRow({ type, url, state, event, attempts }: Delivery): string {
  const answers = attempts.map(({ status }) => status ?? 'no answer').join(', ');
  const again = controlButton('Deliver again', `/_sim/events/${event}/deliver`, {}, `Deliver again: ${type}`);
  return `<tr><td>${escapeHtml(type)}<br><code>${escapeHtml(url)}</code></td><td class="word">${state}</td><td>${answers}</td><td>${again}</td></tr>`;
}
