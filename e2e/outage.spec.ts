import { expect, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';

const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

const ACTIVATED = 'SmartPause Activated - Threshold Matched';
const SCHEDULED = 'SmartPause Resume Scheduled';

// Its clock is moved: no other file has this world.
test.use({ worldName: 'outage' });

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
    await nora.seesCampaign(campaign, 'PAUSED');
    await nora.seesCampaign(campaign, 'SmartPause Active');
    await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
  }
  // The email waits 10 s for further pauses.
  await world.advance(11_000);
  const paused = await world.mailbox.waitFor(nora.email, /^SmartPause paused 2 campaigns/);
  for (const words of [SALE, SERUM, 'resumes exactly these campaigns 1 minute later']) {
    expect(paused.text).toContain(words);
  }
  expect(paused.text).not.toContain(FILM);

  await world.reports('Resolved');
  await nora.sees(SCHEDULED);
  await nora.sees(/Resume scheduled for \d+:\d\d [AP]M EST/);
  await nora.noLongerSees(ACTIVATED);
  await world.advance(60_000);
  for (const campaign of [SALE, SERUM]) await nora.seesCampaign(campaign, 'ACTIVE');
  await nora.noLongerSees(SCHEDULED);
  await nora.seesCampaign(FILM, 'PAUSED');
  expect(await account.writesTo(FILM)).toEqual([]);
});

test('[ENG-06] instant: paused campaigns resume as soon as the outage ends', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await nora.sees(ACTIVATED);
  await nora.seesCampaign('Shoes', 'PAUSED');
  await world.reports('Resolved');
  await account.becomes('Shoes', 'ACTIVE');
  await page.reload();
  await nora.seesCampaign('Shoes', 'ACTIVE');
  expect(await account.writesTo('Hats')).toEqual([]);
});

test('[FR-02] an ad account to confirm in Ads Manager is named until Meta accepts a change', async ({
  nora,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account, id } = nora;
  await nora.turnsSmartPause('on', 'Shoes');
  const match = { user: id, method: 'POST', op: 'inner' };
  await world.graph.fault({ kind: 'error', code: 368, times: 0, match });
  await world.reports('High disruptions');
  await nora.sees(`Not protected: ${account.name}`);
  await nora.sees('Meta refused to pause 1 campaign. It keeps running and isn’t protected.');
  await expect(nora.link(`Confirm ${account.name} in Ads Manager`)).toBeVisible();
  await world.graph.ask('DELETE', '/faults');
  await world.advance(61 * 60_000);
  await account.becomes('Shoes', 'PAUSED');
  await nora.noLongerSees(/^Not protected/);
});

test('[ENG-09, DASH-04] a level below the threshold schedules a resume, and a new match cancels it', async ({
  nora,
  world,
}) => {
  await nora.arrives({
    campaigns: { Shoes: 'ACTIVE' },
    setup: { resume: { delayMinutes: 5 }, threshold: 'HIGH' },
  });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await world.reports('Medium disruptions');
  await nora.sees(SCHEDULED);
  await nora.sees('Meta Services Disruption Detected');
  await nora.sees(/remain active or are resuming as scheduled, because the status is below your threshold/);
  await world.reports('High disruptions');
  await nora.sees(ACTIVATED);
  await nora.noLongerSees(SCHEDULED);
  await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
});

test('[ENG-12] SmartPause on during an outage pauses at once; off leaves the campaign paused, and Manual Resume works at once', async ({
  nora,
  world,
}) => {
  const { account } = nora;
  await world.reports('High disruptions');
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await nora.sees('Nothing is protected in this disruption');
  await nora.turnsSmartPause('on', 'Shoes', 'Turn on and pause');
  await account.becomes('Shoes', 'PAUSED');
  await nora.seesCampaign('Shoes', /Paused by SmartPause/);
  await nora.turnsSmartPause('off', 'Shoes', 'Keep paused');
  await nora.sees('Shoes stays paused until you resume it.');
  await nora.presses('Manual Resume Shoes');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  const writes = await account.writesTo('Shoes');
  expect(writes.map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
});

test('[UX-01, UX-02] without a protected campaign the banner warns; then it counts and shows the paused ones', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });

  await world.reports('High disruptions');
  await nora.sees('Nothing is protected in this disruption');
  await nora.sees(/SmartPause is on for none of your 2 running campaigns\. They keep spending\./);
  await expect(page.getByText(ACTIVATED)).toHaveCount(0);
  await page.getByRole('link', { name: 'Choose campaigns' }).click();
  await expect(page).toHaveURL(/\?status=active&smartpause=off$/);
  await expect(page.locator('#campaign-list')).toBeFocused();

  await nora.turnsSmartPause('on', 'Shoes', 'Turn on and pause');
  await nora.sees(ACTIVATED);
  await nora.sees(/^1 campaign paused in 1 account\./);
  await page.getByRole('link', { name: 'Show them' }).click();
  await expect(nora.campaign('Hats')).toBeHidden();
  await nora.seesCampaign('Shoes', 'PAUSED');
  await expect(page.getByLabel('Filter by SmartPause')).toHaveValue('paused');
  await page.getByRole('link', { name: 'See what wasn’t paused, and why' }).click();
  const ran = page.getByRole('list', { name: 'Campaigns' }).getByRole('listitem');
  await expect(ran).toHaveText(/Hats.*SmartPause was off for it\./);
  await expect(ran).toBeInViewport({ ratio: 1 });
  await page.goBack();
  await nora.seesCampaign('Shoes', 'PAUSED');
  await world.reports('Resolved');
  await expect(nora.link('Meta ad services: Up')).toBeVisible();

  await nora.opens('/');
  await nora.turnsSmartPause('off', 'Shoes');
  await world.reports('High disruptions');
  const banner = page.getByRole('note').filter({ hasText: 'Nothing is protected' });
  await banner.getByRole('button', { name: 'Turn on for all active campaigns' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/so they are paused immediately/)).toBeVisible();
  await nora.presses('Turn on and pause 2');
  await nora.sees('SmartPause turned on for 2 campaigns.');
  await nora.sees(/^2 campaigns paused in 1 account\./);
  await expect(page.locator('#campaign-list')).toBeFocused();
  await world.reports('Resolved');
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
});

test('[UX-04, DASH-14] while SmartPause can’t be reached, the rows keep their distance to the heading', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await world.reports('High disruptions');
  await nora.sees('Nothing is protected in this disruption');
  await page.clock.install();
  await page.reload();
  await nora.sees('Nothing is protected in this disruption');
  const distance = `document.querySelector('[data-campaign]').getBoundingClientRect().top
    - document.querySelector('h1').getBoundingClientRect().top`;
  await nora.seesCampaign('Shoes', 'ACTIVE');
  const before = await page.evaluate<number>(distance);
  await page.route('**/api/status', (route) => route.abort());
  await page.clock.fastForward(30_000);
  await nora.sees('Can’t reach SmartPause');
  await nora.noLongerSees('Nothing is protected in this disruption');
  expect(await page.evaluate<number>(distance)).toBe(before);
  await page.unroute('**/api/status');
  await page.clock.fastForward(5000);
  await nora.sees('Nothing is protected in this disruption');
});

test('[UX-05] the resume banner names campaigns and account; Resume now resumes them and reports a failure', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({
    campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' },
    setup: { resume: { delayMinutes: 60 } },
  });
  const { account } = nora;

  for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
  await world.reports('High disruptions');
  await nora.sees(/^2 campaigns paused in 1 account\./);
  await world.reports('Resolved');
  await nora.sees(SCHEDULED);
  await nora.sees(`2 campaigns in ${account.name}`);

  const lists = '**/api/campaigns/act_*';
  await page.route(lists, (route) => route.fulfill({ status: 404, json: {} }));
  await page.reload();
  await nora.presses('Resume now');
  await nora.sees('The campaigns couldn’t be loaded.');
  await page.route(lists, (route) => route.fulfill({ json: { campaigns: [] } }));
  await nora.presses('Resume now');
  await nora.sees('Nothing to resume');
  await page.unroute(lists);
  await page.reload();
  await nora.seesCampaign('Shoes', 'PAUSED');

  const error = { code: 'CAMPAIGN_BUSY', message: 'SmartPause is at work on this ad account.' };
  const resume = `**/api/campaigns/${await account.idOf('Shoes')}/resume`;
  await page.route(resume, (route) => route.fulfill({ status: 409, json: { error } }));
  await tabTo(page, 'Resume now');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Resume 2 campaigns now?')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Resume 2 campaigns' });
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(nora.button('Resume now')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Enter');
  await nora.sees('Resumed 1 of 2 campaigns.');
  await nora.sees(/^1 failed: Shoes\. SmartPause is at work on this ad account\. Check the list/);
  await expect
    .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
    .toEqual(['ACTIVE', 'PAUSED']);
  await nora.noLongerSees(SCHEDULED);
  await expect(page.locator('#campaign-list')).toBeFocused();
  await expect(nora.switchOf('Shoes')).not.toBeChecked();
  await nora.seesCampaign('Hats', 'ACTIVE');
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
  const banner = page.getByRole('note').filter({ hasText: ACTIVATED });
  await tabTo(page, 'Reconnect to Meta');
  await expect(banner.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await nora.presses(`Continue as ${name}`);
  await nora.sees(/^2 campaigns paused in 1 account\. They resume 60 minutes after the outage ends\./);
  await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');

  await world.graph.post('/tokens/invalidate', { userId: id });
  await world.reports('Resolved');
  await nora.sees(SCHEDULED);
  const scheduled = page.getByRole('note').filter({ hasText: SCHEDULED });
  await nora.sees(/nothing resumes until you reconnect/);
  await expect(scheduled.getByRole('link', { name: 'Reconnect to Meta' })).toBeVisible();
  await expect(scheduled.getByRole('button', { name: 'Resume now' })).toHaveCount(0);
});

test('[UX-03] the toggle asks first during a match: the focus returns, Resume now resumes, and says when that fails', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });
  const { account } = nora;

  const dialog = page.getByRole('dialog');
  await world.reports('High disruptions');
  await nora.sees('Nothing is protected in this disruption');
  await nora.switchOf('Shoes').press('Space');
  await expect(dialog.getByText(/so “Shoes” is paused immediately\./)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(nora.switchOf('Shoes')).toBeFocused();
  await expect(nora.switchOf('Shoes')).not.toBeChecked();

  for (const campaign of ['Shoes', 'Hats']) {
    await nora.turnsSmartPause('on', campaign, 'Turn on and pause');
    await account.becomes(campaign, 'PAUSED');
    await nora.seesCampaign(campaign, /Paused by SmartPause/);
  }
  await nora.switchOf('Shoes').press('Space');
  // The user asked to turn SmartPause off, not to resume.
  const keep = dialog.getByRole('button', { name: 'Keep paused' });
  await expect(keep).toBeFocused();
  await expect(keep).not.toHaveAttribute('data-variant', 'default');
  await expect(dialog.getByRole('button', { name: 'Resume now' })).toHaveAttribute('data-variant', 'default');
  await nora.chooses('Cancel');
  await expect(nora.switchOf('Shoes')).toBeFocused();
  await expect(nora.switchOf('Shoes')).toBeChecked();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/smartpause/**', (route) => released.then(() => route.continue()));
  await nora.switchOf('Shoes').click();
  await nora.chooses('Resume now');
  await expect(dialog).toBeHidden();
  // Only SmartPause would be off, and the campaign would stay paused.
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  await (await asked).dismiss();
  release(undefined);
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await expect(nora.switchOf('Shoes')).not.toBeChecked();

  await page.route('**/api/campaigns/*/resume', (route) => route.fulfill({ status: 500, json: {} }));
  await nora.turnsSmartPause('off', 'Hats', 'Resume now');
  await nora.sees('Failed to resume campaign');
  await expect(nora.switchOf('Hats')).not.toBeChecked();
  await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
  await world.reports('Resolved');
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
});

test('[ENG-10] while the status is unknown, no pause starts and no match ends, and the page says so', async ({
  nora,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await world.status.fault({ kind: 'unknown_phrase', times: 0 });
  await world.status.reports('Resolved');
  await nora.sees('Meta Status Unknown');
  await nora.sees(/No campaigns will be paused until we can\. 1 campaign stays paused until then/);
  await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
  await world.status.ask('DELETE', '/faults');
  await account.becomes('Shoes', 'ACTIVE');
});

test('[DASH-10] a campaign resumed in Ads Manager is left alone, shows why, and can be re-enabled', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await nora.seesCampaign('Shoes', /by SmartPause/);
  // A read that is not surely newer than our pause proves nothing.
  await world.advance(11_000);
  await account.changes('Shoes', { status: 'ACTIVE' });
  // A changed status makes the reconciler run at once: the second time verifies the first.
  await world.reports('Medium disruptions');
  await expect(nora.link('Meta ad services: Medium disruption')).toBeVisible();
  await world.advance(10_000);
  await world.reports('High disruptions');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(nora.campaign('Shoes').getByText(/by SmartPause/)).toHaveCount(0);
  await nora.seesCampaign('Shoes', 'SmartPause Disabled');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(nora.switchOf('Shoes')).not.toBeChecked();

  const why = page.getByRole('tooltip');
  await nora.campaign('Shoes').getByText('SmartPause Disabled').hover();
  await expect(why.filter({ hasText: /changed outside SmartPause.*re-enable/ })).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(why).toBeHidden();
  await tabTo(page, 'SmartPause Disabled');
  await expect(why.filter({ hasText: /changed outside SmartPause.*re-enable/ })).toBeVisible();

  await world.reports('Resolved');
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
  await nora.turnsSmartPause('on', 'Shoes');
  await nora.noLongerSees('SmartPause Disabled');
  const writes = await account.writesTo('Shoes');
  expect(writes.filter(({ token_user: by }) => by !== null).map(({ status }) => status)).toEqual(['PAUSED']);
});
