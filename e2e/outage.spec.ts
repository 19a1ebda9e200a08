import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';

const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

const ACTIVATED = 'SmartPause Activated - Threshold Matched';
const SCHEDULED = 'SmartPause Resume Scheduled';
const UNPROTECTED = 'Nothing is protected in this disruption';

test('[ENG-04, ENG-05, ENG-07, ENG-13, DASH-02, DASH-03, SET-06] pauses two campaigns and resumes them a minute after the outage; a campaign paused before stays paused', async ({
  nora,
  world,
}) => {
  await nora.arrives({
    campaigns: { [SALE]: 'ACTIVE', [SERUM]: 'ACTIVE', [FILM]: 'PAUSED' },
    setup: { threshold: 'HIGH', resume: { delayMinutes: 1 } },
  });
  const { account } = nora;

  for (const campaign of [SALE, SERUM, FILM]) await nora.turnsSmartPause('on', campaign);
  await world.reports('High disruptions');
  await nora.sees(ACTIVATED);
  for (const campaign of [SALE, SERUM]) {
    await nora.seesCampaign(campaign, 'SmartPause Active');
    await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
  }
  // The email waits 10 s for further pauses.
  await world.advance(11_000);
  const paused = await world.mailbox.waitFor(nora.email, /^SmartPause paused 2 campaigns/);
  expect(paused.text).toContain('resumes exactly the 2 paused campaigns 1 minute later');
  expect(paused.text).not.toContain(FILM);

  await world.reports('Resolved');
  await nora.sees(/Resume scheduled for .*\d+:\d\d [AP]M EST/);
  await nora.noLongerSees(ACTIVATED);
  await world.advance(60_000);
  for (const campaign of [SALE, SERUM]) await nora.seesCampaign(campaign, 'ACTIVE');
  await nora.noLongerSees(SCHEDULED);
  await nora.seesCampaign(FILM, 'PAUSED');
  expect(await account.writesTo(FILM)).toEqual([]);
});

test('[FR-02, FR-07, FR-30] ad accounts where Meta refuses a pause or delivers nothing are named, and are no part of a bulk change where a user may only read', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account } = nora;
  const refuses = async (notProtected: string) => {
    const listed = { id: account.id, name: account.name, currency: 'USD', notProtected };
    await page.route('**/api/ad-accounts', (route) => route.fulfill({ json: { adAccounts: [listed] } }));
    await page.reload();
    await nora.sees(`Not protected: ${account.name}`);
  };
  await refuses('unconfirmed');
  await expect(nora.link(`Confirm ${account.name} in Ads Manager`)).toBeVisible();
  await refuses('role');
  await nora.sees(/^Your role on this account can’t pause campaigns\./);
  await page.getByLabel('Select Shoes').check();
  await expect(nora.button('Turn SmartPause on (0)')).toBeDisabled();
  await nora.presses('Turn on for all active campaigns');
  await nora.sees('Nothing to turn on');

  const listed = { id: account.id, name: account.name, currency: 'USD', noDelivery: 'closed' };
  await page.route('**/api/ad-accounts', (route) => route.fulfill({ json: { adAccounts: [listed] } }));
  await page.reload();
  await nora.sees('Not delivering: it is closed.');
});

test('[UX-01, UX-02, UX-03, UX-19] without a protected campaign the banner warns and offers to pause; then it counts the paused ones and shows them', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });

  await world.reports('High disruptions');
  await nora.sees(UNPROTECTED);
  await nora.sees(/^Meta Ads Delivery is down\s· since \d+:\d\d [AP]M EST/);
  for (const words of ['2 still running', '$100/day · Hats and Shoes']) await nora.sees(words);
  await expect(page.getByText(ACTIVATED)).toHaveCount(0);
  await page.getByRole('link', { name: 'Choose campaigns' }).click();
  await expect(page).toHaveURL(/[?&]filter=unprotected/);
  await expect(page.locator('#campaign-list')).toBeFocused();

  await nora.switchOf('Shoes').press('Space');
  await nora.sees(/so “Shoes” is paused immediately\./);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(nora.switchOf('Shoes')).toBeFocused();
  await nora.turnsSmartPause('on', 'Shoes', 'Turn on and pause');
  await nora.sees(/^1 campaign paused in 1 account\./);
  for (const words of ['1 paused', '$50/day · Hats', 'Resume', 'as soon as the outage ends'])
    await nora.sees(words);
  await expect(nora.button('Pause it too')).toBeVisible();
  await page.getByRole('link', { name: 'Show them' }).click();
  await expect(nora.campaign('Hats')).toBeHidden();
  await nora.seesCampaign('Shoes', 'PAUSED');
  await page.getByRole('link', { name: 'See what wasn’t paused, and why' }).click();
  const ran = page.getByRole('list', { name: 'Campaigns' }).getByRole('listitem');
  await expect(ran).toHaveText(/Hats.*SmartPause was off for it\./);
  await expect(ran).toBeInViewport({ ratio: 1 });
  // The keyboard goes on there.
  await expect(page.getByRole('region', { name: 'Campaigns' })).toBeFocused();
  await page.goBack();
  await nora.seesCampaign('Shoes', 'PAUSED');

  await nora.turnsSmartPause('off', 'Shoes', 'Resume now');
  // Until then only Hats is an active campaign.
  await nora.sees('What SmartPause had paused is resumed.');
  await nora.sees(UNPROTECTED);
  await nora.presses('Pause all 2 now');
  await nora.sees(/so they are paused immediately/);
  await nora.chooses('Turn on and pause 2');
  await nora.sees('SmartPause turned on for 2 campaigns.');
  await nora.sees(/^2 campaigns paused in 1 account\./);
  await expect(page.locator('#campaign-list')).toBeFocused();
});

test('[UX-03, UX-04, DASH-14, ENG-12] while SmartPause can’t be reached, the rows keep their place on the page; a question follows the status', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await world.reports('High disruptions');
  await nora.sees(UNPROTECTED);
  await page.clock.install();
  await page.reload();
  await nora.sees(UNPROTECTED);
  const distance = `document.querySelector('[data-campaign]').getBoundingClientRect().top
    - document.querySelector('main').getBoundingClientRect().top`;
  await nora.seesCampaign('Shoes', 'ACTIVE');
  const before = await page.evaluate<number>(distance);
  await page.route('**/api/status', (route) => route.abort());
  await page.clock.fastForward(30_000);
  await nora.sees('Can’t reach SmartPause');
  await nora.noLongerSees(UNPROTECTED);
  expect(await page.evaluate<number>(distance)).toBe(before);
  await page.unroute('**/api/status');
  await page.clock.fastForward(5000);
  await nora.sees(UNPROTECTED);

  const dialog = page.getByRole('dialog');
  await nora.switchOf('Shoes').click();
  await expect(dialog.getByText(/immediately/)).toBeVisible();
  await world.reports('Resolved');
  await expect(dialog.getByText('Turn on SmartPause for “Shoes”?')).toBeVisible();
  await expect(dialog.getByText(/immediately/)).toHaveCount(0);
  await nora.chooses('Turn on');
  await expect(nora.switchOf('Shoes')).toBeChecked();
  await nora.seesCampaign('Shoes', 'ACTIVE');
});

test('[UX-05, ENG-26] the resume banner names campaigns and account; Resume now resumes them and reports a failure', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({
    campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' },
    setup: { resume: { delayMinutes: 60 } },
  });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes', 'Hats');
  await world.reports('Resolved');
  // 'Resume now' joins a read of the list that is under way, such as one that a live update began.
  await page.route('**/api/events', () => {});
  await page.reload();
  for (const campaign of ['Shoes', 'Hats']) await nora.seesCampaign(campaign, 'PAUSED');
  await nora.sees(SCHEDULED);
  // Shortly before midnight it resumes on the next day.
  await nora.sees(/^2 campaigns resume (at|on \w{3} \d+, \d{4},) \d+:\d\d [AP]M EST\s· in \d+ min$/);
  await nora.sees(new RegExp(`^(Hats and Shoes|Shoes and Hats) in ${account.name}`));

  const lists = '**/api/campaigns/act_*';
  for (const [answer, words] of [
    [{ status: 404, json: {} }, 'The campaigns couldn’t be loaded.'],
    [{ json: { campaigns: [] } }, 'Nothing to resume'],
  ] as const) {
    await page.route(lists, (route) => route.fulfill(answer));
    await nora.presses(/^Resume now$/);
    await nora.sees(words);
  }
  await page.unroute(lists);
  await page.unroute('**/api/events');
  await page.reload();

  const changes = '**/api/campaign-changes';
  await page.route(changes, (route) => route.fulfill({ status: 500, json: {} }));
  await tabTo(page, 'Resume now');
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Resume 2 campaigns' });
  await page.keyboard.press('Enter');
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(nora.button('Resume now')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Enter');
  await nora.sees('Couldn’t resume 2 campaigns.');
  await nora.sees(/ (Hats and Shoes|Shoes and Hats)\.$/);
  await page.unroute(changes);
  await nora.presses('Try again (2)');
  await nora.sees('Resumed 2 campaigns.');
  await nora.sees(/SmartPause won’t pause them again in this outage, and stays on for the next one\.$/);
  await expect
    .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
    .toEqual(['ACTIVE', 'ACTIVE']);
  await nora.noLongerSees(SCHEDULED);
  await expect(page.locator('#campaign-list')).toBeFocused();
  await expect(nora.switchOf('Shoes')).toBeChecked();
});

test('[UX-01, UX-05] with a refused token the banners say what it prevents, with a link to reconnect', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({
    campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' },
    setup: { resume: { delayMinutes: 60 } },
  });
  const { id, name, account } = nora;

  for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
  await world.graph.post('/tokens/invalidate', { userId: id });
  await world.reports('High disruptions');
  await nora.sees(/^2 campaigns can’t be paused: Meta no longer accepts our access\./);
  const banner = page.getByRole('note').filter({ hasText: 'Meta Ads Delivery is down' });
  await tabTo(page, 'Log in again');
  await expect(banner.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await nora.presses(`Continue as ${name}`);
  await nora.sees(/^2 campaigns paused in 1 account\./);
  await nora.sees('60 minutes after the outage ends');
  await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
});

test('[UX-03, UX-20, ENG-26] a paused campaign is resumed at its row or in Why; turning SmartPause off keeps it paused or resumes it, also with a cut connection', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE', Boots: 'ACTIVE', Ties: 'ACTIVE' } });
  const { account } = nora;
  await nora.isPausedInOutage('Shoes', 'Hats', 'Boots', 'Ties');
  for (const campaign of ['Shoes', 'Hats', 'Boots'])
    await nora.seesCampaign(campaign, /^Paused by SmartPause at/);

  await nora.button('Resume now: Hats').click();
  await nora.seesCampaign('Hats', 'ACTIVE');
  await expect.poll(() => account.statusOf('Hats')).toBe('ACTIVE');
  await expect(nora.switchOf('Hats')).toBeChecked();
  await expect(nora.button('Resume now: Hats')).toHaveCount(0);
  await nora.seesCampaign('Hats', 'Resumed early, stays on');
  await expect(nora.button('Why? History of Hats')).toBeVisible();
  await nora.sees('1 resumed early');
  await nora.sees('3 of 4 paused · 1 resumed');

  await nora.opens(`/activity?why=${await account.idOf('Ties')}`);
  const drawer = page.getByRole('dialog', { name: 'Why?' });
  await drawer.getByRole('button', { name: 'Resume now' }).click();
  await nora.sees('SmartPause won’t pause it again in this outage, and stays on for the next one.');
  await expect(drawer.getByRole('button', { name: 'Resume now' })).toHaveCount(0);
  await expect(drawer).toBeFocused();
  expect(await account.statusOf('Ties')).toBe('ACTIVE');
  await nora.opens('/');

  const dialog = page.getByRole('dialog');
  await nora.switchOf('Shoes').press('Space');
  // The user asked to turn SmartPause off, not to resume.
  await expect(dialog.getByRole('button', { name: 'Keep paused' })).toBeFocused();
  await nora.chooses('Cancel');
  await expect(nora.switchOf('Shoes')).toBeFocused();
  await expect(nora.switchOf('Shoes')).toBeChecked();
  // The server has the request, and the page never learns of it.
  await page.route('**/api/campaign-changes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await nora.switchOf('Shoes').click();
  await nora.chooses('Resume now');
  await nora.sees('SmartPause didn’t respond.');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(nora.switchOf('Shoes')).not.toBeChecked();

  await nora.turnsSmartPause('off', 'Boots', 'Keep paused');
  await nora.sees('Boots stays paused until you resume it.');
  // Only what a reload shows as well.
  await expect(nora.campaign('Boots')).not.toContainText('Paused by SmartPause');
  await nora.picks('Manual Resume', 'Boots');
  await nora.seesCampaign('Boots', 'ACTIVE');
});
