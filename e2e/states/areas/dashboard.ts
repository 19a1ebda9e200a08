import type { Area, Visit } from '../state.ts';
import { seenBy } from '../state.ts';
import type { Advertiser, Wish } from '../advertiser.ts';

const SHOES = 'Trail Shoes | Prospecting';
const JACKETS = 'Rain Jackets | Retargeting 30d';
const GIFTS = 'Gift Cards | Broad';

export async function opensCampaigns({ opens, page }: Visit, who: Advertiser, path = '/'): Promise<void> {
  await opens(path, who);
  await page.locator('[data-campaign]').first().waitFor();
}

/** SmartPause has paused two campaigns; a campaign paused before has no hold. */
export async function holdsTwo({ world }: Visit, wish: Wish = {}): Promise<Advertiser> {
  const nora = await world.advertiser({ on: [SHOES, JACKETS, GIFTS], ...wish });
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

const THREE = {
  'Lind Outdoor': { [SHOES]: 'ACTIVE', [JACKETS]: 'ACTIVE', [GIFTS]: 'PAUSED' },
  'Lind Tents': { 'Family Tents | Broad': 'ACTIVE' },
  'Lind Yachts': {},
} as const;

const TWELVE = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => {
    const name = `Client ${String(at + 1).padStart(2, '0')}`;
    return [name, { [`${name} | Sale`]: 'ACTIVE' as const }];
  }),
);

export const dashboard: Area = {
  name: 'dashboard',
  states: [
    {
      name: 'loading-page',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/me');
        await opens('/', await world.advertiser());
        await page.locator('main [class*=Loader], main [aria-busy=true]').first().waitFor();
      },
    },
    {
      name: 'loading-accounts',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/ad-accounts');
        await opens('/', await world.advertiser());
        await page.getByTestId('account-placeholder').first().waitFor();
      },
    },
    {
      name: 'loading-campaigns',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/campaigns/*');
        await opens('/', await world.advertiser());
        await page.getByTestId('campaign-placeholder').first().waitFor();
      },
    },
    seenBy('no-accounts', '/', /No ad account found on Meta/, { accounts: {} }),
    seenBy('no-campaigns', '/', 'No campaigns found for this account', { accounts: { 'Lind Outdoor': {} } }),
    {
      name: 'before-setup',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser({ setup: null }));
        await visit.sees('Account Setup Required');
      },
    },
    {
      name: 'before-choosing',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.sees('Last step: choose campaigns');
      },
    },
    {
      name: 'before-testing',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.page.getByRole('switch', { name: SHOES }).click();
        await visit.sees('Optional: run a test');
      },
    },
    {
      name: 'turning-on-for-all',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.presses('Turn on for all active campaigns');
        await visit.sees(/^3 campaigns in 1 ad account/);
      },
    },
    {
      name: 'all-quiet',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser({ on: [SHOES, JACKETS, GIFTS] }));
      },
    },
    {
      name: 'long-names',
      reach: async (visit) => opensCampaigns(visit, await visit.world.advertiser({ accounts: LONG })),
    },
    {
      name: 'three-accounts',
      reach: async (visit) => {
        await opensCampaigns(visit, await holdsTwo(visit, { accounts: THREE }));
        await visit.sees('Meta ad services');
      },
    },
    {
      name: 'many-accounts',
      reach: async (visit) => opensCampaigns(visit, await visit.world.advertiser({ accounts: TWELVE })),
    },
    {
      name: 'many-accounts-listed',
      only: 'phone',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser({ accounts: TWELVE }));
        await visit.page.getByRole('combobox', { name: 'Ad account' }).click();
        await visit.page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'changed-manually',
      reach: async (visit) => {
        await visit.page.route('**/api/campaigns/*', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.text()).replace('"ON"', '"DEACTIVATED"');
          await route.fulfill({ response: answer, body });
        });
        await opensCampaigns(visit, await visit.world.advertiser({ on: [SHOES, JACKETS] }));
        await visit.sees('SmartPause Disabled');
      },
    },
    {
      name: 'toggling-failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.breaks('**/api/smartpause/**', 502);
        await visit.page.getByRole('switch', { name: SHOES }).click();
        await visit.sees('Failed to toggle SmartPause');
      },
    },
    {
      name: 'asked-off-while-held',
      reach: async (visit) => {
        await opensCampaigns(visit, await holdsTwo(visit));
        await visit.page.getByRole('switch', { name: SHOES }).click();
        await visit.sees(/is paused by SmartPause\. Resume it now/);
      },
    },
    {
      name: 'asked-on-during-match',
      reach: async (visit) => {
        const nora = await visit.world.advertiser();
        await visit.world.meets('HIGH_DISRUPTION');
        await opensCampaigns(visit, nora);
        await visit.page.getByRole('switch', { name: SHOES }).click();
        await visit.sees(/is paused immediately/);
      },
    },
    {
      name: 'paused-with-undo',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.presses(`Manual Pause ${SHOES}`);
        await visit.sees('Campaign paused');
      },
    },
    {
      name: 'pausing',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser());
        await visit.holdsBack('**/api/campaigns/*/pause');
        await visit.presses(`Manual Pause ${SHOES}`);
        await visit.sees('Pausing…');
      },
    },
    {
      name: 'pausing-failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        const nora = await visit.world.advertiser();
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
        await visit.keepsTextInPlace();
        const nora = await visit.world.advertiser();
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
        await visit.keepsTextInPlace();
        await opensCampaigns(visit, await visit.world.advertiser());
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
      name: 'why-not-manually',
      reach: async (visit) => {
        await opensCampaigns(visit, await visit.world.advertiser({ on: [SHOES] }));
        await visit.page.getByRole('button', { name: `Manual Pause ${SHOES}` }).focus();
        await visit.page.keyboard.press('Shift');
        await visit.page.getByRole('tooltip').waitFor();
      },
    },
  ],
};
