import { controlButton, escapeHtml, framePage } from '../../kit/page.ts';
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

/** A page for people: the clock, who pays for what, what was sent to the product, faults. */
export function controlPage(world: StripeWorld): string {
  const { account, faults, deliveries } = world;
  const steps = STEPS.map(([label, seconds]) =>
    controlButton(label, '/_sim/advance', { ms: seconds * 1000 }),
  );
  const ordered = faults.list().map(({ id, kind, match, hits, times }) => {
    const text = `${kind} ${JSON.stringify(match)}: ${hits} of ${times === 0 ? 'any' : times}`;
    return `<li><code>${escapeHtml(text)}</code> <button data-delete="/_sim/faults/${id}">Remove</button></li>`;
  });
  const subscriptions = [...account.subscriptions.values()].reverse().slice(0, SHOWN);
  return framePage(
    'Simulated Stripe',
    `<h1>Stripe, simulated</h1><p class="note">No money moves. Checkout and the portal are reached from the product.</p>
     <h2>Clock: ${escapeHtml(new Date(account.clock.nowMs()).toISOString().slice(0, 16).replace('T', ' '))} UTC</h2>${steps.join('')}
     ${controlButton('Back to now', '/_sim/clock', { offsetMs: 0 })}
     <h2>Subscriptions</h2>${subscriptions.length === 0 ? '<p>None yet.</p>' : table(subscriptions.map((one) => subscriptionRow(world, one)))}
     <h2>Webhooks</h2>${controlButton('Hold them', '/_sim/webhooks/hold')}${controlButton('Release', '/_sim/webhooks/release')}
     ${controlButton('Release, newest first', '/_sim/webhooks/release', { order: 'newest_first' })}${controlButton('Discard', '/_sim/webhooks/discard')}
     ${controlButton('Try again what failed', '/_sim/webhooks/retry')}
     ${table(deliveries.list().slice(-SHOWN).toReversed().map(deliveryRow))}
     <h2>Faults</h2>${FAULTS.map(([label, body]) => controlButton(label, '/_sim/faults', body)).join('')}
     <button data-delete="/_sim/faults">Remove all</button><ul>${ordered.join('')}</ul>
     <h2>Start over</h2>${controlButton('Back to the seed', '/_sim/reset')}${controlButton('An empty account', '/_sim/reset', { empty: true })}`,
  );
}

function table(rows: string[]): string {
  return `<div class="table"><table>${rows.join('')}</table></div>`;
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
