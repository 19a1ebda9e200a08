import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

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

/** The page calls the server again. */
const NEXT_TRY_MS = 5000;
const PART = /\/assets\/settings-.*\.js/;
const toSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();
const says = (page: Page, text: string) => expect(page.getByRole('alert').getByText(text)).toBeVisible();
const isThere = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();

test('a page whose code chunk is gone after a release loads with another try; one that fails to render shows an error with links @before-release', async ({
  nora,
  page,
  faults,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await page.route(PART, (route) => route.abort());
  await page.reload();
  await toSettings(page);
  await says(page, 'Something went wrong on this page');
  await page.unroute(PART);
  await nora.presses('Try again');
  await isThere(page);

  await page.addInitScript(NO_DATES);
  await nora.opens('/');
  await toSettings(page);
  await says(page, 'Something went wrong on this page');
  await nora.sees(/^Reload to try again\./);
  await nora.sees(/^Welcome, /);
  await expect(nora.button('Try again')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Go home' }).click();
  await nora.seesCampaign('Shoes', 'ACTIVE');
  faults.length = 0;
});

test('every page says that it is offline, calls fail at once, and all of it recovers by itself', async ({
  nora,
  page,
  world,
  faults,
}) => {
  await nora.signsIn();

  await expect(nora.link('Meta ad services: Up')).toBeVisible();
  await nora.sees('Get Started - Monthly');
  await page.context().setOffline(true);
  await expect(page.getByRole('status').getByText('You’re offline.')).toBeVisible();
  await expect(nora.link('Meta ad services: Unknown')).toBeVisible();
  await page.getByRole('link', { name: 'Privacy' }).first().click();
  await says(page, 'Something went wrong on this page');
  await world.reports('High disruptions');
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible();
  await expect(page.getByText('You’re offline.')).toBeHidden();
  await expect(nora.link('Meta ad services: High disruption')).toBeVisible();
  faults.length = 0;
});

test('[DASH-15] an action without a connection says that it failed, and is not repeated later', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Boots: 'PAUSED', Shoes: 'ACTIVE' } });
  const { account } = nora;

  await page.context().setOffline(true);
  await nora.switchOf('Shoes').click();
  await nora.sees('Failed to toggle SmartPause');
  await expect(nora.switchOf('Shoes')).not.toBeChecked();
  await nora.picks('Manual Pause', 'Shoes');
  await nora.sees('Failed to pause campaign');
  await nora.picks('Manual Resume', 'Boots');
  await nora.sees('Failed to resume campaign');
  await page.context().setOffline(false);
  await expect(page.getByText('You’re offline.')).toBeHidden();
  await page.reload();
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(nora.switchOf('Shoes')).not.toBeChecked();
  expect(await account.writesTo('Shoes')).toEqual([]);
});

test('[AUTH-06, UX-15] a connection that is cut while the page loads, before or in a response, does not log out', async ({
  nora,
  page,
}) => {
  const cutter = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"user":', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(cutter, 'listening');
  const url = `http://127.0.0.1:${(cutter.address() as AddressInfo).port}/api/me`;
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const token = await nora.token();
  let cut = 0;
  await page.route('**/api/me', (route) => {
    cut += 1;
    return cut % 2 === 0 ? route.abort() : route.continue({ url });
  });
  await page.clock.install();
  await page.reload();
  // Three attempts used to be the limit.
  await expect(async () => {
    await page.clock.fastForward(NEXT_TRY_MS);
    expect(cut).toBeGreaterThan(3);
  }).toPass();
  expect(await nora.token()).toBe(token);
  await page.unroute('**/api/me');
  await expect(async () => {
    await page.clock.fastForward(NEXT_TRY_MS);
    expect(await page.getByText('Shoes').count()).toBeGreaterThan(0);
  }).toPass();
  cutter.close();
});

test('[UX-13, UX-14, UX-16] a list and counts that cannot be read again say how old they are; a newer server hides nothing, and the page offers to reload; six failures are one notice', async ({
  nora,
  page,
}) => {
  const names = ['Boots', 'Coats', 'Hats', 'Shirts', 'Shoes', 'Socks'];
  await nora.arrives({ campaigns: Object.fromEntries(names.map((name) => [name, 'ACTIVE'])) });
  await page.clock.install();
  await page.reload();
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await page.route('**/api/smartpause/**', (route) => route.fulfill({ status: 500, json: {} }));
  for (const name of names) await nora.switchOf(name).click();
  const failures = page.getByRole('alert').filter({ hasText: '6 actions failed' });
  await failures.getByText('Show them').click();
  for (const name of names) await expect(failures).toContainText(name);
  await failures.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);

  const headers = { 'smartpause-build': 'next' };
  const json = { status: 'NEW_LEVEL', message: 'Some ads are late' };
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, json: {}, headers }));
  await page.route('**/api/status', (route) => route.fulfill({ json, headers }));
  const [list, offer] = [
    page.getByText('Can’t update this list.'),
    page.getByText('A new version is available'),
  ];
  await expect(async () => {
    await page.clock.fastForward(NEXT_TRY_MS);
    await expect(list.and(page.locator(':visible'))).toHaveCount(1, { timeout: 100 });
    await expect(offer).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [100] });
  await nora.sees('Can’t update the counts.');
  await nora.sees(/Showing data from /);
  await nora.seesCampaign('Shoes', 'ACTIVE');
  const indicator = nora.link('Meta ad services: Unknown');
  await indicator.hover();
  await expect(page.getByRole('tooltip')).toContainText(json.message);
  await expect(nora.button('Reload')).toBeVisible();

  await page.unrouteAll();
  await expect(async () => {
    await page.clock.fastForward(NEXT_TRY_MS);
    await expect(list).toHaveCount(0, { timeout: 100 });
  }).toPass({ intervals: [100] });

  // A default in place of the setting could be saved over it.
  const newer = {
    status: { outageThreshold: 'SEVERE', resumeSettings: { mode: 'instant' }, email: 'n@lind.test' },
  };
  await page.route('**/api/user/status', (route) => route.fulfill({ json: newer }));
  await nora.opens('/settings');
  await nora.sees('Your settings need the newest version of this page.');
  await expect(nora.button('Save settings')).toHaveCount(0);
});

test('[DASH-14, BANNER-02, BANNER-03] a failed load is logged without an alert; a code in the address has its banner', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

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
    const line = new RegExp(`Could not load ${what}.*: API call failed: Not Found$`, 'm');
    await expect.poll(() => logged.join('\n')).toMatch(line);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.unroute(path);
  }
  await nora.opens('/?error=SERVER_ERROR');
  await expect(page.getByRole('alert').filter({ hasText: 'Server Error' })).toBeVisible();
});

test('[ENG-16] a manual pause that Meta has not confirmed is shown as such, until it is done', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account, id } = nora;

  const match = { user: id, method: 'POST', op: 'inner' };
  await world.graph.fault({ kind: 'null_entry', times: 0, match });
  const asked = page.waitForRequest('**/pause');
  await nora.picks('Manual Pause', 'Shoes');
  await asked;
  await nora.sees(/Pausing: waiting for Meta/);
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await world.graph.ask('DELETE', '/faults');
  await account.becomes('Shoes', 'PAUSED');
  await nora.seesCampaign('Shoes', 'PAUSED');
  await nora.noLongerSees(/waiting for Meta/);
  await expect(page.getByRole('alert').filter({ hasText: 'Failed' })).toHaveCount(0);
});
