import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import type { Area, Visit } from '../state.ts';
import { seenBy } from '../state.ts';

const NEWCOMER = { plan: null, setup: null } as const;

async function startsCheckout({ opens, presses, world }: Visit): Promise<void> {
  await opens('/payment', await world.advertiser(NEWCOMER));
  await presses('Get Started - Monthly');
}

export const pricing: Area = {
  name: 'pricing',
  states: [
    { name: 'visitor-monthly', reach: ({ opens }) => opens('/payment') },
    { name: 'visitor-yearly', reach: ({ opens }) => opens('/payment?cycle=yearly') },
    {
      name: 'modal-connect',
      reach: async ({ opens, page }) => {
        await opens('/payment?modal=open');
        await page.getByRole('dialog').waitFor();
      },
    },
    seenBy('modal-pay', '/payment?modal=open&cycle=yearly', 'Connected as Nora Lind', NEWCOMER),
    {
      name: 'modal-processing',
      reach: async ({ opens, presses, holdsBack, sees, world }) => {
        await holdsBack('**/api/stripe/create-checkout-session');
        await opens('/payment?modal=open', await world.advertiser(NEWCOMER));
        await presses('Continue to Payment');
        await sees('Processing...');
      },
    },
    {
      name: 'modal-refused',
      reach: async ({ opens, presses, world, page }) => {
        await world.product.stripe.fault({ kind: 'error', path: 'checkout', times: 0 });
        await opens('/payment?modal=open', await world.advertiser(NEWCOMER));
        await presses('Continue to Payment');
        await page.getByRole('dialog').getByRole('alert').waitFor();
      },
    },
    seenBy('none', '/', 'Get Started - Monthly', NEWCOMER),
    {
      name: 'loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/stripe/subscription');
        await opens('/payment', await world.advertiser(NEWCOMER));
        await page.locator('button[data-loading]').waitFor();
      },
    },
    {
      name: 'processing',
      reach: async (visit) => {
        await visit.holdsBack('**/api/stripe/create-checkout-session');
        await startsCheckout(visit);
        await visit.sees('Processing...');
      },
    },
    {
      name: 'refused',
      reach: async (visit) => {
        await visit.breaks('**/api/stripe/create-checkout-session', 503);
        await startsCheckout(visit);
        await visit.page.getByRole('main').getByRole('alert').waitFor();
      },
    },
    {
      name: 'subscription-unknown',
      reach: async ({ opens, breaks, page, world }) => {
        await breaks('**/api/stripe/subscription', 400);
        await opens('/payment', await world.advertiser(NEWCOMER));
        await page.getByRole('main').getByRole('alert').waitFor();
      },
    },
    seenBy('on-trial', '/payment', 'Already Subscribed'),
    seenBy('other-plan', '/payment?cycle=monthly', 'Already Subscribed', { plan: 'yearly' }),
    seenBy('active', '/payment', 'Your plan', { plan: 'yearly', status: 'active' }),
    seenBy('past-due', '/payment', 'Your payment didn’t go through', { plan: 'yearly', status: 'past_due' }),
    seenBy('unpaid', '/payment', 'Your payment didn’t go through', { plan: 'yearly', status: 'unpaid' }),
    seenBy('paused', '/payment', 'You already have a subscription', { plan: 'yearly', status: 'paused' }),
    {
      name: 'subscription-over',
      reach: async ({ opens, sees, world }) => {
        await world.product.stripe.setClock(-40 * DAY_MS);
        const nora = await world.advertiser({ setup: null });
        await nora.cancels();
        await opens('/payment', nora);
        await sees('Get Started - Monthly');
      },
    },
    {
      name: 'granted',
      reach: async ({ opens, sees, world }) => {
        await world.boss.over.post('/api/admin/grant-subscription');
        await opens('/payment', world.boss);
        await sees('SmartPause is free for you');
      },
    },
  ],
};
