import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { asNewUser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';

/** Holds requests to that address until the test answers them. */
async function holds(page: Page, address: string): Promise<{ asked: Promise<Route> }> {
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route(address, resolve);
  return { asked };
}

const scrolledTo = (page: Page): Promise<number> => page.evaluate<number>('window.scrollY');

describe('navigation', () => {
  const product = productOfThisSuite();

  test('[ROUTE-06, AUTH-01] login leads to the Settings link that required it, from every Log In', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      for (const index of [0, 1]) {
        await nora.opens('/settings?from=mail#billing');
        await page.waitForURL(`${product.url}/`);
        await page.getByRole('link', { name: 'Log In' }).nth(index).click();
        await nora.presses(`Continue as ${name}`);
        await page.getByRole('heading', { name: 'Billing & Subscription' }).waitFor();
        expect(page.url()).toBe(`${product.url}/settings?from=mail#billing`);

        // The target is used once: the next login at home stays there.
        await page.getByRole('link', { name: 'SmartPause home' }).click();
        await nora.presses(/^Log out$/);
        await page.getByRole('link', { name: 'Log In' }).nth(index).click();
        await nora.presses(`Continue as ${name}`);
        await nora.sees('Get Started - Monthly');
        expect(page.url()).toBe(`${product.url}/`);
        await nora.presses(/^Log out$/);
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      }
    });
  });

  test('[AUTH-04, ROUTE-11] the target also survives an ended session and a second login attempt', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      await nora.opens('/terms');
      await page.evaluate("localStorage.setItem('authToken', 'ended-long-ago')");
      await nora.opens('/settings#billing');
      await page.waitForURL(`${product.url}/`);
      await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      await nora.goesToTheDialog();
      await nora.presses('Cancel');
      await page.getByRole('link', { name: 'Log in again' }).click();
      await nora.presses(`Continue as ${name}`);
      await page.waitForURL(`${product.url}/settings#billing`);
    });
  });

  test('[ROUTE-06] a target from before the logout does not redirect the next login', () =>
    asNewUser(product, async (nora, page, name) => {
      const held = /\/assets\/pricing-.*\.js/;
      await page.route(held, () => {});
      await nora.opens('/settings');
      await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await page.waitForURL(`${product.url}/`);
      await nora.presses(/^Log out$/);
      await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      await page.unroute(held);
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees('Get Started - Monthly');
    }));

  test('[AUTH-01] Log In pressed right after Log out starts the login', () =>
    asNewUser(product, async (nora, page, name) => {
      const [health, login] = [await holds(page, '**/health'), await holds(page, '**/auth/facebook?*')];
      await nora.presses(/^Log out$/);
      const answer = await health.asked;
      // oxlint-disable-next-line typescript/no-deprecated -- the click starts a navigation that stays held
      await page.getByRole('link', { name: 'Log In' }).first().click({ noWaitAfter: true });
      const going = await login.asked;
      const [answered] = await Promise.all([
        page.waitForResponse('**/health'),
        answer.fulfill({ body: 'ok' }),
      ]);
      await answered.finished();
      await going.continue();
      await page.getByRole('button', { name: `Continue as ${name}` }).waitFor();
    }));

  test('[HEAD-06, ROUTE-04] Log In keeps the rest of the address', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      await nora.opens('/payment?cycle=yearly&from=mail');
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees('Get Started - Yearly');
      expect(page.url()).toBe(`${product.url}/payment?cycle=yearly&from=mail`);
    });
  });

  test('a new page starts at its top; back restores the scroll position', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(
      product,
      async (nora, page) => {
        await nora.signsInAs(name);
        const goesDown = async (): Promise<void> => {
          await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
          await page.evaluate('window.scrollTo(0, 500)');
          await waitFor('the page to be down', async () => (await scrolledTo(page)) > 400);
        };
        await nora.opens('/settings');
        await goesDown();
        await nora.opens('/privacy-policy');
        await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
        expect(await scrolledTo(page)).toBe(0);
        await nora.opens('/settings');
        await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
        expect(await scrolledTo(page)).toBe(0);
        await goesDown();
        await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
        await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
        expect(await scrolledTo(page)).toBe(0);
        await page.goBack();
        await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
        await waitFor('the scroll position to return', async () => (await scrolledTo(page)) > 400);
      },
      { viewport: { width: 1000, height: 500 } },
    );
  });

  test('each page has its own title, and after a navigation its heading has the focus', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      for (const [path, title] of [
        ['/', 'Stop paying for Meta’s outages · SmartPause'],
        ['/payment', 'Plans · SmartPause'],
        ['/terms', 'Terms of Service · SmartPause'],
        ['/billing/canceled', 'Payment canceled · SmartPause'],
        ['/no-such-page', 'Page not found · SmartPause'],
      ] as const) {
        await nora.opens(path);
        await waitFor(`the title of ${path}`, async () => (await page.title()) === title);
      }
      await nora.signsInAs(name);
      await page.getByRole('link', { name: 'Settings' }).press('Enter');
      await waitFor('the title', async () => (await page.title()) === 'Settings · SmartPause');
      await waitFor('the focus', async () => (await focusedName(page)) === 'Settings');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).not.toBe('SmartPause home');
    });
  });
});
