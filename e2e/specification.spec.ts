import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { ACTIONS, deleteAccount } from './specification/actions.ts';
import type { World } from './specification/server.ts';
import type { Visit } from './specification/visit.ts';
import { shownCopy, visit } from './specification/visit.ts';
import { ADMIN, NEVER_SUBSCRIBED, newWorld, subscribed } from './specification/worlds.ts';

const AT_LOGIN = 'token=the-token-of-the-login';

const END = 'Jan 30, 2099, 6:00 PM EST';
const PAYMENT_ISSUE = 'Payment Issue - Go to Settings';

/** The page is at / without a token and shows the landing page. */
async function isLoggedOut({ page, url, storedToken }: Visit): Promise<void> {
  await page.waitForURL(`${url}/`);
  await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
  expect(await storedToken()).toBeNull();
}

test.each(['index.html', 'landing.html'] as const)(
  '[AUTH-07] with %s at / the landing page is shown, and login leads to the dashboard and back',
  (home) =>
    visit(
      newWorld({ isUserBare: true, home }),
      async ({ page, opens, sees, presses, storedToken, documents }) => {
        await opens('/settings');
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
        expect(await shownCopy(page)).not.toMatch(/DEMO_(COPY|NAME|ADDRESS)|PUBLIC_URL/);
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
    ),
);

/** The theme colour of a badge or a banner. */
async function colorOf(part: Locator): Promise<string | undefined> {
  return /--mantine-color-(\w+)-/.exec((await part.getAttribute('style')) ?? '')?.[1];
}

test('[AUTH-07] the dashboard: the setup banner, all badges, the threshold and resume banners', () =>
  visit(
    newWorld({ platform: { status: 'MEDIUM_DISRUPTION', message: 'Delivery is slow' } }),
    async ({ page, world, opens, sees }) => {
      const row = (name: string) => page.locator('[data-campaign]').filter({ hasText: name });
      world.user.isInitialized = false;
      await opens(`/?${AT_LOGIN}`);
      await sees('Account Setup Required');
      await row('Shoes').waitFor();
      await expect.poll(() => page.getByRole('switch').first().isDisabled()).toBe(true);
      world.user.isInitialized = true;

      await opens('/');
      await sees('SmartPause Activated - Threshold Matched');
      for (const [name, text, color] of [
        ['Shoes', 'ACTIVE', 'green'],
        ['Boots', 'PAUSED', 'yellow'],
        ['Boots', 'SmartPause Disabled', 'orange'],
        ['Hats', 'PAUSED', 'yellow'],
        ['Hats', 'SmartPause Active', 'grape'],
        ['Coats', 'ARCHIVED', 'gray'],
      ] as const) {
        const badge = row(name).locator('.mantine-Badge-root').filter({ hasText: text });
        await expect.poll(async () => [name, text, await colorOf(badge)]).toEqual([name, text, color]);
      }
      await expect.poll(() => page.locator('.mantine-Badge-root').count()).toBe(6);
      await row('Shoes').getByText('SALES', { exact: true }).waitFor();
      await expect
        .poll(async () => (await row('').allInnerTexts()).map((text) => text.split('\n')[0]))
        .toEqual(['Shoes', 'Boots', 'Hats', 'Coats']);
      await page.getByRole('button', { name: 'Meta ad services: Medium disruption' }).hover();
      const tooltip = page.getByRole('tooltip');
      await tooltip.getByText('Delivery is slow').waitFor();
      await expect.poll(() => tooltip.innerText()).not.toMatch(/Meta says|checked/);
      expect(await shownCopy(page)).not.toMatch(/checked|Already paused|[Pp]aused by SmartPause/);

      world.platform.status = 'LOW_DISRUPTION';
      world.userStatus.resumeAt = '2099-01-08T22:47:00-05:00';
      await opens('/');
      await sees('Meta Services Disruption Detected');
      await sees('SmartPause Resume Scheduled');
      await sees('Resume scheduled for Jan 8, 2099, 10:47 PM EST');
      await row('Hats').getByText('SmartPause Active').waitFor();
    },
  ));

test('[AUTH-07] the dashboard: pause, resume and toggle', () =>
  visit(newWorld(), async ({ page, world, calls, opens, sees, presses }) => {
    const rowSees = (name: string, text: string) =>
      page.locator('[data-campaign]').filter({ hasText: name }).getByText(text, { exact: true }).waitFor();
    await opens(`/?${AT_LOGIN}`);
    await presses('Manual Pause Shoes');
    await rowSees('Shoes', 'PAUSED');
    world.done = { anything: 'at all' };
    await presses('Manual Resume Shoes');
    await rowSees('Shoes', 'ACTIVE');
    world.done = { success: 'ok' };
    await page.getByRole('switch', { name: 'SmartPause for Shoes' }).setChecked(true);
    await sees('SmartPause on for 2 of 3');
    expect(calls).toContain('POST /api/smartpause/act_1/4 {"enabled":true}');
    expect(await shownCopy(page)).not.toContain('Failed to');
  }));

test('[UX-03] a campaign that only the badge says is held: turning SmartPause off asks first', () =>
  visit(newWorld(), async ({ page, world, calls, opens, confirms }) => {
    world.platform.status = 'HIGH_DISRUPTION';
    await opens(`/?${AT_LOGIN}`);
    await page.getByRole('switch', { name: 'SmartPause for Hats' }).click();
    await confirms('Resume now');
    const row = page.locator('[data-campaign]').filter({ hasText: 'Hats' });
    await row.getByText('ACTIVE', { exact: true }).waitFor();
    expect(calls.filter((one) => one.startsWith('POST'))).toEqual([
      'POST /api/smartpause/act_1/1 {"enabled":false}',
      'POST /api/campaigns/1/resume',
    ]);
  }));

test.each<[string, string, Partial<World>]>([
  ['UNKNOWN', 'Meta Status Unknown', { platform: { status: 'UNKNOWN', message: '' } }],
  ['500', 'Can’t reach SmartPause', { failures: { 'GET /api/status': 500 } }],
])('[AUTH-07] the platform status %s shows the grey banner “%s”', (_status, title, change) =>
  visit(newWorld(change), async ({ page, opens, sees }) => {
    await opens(`/?${AT_LOGIN}`);
    const banner = page.getByRole('note').filter({ hasText: title });
    await banner.waitFor();
    await expect.poll(() => colorOf(banner)).toBe('gray');
    await sees('SmartPause on for 1 of 3');
    expect(await shownCopy(page)).not.toMatch(/Threshold Matched|Disruption Detected|SmartPause Active/);
  }),
);

test('[AUTH-07] the setup, the settings, the billing portal and revoking the authorization', () =>
  visit(newWorld(), async ({ page, url, world, calls, opens, sees, presses, confirms, storedToken }) => {
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
    await sees(`Renews on ${END}`);
    const portal = page.context().waitForEvent('page');
    await presses('Manage Billing');
    await (await portal).waitForURL(`${url}/privacy-policy`);
    await (await portal).close();
    await expect.poll(() => page.getByRole('heading', { name: 'Sessions' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Delete account' }).isDisabled()).toBe(true);

    await presses('Revoke authorization');
    await confirms('Revoke authorization');
    await page.waitForURL(`${url}/?error=DEAUTH_SUCCESS`);
    await sees('Successfully Deauthorized');
    expect(await storedToken()).toBeNull();
  }));

test.each(['', {}])('[AUTH-07] deleting the account, with the response %j, logs out and ends at /', (done) =>
  visit(newWorld({ subscription: NEVER_SUBSCRIBED, done }), async (visited) => {
    await visited.opens(`/settings?${AT_LOGIN}`);
    await deleteAccount(visited);
    await isLoggedOut(visited);
    expect(visited.calls.filter((call) => call.startsWith('POST /api/account/delete'))).toHaveLength(1);
  }),
);

test('[AUTH-07] from the plans to the checkout and back', () =>
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
      await sees('Your free trial has started');
      await sees('cs_1');
      expect(calls).toContain('POST /api/stripe/create-checkout-session {"planType":"yearly"}');
      await opens('/billing/canceled');
      await sees('Payment canceled');

      world.subscription = subscribed('past_due', false);
      await opens('/payment');
      await page.getByRole('link', { name: 'Go to Billing Settings' }).click();
      await page.getByRole('button', { name: 'Update Payment Method' }).waitFor();
      world.subscription = subscribed('canceled', false);
      await opens('/payment');
      await sees('Choose your plan');
    },
  ));

test.each([
  ['active', subscribed('active', true), 'Active', `Renews on ${END}`, 'Already Subscribed'],
  ['trialing', subscribed('trialing', true), 'Trial', `days remaining, until ${END}`, 'Already Subscribed'],
  ['past_due', subscribed('past_due', false), 'Past Due', 'Payment Issue', PAYMENT_ISSUE],
  ['canceled', subscribed('canceled', true), 'Canceled', `Ends on ${END}`, 'Already Subscribed'],
  ['canceled and over', subscribed('canceled', false), 'Canceled', 'Ended on ', 'Get Started - Yearly'],
  ['unpaid', subscribed('unpaid', false), 'Unpaid', 'Payment Failed', PAYMENT_ISSUE],
  ['on_hold', subscribed('on_hold', false), 'Unknown', 'Status unknown', 'Already Subscribed'],
  ['none', NEVER_SUBSCRIBED, null, 'You have no subscription.', 'Get Started - Monthly'],
] as const)(
  '[AUTH-07] the subscription “%s”: the settings, the pricing page and the home page',
  (_name, subscription, badge, words, button) =>
    visit(newWorld({ subscription }), async ({ page, opens, sees }) => {
      const isActive = subscription.hasActiveSubscription;
      await opens(`/settings?${AT_LOGIN}`);
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      await billing.getByText(words).waitFor();
      await expect
        .poll(() => billing.locator('.mantine-Badge-root').allInnerTexts())
        .toEqual(badge ? [badge] : []);
      const settings = page.getByRole('heading', { name: 'SmartPause Settings' });
      await expect.poll(() => settings.count()).toBe(isActive ? 1 : 0);
      if (isActive)
        await expect.poll(() => page.getByRole('radio', { name: 'Next day' }).isChecked()).toBe(true);
      await opens('/payment');
      await sees(button);
      await opens('/');
      await sees(isActive ? 'SmartPause on for 1 of 3' : button);
    }),
);

test('[AUTH-07] the admin page shows the fields of the specification and overrides the status', () =>
  visit(newWorld({ user: ADMIN }), async ({ page, world, calls, opens, sees, presses, confirms }) => {
    world.admin.trueMetaStatus = 'LOW_DISRUPTION';
    await opens(`/admin?${AT_LOGIN}`);
    await sees('Total users');
    await sees('Paused Shoes');
    await sees('Jan 8, 2026, 9:10 PM EST');
    await sees('Low disruption');
    await page.getByRole('heading', { name: 'System health' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('Failed to load admin data').count()).toBe(0);
    await presses('Force High');
    await confirms('Force High');
    await sees('High disruption');
    await waitFor('the action', () => calls.includes('POST /api/admin/force-high'));
    await presses('Grant 10-year subscription');
    await confirms('Grant 10-year subscription');
    await sees('You now have a 10-year subscription.');
  }));

test('[AUTH-07] a resume that is blocked by SMARTPAUSE_ACTIVE shows why', () =>
  visit(newWorld(), async ({ page, world, opens, presses }) => {
    await opens(`/?${AT_LOGIN}`);
    await page.getByRole('button', { name: 'Manual Resume Boots' }).waitFor();
    world.failures['POST /api/campaigns/2/resume'] = { error: 'SMARTPAUSE_ACTIVE' };
    await presses('Manual Resume Boots');
    const words = 'This campaign cannot be manually resumed while SmartPause is active';
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    expect(await shownCopy(page)).not.toContain('Failed to');
  }));

test.each(ACTIONS)(
  '[AUTH-07] $call: the status 500 shows “$says”, and 401 logs out',
  ({ path, call, change, act, says }) =>
    visit(newWorld(change), async (visited) => {
      const { world, opens, sees } = visited;
      world.failures[call] = 500;
      await opens(`${path}?${AT_LOGIN}`);
      await act(visited);
      await sees(says);
      world.failures[call] = 401;
      await opens(path);
      await act(visited);
      await isLoggedOut(visited);
    }),
);

test.each([
  ['/', 'GET /api/me', 401],
  ['/', 'GET /api/me', 500],
  ['/', 'GET /api/campaigns/act_1', 401],
  ['/settings', 'GET /api/user/status', 401],
  ['/payment', 'GET /api/stripe/subscription', 401],
  ['/admin', 'GET /api/admin/stats', 401],
])('[AUTH-07] at %s: %s with the status %d logs out', (path, call, status) =>
  visit(newWorld({ user: ADMIN, failures: { [call]: status } }), async (visited) => {
    await visited.opens(`${path}?${AT_LOGIN}`);
    await isLoggedOut(visited);
  }),
);
