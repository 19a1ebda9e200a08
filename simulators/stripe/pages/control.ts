import type { ControlPage } from '../../kit/page.ts';
import { controlButton, escapeHtml, table } from '../../kit/page.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { DAY } from '../clock.ts';
import type { StripeWorld } from '../world.ts';
import { day, priceText } from './frame.ts';

const STEPS: [label: string, days: number][] = [
  ['A day on', 1],
  ['A week on', 7],
  ['A month on', 31],
];

/** The clock, the subscriptions, and what can go wrong. */
export function clockAndSubscriptions({ account }: StripeWorld): ControlPage {
  const steps = STEPS.map(([label, days]) =>
    controlButton(label, '/_sim/advance', { ms: days * DAY * 1000 }),
  );
  const rows = [...account.subscriptions.values()].map((subscription) => {
    const email = account.customers.get(subscription.customer)?.email ?? subscription.customer;
    const end = day(itemOf(subscription).current_period_end);
    return [
      escapeHtml(email),
      `${escapeHtml(priceText(priceOf(subscription)))}, until ${end}`,
      `<span class="word">${escapeHtml(subscription.status)}</span>`,
    ];
  });
  return {
    title: 'Stripe',
    note: 'Checkout and the billing portal open from SmartPause. A card that fails later makes the next renewal fail.',
    sections: [
      [`Stripe’s clock: ${day(account.now())}`, steps.join('')],
      ['Subscriptions', rows.length === 0 ? '<p>None yet.</p>' : table(rows)],
    ],
    faults: [
      ['Answer every call with an error, until removed', { kind: 'error', times: 0 }],
      ['Lose one webhook', { kind: 'webhook_drop' }],
    ],
  };
}
