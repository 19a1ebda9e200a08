import { describe, expect, test } from 'vitest';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';
import { asSomebodyNew } from '../support/somebody-new.ts';

const HIDE = `{
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}`;

describe('the header', () => {
  const product = productOfThisSuite();

  test('[HEAD-01] its name leads home from everywhere, logged in or not', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      for (const path of ['/payment', '/terms', '/no-such-page']) {
        await somebody.opens(path);
        await page.getByRole('banner').getByRole('link', { name: 'SmartPause home' }).click();
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(page.url()).toBe(`${product.url}/`);
      }
    });
    await asSomebodyNew(product, async (nora, page) => {
      await nora.opens('/settings');
      await tabTo(page, 'SmartPause home');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${product.url}/`);
    });
  });

  test('[HEAD-03, HEAD-06] a link that is being pressed stays where it is when name and status come', () =>
    asSomebodyNew(product, async (nora, page) => {
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
      await nora.button('Meta ad services: Up').waitFor();
      await page.mouse.up();
      await page.waitForURL(`${product.url}/settings`);
    }));

  test('[HEAD-05] who is logged in sees the status there, and its tooltip says the rest', () =>
    asSomebodyNew(product, async (nora, page) => {
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('High disruption');
      const indicator = nora.button('Meta ad services: High disruption');
      const tooltip = page.getByRole('tooltip');
      await indicator.hover();
      for (const words of [/high disruptions/i, /since .* EST/, /last checked (just now|\d+ s ago)/]) {
        await tooltip.getByText(words).waitFor();
      }
      await page.mouse.move(0, 0);
      await tooltip.waitFor({ state: 'hidden' });
      await tabTo(page, 'Meta ad services: High disruption');
      await tooltip.getByText(/last checked/).waitFor();
      await nora.presses('Log out');
      await indicator.waitFor({ state: 'hidden' });
    }));

  test('[API-21] the status is read every 30 s while a user is logged in, hidden or not; a failure is UNKNOWN', () =>
    asSomebodyNew(product, async (nora, page) => {
      // Alone: a stream of changes would have it read when it opens, and one that fails would cast doubt on the connection.
      await page.route('**/api/events', () => {});
      let asked = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/status') asked += 1;
      });
      await page.clock.install();
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      const atFirst = asked;
      await page.clock.runFor(27_000);
      expect(asked).toBe(atFirst);

      await page.route('**/api/status', (route) => route.fulfill({ status: 500 }));
      await page.clock.runFor(4_000);
      await nora.button('Meta ad services: Unknown').hover();
      await page.clock.runFor(1_000);
      const tooltip = page.getByRole('tooltip');
      await tooltip.getByText('SmartPause cannot be reached').waitFor();
      await tooltip.getByText('Unable to fetch status').waitFor();
      await page.getByRole('status').getByText('SmartPause cannot be reached', { exact: true }).waitFor();
      expect(asked).toBe(atFirst + 1);

      await page.unroute('**/api/status');
      await page.evaluate(HIDE);
      await page.clock.runFor(30_000);
      await nora.button('Meta ad services: Up').waitFor();
      expect(asked).toBe(atFirst + 2);

      await nora.presses('Log out');
      const atTheEnd = asked;
      await page.clock.runFor(120_000);
      expect(asked).toBe(atTheEnd);
    }));
});
