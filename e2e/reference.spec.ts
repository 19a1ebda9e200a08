import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, withPage } from './browser.ts';
import { violationsOn } from './catalogue/axe.ts';
import { productOfThisSuite } from './fixture.ts';

describe('the reference of the calls', () => {
  const product = productOfThisSuite();

  test.each([
    ['wide and light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['wide and dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['narrow and light', { viewport: PHONE, colorScheme: 'light' }],
    ['narrow and dark', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('is readable without faults, %s, and no wider than the window', async (name, look) => {
    await withPage(async (page) => {
      await page.goto(`${product.url}/api/docs`);
      await page.getByRole('link', { name: /POST \/api\/campaigns\/\{id\}\/pause/ }).click();
      expect(new URL(page.url()).hash).toBe('#pauseCampaign');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        name.endsWith('dark') ? 'rgb(20, 21, 23)' : 'rgb(255, 255, 255)',
      );
      const article = page.locator('#pauseCampaign');
      await article.getByText('Refusals').click();
      expect(await article.getByText('SUBSCRIPTION_REQUIRED').isVisible()).toBe(true);
      expect(await violationsOn(page)).toEqual([]);
    }, look);
  });
});
