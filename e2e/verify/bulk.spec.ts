import type { Page } from '@playwright/test';
import type { User } from '../support/user.ts';
import { expect, test } from '../support/fixtures.ts';
import { manyCampaigns } from '../support/many-campaigns.ts';

const search = (page: Page) => page.getByLabel('Search campaigns');

async function protectedCampaigns(nora: User): Promise<string[]> {
  const over = await nora.overHttp();
  const { campaigns } = await over.get<{ campaigns: { name: string; smartPauseSetting: string }[] }>(
    `/api/campaigns/${nora.account.id}`,
  );
  return campaigns.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON').map(({ name }) => name);
}

test('[DASH-11, DASH-15] SmartPause for the selected campaigns: a failure, its retry, and Undo', async ({
  nora,
  page,
}) => {
  await nora.arrives({
    campaigns: { ...{ Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE', Shoes: 'ACTIVE' }, Socks: 'ACTIVE' },
  });
  const { account } = nora;
  const changes = '**/api/campaign-changes';
  await nora.turnsSmartPause('on', 'Coats');
  await nora.sees('1 of 4 protected');
  await page.getByLabel('Select all 5 campaigns').check();
  await page.getByLabel('Select Boots').uncheck();
  await nora.sees('4 selected');
  await page.route(changes, (route) => route.fulfill({ status: 500, json: {} }));
  await nora.presses('Turn SmartPause on (3)');
  await nora.sees('Couldn’t turn on SmartPause for 3 campaigns.');
  await nora.sees(/ Hats, Shoes and Socks\.$/);
  await expect(nora.switchOf('Hats')).not.toBeChecked();
  await page.unroute(changes);
  await nora.presses('Try again (3)');
  await nora.sees('SmartPause turned on for 3 campaigns.');
  expect((await protectedCampaigns(nora)).toSorted()).toEqual(['Coats', 'Hats', 'Shoes', 'Socks']);

  for (const name of ['Hats', 'Shoes', 'Socks']) await page.getByLabel(`Select ${name}`).check();
  await nora.presses('Turn SmartPause off (3)');
  await nora.sees('SmartPause turned off for 3 campaigns.');
  expect(await protectedCampaigns(nora)).toEqual(['Coats']);
  await nora.presses(/^Undo: SmartPause off for/);
  await nora.sees('4 of 4 protected');

  // Another tab turns the last one off: nothing is left for the button that has the focus.
  for (const name of ['Boots', 'Hats']) await page.getByLabel(`Select ${name}`).check();
  await nora.button('Turn SmartPause off (1)').focus();
  await (await nora.overHttp()).setSmartPause(account.id, await account.idOf('Hats'), false);
  await expect(page.getByRole('button', { name: /^Turn SmartPause off/ })).toHaveCount(0);
  await expect(page.locator('#campaign-list')).toBeFocused();
});

test('[DASH-11, ENG-26] a change of many goes on while the user is on another page, and nothing asks before the page closes', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } });
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/campaign-changes', (route) => released.then(() => route.continue()));
  await page.getByLabel('Select all 2 campaigns').check();
  await nora.presses('Turn SmartPause on (2)');
  await nora.sees('0 of 2');
  await page.getByRole('link', { name: 'Activity' }).click();
  await nora.sees('No outages yet');
  await page.goBack();
  await expect(nora.switchOf('Hats')).toHaveAccessibleDescription('Saving…');
  release(undefined);
  await nora.sees('SmartPause turned on for 2 campaigns.');
  await page.reload();
  await nora.sees('2 of 2 protected');
});

test('[DASH-06, DASH-07] with 5000 campaigns 300 rows are drawn and more on demand, and search finds all', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: manyCampaigns(5000) });
  await nora.sees('5,000 campaigns');
  await expect(nora.campaignRows()).toHaveCount(300);
  await nora.presses('Show 300 more');
  await expect(nora.campaignRows()).toHaveCount(600);
  await expect(nora.campaignRows().nth(300).getByRole('checkbox')).toBeFocused();
  await expect(nora.button('Show 600 more')).toBeVisible();
  await search(page).pressSequentially('friday look 2469');
  await nora.sees('1 of 5,000 campaigns');
  await expect(nora.campaign('Black Friday | Lookalike 1% | 2469')).toBeVisible();
  await page.getByLabel('Clear search').click();
  await nora.sees(/^5,000 campaigns$/);
  await page.getByLabel('Select all 5,000 campaigns').check();
  await nora.sees('5,000 selected');
});
