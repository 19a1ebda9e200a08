import { openBlank } from '../support/blank.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { isAlive } from '../support/alive.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import type { PageOptions } from '../../scripts/browser/browser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

const PROBLEMS = [
  'Broken delivery',
  'Bot traffic',
  'ROAS collapse',
  'Overspending after recovery',
  'No notification',
  'Zero transparency',
];

const groundOf = (page: Page): Promise<string> =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

const FIRST_SCRIPT = '**/assets/start-*.js';

const LIGHT = 'rgb(246, 247, 249)';
const DARK = 'rgb(15, 18, 22)';

describe('the landing page', () => {
  const product = productOfThisSuite();
  const visit = <T>(look: (page: Page) => Promise<T>, options: PageOptions = {}): Promise<T> =>
    withPage(
      async (page) => {
        await page.goto('/');
        return look(page);
      },
      { baseURL: product.url, ...options },
    );

  test.each([true, false])(
    '[LAND-01, LAND-02, LAND-03, LAND-04, ROUTE-01] it is all there (with scripts: %s)',
    async (javaScriptEnabled) => {
      await visit(
        async (page) => {
          await page.getByRole('heading', { level: 1, name: 'Stop paying for Meta’s outages' }).waitFor();
          await page.getByText('30 days free, then $29.00 per month or $278.00 per year.').waitFor();
          for (const name of PROBLEMS) await page.getByRole('heading', { level: 3, name }).waitFor();
          await page.getByRole('img', { name: /^One evening on a time line/ }).waitFor();
          await page.getByText('The same evening, in words').waitFor();
          const example = page.getByRole('region', { name: 'Example of a testimonial' });
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
          expect(await page.title()).toBe('Stop paying for Meta’s outages · SmartPause');
        },
        { javaScriptEnabled },
      );
    },
  );

  test('[LAND-01, HEAD-02, HEAD-08] without scripts, menus and questions open all the same', async () => {
    const options = { javaScriptEnabled: false };
    await visit(async (page) => {
      await page.getByText('About', { exact: true }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' }).waitFor();
      await page.getByText('Is every outage seen?').click();
      await page.getByText(/can be no earlier than Meta is/).waitFor();
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

  test.each([320, 390, 768, 1280])(
    '[LAND-01, LAND-03] at %i pixels nothing scrolls sideways',
    async (width) => {
      await visit(
        async (page) => {
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          const inside = await page
            .getByRole('img', { name: /^One evening/ })
            .evaluate<boolean, { scrollWidth: number; clientWidth: number }>(
              ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
            );
          expect(inside).toBe(true);
        },
        { viewport: { width, height: 800 } },
      );
    },
  );

  test('[LAND-04, HEAD-02] it can be used with the keyboard alone', async () => {
    await visit(async (page) => {
      await page.keyboard.press('Tab');
      expect(await focusedName(page)).toBe('Skip to content');
      await tabTo(page, 'About');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focusedName(page)).toBe('Privacy Policy');
      const menu = page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' });
      await waitFor('Escape to close it', async () => {
        await page.keyboard.press('Escape');
        return !(await menu.isVisible());
      });
      expect(await focusedName(page)).toBe('About');
      await tabTo(page, 'Is every outage seen?');
      await page.keyboard.press('Enter');
      await page.getByText(/can be no earlier than Meta is/).waitFor();
      await page.reload();
      await tabTo(page, 'Start Free Trial');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/payment');
    });
  });

  test.each([
    ['light', null, LIGHT],
    ['dark', null, DARK],
    ['light', 'dark', DARK],
    ['dark', 'light', LIGHT],
    ['dark', 'auto', DARK],
  ] as const)(
    '[LAND-01] on a %s system, with %j chosen, the colours are right before any of the page’s scripts',
    async (colorScheme, chosen, ground) => {
      await withPage(
        async (page) => {
          await openBlank(page, product.url);
          if (chosen !== null) {
            await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${chosen}')`);
          }
          await withoutScripts(page);
          await page.goto('/');
          expect(await groundOf(page)).toBe(ground);
          await page.unroute(FIRST_SCRIPT);
          await page.goto('/');
          await waitFor('the page to be alive', () => isAlive(page));
          expect(await groundOf(page)).toBe(ground);
        },
        { baseURL: product.url, colorScheme },
      );
    },
  );

  test('[ROUTE-02, ROUTE-03] somebody with a session never sees it, and its end brings it back', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await withoutScripts(page);
      await nora.opens('/');
      expect(await page.getByText('Stop paying for').first().isVisible()).toBe(false);
      await page.unroute(FIRST_SCRIPT);
      await nora.opens('/');
      await nora.sees('Get Started - Monthly');
      expect(await page.getByText('Stop paying for').count()).toBe(0);
      await nora.presses('Log out');
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      // A login in another tab is noticed.
      const other = await page.context().newPage();
      await openBlank(other, product.url);
      await waitFor('the page to be alive', () => isAlive(page));
      await other.evaluate("localStorage.setItem('authToken', 'not-a-session')");
      await page.waitForEvent('load');
    });
  });

  test('[BANNER-01] it says what the address wants to say, until that is dismissed', async () => {
    await withPage(
      async (page) => {
        await page.goto('/?error=AUTH_FAILED&from=mail');
        await page.getByText('Authentication Failed').waitFor();
        const login = page.getByRole('link', { name: 'Log In' }).first();
        expect(await login.getAttribute('href')).toBe('/auth/facebook?returnTo=%2F%3Ffrom%3Dmail');
        await page.getByRole('button', { name: 'Dismiss' }).click();
        await page.getByText('Authentication Failed').waitFor({ state: 'hidden' });
        expect(page.url()).toBe(`${product.url}/?from=mail`);
      },
      { baseURL: product.url },
    );
  });

  test('[LAND-01] a visitor does not download the app', async () => {
    await withPage(
      async (page) => {
        const fetched: string[] = [];
        page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
        await page.goto('/');
        await waitFor('the page to be alive', () => isAlive(page));
        await page.waitForLoadState('networkidle');
        expect(fetched.some((path) => path.includes('come-alive'))).toBe(true);
        const ofTheApp = /start-app|dashboard|settings|pricing|queries|notices|drawer|\/api\//;
        expect(fetched.filter((path) => ofTheApp.test(path))).toEqual([]);
      },
      { baseURL: product.url },
    );
  });

  test('[LAND-01] links to it are shown with a picture, a title and our address', async () => {
    await visit(async (page) => {
      const content = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`);
      const read = (name: string) => content(name).getAttribute('content');
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${product.url}/`);
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

/** Only what runs before the first paint. */
function withoutScripts(page: Page): Promise<unknown> {
  return page.route(FIRST_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
}
