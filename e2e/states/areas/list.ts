import { manyCampaigns } from '../../../scripts/browser/many-campaigns.ts';
import type { Area, Visit } from '../state.ts';
import type { Advertiser } from '../advertiser.ts';
import { holdsTwo, opensCampaigns } from './dashboard.ts';

const withMany = ({ world }: Visit, count: number): Promise<Advertiser> =>
  world.advertiser({ accounts: { 'Lind Agency': manyCampaigns(count) } });

async function selectsAll(visit: Visit): Promise<void> {
  await opensCampaigns(visit, await withMany(visit, 10));
  await visit.page.getByLabel('Select all 10 campaigns').check();
  await visit.sees('10 selected');
}

async function confirms({ page, presses }: Visit, to: 'on' | 'off'): Promise<void> {
  await presses(new RegExp(`^Turn SmartPause ${to}`));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^Turn ${to} for`) })
    .click();
}

/** Two of the selected campaigns can be paused manually. */
async function selectsMixed(visit: Visit): Promise<Advertiser> {
  const nora = await visit.world.advertiser({ on: ['Trail Shoes | Prospecting'] });
  await opensCampaigns(visit, nora);
  await visit.page.getByLabel(/^Select all/).check();
  await visit.sees('6 selected');
  return nora;
}

async function pauses({ page, presses }: Visit): Promise<void> {
  await presses('Pause (2)');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause 2 campaigns' }).click();
}

/** As if Meta has not answered for that long. */
async function isLastKnown({ page }: Visit, because: 'no_answer' | 'limit', minutes: number): Promise<void> {
  await page.route('**/api/campaigns/*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as object;
    const at = new Date(Date.now() - minutes * 60_000).toISOString();
    await route.fulfill({ response: answer, json: { ...body, lastKnown: { at, because } } });
  });
}

/** The campaign list: search, filters and bulk changes. */
export const list: Area = {
  name: 'list',
  states: [
    {
      name: 'ten',
      reach: async (visit) => {
        await opensCampaigns(visit, await withMany(visit, 10));
        await visit.page.getByLabel('Search campaigns').waitFor();
      },
    },
    {
      name: 'sorted',
      reach: async (visit) => {
        await opensCampaigns(visit, await withMany(visit, 10), '/?sort=-budget');
        await visit.page.locator('[aria-sort=descending]').waitFor({ state: 'attached' });
      },
    },
    {
      name: 'two-hundred',
      endless: true,
      reach: async (visit) => {
        await visit.opens('/', await withMany(visit, 200));
        await visit.sees('200 campaigns');
        await visit.page.locator('[aria-rowindex="2"]').waitFor();
      },
    },
    {
      name: 'five-thousand',
      endless: true,
      reach: async (visit) => {
        await visit.opens('/', await withMany(visit, 5000));
        await visit.sees('5,000 campaigns');
      },
    },
    {
      name: 'five-thousand-further-down',
      endless: true,
      reach: async (visit) => {
        await visit.opens('/', await withMany(visit, 5000));
        await visit.sees('5,000 campaigns');
        await visit.page.locator('[aria-rowindex="2"]').waitFor();
        await visit.page.evaluate('window.scrollTo(0, 150000)');
        await visit.page.locator('[aria-rowindex^="28"]').first().waitFor();
      },
    },
    {
      name: 'last-known',
      reach: async (visit) => {
        await isLastKnown(visit, 'no_answer', 3);
        await opensCampaigns(visit, await withMany(visit, 10));
        await visit.sees('Showing data from 3 minutes ago.');
      },
    },
    {
      name: 'last-known-limit',
      reach: async (visit) => {
        await isLastKnown(visit, 'limit', 1);
        await opensCampaigns(visit, await withMany(visit, 3));
        await visit.sees('rate limit for this ad account is reached');
      },
    },
    {
      name: 'filtered',
      reach: async (visit) => {
        await opensCampaigns(visit, await withMany(visit, 40), '/?q=sale&status=active&smartpause=off');
        await visit.sees(/\d+ of 40 campaigns/);
      },
    },
    {
      name: 'nothing-found',
      reach: async (visit) => {
        await visit.opens('/?q=unheard-of', await withMany(visit, 40));
        await visit.sees('No campaign matches your search and filters');
        await visit.page.getByLabel('Search campaigns').waitFor();
      },
    },
    {
      name: 'none-paused-by-smartpause',
      reach: async (visit) => {
        await visit.opens('/?smartpause=paused', await withMany(visit, 10));
        await visit.sees('No campaign of this account is paused by SmartPause');
      },
    },
    { name: 'selected', endless: true, reach: selectsAll },
    {
      name: 'some-selected',
      reach: async (visit) => {
        const nora = await withMany(visit, 10);
        await nora.turnsOn('Spring Sale | Prospecting | 0001');
        await opensCampaigns(visit, nora);
        const rows = visit.page.locator('[data-campaign]');
        for (const at of [0, 1]) await rows.nth(at).getByRole('checkbox').check();
        await visit.page.getByLabel('Select Spring Sale | Prospecting | 0001').check();
        await visit.sees('3 selected');
      },
    },
    {
      name: 'asked-on',
      reach: async (visit) => {
        await selectsAll(visit);
        await visit.presses(/^Turn SmartPause on/);
        await visit.page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'asked-off-while-held',
      reach: async (visit) => {
        await opensCampaigns(visit, await holdsTwo(visit));
        await visit.page.getByLabel(/^Select all/).check();
        await visit.presses(/^Turn SmartPause off/);
        await visit.sees(/are paused by SmartPause right now/);
      },
    },
    {
      name: 'asked-pause',
      reach: async (visit) => {
        await selectsMixed(visit);
        await visit.presses('Pause (2)');
        await visit.sees(/because SmartPause is on/);
      },
    },
    {
      name: 'pausing-selected',
      endless: true,
      reach: async (visit) => {
        await selectsMixed(visit);
        await visit.holdsBack('**/api/campaigns/*/pause');
        await pauses(visit);
        await visit.sees('Pausing 0 of 2…');
      },
    },
    {
      name: 'paused-selected',
      endless: true,
      reach: async (visit) => {
        await selectsMixed(visit);
        await pauses(visit);
        await visit.sees('Paused 2 campaigns.');
      },
    },
    {
      name: 'some-not-paused',
      endless: true,
      reach: async (visit) => {
        const nora = await selectsMixed(visit);
        const { id } = await nora.campaign('Winter Boots | Lookalike 1%');
        await visit.world.product.graph.fault({ kind: 'error', code: 100, campaign: id, method: 'POST' });
        await pauses(visit);
        await visit.sees('Paused 1 of 2 campaigns.');
      },
    },
    {
      name: 'turning-on',
      endless: true,
      reach: async (visit) => {
        await selectsAll(visit);
        await visit.holdsBack('**/api/smartpause/**');
        await confirms(visit, 'on');
        await visit.sees('Turning on 0 of 10…');
      },
    },
    {
      name: 'stopping',
      endless: true,
      reach: async (visit) => {
        await selectsAll(visit);
        await visit.holdsBack('**/api/smartpause/**');
        await confirms(visit, 'on');
        await visit.presses(/^Stop$/);
        await visit.sees('Stopping: turned on 0 of 10');
      },
    },
    {
      name: 'asked-with-some-not-shown',
      reach: async (visit) => {
        await selectsAll(visit);
        await visit.page.getByLabel('Search campaigns').fill('holiday');
        await visit.sees('8 of them not shown');
        await visit.presses(/^Turn SmartPause on/);
        await visit.sees(/8 of them are not shown\./);
      },
    },
    {
      name: 'turned-on',
      endless: true,
      reach: async (visit) => {
        await selectsAll(visit);
        await confirms(visit, 'on');
        await visit.sees('SmartPause turned on for 10 campaigns.');
      },
    },
    {
      name: 'some-failed',
      endless: true,
      reach: async (visit) => {
        await selectsAll(visit);
        let calls = 0;
        await visit.page.route('**/api/smartpause/**', (route) => {
          calls += 1;
          return calls <= 2 ? route.fulfill({ status: 500 }) : route.continue();
        });
        await confirms(visit, 'on');
        await visit.sees('SmartPause turned on for 8 of 10 campaigns.');
      },
    },
  ],
};
