import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import type { Area, State, Visit } from '../state.ts';

const NEWCOMER = { plan: null, setup: null } as const;

/** Somebody whose subscription has this status at the payment provider. */
function withStatus(status: string, words: string): State {
  return {
    name: status.replace('_', '-'),
    reach: async ({ opens, sees, world }) => {
      const nora = await world.somebody({ plan: 'yearly' });
      await nora.subscriptionBecomes(status);
      await opens('/payment', nora);
      await sees(words);
    },
  };
}

async function startsCheckout({ opens, presses, world }: Visit): Promise<void> {
  await opens('/payment', await world.somebody(NEWCOMER));
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
    {
      name: 'modal-pay',
      reach: async ({ opens, sees, world }) => {
        await opens('/payment?modal=open&cycle=yearly', await world.somebody(NEWCOMER));
        await sees('Connected as Nora Lind');
      },
    },
    {
      name: 'modal-processing',
      reach: async ({ opens, presses, holdsBack, sees, world }) => {
        await holdsBack('**/api/stripe/create-checkout-session');
        await opens('/payment?modal=open', await world.somebody(NEWCOMER));
        await presses('Continue to Payment');
        await sees('Processing...');
      },
    },
    {
      name: 'modal-refused',
      reach: async ({ opens, presses, world, page }) => {
        await world.product.stripe.fault({ kind: 'error', path: 'checkout', times: 0 });
        await opens('/payment?modal=open', await world.somebody(NEWCOMER));
        await presses('Continue to Payment');
        await page.getByRole('dialog').getByRole('alert').waitFor();
      },
    },
    {
      name: 'none',
      reach: async ({ opens, sees, world }) => {
        await opens('/', await world.somebody(NEWCOMER));
        await sees('Get Started - Monthly');
      },
    },
    {
      name: 'loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/stripe/subscription');
        await opens('/payment', await world.somebody(NEWCOMER));
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
        await opens('/payment', await world.somebody(NEWCOMER));
        await page.getByRole('main').getByRole('alert').waitFor();
      },
    },
    {
      name: 'on-trial',
      reach: async ({ opens, sees, world }) => {
        await opens('/payment', await world.somebody());
        await sees('Already Subscribed');
      },
    },
    {
      name: 'other-plan',
      reach: async ({ opens, sees, world }) => {
        await opens('/payment?cycle=monthly', await world.somebody({ plan: 'yearly' }));
        await sees('Already Subscribed');
      },
    },
    withStatus('active', 'Your plan'),
    withStatus('past_due', 'Your payment did not go through'),
    withStatus('unpaid', 'Your payment did not go through'),
    withStatus('paused', 'You already have a subscription'),
    {
      name: 'subscription-over',
      reach: async ({ opens, sees, world }) => {
        await world.product.stripe.setClock(-40 * DAY_MS);
        const nora = await world.somebody({ setup: null });
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
        await sees('SmartPause is yours, free of charge');
      },
    },
  ],
};
