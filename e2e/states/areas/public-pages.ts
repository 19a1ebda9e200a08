import type { Area, State, Visit } from '../state.ts';

/** Each looks different in colour and length, with or without a login link. */
const BANNERS = {
  'banner-error': 'error=SERVER_ERROR',
  'banner-error-login': 'error=ACCESS_DENIED&missing=ads_management',
  'banner-warning': 'error=TOKEN_STALE',
  'banner-success': 'error=DEAUTH_SUCCESS',
  'banner-unknown': 'error=UNKNOWN_CODE',
} as const;

const banners = Object.entries(BANNERS).map(([name, query]): State => ({
  name,
  reach: async ({ opens, page }) => {
    await opens(`/no-such-page?${query}`);
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  },
}));

/** @param agoMs how long before their last login they asked for it */
async function asksForDeletion({ world }: Visit, agoMs = 0): Promise<string> {
  const { product } = world;
  const { id } = await world.advertiser();
  await product.graph.post('/clock', { offsetMs: -agoMs });
  const { answer } = await product.graph.post<{ answer: { body: string } }>('/callbacks', {
    userId: id,
    url: `${product.url}/auth/facebook/data-deletion`,
  });
  const { url } = JSON.parse(answer.body) as { url: string };
  await product.graph.post('/clock', { offsetMs: 0 });
  return new URL(url).pathname;
}

export const publicPages: Area = {
  name: 'public',
  states: [
    { name: 'privacy', reach: ({ opens }) => opens('/privacy-policy') },
    { name: 'terms', reach: ({ opens }) => opens('/terms-of-service') },
    { name: 'status', reach: ({ opens }) => opens('/status') },
    {
      name: 'status-outage',
      reach: async ({ opens, world, page }) => {
        await world.meets('HIGH_DISRUPTION');
        await opens('/status');
        await page.locator('summary').click();
      },
    },
    { name: 'not-found', reach: ({ opens }) => opens('/no-such-page') },
    ...banners,
    {
      name: 'page-breaks',
      throws: true,
      reach: async ({ opens, sees, runsFirst, world }) => {
        // Date formatting fails, so the page cannot render.
        await runsFirst(`Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
          get() { throw new Error('a page that breaks'); },
        })`);
        await opens('/settings', await world.advertiser());
        await sees('Something went wrong on this page');
      },
    },
    {
      name: 'page-not-loaded',
      throws: true,
      reach: async ({ opens, sees, page, world }) => {
        await page.route(/\/assets\/settings-.*\.js/, (route) => route.abort());
        await opens('/terms', await world.advertiser({ plan: null, setup: null }));
        await page.getByRole('link', { name: 'Settings' }).click();
        await sees('This page couldn’t be loaded');
      },
    },
    {
      name: 'leaving',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.advertiser({ plan: null, setup: null });
        await world.product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
        await nora.over.call('POST', '/api/account/delete', { confirmation: 'DELETE MY ACCOUNT' });
        await opens('/terms', nora);
        await sees('Your account is being deleted');
      },
    },
    {
      name: 'offline',
      reach: async ({ opens, sees, page, world }) => {
        await opens('/terms', await world.advertiser({ plan: null, setup: null }));
        await page.getByRole('button', { name: 'Log out', exact: true }).waitFor();
        await page.context().setOffline(true);
        await sees('You’re offline.');
      },
    },
    {
      name: 'unreachable',
      reach: async ({ opens, sees, breaks, page, world }) => {
        await opens('/', await world.advertiser());
        await page.locator('[data-campaign]').first().waitFor();
        await breaks('**/health');
        await breaks('**/api/**');
        await page.getByRole('switch').first().click();
        await sees('Can’t reach SmartPause.');
      },
    },
    {
      name: 'deletion-no-such-code',
      reach: ({ opens }) => opens(`/data-deletion/${'A'.repeat(20)}`),
    },
    {
      name: 'deletion-loading',
      reach: async ({ opens, holdsBack, page }) => {
        await holdsBack('**/api/data-deletion/*');
        await opens(`/data-deletion/${'A'.repeat(20)}`);
        await page.locator('main [aria-busy=true]').waitFor();
      },
    },
    {
      name: 'deletion-cannot-be-read',
      reach: async ({ opens, breaks, sees }) => {
        await breaks('**/api/data-deletion/*', 503);
        await opens(`/data-deletion/${'A'.repeat(20)}`);
        await sees(/We can’t be reached right now/);
      },
    },
    {
      name: 'deletion-under-way',
      reach: async (visit) => {
        await visit.world.product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
        await visit.opens(await asksForDeletion(visit));
        await visit.sees('In progress');
      },
    },
    {
      name: 'deletion-superseded',
      reach: async (visit) => {
        await visit.opens(await asksForDeletion(visit, 60_000));
        await visit.sees('Canceled');
      },
    },
    {
      name: 'deletion-finished',
      reach: async (visit) => {
        await visit.opens(await asksForDeletion(visit));
        await visit.sees('Completed');
      },
    },
  ],
};
