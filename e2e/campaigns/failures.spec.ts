import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asNewUser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import type { User } from '../../scripts/browser/user.ts';

const product = productOfThisSuite();

/** Makes the end of the billing period fail to render. */
const NO_DATES = `{
  const date = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...date,
    get() {
      if (location.pathname === '/settings') throw new Error('a page that breaks');
      return date.get.call(this);
    },
  });
}`;

describe('failures in the browser', () => {
  /** The page logs an error, which would otherwise fail the visit. */
  async function meetsAnError(act: (nora: User, page: Page) => Promise<void>): Promise<void> {
    const finished = new Error('test finished');
    const visit = asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page }) => {
      await act(nora, page);
      throw finished;
    });
    await expect(visit).rejects.toBe(finished);
  }

  test('a page that fails to render shows an error with links; the header and other pages still work', () =>
    meetsAnError(async (nora, page) => {
      await page.addInitScript(NO_DATES);
      await page.reload();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('alert').getByText('Something went wrong on this page').waitFor();
      await nora.sees(/^Welcome, /);
      await nora.button('Try again').waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Go home' }).click();
      await nora.seesCampaign('Shoes', 'ACTIVE');
    }));

  describe('a page whose code chunk cannot be loaded', () => {
    const PART = /\/assets\/settings-.*\.js/;
    const toSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();
    const says = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();
    const isThere = (page: Page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

    test('after a lost connection loads when the connection returns', () =>
      meetsAnError(async (_, page) => {
        await page.route(PART, (route) => route.abort());
        await page.route('**/health', (route) => route.abort());
        await page.reload();
        await toSettings(page);
        await says(page, 'This page couldn’t be loaded');
        await page.getByRole('status').getByText('Can’t reach SmartPause.').waitFor();
        await page.unrouteAll();
        await isThere(page);
      }));

    test('after a release loads with the new version', () =>
      asNewUser(
        product,
        async (nora, page) => {
          await page.clock.install();
          await page.reload();
          await nora.sees('Get Started - Monthly');
          let isNewVersion = false;
          page.on('request', (request) => (isNewVersion ||= request.isNavigationRequest()));
          await page.route(PART, (route) => (isNewVersion ? route.continue() : route.abort()));
          await page.clock.fastForward(60_000);
          await Promise.all([page.waitForEvent('load'), toSettings(page)]);
          await isThere(page);
        },
        { isFresh: true },
      ));

    test('right after a reload shows an error with ways to continue', () =>
      meetsAnError(async (nora, page) => {
        // The preload of an idle page may ask for it, too.
        await page.route(PART, (route) => route.abort());
        await page.reload();
        await toSettings(page);
        await says(page, 'This page couldn’t be loaded');
        await page.unroute(PART);
        await nora.presses('Try again');
        await isThere(page);
      }));

    test('while offline is shown when the idle preload has finished', () =>
      asNewUser(product, async (nora, page) => {
        const loaded = page.waitForEvent('requestfinished', (request) => PART.test(request.url()));
        await page.reload();
        await nora.sees('Get Started - Monthly');
        await loaded;
        await page.context().setOffline(true);
        await page.getByRole('status').getByText('You’re offline.').waitFor();
        await toSettings(page);
        await isThere(page);
      }));
  });

  test('every page says that it is offline, calls fail at once, and all of it recovers by itself', () =>
    asNewUser(product, async (nora, page) => {
      const isLegal = (request: Request) => /\/assets\/legal-.*\.js/.test(request.url());
      const loaded = page.waitForEvent('requestfinished', isLegal);
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await nora.sees('Get Started - Monthly');
      await loaded;
      await page.context().setOffline(true);
      await page.getByRole('status').getByText('You’re offline.').waitFor();
      await nora.button('Meta ad services: Unknown').waitFor();
      await page.getByRole('link', { name: 'Privacy' }).first().click();
      await page.getByRole('status').getByText('You’re offline.').waitFor();
      await product.status.reports('High disruptions');
      await nora.serverKnows('HIGH_DISRUPTION');
      await page.context().setOffline(false);
      await page.getByText('You’re offline.').waitFor({ state: 'hidden' });
      await nora.button('Meta ad services: High disruption').waitFor();
    }));

  test('offline is also shown when the last pending response still arrived', () =>
    asNewUser(product, async (nora, page) => {
      // Nothing else may fail and so trigger a check: the stream stays closed, the next poll is 30 s away.
      await page.route('**/api/events', () => {});
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await nora.sees('Get Started - Monthly');
      await page.route('**/health', (route) => route.fulfill({ body: 'ok' }), { times: 1 });
      await page.context().setOffline(true);
      await page.getByRole('status').getByText('You’re offline.').waitFor();
    }));

  test('[DASH-15] an action without a connection says that it failed, and is not repeated later', () =>
    asAdvertiser(
      product,
      { campaigns: { Boots: 'PAUSED', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        await page.context().setOffline(true);
        await nora.switchOf('Shoes').click();
        await nora.sees('Failed to toggle SmartPause');
        await waitFor('the switch to be off again', async () => !(await nora.switchOf('Shoes').isChecked()));
        await nora.presses('Manual Pause Shoes');
        await nora.sees('Failed to pause campaign');
        await nora.presses('Manual Resume Boots');
        await nora.sees('Failed to resume campaign');
        await page.context().setOffline(false);
        await page.getByText('You’re offline.').waitFor({ state: 'hidden' });
        await page.reload();
        await nora.seesCampaign('Shoes', 'ACTIVE');
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);
        expect(await account.writesTo('Shoes')).toEqual([]);
      },
    ));

  test('on a phone a failed call detects an unreachable server, and the page detects its return', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(
      product,
      async (nora, page) => {
        await nora.continuesAs(name);
        await nora.presses(/^Open menu, Meta/);
        await page.route(/\/(api|health)/, (route) => route.abort());
        await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
        await nora.presses('Log out everywhere else');
        await page.getByRole('status').getByText('Can’t reach SmartPause.').waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(PHONE.width);
        await page.unrouteAll();
        await page.getByText('Can’t reach SmartPause.').waitFor({ state: 'hidden' });
        await nora.presses('Log out everywhere else');
        await nora.sees('You’re only logged in here.');
      },
      { viewport: PHONE },
    );
  });
});

const TITLES = {
  AUTH_FAILED: 'Authentication Failed',
  INVALID_STATE: 'Security Error',
  NO_CODE: 'Authentication Error',
  FACEBOOK_ERROR: 'Facebook Error',
  TOKEN_EXPIRED: 'Session Expired',
  TOKEN_STALE: 'Token Refresh Required',
  ACCESS_DENIED: 'Access Denied',
  ADMIN_REQUIRED: 'Admin Access Required',
  ACCOUNT_DELETE_FAILED: 'Account Deletion Failed',
  DEAUTH_SUCCESS: 'Successfully Deauthorized',
  DEAUTH_FAILED: 'Deauthorization Failed',
  CAMPAIGN_NOT_FOUND: 'Campaign Not Found',
  CAMPAIGN_ACTION_FAILED: 'Campaign Action Failed',
  SERVER_ERROR: 'Server Error',
  NETWORK_ERROR: 'Network Error',
};

/** Navigates as a link inside the page does. */
function goesTo(page: Page, address: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate', { state: null }))`);
}

describe('messages about failed calls', () => {
  test('[DASH-14, BANNER-02, BANNER-03] a failed load is logged without an alert, and every code has its banner', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ page }) => {
      const logged: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'warning') logged.push(message.text());
      });
      for (const [path, what] of [
        ['**/api/status', 'status'],
        ['**/api/ad-accounts', 'ad-accounts'],
        ['**/api/campaigns/*', 'campaigns'],
      ] as const) {
        logged.length = 0;
        await page.route(path, (route) => route.fulfill({ status: 404, json: {} }));
        await page.reload();
        await waitFor(`the failure of ${what} to be logged`, () =>
          Promise.resolve(
            logged.some((line) =>
              new RegExp(`^Could not load ${what}.*: API call failed: Not Found$`).test(line),
            ),
          ),
        );
        await expect.poll(() => page.getByRole('alert').count()).toBe(0);
        await page.getByRole('link', { name: 'Settings', exact: true }).click();
        await page.getByLabel('Email').waitFor();
        await page.unroute(path);
        await page.getByRole('link', { name: 'SmartPause' }).first().click();
      }

      for (const [code, title] of Object.entries(TITLES)) {
        await goesTo(page, `/?error=${code}`);
        await page.getByText(title, { exact: true }).waitFor();
      }
    }));

  test('[ENG-16] a manual pause that Meta has not confirmed is shown as such, until it is done', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, account, id }) => {
      const match = { user: id, method: 'POST', op: 'inner' };
      await product.graph.fault({ kind: 'null_entry', times: 0, match });
      const asked = page.waitForRequest('**/pause');
      await nora.presses('Manual Pause Shoes');
      await asked;
      await nora.seesAfterReloading(/Pausing: waiting for Meta/);
      await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
      await product.graph.ask('DELETE', '/faults');
      await account.becomes('Shoes', 'PAUSED');
      await nora.seesCampaign('Shoes', 'PAUSED');
      await nora.noLongerSees(/waiting for Meta/);
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    }));

  test('[PRICE-02] the button says that the checkout is starting, and ignores a second press', () =>
    asNewUser(product, async (nora, page) => {
      let calls = 0;
      await page.route('**/api/stripe/create-checkout-session', () => void (calls += 1));
      await nora.presses('Get Started - Monthly');
      const button = page.getByRole('button', { name: 'Processing...' });
      await button.waitFor();
      await expect.poll(() => button.isDisabled()).toBe(true);
      expect(calls).toBe(1);
    }));
});
