import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { DESKTOP, PHONE } from '../../scripts/browser/browser.ts';
import type { User } from '../../scripts/browser/user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { asAdvertiser, asNewUser, asVisitor } from '../support/as-user.ts';

const HIDE = `{
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}`;

describe('the header', () => {
  const product = productOfThisSuite();

  test('[HEAD-01, HEAD-02] the logo leads home from every page, logged in or not; the menu opens by keyboard', async () => {
    await asVisitor(product, async (visitor, page) => {
      for (const path of ['/payment', '/terms', '/no-such-page']) {
        await visitor.opens(path);
        await page.getByRole('banner').getByRole('link', { name: 'SmartPause home' }).click();
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(page.url()).toBe(`${product.url}/`);
      }
    });
    await asNewUser(product, async (nora, page) => {
      await nora.opens('/settings');
      await tabTo(page, 'SmartPause home');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${product.url}/`);
      // The heading of the new page takes the focus.
      await nora.sees('Get Started - Monthly');
      await tabTo(page, 'About');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Privacy Policy' }).waitFor();
      // An earlier key would go to the button.
      await page.getByRole('menu').locator(':focus').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/privacy-policy|terms-of-service/);
    });
  });

  test('[HEAD-08, HEAD-03] the menu of small screens has the links of the header', async () => {
    await product.status.reports('High disruptions');
    await asVisitor(
      product,
      async (visitor, page) => {
        await visitor.opens('/');
        await visitor.presses('Open menu');
        await page.getByRole('dialog').getByRole('link', { name: 'Privacy Policy' }).waitFor();
        await expect.poll(() => page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
      },
      { viewport: PHONE },
    );
    await asNewUser(
      product,
      async (nora, page, name) => {
        await nora.presses(/^Open menu, Meta ad services: High disruption$/);
        const menu = page.getByRole('dialog');
        await menu.getByText(`Welcome, ${name}`).waitFor();
        await menu.getByRole('button', { name: 'Log out', exact: true }).waitFor();
        await menu.getByRole('link', { name: 'Settings' }).click();
        await page.waitForURL('**/settings');
      },
      { viewport: PHONE },
    );
  });

  test('[UX-08] the navigation marks the current page, and offers visitors the trial', async () => {
    const marked = (page: Page) => page.locator('[aria-current=page]').allTextContents();
    await asNewUser(product, async (nora, page) => {
      await nora.subscribes();
      await page.reload();
      for (const [path, name] of [
        ['/', 'Campaigns'],
        ['/settings', 'Settings'],
      ] as const) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await page.waitForURL(product.url + path);
        await waitFor(`${name} to be marked`, async () => (await marked(page)).join() === name);
      }
      await nora.opens('/privacy');
      await nora.presses('About');
      await page.locator('[role=menuitem][aria-current=page]').waitFor();
      expect(await marked(page)).toEqual(['Privacy Policy']);
    });
    for (const viewport of [DESKTOP, PHONE]) {
      const sees = async (visitor: User, page: Page, path: string): Promise<void> => {
        await visitor.opens(path);
        if (viewport === PHONE) await visitor.presses('Open menu');
        const trial = page.getByRole('navigation').getByRole('link', { name: 'Start Free Trial' });
        await trial.waitFor();
        await expect.poll(() => trial.getAttribute('href')).toBe('/payment');
      };
      await asVisitor(
        product,
        async (visitor, page) => {
          await sees(visitor, page, '/');
          await sees(visitor, page, '/terms');
        },
        { viewport },
      );
    }
  });

  test('[HEAD-03, HEAD-06] a link does not move under the pointer when name and status load', () =>
    asNewUser(product, async (nora, page) => {
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

  test('[HEAD-05] a logged-in user sees the status, and its tooltip has the details', () =>
    asNewUser(product, async (nora, page) => {
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
      await nora.presses(/^Log out$/);
      await indicator.waitFor({ state: 'hidden' });
    }));

  test('[UX-11] the tab shows a disruption, and times have the viewer’s own zone in a tooltip', () =>
    asAdvertiser(product, { path: '/settings', isFresh: true }, async ({ nora, page }) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
      const icon = () => page.locator('link[rel=icon]').getAttribute('href');
      await nora.opens('/settings');
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await expect.poll(() => page.title()).toBe('Settings · SmartPause');
      const usual = await icon();
      const periodEnd = page.getByRole('region', { name: 'Billing' }).locator('time').first();
      await expect
        .poll(() => periodEnd.getAttribute('title'))
        .toMatch(/^Your time: \w+ \d+, \d{4}, .* GMT\+[12]$/);

      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('High disruption');
      await waitFor('the title', async () => {
        return (await page.title()) === 'High disruption · Settings · SmartPause';
      });
      expect(await icon()).toMatch(/favicon-high/);
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
      await waitFor('the title of the next page', async () => {
        return (await page.title()) === 'High disruption · Terms of Service · SmartPause';
      });
      await product.status.reports('Resolved');
      await nora.button('Meta ad services: Up').waitFor();
      await waitFor('the usual title', async () => (await page.title()) === 'Terms of Service · SmartPause');
      expect(await icon()).toBe(usual);
    }));

  test('[API-21] the status is read every 30 s while a user is logged in, also in a hidden tab; a failure is UNKNOWN', () =>
    asNewUser(
      product,
      async (nora, page) => {
        // An open stream would read the status, and a failed one would trigger a connection check.
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
        await tooltip.getByText('Can’t reach SmartPause').waitFor();
        await tooltip.getByText('Unable to fetch status').waitFor();
        await page.getByRole('status').getByText('Can’t reach SmartPause', { exact: true }).waitFor();
        expect(asked).toBe(atFirst + 1);

        await page.unroute('**/api/status');
        await page.evaluate(HIDE);
        await page.clock.runFor(30_000);
        await nora.button('Meta ad services: Up').waitFor();
        expect(asked).toBe(atFirst + 2);

        await nora.presses(/^Log out$/);
        const atTheEnd = asked;
        await page.clock.runFor(120_000);
        expect(asked).toBe(atTheEnd);
      },
      { isFresh: true },
    ));
});
