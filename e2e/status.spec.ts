import { PHONE, expect, test } from './support/fixtures.ts';

test.describe('without a script, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE });

  test('[HIST-06] the status page is reached from the landing page', async ({ page, world }) => {
    await page.goto(world.url);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Meta status' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Meta ad delivery: Up' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/status');
    const delivery = page.getByRole('row', { name: /^Ads Delivery/ });
    await expect(delivery).toContainText(/SmartPause acts on this[^]*Up/);
    await expect(page.getByRole('img', { name: 'Last 90 days of ad delivery' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'adstatus.app' }).first()).toBeVisible();
    await page.getByRole('link', { name: 'SmartPause home' }).click();
    await expect(page.getByRole('link', { name: 'Start Free Trial' }).first()).toBeVisible();
  });
});

test('[HIST-06] the status page shows an outage with shape, word and table, by keyboard too', async ({
  page,
  world,
}) => {
  await world.reports('High disruptions');
  await page.goto(`${world.url}/status`);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Meta ad delivery: High disruption' }),
  ).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /\d{4} High disruption/ })).toBeVisible();
  const fonts = await page.evaluate<string[]>('[...document.fonts].map(({ status }) => status)');
  expect(fonts).toEqual(['loaded']);
});
