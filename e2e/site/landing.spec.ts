import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { isAlive, openBlank } from '../support/document.ts';
import type { PageOptions } from '../../scripts/browser/browser.ts';
import { DESKTOP, PHONE, withKeptPage, withPage } from '../../scripts/browser/browser.ts';
import { asNewUser } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';

const PROBLEMS = [
  'Broken delivery',
  'Bot traffic',
  'ROAS collapse',
  'Overspending after recovery',
  'No notification',
  'Zero transparency',
];

const FIRST_SCRIPT = '**/assets/start-*.js';

describe('the landing page', () => {
  const product = productOfThisSuite();
  const visit = <T>(
    look: (page: Page) => Promise<T>,
    { javaScriptEnabled = true, viewport = DESKTOP }: PageOptions = {},
  ): Promise<T> =>
    (javaScriptEnabled ? withKeptPage : withPage)(
      async (page) => {
        await page.goto(product.url);
        return look(page);
      },
      { viewport, ...(!javaScriptEnabled && { javaScriptEnabled }) },
    );

  test.each([true, false])(
    '[LAND-01, LAND-02, LAND-03, LAND-04, ROUTE-01] all sections are present (with scripts: %s)',
    async (javaScriptEnabled) => {
      await visit(
        async (page) => {
          await page.getByRole('heading', { level: 1, name: 'Stop paying for Meta’s outages' }).waitFor();
          await page.getByText('30 days free, then $29.00 per month or $278.00 per year.').waitFor();
          for (const name of PROBLEMS) await page.getByRole('heading', { level: 3, name }).waitFor();
          await page.getByRole('img', { name: /^Timeline of the Meta outage/ }).waitFor();
          await page.getByText('The outage of January 8, 2026, replayed').waitFor();
          const example = page.getByRole('region', { name: 'Example testimonial' });
          await example.getByText('Example, not a real customer').waitFor();
          await page.getByText('Billed annually ($278) after trial').waitFor();
          const trials: string[] = [];
          for (const link of await page.getByRole('link', { name: 'Start Free Trial' }).all()) {
            trials.push(((await link.getAttribute('href')) ?? '').replace(/\?.*/, ''));
          }
          expect(trials.length).toBeGreaterThanOrEqual(4);
          expect(new Set(trials)).toEqual(new Set(['/payment']));
          const legal = page.getByRole('contentinfo');
          await legal.getByRole('link', { name: 'Privacy Policy' }).waitFor();
          await legal.getByRole('link', { name: 'Terms of Service' }).waitFor();
          await expect.poll(() => page.title()).toBe('Stop paying for Meta’s outages · SmartPause');
        },
        { javaScriptEnabled },
      );
    },
  );

  test('[LAND-01, HEAD-02, HEAD-08] menus and questions open without scripts', async () => {
    const options = { javaScriptEnabled: false };
    await visit(async (page) => {
      await page.getByText('About', { exact: true }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' }).waitFor();
      await page.getByText('Does it catch every outage?').click();
      await page.getByText(/as soon as Meta posts it/).waitFor();
    }, options);
    await visit(
      async (page) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        const menu = page.getByRole('dialog', { name: 'Menu' });
        await menu.getByRole('link', { name: 'Log In' }).waitFor();
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'hidden' });
      },
      { ...options, viewport: PHONE },
    );
  });

  test('[LAND-01, LAND-03] the page does not scroll sideways', () =>
    visit(async (page) => {
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'))
          .toBeLessThanOrEqual(width);
        const inside = await page
          .getByRole('img', { name: /^Timeline of/ })
          .evaluate<boolean, { scrollWidth: number; clientWidth: number }>(
            ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
          );
        expect([width, inside]).toEqual([width, true]);
      }
    }));

  test('[LAND-04, HEAD-02] the page works with the keyboard', async () => {
    await visit(async (page) => {
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Skip to content');
      await tabTo(page, 'About');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Privacy Policy');
      const menu = page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' });
      await waitFor('Escape to close it', async () => {
        await page.keyboard.press('Escape');
        return !(await menu.isVisible());
      });
      await expect.poll(() => focusedName(page)).toBe('About');
      await tabTo(page, 'Does it catch every outage?');
      await page.keyboard.press('Enter');
      await page.getByText(/as soon as Meta posts it/).waitFor();
      await page.reload();
      await tabTo(page, 'Start Free Trial');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/payment');
    });
  });

  test('[ROUTE-02, ROUTE-03] a user with a session never sees the page, and the end of the session shows it', () =>
    asNewUser(product, async (nora, page) => {
      await withoutScripts(page);
      await nora.opens('/');
      await expect.poll(() => page.getByText('Stop paying for').first().isVisible()).toBe(false);
      await page.unroute(FIRST_SCRIPT);
      await nora.opens('/');
      await nora.sees('Get Started - Monthly');
      await expect.poll(() => page.getByText('Stop paying for').count()).toBe(0);
      await nora.presses(/^Log out$/);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      // The page notices a login in another tab.
      const other = await page.context().newPage();
      await openBlank(other, product.url);
      await waitFor('the page to be hydrated', () => isAlive(page));
      await other.evaluate("localStorage.setItem('authToken', 'not-a-session')");
      await page.waitForEvent('load');
    }));

  test('[LAND-01] a visitor does not download the app', () =>
    withPage(async (page) => {
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
      await page.goto(product.url);
      await waitFor('the page to be hydrated', () => isAlive(page));
      await page.waitForLoadState('networkidle');
      expect(fetched.some((path) => path.includes('come-alive'))).toBe(true);
      const ofTheApp = /start-app|dashboard|settings|pricing|queries|notices|drawer|\/api\//;
      expect(fetched.filter((path) => ofTheApp.test(path))).toEqual([]);
    }));

  test('[LAND-01] link previews have a picture, a title and the address of SmartPause', async () => {
    await visit(async (page) => {
      const content = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`);
      const read = (name: string) => content(name).getAttribute('content');
      await expect
        .poll(() => page.locator('link[rel=canonical]').getAttribute('href'))
        .toBe(`${product.url}/`);
      expect(await read('og:title')).toBe('Stop paying for Meta’s outages');
      expect(await read('twitter:card')).toBe('summary_large_image');
      const picture = (await read('og:image')) ?? '';
      expect(picture).toBe(`${product.url}/social-card.png`);
      const png = Buffer.from(await (await fetch(picture)).arrayBuffer());
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(png.length).toBeLessThan(300_000);
    });
  });
});

/** Keeps only the script that runs before the first paint. */
function withoutScripts(page: Page): Promise<unknown> {
  return page.route(FIRST_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
}
