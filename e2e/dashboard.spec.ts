import { PHONE, expect, test } from './support/fixtures.ts';

test('[DASH-01, DASH-13] before the setup all controls are disabled, and a banner leads to it', async ({
  nora,
  page,
}) => {
  const { id, account } = nora;
  await nora.runs({ Shoes: 'ACTIVE' });
  const accounts = [
    { id: account.id, name: account.name, currency: 'USD', campaigns: [] },
    { id: `act_${id}9`, name: 'Lind Tents', currency: 'USD', campaigns: [] },
  ];
  await nora.hasAccounts(accounts);

  await nora.signsIn();
  await nora.subscribes();
  await nora.sees('Account Setup Required');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(nora.switchOf('Shoes')).toBeDisabled();
  await nora.button('More for Shoes').click();
  await expect(nora.button('Manual Pause Shoes')).toBeDisabled();
  await page.keyboard.press('Escape');
  const accountButton = page.getByRole('button', { name: 'Lind Tents' });
  await expect(accountButton).toBeDisabled();
  await page.getByRole('link', { name: 'Complete your setup' }).click();
  await page.waitForURL('**/settings');
  await nora.completesSetup();
  await page.getByRole('link', { name: 'Go to campaigns' }).click();
  await expect(nora.switchOf('Shoes')).toBeEnabled();
  await nora.turnsSmartPause('on', 'Shoes');
  await nora.button('More for Shoes').click();
  await expect(nora.button('Manual Pause Shoes')).toBeDisabled();
  await nora.sees('Turn SmartPause off to pause or resume manually');
});

test('[TEST-02] Back closes the dialog of a live test, also on the dashboard', async ({ nora, page }) => {
  // A shorter list has no filter.
  const campaigns = Array.from({ length: 8 }, (_, n) => [`Shoes ${n}`, 'ACTIVE'] as const);
  await nora.arrives({ campaigns: Object.fromEntries(campaigns) });
  const dialog = page.getByRole('dialog', { name: /live test/i });
  const filter = page.getByLabel('Filter');
  await filter.selectOption('on');
  await expect(page).toHaveURL(/filter=on/);
  await nora.presses('Run a live test');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/filter=on/);
  await expect(dialog).toHaveCount(0);
  await page.goForward();
  await expect(filter).toHaveValue('on');
  await expect(dialog).toHaveCount(0);
});

test('[UX-09, TEST-01, TEST-02] the checklist: a live test with the keyboard, SmartPause for all active campaigns, then what would happen now', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Boots: 'ACTIVE', Hats: 'PAUSED' } });
  const { account } = nora;

  await nora.sees('Run a test (optional)');
  await nora.presses('Run a live test');
  const dialog = page.getByRole('dialog', { name: /live test/i });
  await dialog.getByRole('combobox', { name: 'Campaign' }).fill('boo');
  await expect(page.getByRole('option', { name: 'Boots' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Shoes' })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Start the test' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/^Paused on Meta after \d+ s$/)).toBeVisible();
  await expect.poll(() => account.statusOf('Boots')).toBe('PAUSED');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await expect(page.getByText(/Test: resumes at/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Resume now' }).press('Enter');
  await expect(dialog.getByText(/^Resumed after \d+ s$/)).toBeVisible();
  await nora.sees('It works. In an outage SmartPause does the same.');
  await expect.poll(() => account.statusOf('Boots')).toBe('ACTIVE');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listitem').filter({ hasText: 'Run a test' })).toContainText('Done: ');

  await nora.presses('Run a live test');
  await expect(dialog.getByText(/^Last test, .* EST: Boots in .*\. Resumed after \d+ s\.$/)).toBeVisible();
  await nora.noLongerSees('It works. In an outage SmartPause does the same.');
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/live-test', (route) => released.then(() => route.fulfill({ status: 500, json: {} })));
  await dialog.getByRole('combobox', { name: 'Campaign' }).click();
  await page.getByRole('option', { name: 'Shoes' }).click();
  await dialog.getByRole('button', { name: 'Start the test' }).click();
  await page.keyboard.press('Escape');
  release(undefined);
  await nora.sees('Failed to start the live test');
  await page.unroute('**/live-test');

  await nora.sees('Choose campaigns to protect');
  await nora.presses('Turn on for all active campaigns');
  await nora.sees(/^2 campaigns in 1 ad account: (Boots and Shoes|Shoes and Boots)\.$/);
  await nora.chooses('Turn on for 2 campaigns');
  await nora.noLongerSees('Choose campaigns to protect');
  await expect(page.locator('#campaign-list')).toBeFocused();
  for (const campaign of ['Shoes', 'Boots']) await expect(nora.switchOf(campaign)).toBeChecked();
  await expect(nora.switchOf('Hats')).not.toBeChecked();
  await nora.turnsSmartPause('off', 'Boots');

  await nora.link('Run a test').click();
  // The dashboard has such a button, too.
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await nora.presses('What would happen now?');
  await nora.sees(
    'If Meta’s status met your threshold now, SmartPause would pause 1 of your 2 running campaigns.',
  );
  await page.getByText('Would be paused').press('Enter');
  await expect(page.getByRole('dialog').getByText('Shoes', { exact: true })).toBeVisible();
  await nora.sees('Paused already, stays paused');
  await nora.sees(/^1 would keep spending: \$\d+\/day\.$/);
  await nora.chooses('Protect it');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Turn on', exact: true })).toBeFocused();
  await nora.chooses('Turn on');
  await nora.sees('SmartPause turned on for 1 campaign.');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
});

test('[UX-18, UX-04] the first screen says how many running campaigns are protected and protects the others; no row moves, and the checklist stays until it is dismissed', async ({
  nora,
  page,
}) => {
  await page.setViewportSize(PHONE);
  await nora.arrives({ campaigns: { Boots: 'ACTIVE', Coats: 'ACTIVE', Hats: 'ACTIVE' } });
  await nora.sees('None of your 3 running campaigns is protected');
  const place = () =>
    page.evaluate<number>(`document.querySelector('[data-campaign]').getBoundingClientRect().top
      - document.querySelector('main').getBoundingClientRect().top`);
  const before = await place();
  await nora.turnsSmartPause('on', 'Boots');
  await nora.sees('1 of 3 running campaigns is protected');
  await nora.sees(/ would keep spending in an outage: \$100\/day\.$/);
  expect(await place()).toBe(before);
  await nora.presses('Protect the other 2');
  await nora.chooses('Turn on for 2 campaigns');
  await nora.sees('All 3 running campaigns are protected');
  await expect(page.getByRole('button', { name: /^(Protect|Turn on for)/ })).toHaveCount(0);
  expect(await place()).toBe(before);
  await nora.presses('Hide checklist');
  await nora.noLongerSees('Setup complete');
});

test('[UX-04, DASH-07, DASH-11, DASH-12] Manual Pause reaches Meta and moves no row, its notice undoes it, and the list is sorted once it is idle', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE' } });
  const { account } = nora;

  await page.clock.install();
  await page.reload();
  await nora.seesCampaign('Coats', 'ACTIVE');
  const names = async (): Promise<string> => {
    const lines = await nora.campaignRows().allInnerTexts();
    return lines.map((line) => line.split('\n')[0]).join(', ');
  };
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/smartpause/')) sent.push(request.postDataJSON());
  });
  await nora.turnsSmartPause('on', 'Hats');
  await nora.turnsSmartPause('off', 'Hats');
  expect(sent).toEqual([{ enabled: true }, { enabled: false }]);

  await nora.picks('Manual Pause', 'Coats');
  await nora.seesCampaign('Coats', 'PAUSED');
  await nora.sees('Paused 1 campaign.');
  await expect.poll(() => account.statusOf('Coats')).toBe('PAUSED');
  await expect.poll(() => names()).toBe('Coats, Hats, Boots');
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await nora.sees('Resumed 1 campaign.');
  await expect(page.locator('#campaign-list')).toBeFocused();
  await nora.seesCampaign('Coats', 'ACTIVE');
  await expect.poll(() => account.statusOf('Coats')).toBe('ACTIVE');

  await nora.picks('Manual Pause', 'Coats');
  await nora.seesCampaign('Coats', 'PAUSED');
  await page.clock.fastForward(60_000);
  await expect.poll(() => names()).toBe('Coats, Hats, Boots');
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur()');
  await page.clock.fastForward(11_000);
  await expect.poll(() => names()).toBe('Hats, Boots, Coats');
  await nora.picks('Manual Resume', 'Coats');
  await nora.seesCampaign('Coats', 'ACTIVE');
  await expect.poll(() => account.statusOf('Coats')).toBe('ACTIVE');
});

test.describe('on a touch screen', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true });

  test('[UX-04] the list is sorted although a row was the last thing touched', async ({ nora, page }) => {
    await nora.arrives({ campaigns: { Coats: 'ACTIVE', Hats: 'ACTIVE' } });
    await page.clock.install();
    await page.reload();
    await nora.button('More for Coats').tap();
    await nora.button('Manual Pause Coats').tap();
    await nora.seesCampaign('Coats', 'PAUSED');
    await page.clock.fastForward(11_000);
    await expect(nora.campaignRows().first()).toContainText('Hats');
  });

  test('[UX-09] a notice does not cover the button that it is about', async ({ nora, page }) => {
    await nora.arrives({ campaigns: { Coats: 'ACTIVE', Hats: 'ACTIVE' } });
    await nora.turnsSmartPause('on', 'Hats');
    await page.route('**/api/smartpause/**', (route) => route.fulfill({ status: 500 }));
    const button = nora.button('Protect it');
    await button.tap();
    await nora.chooses('Turn on');
    const notice = page.getByRole('alert').filter({ hasText: 'Failed to toggle SmartPause' });
    await expect(notice).toBeVisible();
    const [above, below] = [await button.boundingBox(), await notice.boundingBox()];
    expect((above?.y ?? NaN) + (above?.height ?? NaN)).toBeLessThan(below?.y ?? NaN);
    const isOnTop = async () => {
      const { x = 0, y = 0 } = (await notice.boundingBox()) ?? {};
      const at = `${x + 20}, ${y + 20}`;
      return page.evaluate<boolean>(`document.elementFromPoint(${at}).closest('[role=alert]') !== null`);
    };
    // Once the dialog before it has closed.
    await expect.poll(isOnTop).toBe(true);
    // Nor those of a dialog.
    await button.tap();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect.poll(isOnTop).toBe(false);
  });
});

test('[UX-04] without a subscription a resume works, and its notice offers no pause', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Boots: 'PAUSED' } });
  const over = await nora.overHttp();
  const portalUrl = await over.openPortal();
  const { text } = await world.stripe.portal(portalUrl).page();
  await world.stripe.setStatus(/name="subscription" value="([^"]+)"/.exec(text)?.[1] ?? '', 'unpaid');
  await over.post('/api/stripe/refresh-subscription');
  await nora.opens('/?show=campaigns');
  await nora.picks('Manual Resume', 'Boots');
  await nora.sees('Resumed 1 campaign.');
  await expect(page.getByRole('alert').getByRole('button')).toHaveAccessibleName('Dismiss');
  await nora.seesCampaign('Boots', 'ACTIVE');
});

test('[DASH-16] a resume while SmartPause is on is refused, and the page says why', async ({
  nora,
  page,
}) => {
  const { account } = nora;
  // Without the event stream this tab does not learn of changes in another tab.
  await page.route('**/api/events', () => {});
  await nora.arrives({ campaigns: { Shoes: 'PAUSED' } });
  await nora.seesCampaign('Shoes', 'PAUSED');
  const otherTab = await nora.overHttp();
  await otherTab.setSmartPause(account.id, await account.idOf('Shoes'), true);
  await nora.picks('Manual Resume', 'Shoes');
  await nora.sees(/cannot be manually resumed while SmartPause is active.*disable SmartPause first/);
  await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
});

test('[DASH-05, DASH-06, UX-12] the first account is chosen by default, also in place of a foreign one; each tab keeps its choice, a new visit the last one, until the logout', async ({
  nora,
  page,
  world,
}) => {
  const { id, account } = nora;
  await nora.runs({ Shoes: 'ACTIVE' });
  await nora.hasAccounts([
    { id: account.id, name: account.name, currency: 'USD', campaigns: [] },
    { id: `act_${id}9`, name: 'Lind Tents', currency: 'USD', campaigns: [] },
  ]);
  await nora.arrives();
  const { promise: loaded, resolve: load } = Promise.withResolvers<undefined>();
  await page.route('**/api/ad-accounts', (route) => loaded.then(() => route.continue()));
  await page.reload();
  await expect(page.getByTestId('account-placeholder').first()).toBeVisible();
  await expect(page.getByTestId('account-placeholder')).toHaveCount(3);
  await expect(page.getByTestId('campaign-placeholder')).toHaveCount(5);
  load(undefined);
  const accounts = page.getByRole('region', { name: 'Ad accounts' });
  await expect(accounts.locator('[aria-current=true]')).toContainText(account.name);
  await nora.presses('Lind Tents');
  await page.reload();
  await expect(accounts.locator('[aria-current=true]')).toContainText('Lind Tents');

  const visits = async () => {
    const tab = await page.context().newPage();
    await tab.goto(world.url);
    return { tab, choice: tab.getByRole('region', { name: 'Ad accounts' }).locator('[aria-current=true]') };
  };
  const other = await visits();
  await expect(other.choice).toContainText('Lind Tents');
  await other.tab.getByRole('button', { name: account.name }).click();
  await expect(other.choice).toContainText(account.name);
  await nora.link('Activity').click();
  await nora.link('Campaigns').click();
  await expect(accounts.locator('[aria-current=true]')).toContainText('Lind Tents');
  await other.tab.close();
  const next = await visits();
  await expect(next.choice).toContainText(account.name);
  await next.tab.close();
  // Such as the account of another user who was logged in before.
  await nora.opens('/?account=act_404&filter=on');
  await expect(accounts.locator('[aria-current=true]')).toContainText('Lind Tents');
  await expect(page).toHaveURL(`${world.url}/?account=act_${id}9&filter=on`);
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  await expect(page).toHaveURL(`${world.url}/`);
  await nora.signsIn();
  await expect(accounts.locator('[aria-current=true]')).toContainText(account.name);
});

test('[DASH-14] ad accounts and settings that cannot be loaded say so, and are tried again @before-release', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await world.reports('High disruptions');
  await nora.sees('Nothing is protected in this disruption');
  const { promise: loaded, resolve: load } = Promise.withResolvers<undefined>();
  await page.route('**/api/user/status', async (route) => {
    await loaded;
    await route.fulfill({ status: 404, json: {} });
  });
  await page.reload();
  await expect(page.getByTestId('banner-placeholder')).toBeVisible();
  await expect(page.getByText('Meta Services Disruption Detected')).toHaveCount(0);
  load(undefined);
  await nora.sees(/your settings couldn’t be loaded/);
  await page.unrouteAll();

  // Live updates would load it before the press.
  await page.route('**/api/events', () => {});
  await page.route('**/api/ad-accounts', (route) => route.fulfill({ status: 404, json: {} }));
  await page.clock.install();
  await page.reload();
  await nora.sees('Your ad accounts couldn’t be loaded. SmartPause keeps trying.');
  await expect(page.getByTestId('account-placeholder')).toHaveCount(0);
  // The page’s own next try would load it before the press.
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 60_000'));
  // One that has begun ends: what it changes is drawn by the page's clock.
  const isBusy = async () => {
    await page.clock.runFor(500);
    return nora.button('Retry').getAttribute('aria-busy');
  };
  await expect.poll(isBusy).not.toBe('true');
  await page.unroute('**/api/ad-accounts');
  await nora.presses('Retry');
  await page.clock.resume();
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(page.locator('#campaign-list')).toBeFocused();
});
