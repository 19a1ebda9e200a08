import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';
import { asSomebodyNew } from '../support/somebody-new.ts';

/** As browsers do that are told to keep nothing of any site. */
const KEEPS_NOTHING = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
  });
}`;

describe('when the browser does not do what is usual', () => {
  const product = productOfThisSuite();

  test('one that keeps nothing shows every page all the same, and a login holds as long as the page', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      await page.addInitScript(KEEPS_NOTHING);
      const nora = new Person(page, product);
      for (const [path, heading] of [
        ['/', /^Stop paying/],
        ['/payment', /SmartPause free/],
        ['/terms', 'Terms of Service'],
      ] as const) {
        await nora.opens(path);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      }
      await nora.continuesAs(name);
      await nora.sees(`Welcome, ${name}`);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    });
  });

  test('[HEAD-07] logged out without a connection: it is said, home comes with the connection, and the session ends', () =>
    asSomebodyNew(product, async (nora, page) => {
      const elsewhere = await nora.overHttp();
      await nora.sees('Get Started - Monthly');
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await nora.presses('Log out');
      await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
      expect((await elsewhere.call('GET', '/api/me')).status).toBe(200);
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      await waitFor('the session to be over', async () => {
        return (await elsewhere.call('GET', '/api/me')).status === 401;
      });
    }));

  test('[AUTH-02] a login as somebody else in another tab leaves nothing of the first person on the page', async () => {
    const [ann, bob] = [await newAdvertiser(product.graph, {}), await newAdvertiser(product.graph, {})];
    await withPage(async (page) => {
      const person = new Person(page, product);
      await person.arrivesAtSettingsAs(ann.name);
      await page.getByLabel('Email').fill('ann@ann.example');
      const other = new Person(await page.context().newPage(), product);
      await other.opens('/auth/facebook?returnTo=%2Fterms');
      await Promise.all([page.waitForEvent('load'), other.presses(`Continue as ${bob.name}`)]);
      await person.sees(`Welcome, ${bob.name}`);
      // Whoever has no subscription has no form either.
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      expect(await page.getByLabel('Email').count()).toBe(0);
    });
  });

  test('a program that cannot be fetched says so instead of showing nothing; a landing page stays as it came', async () => {
    await withPage(async (page) => {
      await page.route(/\/assets\/(start-app|come-alive)-.*\.js/, (route) => route.abort());
      await page.goto(`${product.url}/terms`);
      await page.getByRole('heading', { name: 'SmartPause could not be loaded' }).waitFor();
      await page.goto(product.url);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      await page.unrouteAll();
      await page.goto(`${product.url}/terms`);
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
    });
  });

  test('[DASH-04] what is not known of somebody’s settings is not claimed', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await product.status.reports('High disruptions');
      await page.route('**/api/user/status', (route) => route.fulfill({ status: 500 }));
      await nora.seesAfterReloading('Meta Services Disruption Detected');
      await nora.sees(/depends on your settings, which are not loaded yet/);
      expect(await page.getByText('below your threshold').count()).toBe(0);
    });
  });
});
