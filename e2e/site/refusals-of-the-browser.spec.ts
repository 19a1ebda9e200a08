import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asNewUser } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { User } from '../../scripts/browser/user.ts';

/** As in a browser that is configured to store nothing. */
const KEEPS_NOTHING = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
  });
}`;

const CANNOT_START = 'SmartPause couldn’t be loaded';

describe('browsers that refuse storage, network or code', () => {
  const product = productOfThisSuite();

  test('without storage every page works, and a login lasts as long as the page', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      await page.addInitScript(KEEPS_NOTHING);
      const nora = new User(page, product);
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

  test('[HEAD-07] a logout without a connection says so; home and the end of the session follow the connection', () =>
    asNewUser(product, async (nora, page) => {
      const elsewhere = await nora.overHttp();
      await nora.sees('Get Started - Monthly');
      await page.context().setOffline(true);
      await page.getByText('You’re offline.').waitFor();
      await nora.presses(/^Log out$/);
      await page.getByRole('heading', { name: 'You’re logged out' }).waitFor();
      expect((await elsewhere.call('GET', '/api/me')).status).toBe(200);
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      await waitFor('the session to end', async () => {
        return (await elsewhere.call('GET', '/api/me')).status === 401;
      });
    }));

  test('[AUTH-02] a login as another user in another tab leaves no data of the first user on the page', async () => {
    const [ann, bob] = [await newAdvertiser(product.graph, {}), await newAdvertiser(product.graph, {})];
    await withPage(async (page) => {
      const user = new User(page, product);
      await user.arrivesAs(ann.name, null, '/settings');
      await page.getByLabel('Email').fill('ann@ann.example');
      const other = new User(await page.context().newPage(), product);
      await other.opens('/auth/facebook?returnTo=%2Fterms');
      await Promise.all([page.waitForEvent('load'), other.presses(`Continue as ${bob.name}`)]);
      await user.sees(`Welcome, ${bob.name}`);
      // A user without a subscription has no form either.
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await expect.poll(() => page.getByLabel('Email').count()).toBe(0);
    });
  });

  test('an app that cannot be loaded shows a message; a landing page stays as it was sent', async () => {
    await withPage(async (page) => {
      await page.route(/\/assets\/(start|start-app|come-alive)-.*\.js/, (route) => route.abort());
      await page.goto(`${product.url}/terms`);
      await page.getByRole('heading', { name: CANNOT_START }).waitFor();
      await page.goto(product.url);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      await page.unrouteAll();
      await page.route(/\/assets\/start-app-.*\.js/, (route) => route.abort());
      await page.goto(`${product.url}/terms`);
      await page.getByRole('heading', { name: CANNOT_START }).waitFor();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
    });
  });

  test('an app that never arrives shows a message, until it does', async () => {
    await withPage(async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<null>();
      await page.route(/\/assets\/start-app-.*\.js/, async (route) => {
        await released;
        await route.continue();
      });
      await page.clock.install();
      await page.goto(`${product.url}/terms`, { waitUntil: 'commit' });
      await page.locator('#root').waitFor({ state: 'attached' });
      await page.clock.fastForward(21_000);
      await page.getByRole('heading', { name: CANNOT_START }).waitFor();
      release(null);
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
    });
  });

  test('an app that fails while it starts shows a message', async () => {
    await withPage(async (page) => {
      await page.addInitScript("history.replaceState = () => { throw new DOMException('too many calls'); };");
      await page.goto(`${product.url}/terms`);
      await page.getByRole('heading', { name: CANNOT_START }).waitFor();
    });
  });

  test('a server that does not answer once does not keep a logged-out user from home', async () => {
    await withPage(async (page) => {
      await page.route('**/health', (route) => route.fulfill({ status: 503 }), { times: 1 });
      await page.goto(`${product.url}/settings`);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
    });
  });

  test('[DASH-04] the page makes no claim about settings that are unknown', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page }) => {
      await product.status.reports('High disruptions');
      await page.route('**/api/user/status', (route) => route.fulfill({ status: 500 }));
      await nora.seesAfterReloading('Meta Services Disruption Detected');
      await nora.sees(/Your settings are still loading\./);
      await expect.poll(() => page.getByText('below your threshold').count()).toBe(0);
    }));
});
