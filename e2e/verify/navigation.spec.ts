import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';
import { focusedName } from '../support/keyboard.ts';

const isScrolled = (page: Page) => expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(300);

test('[ROUTE-06, AUTH-01] login leads to the Settings link that required it, once', async ({
  nora,
  page,
  world,
}) => {
  const wanted = `${world.url}/settings/billing?from=mail#billing`;
  await page.goto(`${world.url}/settings?from=mail#billing`);
  await page.waitForURL(`${world.url}/`);
  await nora.goesToTheDialog();
  await nora.presses(`Continue as ${nora.name}`);
  await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toBeVisible();
  await expect(page).toHaveURL(wanted);

  await page.getByRole('link', { name: 'SmartPause home' }).click();
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  await nora.logsIn();
  await nora.sees('Get Started - Monthly');
  await expect(page).toHaveURL(`${world.url}/`);
});

test('a new page starts at its top; back restores the scroll position', async ({ nora, page }) => {
  await page.setViewportSize({ width: 1000, height: 400 });
  await nora.signsIn('/settings/account');
  await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await page.evaluate('window.scrollTo(0, 500)');
  await isScrolled(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await isScrolled(page);
});

test('each page has its own title, and after a navigation its heading has the focus', async ({
  nora,
  page,
}) => {
  for (const [path, title] of [
    ['/', 'Stop paying for Meta’s outages · SmartPause'],
    ['/payment', 'Plans · SmartPause'],
    ['/billing/canceled', 'Payment canceled · SmartPause'],
    ['/no-such-page', 'Page not found · SmartPause'],
  ] as const) {
    await nora.opens(path);
    await expect(page).toHaveTitle(title);
  }
  await nora.signsIn();
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  await expect(page).toHaveTitle('Settings: Billing · SmartPause');
  await expect.poll(() => focusedName(page)).toBe('Settings: Billing');
});
