import { DESKTOP, PHONE, expect, test } from './support/fixtures.ts';
import { focusedName, tabTo } from './support/keyboard.ts';

const HIDE = `{
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}`;

test('[HEAD-01, HEAD-02] the logo leads home, logged in or not; the menu opens by keyboard', async ({
  nora,
  page,
  world,
}) => {
  await nora.opens('/no-such-page');
  await nora.link('SmartPause home').click();
  await nora.isAtLandingPage();
  await expect(page).toHaveURL(`${world.url}/`);
  await nora.signsIn('/settings');
  // The heading of a new page takes the focus.
  const heading = page.getByRole('heading', { name: 'Settings: Billing' });
  await expect(heading).toBeFocused();
  await tabTo(page, 'SmartPause home');
  await page.keyboard.press('Enter');
  await nora.sees('Get Started - Monthly');
  await tabTo(page, 'About');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Terms of Service');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/terms-of-service');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' })).toBeHidden();
});

test('[HEAD-08, HEAD-03] the menu of small screens has the links of the header, and returns the focus to its button', async ({
  nora,
  page,
  world,
}) => {
  await world.reports('High disruptions');
  await page.setViewportSize(PHONE);
  await nora.opens('/');
  await nora.presses('Menu');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0);
  await menu.getByRole('link', { name: 'Pricing' }).click();
  await expect(menu).toBeHidden();
  await expect(page.locator('#prices')).toBeInViewport();
  await nora.signsIn();
  await nora.presses(/^Menu, Meta ad services: High disruption$/);
  await expect(menu.getByText(`Welcome, ${nora.name}`)).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Log out', exact: true })).toBeVisible();
  await tabTo(page, 'Color theme');
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedName(page)).toMatch(/^Menu, Meta/);
  await page.keyboard.press('Enter');
  await menu.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL('**/settings/billing');
});

test('[UX-08] the navigation marks the current page, and offers visitors the trial', async ({
  nora,
  page,
}) => {
  const trial = page.getByRole('navigation').getByRole('link', { name: 'Start Free Trial' });
  await nora.opens('/terms');
  await expect(trial).toHaveAttribute('href', '/payment');
  await page.setViewportSize(PHONE);
  await nora.presses('Menu');
  await expect(trial).toHaveAttribute('href', '/payment');

  await page.setViewportSize(DESKTOP);
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const menu = page.getByRole('navigation', { name: 'Main' });
  const marked = menu.locator('[aria-current=page]').filter({ visible: true });
  for (const [path, name] of [
    ['/settings', 'Settings'],
    ['/', 'Campaigns'],
  ] as const) {
    await menu.getByRole('link', { name }).click();
    await page.waitForURL(({ pathname }) => pathname === path);
    await expect(marked).toHaveText([name]);
  }
  await nora.opens('/privacy');
  await nora.presses('About');
  await expect(marked).toHaveText(['Privacy Policy']);
});

test('[HEAD-03, HEAD-06] a link does not move under the pointer when name and status load', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn();

  const { promise: isPressed, resolve: press } = Promise.withResolvers<undefined>();
  await page.route(/\/api\/(me|status)$/, async (route) => {
    await isPressed;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('link', { name: 'Settings' }).hover();
  await page.mouse.down();
  press(undefined);
  await nora.sees(/^Welcome, /);
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
  await page.mouse.up();
  await page.waitForURL(`${world.url}/settings/billing`);
});

test('[HEAD-05] a logged-in user sees the status, and its tooltip has the details and its link the history', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn();

  await world.reports('High disruptions');
  await nora.sees('High disruption');
  const indicator = nora.link('Meta ad services: High disruption');
  const tooltip = page.getByRole('tooltip');
  await indicator.hover();
  for (const words of [/high disruptions/i, /since .* EST/, /last checked just now/]) {
    await expect(tooltip.getByText(words)).toBeVisible();
  }
  await page.mouse.move(0, 0);
  await expect(tooltip).toBeHidden();
  await tabTo(page, 'Meta ad services: High disruption');
  await expect(tooltip.getByText(/last checked/)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.url}/status`);
  await page.goBack();
  await nora.presses(/^Log out$/);
  await expect(indicator).toBeHidden();
});

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('[UX-11, UX-25] the tab shows a disruption, and the viewer’s own time stands beside New York’s', async ({
    nora,
    page,
    world,
  }) => {
    await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
    await nora.turnsSmartPause('on', 'Shoes');

    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    await nora.opens('/settings/billing');
    await expect(page).toHaveTitle('Settings: Billing · SmartPause');
    const usual = await icon();
    const periodEnd = page.getByRole('region', { name: 'Billing' }).locator('time').first();
    await expect(periodEnd.locator('..')).toContainText(/ EST.* \(.*\d{1,2}:\d\d [AP]M your time\)/);
    await expect(periodEnd).toHaveAttribute('title', /^Your time: \w+ \d+, \d{4}, .* GMT\+[12]$/);

    await world.reports('High disruptions');
    await nora.sees('High disruption');
    await expect(page).toHaveTitle('High disruption · Settings: Billing · SmartPause');
    expect(await icon()).toMatch(/favicon-high/);
    await nora.link('Campaigns').click();
    await nora.seesCampaign('Shoes', /Paused by SmartPause at .* EST \(.* your time\)/);
    await nora.link('Settings').click();
    await world.reports('Resolved');
    await expect(nora.link('Meta ad services: Up')).toBeVisible();
    await expect(page).toHaveTitle('Settings · SmartPause');
    expect(await icon()).toBe(usual);
  });
});

test('[API-21] the status is read every 30 s while a user is logged in, also in a hidden tab; a failure is UNKNOWN, and is read again after 5 s', async ({
  nora,
  page,
}) => {
  await nora.signsIn();

  // An open stream would read the status.
  await page.route('**/api/events', () => {});
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/status') asked += 1;
  });
  await page.clock.install();
  await page.reload();
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
  const atFirst = asked;
  await page.clock.runFor(27_000);
  expect(asked).toBe(atFirst);

  await page.route('**/api/status', (route) => route.fulfill({ status: 500 }));
  await page.clock.runFor(4_000);
  await expect(nora.link('Meta ad services: Unknown')).toBeVisible();
  await expect(page.getByRole('status').getByText('Can’t reach SmartPause.')).toBeVisible();

  await page.unroute('**/api/status');
  await page.evaluate(HIDE);
  await page.clock.runFor(5_000);
  await expect(nora.link('Meta ad services: Up')).toBeVisible();

  await nora.presses(/^Log out$/);
  const atTheEnd = asked;
  await page.clock.runFor(120_000);
  expect(asked).toBe(atTheEnd);
});
