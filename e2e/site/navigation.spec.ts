import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

/** Requests to that address are not answered before the test does it. */
async function holds(page: Page, address: string): Promise<{ asked: Promise<Route> }> {
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route(address, resolve);
  return { asked };
}

const scrolledTo = (page: Page): Promise<number> => page.evaluate<number>('window.scrollY');

describe('finding the way', () => {
  const product = productOfThisSuite();
  const somebodyNew = async (): Promise<string> => (await newAdvertiser(product.graph, {})).name;

  test.each([
    ['the header', 0],
    ['the landing page', 1],
  ])('[ROUTE-06, AUTH-01] a link to Settings waits for the login: Log In of %s', async (_where, index) => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/settings?from=mail#billing');
      await page.waitForURL(`${product.url}/`);
      await page.getByRole('link', { name: 'Log In' }).nth(index).click();
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('heading', { name: 'Billing & Subscription' }).waitFor();
      expect(page.url()).toBe(`${product.url}/settings?from=mail#billing`);

      // It was for once: the next login at home stays there.
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await nora.presses('Log out');
      await page.getByRole('link', { name: 'Log In' }).nth(index).click();
      await nora.presses(`Continue as ${name}`);
      await nora.sees('Get Started - Monthly');
      expect(page.url()).toBe(`${product.url}/`);
    });
  });

  test('[AUTH-04, ROUTE-11] it waits for somebody whose session has ended, too, and for a second try', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
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

  test('[ROUTE-06] what is left before the logout is not what the next login leads to', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      const held = /\/assets\/pricing-.*\.js/;
      await page.route(held, () => {});
      await nora.opens('/settings');
      await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
      await page.getByRole('link', { name: 'SmartPause home' }).click();
      await page.waitForURL(`${product.url}/`);
      await nora.presses('Log out');
      await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      await page.unroute(held);
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees('Get Started - Monthly');
    });
  });

  test('[AUTH-01] Log In pressed right after Log out leads to the login', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      const [health, login] = [await holds(page, '**/health'), await holds(page, '**/auth/facebook?*')];
      await nora.presses('Log out');
      const answer = await health.asked;
      await page.getByRole('link', { name: 'Log In' }).first().click({ noWaitAfter: true });
      const going = await login.asked;
      const [answered] = await Promise.all([
        page.waitForResponse('**/health'),
        answer.fulfill({ body: 'ok' }),
      ]);
      await answered.finished();
      await going.continue();
      await page.getByRole('button', { name: `Continue as ${name}` }).waitFor();
    });
  });

  test('[HEAD-06, ROUTE-04] Log In keeps what else the address says', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/payment?cycle=yearly&from=mail');
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees('Get Started - Yearly');
      expect(page.url()).toBe(`${product.url}/payment?cycle=yearly&from=mail`);
    });
  });

  test('a page just opened begins at its top; the way back finds where it was', async () => {
    const name = await somebodyNew();
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
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
        await waitFor('the place to be found again', async () => (await scrolledTo(page)) > 400);
      },
      { viewport: { width: 1000, height: 500 } },
    );
  });

  test('each page has a name of its own, and after a step inside the site its heading has the focus', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
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
      expect(await focusedName(page)).not.toBe('SmartPause home');
    });
  });

  test('[HEAD-08] on a phone the focus goes to the heading, too, and not back to the menu', async () => {
    const name = await somebodyNew();
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.continuesAs(name);
        await nora.presses(/^Open menu/);
        await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await waitFor('the focus', async () => (await focusedName(page)) === 'Settings');
      },
      { viewport: PHONE },
    );
  });
});
