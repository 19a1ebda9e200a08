import type { Area, Visit } from '../state.ts';
import type { Somebody, Wish } from '../somebody.ts';

const SHOES = 'Trail Shoes | Prospecting';
const JACKETS = 'Rain Jackets | Retargeting 30d';
const GIFTS = 'Gift Cards | Broad';

/** The campaigns are there. */
export async function opensCampaigns({ opens, page }: Visit, who: Somebody, path = '/'): Promise<void> {
  await opens(path, who);
  await page.getByRole('region', { name: 'Campaigns' }).getByRole('listitem').first().waitFor();
}

/** Two campaigns are held, and one that was paused before is not. */
export async function holdsTwo({ world }: Visit, wish: Wish = {}): Promise<Somebody> {
  const nora = await world.somebody({ on: [SHOES, JACKETS, GIFTS], ...wish });
  await world.meets('HIGH_DISRUPTION');
  for (const campaign of [SHOES, JACKETS]) await nora.isHeld(campaign);
  return nora;
}

const LONG = {
  'Lind Outdoor Equipment and Expedition Supplies International (Northern Europe, all brands)': {
    'Autumn Winter Collection 2026 | Prospecting | Lookalike 1-3% | Northern Europe | Video and Carousel | Cost cap':
      'ACTIVE',
    AW26_PROSPECTING_LOOKALIKE_1_3_NORTHERN_EUROPE_VIDEO_CAROUSEL_COST_CAP_42_EUR_EVERGREEN_V7_FINAL_FINAL:
      'PAUSED',
    A: 'ACTIVE',
  },
  'Lind Tents': {},
} as const;

export const dashboard: Area = {
  name: 'dashboard',
  states: [
    {
      name: 'loading-page',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/me');
        await opens('/', await world.somebody());
        await page.locator('main [class*=Loader], main [aria-busy=true]').first().waitFor();
      },
    },
    {
      name: 'loading-accounts',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/ad-accounts');
        await opens('/', await world.somebody());
        await page.getByTestId('account-placeholder').first().waitFor();
      },
    },
    {
      name: 'loading-campaigns',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/campaigns/*');
        await opens('/', await world.somebody());
        await page.getByTestId('campaign-placeholder').first().waitFor();
      },
    },
    {
      name: 'no-accounts',
      reach: async ({ opens, sees, world }) => {
        await opens('/', await world.somebody({ accounts: {} }));
        await sees(/No ad accounts found/);
      },
    },
    {
      name: 'no-campaigns',
      reach: async ({ opens, sees, world }) => {
        await opens('/', await world.somebody({ accounts: { 'Lind Outdoor': {} } }));
        await sees('No campaigns found for this account');
      },
    },
    {
      name: 'before-setup',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.somebody({ setup: null }));
        await visit.sees('Account Setup Required');
      },
    },
    {
      name: 'all-quiet',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.somebody({ on: [SHOES, JACKETS, GIFTS] }));
      },
    },
    {
      name: 'long-names',
      reach: async (visit) => opensCampaigns(visit, await visit.world.somebody({ accounts: LONG })),
    },
    {
      name: 'changed-by-hand',
      reach: async (visit) => {
        const nora = await holdsTwo(visit);
        const { id } = await nora.campaign(SHOES);
        await visit.world.product.graph.post(`/campaigns/${id}`, { status: 'ACTIVE' });
        // A changed level makes the engine look at once, and a second time 10 s later.
        await visit.world.meets('MEDIUM_DISRUPTION');
        await nora.isLetGo(SHOES);
        await opensCampaigns(visit, nora);
        await visit.sees('SmartPause Disabled');
      },
    },
    {
      name: 'toggling-failed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await opensCampaigns(visit, await visit.world.somebody());
        await visit.breaks('**/api/smartpause/**', 502);
        await visit.page.getByRole('switch', { name: SHOES }).click();
        await visit.sees('Failed to toggle SmartPause');
      },
    },
    {
      name: 'pausing',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.somebody());
        await visit.holdsBack('**/api/campaigns/*/pause');
        await visit.presses(`Manual Pause ${SHOES}`);
        await visit.sees('Pausing…');
      },
    },
    {
      name: 'pausing-failed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        const nora = await visit.world.somebody();
        const { id } = await nora.campaign(SHOES);
        await opensCampaigns(visit, nora);
        await visit.world.product.graph.fault({ kind: 'error', code: 100, campaign: id, method: 'POST' });
        await visit.presses(`Manual Pause ${SHOES}`);
        await visit.sees('Failed to pause campaign');
      },
    },
    {
      name: 'resuming-failed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        const nora = await visit.world.somebody();
        const { id } = await nora.campaign(GIFTS);
        await opensCampaigns(visit, nora);
        await visit.world.product.graph.fault({ kind: 'error', code: 100, campaign: id, method: 'POST' });
        await visit.presses(`Manual Resume ${GIFTS}`);
        await visit.sees('Failed to resume campaign');
      },
    },
    {
      name: 'resuming-refused',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await opensCampaigns(visit, await visit.world.somebody());
        const message =
          'This campaign cannot be manually resumed while SmartPause is active. It will resume automatically when the platform is stable, or disable SmartPause first.';
        await visit.page.route('**/api/campaigns/*/resume', (route) =>
          route.fulfill({
            status: 409,
            json: { error: { code: 'SMARTPAUSE_ACTIVE', message } },
          }),
        );
        await visit.presses(`Manual Resume ${GIFTS}`);
        await visit.sees('SmartPause is active');
      },
    },
    {
      name: 'why-not-by-hand',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.somebody({ on: [SHOES] }));
        await visit.page.getByRole('button', { name: `Manual Pause ${SHOES}` }).focus();
        await visit.page.keyboard.press('Shift');
        await visit.page.getByRole('tooltip').waitFor();
      },
    },
  ],
};
