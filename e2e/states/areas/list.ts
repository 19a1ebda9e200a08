import { manyCampaigns } from '../../../scripts/browser/many-campaigns.ts';
import type { Area, Visit } from '../state.ts';
import type { Somebody } from '../somebody.ts';
import { holdsTwo, opensCampaigns } from './dashboard.ts';

const withMany = ({ world }: Visit, count: number): Promise<Somebody> =>
  world.somebody({ accounts: { 'Lind Agency': manyCampaigns(count) } });

/** Ten campaigns, all of them selected. */
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

/** As when Meta has not answered for so long. */
async function isLastKnown({ page }: Visit, because: 'no_answer' | 'limit', minutes: number): Promise<void> {
  await page.route('**/api/campaigns/*', async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as object;
    const at = new Date(Date.now() - minutes * 60_000).toISOString();
    await route.fulfill({ response: answer, json: { ...told, lastKnown: { at, because } } });
  });
}

/** The list of campaigns: what is looked for in it, and what is done with many at once. */
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
      name: 'two-hundred',
      endless: true,
      reach: async (visit) => {
        await visit.opens('/', await withMany(visit, 200));
        await visit.sees('200 campaigns');
        await visit.page.locator('li[aria-posinset="1"]').waitFor();
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
        await visit.page.evaluate('window.scrollTo(0, 150000)');
        await visit.page.locator('li[aria-posinset^="1"]').first().waitFor();
      },
    },
    {
      name: 'last-known',
      reach: async (visit) => {
        await isLastKnown(visit, 'no_answer', 3);
        await opensCampaigns(visit, await withMany(visit, 10));
        await visit.sees('This list is from 3 minutes ago.');
      },
    },
    {
      name: 'last-known-limit',
      reach: async (visit) => {
        await isLastKnown(visit, 'limit', 1);
        await opensCampaigns(visit, await withMany(visit, 3));
        await visit.sees('limit for this ad account is used up');
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
    { name: 'selected', endless: true, reach: selectsAll },
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
        await visit.sees(/are held by SmartPause right now/);
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
