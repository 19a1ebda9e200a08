import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { ROOT } from '../scripts/run.ts';
import { closeBrowser, withPage } from './browser.ts';
import type { SpecificationServer, World } from './specification/server.ts';
import { startSpecificationServer } from './specification/server.ts';
import { NEVER_SUBSCRIBED, newWorld, subscribed } from './specification/worlds.ts';

const FOLDER = join(ROOT, 'dist/web');

/** By a process of its own: in a test the libraries would be built for development. */
beforeAll(() => {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { cwd: ROOT, env });
});
afterAll(closeBrowser);

interface Visit extends SpecificationServer {
  page: Page;
  opens: (path: string) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  presses: (name: string) => Promise<void>;
  storedToken: () => Promise<string | null>;
  /** The addresses of the documents so far. */
  documents: string[];
}

/** A page of a server that answers exactly what the specification says. Nothing in it may be half known. */
async function visit(
  world: World,
  use: (visit: Visit) => Promise<void>,
  home?: 'index.html' | 'landing.html',
): Promise<void> {
  const server = await startSpecificationServer(FOLDER, world, home);
  const documents: string[] = [];
  try {
    await withPage(async (page) => {
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url().replace(server.url, ''));
      });
      await use({
        ...server,
        page,
        documents,
        opens: async (path) => {
          await page.goto(server.url + path);
        },
        sees: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
        presses: (name) => page.getByRole('button', { name, exact: true }).click(),
        storedToken: () => page.evaluate<string | null>("localStorage.getItem('authToken')"),
      });
      expect(await shownWords(page)).not.toMatch(/undefined|NaN|Invalid Date|could not be loaded|PRACTICE_/);
    });
  } finally {
    await server.stop();
  }
  // Each document and each new token asks once for a stream that does not exist.
  const streams = server.calls.filter((call) => call === 'GET /api/events').length;
  expect(streams).toBeLessThanOrEqual(documents.length + 1);
}

function shownWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.body.innerText');
}

const AT_LOGIN = 'token=the-token-of-the-login';

test.each(['index.html', 'landing.html'] as const)(
  '[AUTH-07] with %s at / the landing page is shown, and the login leads to the dashboard and back',
  (home) =>
    visit(
      newWorld({ isUserBare: true }),
      async ({ page, opens, sees, presses, storedToken, documents }) => {
        await opens('/settings');
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(await shownWords(page)).not.toMatch(/PRACTICE_|PUBLIC_URL/);
        await page.getByRole('link', { name: 'Log In' }).filter({ visible: true }).first().click();
        await page.getByLabel('Email').waitFor();
        expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/settings');
        expect(await storedToken()).toBe('the-token-of-the-login');
        await page.getByRole('link', { name: 'SmartPause home' }).click();
        await sees('SmartPause on for 1 of 3');
        await presses('Log out');
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(await storedToken()).toBeNull();
        await opens('/?error=AUTH_FAILED');
        await page.getByRole('alert').filter({ hasText: 'Authentication Failed' }).waitFor();
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(documents.filter((path) => path === '/').length).toBeLessThanOrEqual(2);
      },
      home,
    ),
);

test('[AUTH-07] the dashboard with every badge and banner: pause, resume, toggle', () =>
  visit(
    newWorld({ platform: { status: 'MEDIUM_DISRUPTION', message: 'Delivery is slow' } }),
    async ({ page, world, calls, opens, sees, presses }) => {
      const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      const rowSees = (name: string, text: string) => row(name).getByText(text, { exact: true }).waitFor();
      const failure = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();
      world.user.isInitialized = false;
      await opens(`/?${AT_LOGIN}`);
      await sees('Account Setup Required');
      await row('Shoes').waitFor();
      expect(await page.getByRole('switch').first().isDisabled()).toBe(true);
      world.user.isInitialized = true;

      await opens('/');
      await sees('SmartPause Activated - Threshold Matched');
      await rowSees('Hats', 'SmartPause Active');
      await rowSees('Boots', 'SmartPause Disabled');
      await rowSees('Coats', 'ARCHIVED');
      await rowSees('Shoes', 'SALES');
      expect((await row('').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
        'Shoes',
        'Boots',
        'Hats',
        'Coats',
      ]);
      expect(await shownWords(page)).not.toMatch(/checked|stays paused|held/);

      world.platform.status = 'LOW_DISRUPTION';
      world.userStatus.resumeAt = '2099-01-08T22:47:00-05:00';
      await opens('/');
      await sees('Meta Services Disruption Detected');
      await sees('SmartPause Resume Scheduled');
      await sees('Resume scheduled for Jan 8, 2099, 10:47 PM EST');

      await presses('Manual Pause Shoes');
      await rowSees('Shoes', 'PAUSED');
      world.done = { anything: 'at all' };
      await presses('Manual Resume Shoes');
      await rowSees('Shoes', 'ACTIVE');
      await page.getByRole('switch', { name: 'SmartPause for Shoes' }).setChecked(true);
      await sees('SmartPause on for 2 of 3');
      expect(calls).toContain('POST /api/smartpause/act_1/4 {"enabled":true}');
      const [, boots] = world.campaigns;
      if (boots !== undefined) boots.smartPauseSetting = 'On';
      await presses('Manual Resume Boots');
      await failure('This campaign cannot be manually resumed while SmartPause is active');
      expect(await shownWords(page)).not.toContain('Failed to');
    },
  ));

test('[AUTH-07] the setup, the settings, the billing portal and revoking the authorization', () =>
  visit(newWorld(), async ({ page, url, world, calls, opens, sees, presses, storedToken }) => {
    world.user.isInitialized = false;
    world.userStatus = {};
    world.link = `${url}/privacy-policy`;
    await opens(`/settings?${AT_LOGIN}`);
    await page.getByLabel('Email').fill('nora@lind.example');
    await page.getByRole('checkbox').check();
    await presses('Complete Account Setup');
    await sees('Account initialized successfully!');
    expect(await storedToken()).toBe('the-token-after-the-setup');
    await page.getByRole('radio', { name: 'Immediately' }).check();
    await presses('Save Settings');
    await sees('Settings saved successfully');
    expect(calls).toContain(
      'POST /api/user/settings {"email":"nora@lind.example","outageThreshold":"MEDIUM","resumeSettings":{"mode":"instant"}}',
    );

    await sees('Yearly plan');
    await sees('Renews on Jan 30, 2099, 6:00 PM EST');
    const portal = page.context().waitForEvent('page');
    await presses('Manage Billing');
    await (await portal).waitForURL(`${url}/privacy-policy`);
    await (await portal).close();
    for (const name of ['Sessions', 'Your data'])
      expect(await page.getByRole('heading', { name }).count(), name).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true);

    await presses('Revoke authorization');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
    await page.waitForURL(`${url}/?error=DEAUTH_SUCCESS`);
    await sees('Successfully Deauthorized');
    expect(await storedToken()).toBeNull();
  }));

test('[AUTH-07] from the plans to the checkout, and the pricing page in every state', () =>
  visit(
    newWorld({ subscription: NEVER_SUBSCRIBED }),
    async ({ page, url, world, calls, opens, sees, presses }) => {
      await opens('/payment?cycle=yearly');
      await presses('Get Started - Yearly');
      await presses('Connect with Facebook');
      await page.waitForURL(`${url}/payment?modal=open&cycle=yearly`);
      await presses('Continue to Payment');
      await sees('No checkout URL returned');
      world.link = `${url}/billing/success?session_id=cs_1`;
      world.subscription = subscribed('trialing', true);
      await presses('Continue to Payment');
      await sees('Your free trial has begun');
      await sees('cs_1');
      expect(calls).toContain('POST /api/stripe/create-checkout-session {"planType":"yearly"}');

      await opens('/payment');
      await sees('Already Subscribed');
      world.subscription = subscribed('past_due', false);
      await opens('/payment');
      await sees('Payment Issue - Go to Settings');
      await page.getByRole('link', { name: 'Go to Billing Settings' }).click();
      await sees('Past Due');
      await page.getByRole('button', { name: 'Update Payment Method' }).waitFor();
      world.subscription = subscribed('unpaid', false);
      await opens('/');
      await sees('Payment Issue - Go to Settings');
      world.subscription = subscribed('canceled', false);
      await opens('/payment');
      await sees('Get Started - Yearly');
      await sees('Choose your plan');
      await opens('/billing/canceled');
      await sees('Payment canceled');
    },
  ));

test('[AUTH-07] the admin page shows what the specification knows, and overrides the status', () =>
  visit(newWorld(), async ({ page, world, calls, opens, sees, presses }) => {
    world.user.roles = ['developers'];
    world.admin.trueMetaStatus = 'LOW_DISRUPTION';
    await opens(`/admin?${AT_LOGIN}`);
    await sees('Total users');
    await sees('Paused Shoes');
    await sees('Jan 8, 2026, 9:10 PM EST');
    await sees('Low disruption');
    for (const name of ['What is failing', 'Failed to load admin data', 'Queue'])
      expect(await page.getByText(name).count(), name).toBe(0);
    await presses('Force High');
    await page.getByRole('dialog').getByRole('button', { name: 'Force High' }).click();
    await sees('High disruption');
    await waitFor('the action', () => calls.includes('POST /api/admin/force-high'));
    await presses('Grant 10-year subscription');
    await page.getByRole('dialog').getByRole('button', { name: 'Grant 10-year subscription' }).click();
    await sees('You have a subscription for ten years.');
  }));
