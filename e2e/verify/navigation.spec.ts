import type { Page } from '@playwright/test';

import { expect, test } from '../support/fixtures.ts';
import { focusedName } from '../support/keyboard.ts';

const scrolledTo = (page: Page): Promise<number> => page.evaluate<number>('window.scrollY');

test('[ROUTE-06, AUTH-01] login leads to the Settings link that required it, from every Log In', async ({
  nora,
  page,
  world,
}) => {
  for (const index of [0, 1]) {
    await nora.opens('/settings?from=mail#billing');
    await page.waitForURL(`${world.url}/`);
    await page.getByRole('link', { name: 'Log In' }).nth(index).click();
    await nora.presses(`Continue as ${nora.name}`);
    await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toBeVisible();
    await expect(page).toHaveURL(`${world.url}/settings?from=mail#billing`);

    // The target is used once: the next login at home stays there.
    await page.getByRole('link', { name: 'SmartPause home' }).click();
    await nora.presses(/^Log out$/);
    await page.getByRole('link', { name: 'Log In' }).nth(index).click();
    await nora.presses(`Continue as ${nora.name}`);
    await nora.sees('Get Started - Monthly');
    await expect(page).toHaveURL(`${world.url}/`);
    await nora.presses(/^Log out$/);
    await nora.isAtLandingPage();
  }
});

test('a new page starts at its top; back restores the scroll position', async ({ nora, page }) => {
  await page.setViewportSize({ width: 1000, height: 500 });
  await nora.signsIn();
  const goesDown = async (): Promise<void> => {
    await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
    await page.evaluate('window.scrollTo(0, 500)');
    await expect
      .poll(async () => (await scrolledTo(page)) > 400, { message: 'the page to be down' })
      .toBe(true);
  };
  await nora.opens('/settings');
  await goesDown();
  await nora.opens('/privacy-policy');
  await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible();
  expect(await scrolledTo(page)).toBe(0);
  await nora.opens('/settings');
  await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  expect(await scrolledTo(page)).toBe(0);
  await goesDown();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible();
  expect(await scrolledTo(page)).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Danger Zone' })).toBeVisible();
  await expect
    .poll(async () => (await scrolledTo(page)) > 400, { message: 'the scroll position to return' })
    .toBe(true);
});

test('each page has its own title, and after a navigation its heading has the focus', async ({
  nora,
  page,
}) => {
  for (const [path, title] of [
    ['/', 'Stop paying for Meta’s outages · SmartPause'],
    ['/payment', 'Plans · SmartPause'],
    ['/terms', 'Terms of Service · SmartPause'],
    ['/billing/canceled', 'Payment canceled · SmartPause'],
    ['/no-such-page', 'Page not found · SmartPause'],
  ] as const) {
    await nora.opens(path);
    await expect(page).toHaveTitle(title);
  }
  await nora.signsIn();
  await page.getByRole('link', { name: 'Settings' }).press('Enter');
  await expect(page).toHaveTitle('Settings · SmartPause');
  await expect.poll(() => focusedName(page)).toBe('Settings');
  await page.keyboard.press('Tab');
  await expect.poll(() => focusedName(page)).not.toBe('SmartPause home');
});
