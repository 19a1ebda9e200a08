import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { PHONE, sharedBrowser, withKeptPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';

const product = productOfThisSuite();

describe('the public status page', () => {
  test('[HIST-06] is reached from the landing page and reads without a script, also on a phone', async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false, viewport: PHONE });
    try {
      const page = await context.newPage();
      await page.goto(product.url);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Meta status' }).click();
      await page.getByRole('heading', { level: 1, name: 'Meta ad delivery: Up' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/status');
      const delivery = page.getByRole('row', { name: /^Ads Delivery/ });
      await expect.poll(() => delivery.innerText()).toMatch(/SmartPause acts on this[^]*Up/);
      await page.getByRole('img', { name: 'Last 90 days of ad delivery' }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'adstatus.app' }).first().waitFor();
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await page.getByRole('link', { name: 'Start Free Trial' }).first().waitFor();
    } finally {
      await context.close();
    }
  });

  test('[HIST-06] shows an outage with shape, word and table, by keyboard too', () =>
    withKeptPage(async (page) => {
      await product.status.reports('High disruptions');
      await waitFor('the high level', async () =>
        (await (await fetch(`${product.url}/status.json`)).text()).includes(
          '"_status":{"level":"HIGH_DISRUPTION"',
        ),
      );
      await page.goto(`${product.url}/status`);
      await page.getByRole('heading', { level: 1, name: 'Meta ad delivery: High disruption' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /\d{4} High disruption/ }).waitFor();
      const fonts = await page.evaluate<string[]>('[...document.fonts].map(({ status }) => status)');
      expect(fonts).toEqual(['loaded']);
    }));
});
