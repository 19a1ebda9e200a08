import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

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

/** As a link inside of the page does. */
function goesTo(page: Page, address: string): Promise<void> {
  return page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate', { state: null }))`);
}

describe('what the page calls, and what it says when that fails', () => {
  const product = productOfThisSuite();

  test('[AUTH-03, AUTH-05, DASH-14, BANNER-02, BANNER-03] in one visit', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const authorization = `Bearer ${await nora.token()}`;
      const calls: Request[] = [];
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request);
      });
      await page.reload();
      await nora.turnsSmartPause('on', 'Shoes');
      await nora.turnsSmartPause('off', 'Shoes');
      await nora.presses('Manual Pause Shoes');
      await nora.seesCampaign('Shoes', 'PAUSED');
      const headers = await Promise.all(
        calls
          .filter((call) => !call.url().endsWith('/api/status'))
          .map(async (call) => {
            const { authorization: sent, 'content-type': type } = await call.allHeaders();
            return { sent, type, body: call.postData() };
          }),
      );
      expect(headers.length).toBeGreaterThan(5);
      expect(new Set(headers.map(({ sent }) => sent))).toEqual(new Set([authorization]));
      expect(headers.filter(({ body }) => body !== null)).toHaveLength(2);
      for (const { body, type } of headers) expect(type).toBe(body === null ? undefined : 'application/json');

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
        expect(await page.getByRole('alert').count()).toBe(0);
        await page.getByRole('link', { name: 'Settings', exact: true }).click();
        await page.getByLabel('Email').waitFor();
        await page.unroute(path);
        await page.getByRole('link', { name: 'SmartPause' }).first().click();
      }

      for (const [code, title] of Object.entries(TITLES)) {
        await goesTo(page, `/?error=${code}`);
        await page.getByText(title, { exact: true }).waitFor();
      }
    });
  });

  test('[PRICE-02] on the way to the checkout the button says so, and is not pressed twice', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      let calls = 0;
      await page.route('**/api/stripe/create-checkout-session', () => void (calls += 1));
      await nora.presses('Get Started - Monthly');
      const button = page.getByRole('button', { name: 'Processing...' });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(calls).toBe(1);
    });
  });
});
