import type { Page } from '@playwright/test';
import type { User } from '../support/user.ts';
import { PHONE, expect, test } from '../support/fixtures.ts';
import { focusedName } from '../support/keyboard.ts';
import { manyCampaigns } from '../support/many-campaigns.ts';

const TEN = manyCampaigns(10);

const search = (page: Page) => page.getByLabel('Search campaigns');
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const listed = (nora: User) => nora.campaignRows();

/** Turns SmartPause on or off for the selected campaigns, after the confirmation. */
async function turnsSelected(
  nora: User,
  to: 'on' | 'off',
  choice: string | RegExp = new RegExp(`^Turn ${to} for`),
) {
  await nora.presses(new RegExp(`^Turn SmartPause ${to}`));
  await nora.chooses(choice);
}

async function settings(nora: User, accountId: string): Promise<Record<string, string>> {
  const over = await nora.overHttp();
  const { campaigns } = await over.get<{ campaigns: { name: string; smartPauseSetting: string }[] }>(
    `/api/campaigns/${accountId}`,
  );
  return Object.fromEntries(campaigns.map(({ name, smartPauseSetting }) => [name, smartPauseSetting]));
}

test('[DASH-06] the address keeps the search: reload, back, and other values', async ({ nora, page }) => {
  await nora.arrives({ campaigns: TEN });
  const { account } = nora;

  await nora.opens('/?error=FACEBOOK_ERROR&status=nonsense');
  await nora.sees('10 campaigns');
  await page.getByLabel('Filter by status').selectOption('active');
  await nora.sees('9 of 10 campaigns');
  const before = await page.evaluate<number>('history.length');
  await search(page).pressSequentially('spring sale');
  await nora.sees('2 of 10 campaigns');
  await expect
    .poll(() => Promise.resolve(param(page, 'q') === 'spring sale'), { message: 'the address' })
    .toBe(true);
  await expect.poll(() => page.evaluate<number>('history.length')).toBe(before);
  expect(param(page, 'account')).toBe(account.id);
  expect(param(page, 'error')).toBe('FACEBOOK_ERROR');

  await page.reload();
  await nora.sees('2 of 10 campaigns');
  await expect(search(page)).toHaveValue('spring sale');
  await page.goBack();
  await nora.sees('10 campaigns');
  await expect(search(page)).toHaveValue('');
  await page.goForward();
  await nora.sees('2 of 10 campaigns');

  await search(page).fill('nothing like it');
  await nora.sees('No campaign matches your search and filters');
  await nora.presses('Clear filters');
  await nora.sees('10 campaigns');
  expect([param(page, 'q'), param(page, 'status')]).toEqual([null, null]);
});

test('[DASH-11] SmartPause on and off for the selected campaigns, after a confirmation that names them', async ({
  nora,
  page,
}) => {
  await nora.arrives({
    campaigns: { ...{ Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE', Shoes: 'ACTIVE' }, Socks: 'ACTIVE' },
  });
  const { account } = nora;

  await expect(search(page)).toHaveCount(0);
  await nora.turnsSmartPause('on', 'Coats');
  await nora.sees('SmartPause on for 1 of 5');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/smartpause/')) sent.push(request.url());
  });
  await page.getByLabel('Select all 5 campaigns').check();
  await page.getByLabel('Select Boots').uncheck();
  await nora.sees('4 selected');
  await page.getByRole('button', { name: 'Turn SmartPause on (3)' }).click();
  const question = page.getByRole('dialog', { name: 'Turn SmartPause on for 3 campaigns?' });
  await expect(question.getByText(`In ${account.name}: Hats, Shoes and Socks.`)).toBeVisible();
  await expect(question.getByText('1 more is selected, where SmartPause is on already.')).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(sent).toEqual([]);
  await turnsSelected(nora, 'on');
  await nora.sees('SmartPause turned on for 3 campaigns.');
  expect(sent).toHaveLength(3);
  await nora.sees('SmartPause on for 4 of 5');
  expect(await settings(nora, account.id)).toEqual({
    ...{ Boots: 'OFF', Coats: 'ON', Hats: 'ON', Shoes: 'ON', Socks: 'ON' },
  });

  await page.getByLabel('Select Hats').check();
  await page.getByLabel('Select Socks').click({ modifiers: ['Shift'] });
  await nora.sees('3 selected');
  await turnsSelected(nora, 'off');
  await nora.sees('SmartPause turned off for 3 campaigns.');
  expect(await settings(nora, account.id)).toEqual({
    ...{ Boots: 'OFF', Coats: 'ON', Hats: 'OFF', Shoes: 'OFF', Socks: 'OFF' },
  });
});

test('[UX-03] off with Resume now resumes the held ones, and says which resume failed', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } });
  const { account } = nora;

  await page.getByLabel('Select all 2 campaigns').check();
  await turnsSelected(nora, 'on');
  await nora.sees('SmartPause turned on for 2 campaigns.');
  await world.reports('High disruptions');
  await nora.sees('2 paused by SmartPause');
  const resume = `**/api/campaigns/${await account.idOf('Shoes')}/resume`;
  const error = { code: 'CAMPAIGN_BUSY', message: 'SmartPause is at work on this ad account.' };
  await page.route(resume, (route) => route.fulfill({ status: 409, json: { error } }));
  await page.getByLabel('Select all 2 campaigns').check();
  await turnsSelected(nora, 'off', 'Resume now');
  await nora.sees('SmartPause turned off for 2 campaigns.');
  await nora.sees(/1 not resumed: Shoes\. SmartPause is off for it now, .* at work on this ad account\./);
  await nora.seesCampaign('Hats', 'ACTIVE');
  await expect
    .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
    .toEqual(['ACTIVE', 'PAUSED']);
});

test('[DASH-15] failures are counted, named and retried alone; a refusal that applies to all stops the change', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: TEN });
  const { account } = nora;

  const unlucky = 'Spring Sale | Prospecting | 0001';
  const path = `**/api/smartpause/*/${await account.idOf(unlucky)}`;
  await page.route(path, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByLabel('Select all 10 campaigns').check();
  await turnsSelected(nora, 'on');
  await nora.sees('SmartPause turned on for 9 of 10 campaigns.');
  await nora.sees(`1 failed: ${unlucky}.`);
  expect((await settings(nora, account.id))[unlucky]).toBe('OFF');
  await page.unroute(path);
  await nora.presses('Try again for 1');
  await nora.sees('SmartPause turned on for 1 campaign.');
  expect(Object.values(await settings(nora, account.id))).toEqual(Array.from({ length: 10 }, () => 'ON'));
  await nora.presses('Dismiss');

  let calls = 0;
  const error = { code: 'SUBSCRIPTION_REQUIRED', message: 'You need an active subscription for this.' };
  await page.route('**/api/smartpause/**', (route) => {
    calls += 1;
    return route.fulfill({ status: 403, json: { error } });
  });
  await page.getByLabel('Select all 10 campaigns').check();
  await turnsSelected(nora, 'off');
  await nora.sees('SmartPause turned off for 0 of 10 campaigns.');
  await nora.sees(/10 were left as they are\. You need an active subscription/);
  expect(calls).toBeLessThanOrEqual(6);
});

test('[DASH-06, DASH-07] with 5000 campaigns few rows are drawn, search finds all, and Tab continues beyond the drawn rows', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: manyCampaigns(5000) });
  const { account } = nora;

  await nora.sees('5,000 campaigns');
  await expect.poll(() => listed(nora).count()).toBeLessThan(60);
  const first = listed(nora).first();
  const table = nora.campaigns().getByRole('table');
  await expect
    .poll(async () => [await first.getAttribute('aria-rowindex'), await table.getAttribute('aria-rowcount')])
    .toEqual(['2', '5001']);
  await search(page).pressSequentially('friday look 2469');
  await nora.sees('1 of 5,000 campaigns');
  await expect(nora.campaign('Black Friday | Lookalike 1% | 2469')).toBeVisible();
  await search(page).fill(await account.idOf('Spring Sale | Prospecting | 0001'));
  await expect(nora.campaign('Spring Sale | Prospecting | 0001')).toBeVisible();
  await page.getByLabel('Clear search').click();
  await nora.sees(/^5,000 campaigns$/);

  await listed(nora).first().getByRole('checkbox').focus();
  for (let row = 2; row <= 40; row += 1) {
    for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
    await expect(page.locator(`[aria-rowindex="${row + 1}"] input[type=checkbox]:focus`)).toBeVisible();
  }
  const held = await focusedName(page);
  await page.evaluate('window.scrollTo(0, 150000)');
  await expect(page.locator('[aria-rowindex^="28"]').first()).toBeVisible();
  await expect.poll(() => focusedName(page)).toBe(held);
  await page.keyboard.press('Tab');
  await expect.poll(() => focusedName(page)).toBe(held.replace('Select', 'Why? History of'));

  await page.evaluate('window.scrollTo(0, 0)');
  await search(page).fill('000');
  await nora.sees('14 of 5,000 campaigns');
  await page.getByLabel('Select all 14 campaigns').check();
  await turnsSelected(nora, 'on');
  await nora.sees('SmartPause turned on for 14 campaigns.');
  await nora.sees('SmartPause on for 14 of 5,000');
});

test('[HEAD-02] on a phone no text is cut, and every control can be pressed', async ({ nora, page }) => {
  await page.setViewportSize(PHONE);
  await nora.arrives({ campaigns: TEN });

  await page.getByLabel('Select all 10 campaigns').check();
  await expect(page.getByRole('button', { name: 'Turn SmartPause on (10)' })).toBeVisible();
  for (const width of [PHONE.width, 320]) {
    await page.setViewportSize({ ...PHONE, width });
    await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main :is(button, select, .mantine-Input-input, [role=cell] > label)')]
              .filter((one) => one.checkVisibility() && (one.offsetHeight < 24 || one.offsetWidth < 24))
              .map((one) => one.outerHTML)`,
    );
    expect(small).toEqual([]);
    const overlapping = await page.evaluate<number>(
      `[...document.querySelectorAll('main [data-campaign]')].filter((row) => {
              const [one, other] = ['[role=switch]', 'button'].map((part) => row.querySelector(part).getBoundingClientRect());
              return one.right > other.left && one.bottom > other.top;
            }).length`,
    );
    expect(overlapping).toBe(0);
  }
});
