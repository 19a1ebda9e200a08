import type { Area, State, Visit } from '../state.ts';

/** Each looks different: colour, length, with a way to log in or without. */
const BANNERS = {
  'banner-error': 'error=SERVER_ERROR',
  'banner-error-login': 'error=ACCESS_DENIED&missing=ads_management',
  'banner-warning': 'error=TOKEN_STALE',
  'banner-success': 'error=DEAUTH_SUCCESS',
  'banner-unknown': 'error=NOBODY_KNOWS',
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
  const { id } = await world.somebody();
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
    { name: 'not-found', reach: ({ opens }) => opens('/no-such-page') },
    ...banners,
    {
      name: 'page-breaks',
      throws: true,
      reach: async ({ opens, sees, runsFirst, world }) => {
        // No date can be written there, so that the list of sessions cannot be drawn.
        await runsFirst(`Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
          get() { throw new Error('a page that breaks'); },
        })`);
        await opens('/settings', await world.somebody());
        await sees('This page hit a problem');
      },
    },
    {
      name: 'page-not-loaded',
      throws: true,
      reach: async ({ opens, sees, page, world }) => {
        await page.route(/\/assets\/settings-.*\.js/, (route) => route.abort());
        await opens('/terms', await world.somebody({ plan: null, setup: null }));
        await page.getByRole('link', { name: 'Settings' }).click();
        await sees('This page could not be loaded');
      },
    },
    {
      name: 'leaving',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.somebody({ plan: null, setup: null });
        await world.product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
        await nora.over.call('POST', '/api/account/delete', { confirmation: 'DELETE MY ACCOUNT' });
        await opens('/terms', nora);
        await sees('Your account is being deleted');
      },
    },
    {
      name: 'offline',
      reach: async ({ opens, sees, page, world }) => {
        await opens('/terms', await world.somebody({ plan: null, setup: null }));
        await page.getByRole('button', { name: 'Log out' }).waitFor();
        await page.context().setOffline(true);
        await sees('You are offline.');
      },
    },
    {
      name: 'unreachable',
      reach: async ({ opens, sees, breaks, page, world }) => {
        await opens('/', await world.somebody());
        await page.getByRole('region', { name: 'Campaigns' }).getByRole('listitem').first().waitFor();
        await breaks('**/health');
        await breaks('**/api/**');
        await page.getByRole('switch').first().click();
        await sees('SmartPause cannot be reached.');
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
        await sees(/We cannot be reached right now/);
      },
    },
    {
      name: 'deletion-under-way',
      reach: async (visit) => {
        await visit.world.product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
        await visit.opens(await asksForDeletion(visit));
        await visit.sees('Under way');
      },
    },
    {
      name: 'deletion-superseded',
      reach: async (visit) => {
        await visit.opens(await asksForDeletion(visit, 60_000));
        await visit.sees('Not carried out');
      },
    },
    {
      name: 'deletion-finished',
      reach: async (visit) => {
        await visit.opens(await asksForDeletion(visit));
        await visit.sees('Finished');
      },
    },
  ],
};
