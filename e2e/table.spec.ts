import type { Page } from '@playwright/test';
import { DESKTOP, PHONE, expect, test } from './support/fixtures.ts';
import type { User } from './support/user.ts';
import type { World } from './support/world.ts';
import { tabTo } from './support/keyboard.ts';
import { manyCampaigns } from './support/many-campaigns.ts';

const usual = { objective: 'OUTCOME_SALES', dailyBudget: 5000, status: 'ACTIVE', smartPauseSetting: 'OFF' };
const LONG =
  'Autumn Winter Collection 2026 | Prospecting | Lookalike 1-3% | Northern Europe | Video and Carousel';

const words = 'Two-factor authentication required for this business';
const refused = { action: 'resume', words, retryAt: '2026-01-09T02:10:00Z' };

/** A campaign in every state that a row can have. */
const EVERY_STATE = [
  { ...usual, name: 'Running' },
  { ...usual, name: 'Protected', smartPauseSetting: 'ON', dailyBudget: 1_234_500 },
  {
    ...usual,
    name: 'Held',
    status: 'PAUSED',
    smartPauseSetting: 'ON',
    held: true,
    heldSince: '2026-01-09T02:10:00Z',
  },
  { ...usual, name: 'Paused before', status: 'PAUSED', smartPauseSetting: 'ON', held: false },
  {
    ...usual,
    name: 'Held for another',
    status: 'PAUSED',
    smartPauseSetting: 'ON',
    held: false,
    heldByOther: true,
  },
  { ...usual, name: 'Changed outside', status: 'PAUSED', smartPauseSetting: 'DEACTIVATED' },
  { ...usual, name: 'Catalog off', isLegacyAdvantage: true },
  { ...usual, name: 'Catalog on', isLegacyAdvantage: true, smartPauseSetting: 'ON' },
  {
    ...usual,
    name: 'Ended',
    smartPauseSetting: 'ON',
    undelivered: { why: 'ended', at: '2026-03-16T23:30:00Z' },
  },
  { ...usual, name: 'Not started', undelivered: { why: 'scheduled', at: '2027-03-16T23:30:00Z' } },
  { ...usual, name: 'Film off', status: 'ARCHIVED', dailyBudget: null, objective: '' },
  { ...usual, name: 'Film on', status: 'ARCHIVED', smartPauseSetting: 'ON' },
  { ...usual, name: LONG, dailyBudget: 123_456_789 },
  { ...usual, name: 'Not paused', smartPauseSetting: 'ON', refused: { ...refused, action: 'pause' } },
  { ...usual, name: 'Not resumed', status: 'PAUSED', held: true, smartPauseSetting: 'ON', refused },
].map((one, at) => ({ ...one, id: `${at + 1}` }));

const heights = (page: Page) =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('[data-campaign]')].map((row) => row.getBoundingClientRect().height)`,
  );
const topOf = async (nora: User, name: string) => (await nora.campaign(name).boundingBox())?.y ?? NaN;
const names = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-campaign] th > :first-child')].map((one) => one.textContent)`,
  );

async function showsEveryState(page: Page, nora: User, world: World): Promise<void> {
  await page.route('**/api/campaigns/*', (route) => route.fulfill({ json: { campaigns: EVERY_STATE } }));
  await world.reports('High disruptions');
  await page.reload();
  await nora.sees('SmartPause Active');
}

test('[UX-07, DASH-08, DASH-10, DASH-11, DASH-12, FR-01] has column headers, and rows of 52 px in every state', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

  await showsEveryState(page, nora, world);
  const headers = await nora.campaigns().getByRole('columnheader').allInnerTexts();
  expect(headers.map((header) => header.split(' ')[0]?.split('\n')[0])).toEqual([
    ...['Name', 'Status', 'In', 'Budget', 'SmartPause', 'Menu'],
  ]);
  await nora.seesCampaign('Held', 'Paused by SmartPause on Jan 8, 9:10 PM EST');
  await nora.seesCampaign('Held for another', 'Paused by another SmartPause user');
  await expect(nora.campaign('Ended').getByRole('cell').nth(2)).toHaveText('');
  for (const width of [1920, 1280, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => [width, new Set(await heights(page))]).toEqual([width, new Set([52])]);
    expect([width, await page.evaluate(CUT_STATES)]).toEqual([width, 0]);
    const budget = await nora.campaign('Protected').getByRole('cell', { name: '$12,345/day' }).boundingBox();
    expect(budget?.height).toBeLessThan(24);
  }
  await expect(nora.campaign(LONG).getByRole('rowheader')).toHaveAttribute(
    'title',
    new RegExp(`^${LONG.split(' |')[0]}`),
  );
  await expect(nora.campaign('Held').getByText('SmartPause', { exact: true })).toHaveCount(0);
  const lines = (await nora.campaign('Running').innerText()).split('\n').filter((line) => line !== '');
  expect(lines).toEqual(['Running', 'SALES', 'ACTIVE', 'Keeps spending', '$50/day', '⋯']);
  await expect(nora.campaign('Held').getByText('until the outage ends')).toBeVisible();
  for (const name of ['Held', 'Changed outside'])
    await expect(nora.button(`Why? History of ${name}`)).toBeVisible();

  await nora.button('More for Changed outside').press('Enter');
  await nora.sees(/changed outside SmartPause.*re-enable/);
  await expect(nora.switchOf('Changed outside')).toBeEnabled();
  const manual = page.getByRole('button', { name: /^Manual/ });
  for (const name of ['Catalog off', 'Catalog on', 'Film off', 'Film on']) {
    await nora.button(`More for ${name}`).click();
    await expect(page.getByRole('link', { name: `Open ${name} in Ads Manager` })).toBeVisible();
    await expect(manual).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  const reason = 'Meta no longer allows changes to this campaign type through its API.';
  await nora.seesCampaign('Catalog off', reason);
  await expect(nora.switchOf('Catalog off')).toHaveCount(0);
  await expect(nora.switchOf('Film off')).toBeDisabled();
  await expect(nora.switchOf('Film on')).toBeEnabled();
  await expect(nora.campaign('Not started').getByText('Scheduled Mar 16')).toBeVisible();
  await expect(nora.campaign('Ended').getByText('Ended Mar 16')).toBeVisible();
  await nora.button('More for Ended').click();
  await nora.sees(/^Ended on Mar 16, 2026, 7:30 PM EST\./);
  await page.keyboard.press('Escape');

  await page.setViewportSize(PHONE);
  await nora.button('More for Running').click();
  await expect(nora.button('Manual Pause Running')).toBeInViewport({ ratio: 1 });
  expect((await page.locator('[data-campaign="3"]').boundingBox())?.height).toBeLessThan(150);
});

test('[UX-07] is sorted by keyboard and on a phone, and the address keeps the sorting', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Boots: 'ACTIVE' } });

  const campaigns = [
    { ...usual, id: '1', name: 'Boots', dailyBudget: 2000 },
    { ...usual, id: '2', name: 'Coats', dailyBudget: null },
    { ...usual, id: '3', name: 'Hats', dailyBudget: 9000, status: 'PAUSED' },
  ];
  await page.route('**/api/campaigns/*', (route) => route.fulfill({ json: { campaigns } }));
  await page.reload();
  const isSorted = async (by: string, direction: string, rows: string[]) => {
    await expect.poll(() => names(page)).toEqual(rows);
    await expect(page.getByRole('columnheader', { name: by })).toHaveAttribute('aria-sort', direction);
  };
  await isSorted('Budget', 'none', ['Boots', 'Coats', 'Hats']);
  await tabTo(page, /^Budget/);
  await page.keyboard.press('Enter');
  await isSorted('Budget', 'descending', ['Hats', 'Boots', 'Coats']);
  await page.keyboard.press('Space');
  await isSorted('Budget', 'ascending', ['Boots', 'Hats', 'Coats']);
  await page.setViewportSize(PHONE);
  await page.getByLabel('Sort').selectOption('Sort: name, Z to A');
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Hats', 'Coats', 'Boots']);
  await expect(page.getByLabel('Sort')).toHaveValue('-name');
});

test('[UX-07] on a phone a long list has its count and its order in one line; search and headers stay in view, and a wide window is used', async ({
  nora,
  page,
}) => {
  await page.setViewportSize(PHONE);
  await nora.arrives({ campaigns: manyCampaigns(1050) });

  const header = page.getByRole('columnheader').filter({ hasText: / campaigns$/ });
  for (const [filter, count] of [
    ['All campaigns', '1,050 campaigns'],
    ['Active, not protected', '900 of 1,050 campaigns'],
  ] as const) {
    await page.getByLabel('Filter').selectOption(filter);
    await expect(header).toContainText(count);
    expect((await page.locator('thead').boundingBox())?.height).toBeLessThan(52);
  }
  const search = page.getByLabel('Search campaigns');
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ ...PHONE, width });
    expect(await page.evaluate(CUTS_FILTER)).toBe(false);
    await page.evaluate('window.scrollTo(0, 2500)');
    for (const inView of [search, page.getByLabel('Filter'), header])
      await expect(inView).toBeInViewport({ ratio: 1 });
  }

  await page.setViewportSize(DESKTOP);
  await page.evaluate('window.scrollTo(0, 2500)');
  const status = page.getByRole('columnheader', { name: 'Status' });
  await expect
    .poll(async () => ((await status.boundingBox())?.y ?? 999) < 110, { message: 'the head to stick' })
    .toBe(true);
  await expect.poll(async () => (await search.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  const bottom = ((await status.boundingBox())?.y ?? 0) + 30;
  // No focused row is behind them.
  const rows = page.locator('[data-campaign]');
  const inView = rows.filter({ visible: true }).nth(8).getByRole('checkbox');
  await inView.focus();
  for (let tabs = 0; tabs < 30; tabs += 1) await page.keyboard.press('Shift+Tab');
  const focused = `document.activeElement.getBoundingClientRect().top`;
  await expect.poll(() => page.evaluate<number>(focused)).toBeGreaterThanOrEqual(bottom);

  await page.setViewportSize({ width: 1920, height: 1080 });
  const table = await nora.campaigns().boundingBox();
  expect(table?.width).toBeGreaterThanOrEqual(1600);
  await page.getByLabel('Filter', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(nora.link('Skip the list')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#after-campaigns')).toBeFocused();
});

test('[UX-07, DASH-06] each empty state offers the next action', async ({ nora, page }) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

  await nora.opens('/?filter=held');
  await nora.sees('No campaign here is paused by SmartPause');
  await nora.presses('Show all campaigns');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(page.locator('#campaign-list')).toBeFocused();
  await page.route('**/api/campaigns/*', (route) => route.fulfill({ json: { campaigns: [] } }));
  await page.reload();
  await nora.sees('No campaigns found for this account');
  const link = page.getByRole('link', { name: 'Open Ads Manager' });
  await expect(link).toHaveAttribute('href', new RegExp(`act=${nora.id}`));
  await page.route('**/api/ad-accounts', (route) => route.fulfill({ json: { adAccounts: [] } }));
  await page.reload();
  await nora.sees('Select an ad account to view campaigns');
  await nora.sees('Choose campaigns to protect');
  await expect(page.getByRole('button', { name: /^Turn on for all/ })).toHaveCount(0);
  const login = page.getByRole('link', { name: 'Log in again' });
  await expect(login).toHaveAttribute('href', /^\/auth\/facebook/);
});

const accountsOf = (id: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `act_${id}${at + 1}`,
    name: `Client ${String(at + 1).padStart(2, '0')}`,
    currency: 'USD',
    campaigns: [
      { id: `${id}${at + 1}0`, name: `Campaign ${at + 1}`, status: 'ACTIVE', daily_budget: '5000' },
    ],
  }));

test('[UX-06, UX-18, UX-22] ad accounts show their counts and can be one list; on a phone they are a select, and in an outage the first campaign is on the first screen', async ({
  nora,
  page,
  world,
}) => {
  const { id } = nora;
  await nora.hasAccounts(accountsOf(id, 3));
  await nora.arrives();

  const over = await nora.overHttp();
  await over.setSmartPause(`act_${id}2`, `${id}20`, true);
  await nora.turnsSmartPause('on', 'Campaign 1');
  const accounts = page.getByRole('region', { name: 'Ad accounts' });
  await expect(
    accounts.getByRole('button', { name: 'Client 01 1 of 1 protected', exact: true }),
  ).toBeVisible();
  await world.reports('High disruptions');
  await expect(accounts.getByRole('button', { name: 'Client 01 1 of 1 paused', exact: true })).toBeVisible();
  await nora.sees('2 campaigns paused in 2 accounts.');
  await nora.seesCampaign('Campaign 1', /^Paused by SmartPause at/);
  await page.reload();
  await expect(accounts.getByRole('button', { name: 'Client 02 1 of 1 paused', exact: true })).toBeVisible();
  await expect(accounts.getByRole('button', { name: 'Client 03 0 of 1 paused', exact: true })).toBeVisible();

  await page.setViewportSize(PHONE);
  const select = page.getByRole('combobox', { name: 'Ad account' });
  // With the counts, a long name would be cut.
  await expect(select).toHaveValue('Client 01');
  await expect(accounts).toHaveCount(0);
  await expect(nora.button('Pause it too')).toBeInViewport();
  const row = await nora.campaign('Campaign 1').boundingBox();
  expect((row?.y ?? NaN) + (row?.height ?? NaN)).toBeLessThanOrEqual(PHONE.height);
  await select.click();
  await expect(page.getByRole('option', { name: 'Client 02 · 1 of 1 paused' })).toBeVisible();
  await page.getByRole('option', { name: 'Client 03 · 0 of 1 paused' }).click();
  await expect(nora.campaign('Campaign 3')).toBeVisible();
  await expect.poll(() => topOf(nora, 'Campaign 3')).toBeLessThan(PHONE.height);

  await page.setViewportSize({ width: 1200, height: 800 });
  await expect(accounts).toBeVisible();
  await page.getByRole('link', { name: 'Show them' }).click();
  for (const name of ['Campaign 1', 'Campaign 2']) await nora.seesCampaign(name, 'PAUSED');
  await expect(
    nora.campaign('Campaign 2').getByRole('cell', { name: 'Client 02', exact: true }),
  ).toBeVisible();
  await expect(accounts.getByRole('button', { name: /^All ad accounts 2 of 3 paused/ })).toBeVisible();
  expect(await heights(page)).toEqual([52, 52]);
  expect(await page.evaluate(CUT_STATES)).toBe(0);
  await page.setViewportSize(PHONE);
  const count = page.getByRole('columnheader').getByText('2 of 3 campaigns');
  expect((await count.boundingBox())?.width).toBeGreaterThan(30);

  // One ad account that does not answer hides no other one. All together are not the choice for the next visit.
  expect(await page.evaluate("localStorage.getItem('adAccount')")).toBe(`act_${id}3`);
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(`**/api/campaigns/act_${id}1`, (route) => released.then(() => route.continue()));
  await page.reload();
  await nora.seesCampaign('Campaign 2', 'PAUSED');
  await nora.sees('Loading the campaigns of Client 01…');
  release(undefined);
  await nora.seesCampaign('Campaign 1', 'PAUSED');

  const lastKnown = { at: '2026-01-08T12:00:00Z', because: 'no_answer' };
  await page.unrouteAll();
  for (const at of [1, 2])
    await page.route(`**/api/campaigns/act_${id}${at}`, (route) =>
      route.fulfill({ json: { campaigns: [], lastKnown } }),
    );
  await page.reload();
  for (const at of [1, 2]) await expect(nora.button(`Retry: Client 0${at}`)).toBeVisible();
});

test('[UX-06, UX-05] more than eight ad accounts are searchable, also on a phone; that of a refused resume is read also while another one is shown', async ({
  nora,
  page,
}) => {
  const { id } = nora;
  await nora.hasAccounts(accountsOf(id, 12));
  await nora.arrives();

  const accounts = page.getByRole('region', { name: 'Ad accounts' });
  const shows = async (account: string) => {
    await accounts.getByLabel('Search ad accounts').fill(account);
    await accounts.getByRole('button', { name: /^Client/ }).click();
  };
  // An id may contain any short number.
  await shows(`client ${id}11`);
  await expect(nora.campaign('Campaign 11')).toBeVisible();

  const lists = `**/api/campaigns/act_${id}1`;
  const campaigns = [{ ...usual, id: `${id}10`, name: 'Campaign 1', status: 'PAUSED', held: true, refused }];
  await page.route(lists, (route) => route.fulfill({ json: { campaigns } }));
  // The server counts none there.
  await page.route('**/api/user/status', async (route) => {
    const response = await route.fetch();
    const { status } = (await response.json()) as { status: object };
    await route.fulfill({ json: { status: { ...status, refusingAccounts: [`act_${id}1`] } } });
  });
  // Another ad account is shown.
  await page.reload();
  await expect(nora.campaign('Campaign 11')).toBeVisible();
  await nora.sees('Meta refuses to resume 1 campaign');
  await shows('client 01');
  const retry = nora.button('Retry now: Campaign 1');
  await page.route('**/api/campaigns/*/retry', async (route) => {
    await page.unroute(lists);
    await page.unroute('**/api/user/status');
    await route.fulfill({ json: { success: true, isRefused: false, isAccepted: true } });
  });
  await retry.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Meta accepted the change.' })).toBeVisible();
  await expect(retry).toHaveCount(0);
  await expect(nora.campaign('Campaign 1').locator(':focus')).toBeVisible();
  await nora.noLongerSees('Meta refuses to resume 1 campaign');

  await page.setViewportSize(PHONE);
  const select = page.getByRole('combobox', { name: 'Ad account', exact: true });
  await select.fill('07');
  await page.getByRole('option', { name: 'Client 07' }).click();
  await expect(nora.campaign('Campaign 7')).toBeVisible();
});

/** Shows the longest option: a select cuts its text without a sign. */
const CUTS_FILTER = `{
  const select = document.querySelector('select[aria-label=Filter]');
  select.style.width = '';
  const { width } = select.getBoundingClientRect();
  select.style.width = 'max-content';
  select.getBoundingClientRect().width > width;
}`;

/** How many states end behind the edge of their cell. */
const CUT_STATES = `[...document.querySelectorAll('[data-campaign] td > span')].filter((span) =>
  span.scrollWidth > span.clientWidth + 1 && span.clientWidth > 0 || span.getBoundingClientRect().right > span.closest('td').getBoundingClientRect().right + 1).length`;
