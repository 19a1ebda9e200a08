import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import type { Area, State, Visit } from '../state.ts';
import { opensSettings } from './settings.ts';

/** Without a setup, so the pictures show only the billing. */
const BARE = { setup: null } as const;

async function sees({ page }: Visit, words: string | RegExp): Promise<void> {
  await page.getByRole('region', { name: 'Billing & Subscription' }).getByText(words).first().waitFor();
}

function withStatus(status: string, badge: string): State {
  return {
    name: status.replace('_', '-'),
    reach: async (visit) => {
      const nora = await visit.world.advertiser(BARE);
      await nora.subscriptionBecomes(status);
      await opensSettings(visit, nora);
      await sees(visit, badge);
    },
  };
}

export const billing: Area = {
  name: 'billing',
  states: [
    {
      name: 'none',
      reach: async (visit) => opensSettings(visit, await visit.world.advertiser({ ...BARE, plan: null })),
    },
    {
      name: 'on-trial',
      reach: async (visit) => {
        await opensSettings(visit, await visit.world.advertiser({ ...BARE, plan: 'yearly' }));
        await sees(visit, 'Trial');
      },
    },
    {
      name: 'trial-ends-soon',
      reach: async (visit) => {
        await visit.world.product.stripe.setClock(-28 * DAY_MS);
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await sees(visit, 'Your trial ends soon');
      },
    },
    withStatus('active', 'Active'),
    withStatus('past_due', 'Past Due'),
    withStatus('unpaid', 'Unpaid'),
    withStatus('paused', 'Unknown'),
    {
      name: 'past-due-cancelled',
      reach: async (visit) => {
        const nora = await visit.world.advertiser(BARE);
        await nora.subscriptionBecomes('past_due');
        await nora.cancels();
        await opensSettings(visit, nora);
        await sees(visit, /^Ends on/);
      },
    },
    {
      name: 'cancelled',
      reach: async (visit) => {
        const nora = await visit.world.advertiser(BARE);
        await nora.cancels();
        await opensSettings(visit, nora);
        await sees(visit, 'Canceled');
      },
    },
    {
      name: 'over',
      reach: async (visit) => {
        await visit.world.product.stripe.setClock(-40 * DAY_MS);
        const nora = await visit.world.advertiser(BARE);
        await nora.cancels();
        await opensSettings(visit, nora);
        await sees(visit, 'Subscribe again');
      },
    },
    {
      name: 'renewal-not-confirmed',
      reach: async (visit) => {
        await visit.world.product.stripe.setClock(-40 * DAY_MS);
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await sees(visit, 'Unknown');
      },
    },
    {
      name: 'granted',
      reach: async (visit) => {
        await visit.world.boss.over.post('/api/admin/grant-subscription');
        await opensSettings(visit, visit.world.boss);
        await sees(visit, /granted/);
      },
    },
    {
      name: 'cannot-be-read',
      reach: async (visit) => {
        await visit.breaks('**/api/stripe/subscription', 400);
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await visit.page.getByRole('main').getByRole('alert').waitFor();
      },
    },
    {
      name: 'portal-opening',
      reach: async (visit) => {
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await visit.holdsBack('**/api/stripe/create-portal-session');
        await visit.presses('Manage Billing');
        await sees(visit, 'Opening…');
      },
    },
    {
      name: 'portal-failed',
      reach: async (visit) => {
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await visit.breaks('**/api/stripe/create-portal-session', 500);
        await visit.presses('Manage Billing');
        await sees(visit, 'Failed to open billing portal');
      },
    },
    {
      name: 'portal-without-a-tab',
      reach: async (visit) => {
        await visit.runsFirst('window.open = () => null');
        await opensSettings(visit, await visit.world.advertiser(BARE));
        await visit.presses('Manage Billing');
        await sees(visit, 'Your browser blocked the new tab.');
      },
    },
  ],
};
