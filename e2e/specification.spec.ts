import type { Locator } from '@playwright/test';
import { expect } from './support/fixtures.ts';
import { ADMIN, NEVER_SUBSCRIBED, newWorld, subscribed } from './support/spec-world.ts';
import type { Visit } from './support/spec-visit.ts';
import { AT_LOGIN, FAREWELL_MS, isWhole, shownCopy, storedToken, test } from './support/spec-visit.ts';

const END = 'Jan 30, 2099, 6:00 PM EST';
const PAYMENT_ISSUE = 'Payment Issue - Go to Settings';

for (const home of ['index.html', 'landing.html'] as const)
  test(`[AUTH-07] with ${home} at / the landing page is shown, and login leads to the dashboard and back`, async ({
    begin,
  }) => {
    const { page, opens, sees, presses, documents } = begin(newWorld({ isUserBare: true, home }));
    const landing = page.getByRole('heading', { name: /^Stop paying/ });
    await opens('/settings');
    await expect(landing).toBeVisible();
    expect(await shownCopy(page)).not.toMatch(/DEMO_(COPY|NAME|ADDRESS)|PUBLIC_URL/);
    await page.getByRole('link', { name: 'Log In' }).filter({ visible: true }).first().click();
    await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/settings');
    expect(await storedToken(page)).toBe('the-token-of-the-login');
    await page.getByRole('link', { name: 'SmartPause home' }).click();
    await sees('SmartPause on for 1 of 3');
    await presses('Log out');
    await expect(landing).toBeVisible();
    expect(await storedToken(page)).toBeNull();
    await opens('/?error=AUTH_FAILED');
    await expect(page.getByRole('alert').filter({ hasText: 'Authentication Failed' })).toBeVisible();
    await expect(landing).toBeVisible();
    expect(documents.filter((path) => path === '/').length).toBeLessThanOrEqual(2);
  });

/** The theme colour of a badge or a banner. */
const hasColor = (part: Locator, color: string) =>
  expect(part).toHaveAttribute('style', new RegExp(`--mantine-color-${color}-`));

test('[AUTH-07, DASH-08, DASH-09, DASH-10] the dashboard: the setup banner, all badges, the threshold and resume banners', async ({
  begin,
}) => {
  const { page, world, opens, sees } = begin(
    newWorld({ platform: { status: 'MEDIUM_DISRUPTION', message: 'Delivery is slow' } }),
  );
  const row = (name: string) => page.locator('[data-campaign]').filter({ hasText: name });
  world.user.isInitialized = false;
  await opens(`/?${AT_LOGIN}`);
  await sees('Account Setup Required');
  await expect(row('Shoes')).toBeVisible();
  await expect(page.getByRole('switch').first()).toBeDisabled();
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
  ] as const)
    await hasColor(row(name).locator('.mantine-Badge-root').filter({ hasText: text }), color);
  await expect(page.locator('.mantine-Badge-root')).toHaveCount(6);
  await expect(row('Shoes').getByText('SALES', { exact: true })).toBeVisible();
  await expect(row('')).toContainText(['Shoes', 'Boots', 'Hats', 'Coats']);
  const indicator = page.getByRole('link', { name: 'Meta ad services: Medium disruption' });
  await expect(indicator).toHaveAttribute('href', '/');
  await indicator.hover();
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip.getByText('Delivery is slow')).toBeVisible();
  await expect(tooltip).not.toContainText(/Meta says|checked/);
  expect(await shownCopy(page)).not.toMatch(/checked|Already paused|[Pp]aused by SmartPause/);

  world.platform.status = 'LOW_DISRUPTION';
  world.userStatus.resumeAt = '2099-01-08T22:47:00-05:00';
  await opens('/');
  await sees('Meta Services Disruption Detected');
  await sees('SmartPause Resume Scheduled');
  await sees('Resume scheduled for Jan 8, 2099, 10:47 PM EST');
  await expect(row('Hats').getByText('SmartPause Active')).toBeVisible();
});

test('[AUTH-07] the dashboard: pause, resume and toggle; the browser asks before it closes the page during a change of several', async ({
  begin,
}) => {
  const { page, world, calls, opens, sees, presses } = begin(newWorld());
  const rowSees = (name: string, text: string) =>
    expect(
      page.locator('[data-campaign]').filter({ hasText: name }).getByText(text, { exact: true }),
    ).toBeVisible();
  await opens(`/?${AT_LOGIN}`);
  await presses('More for Shoes');
  await presses('Manual Pause Shoes');
  await rowSees('Shoes', 'PAUSED');
  world.done = { anything: 'at all' };
  await presses('More for Shoes');
  await presses('Manual Resume Shoes');
  await rowSees('Shoes', 'ACTIVE');
  world.done = { success: 'ok' };
  await page.getByRole('switch', { name: 'SmartPause for Shoes' }).click();
  await sees('SmartPause on for 2 of 3');
  expect(calls).toContain('POST /api/smartpause/act_1/4 {"enabled":true}');
  expect(await shownCopy(page)).not.toContain('Failed to');

  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/smartpause/**', (route) => released.then(() => route.fallback()));
  await page.getByLabel('Select all 4 campaigns').check();
  await presses('Turn SmartPause off (2)');
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  release(undefined);
  await sees('SmartPause turned off for 2 campaigns.');
});

test('[UX-03] a campaign that only the badge says is held: turning SmartPause off asks first', async ({
  begin,
}) => {
  const { page, world, calls, opens, confirms } = begin(newWorld());
  world.platform.status = 'HIGH_DISRUPTION';
  await opens(`/?${AT_LOGIN}`);
  await page.getByRole('switch', { name: 'SmartPause for Hats' }).click();
  await confirms('Resume now');
  const row = page.locator('[data-campaign]').filter({ hasText: 'Hats' });
  await expect(row.getByText('ACTIVE', { exact: true })).toBeVisible();
  expect(calls.filter((one) => one.startsWith('POST'))).toEqual([
    'POST /api/smartpause/act_1/1 {"enabled":false}',
    'POST /api/campaigns/1/resume',
  ]);
});

test('[AUTH-07] the platform status UNKNOWN shows a grey banner, and a failure to read it one notice', async ({
  begin,
}) => {
  const { page, world, opens, sees } = begin(newWorld({ platform: { status: 'UNKNOWN', message: '' } }));
  await opens(`/?${AT_LOGIN}`);
  await hasColor(page.getByRole('note').filter({ hasText: 'Meta Status Unknown' }), 'gray');
  await sees('SmartPause on for 1 of 3');
  expect(await shownCopy(page)).not.toMatch(/Threshold Matched|Disruption Detected|SmartPause Active/);
  world.failures['GET /api/status'] = 500;
  await page.reload();
  await expect(page.getByText('Can’t reach SmartPause')).toHaveCount(1);
  await sees('SmartPause on for 1 of 3');
  expect(await shownCopy(page)).not.toMatch(
    /Meta Status|Threshold Matched|Disruption Detected|SmartPause Active/,
  );
});

test('[AUTH-07] the setup, the settings, the billing portal and revoking the authorization', async ({
  begin,
}) => {
  const { page, url, world, calls, opens, sees, presses, confirms } = begin(newWorld());
  world.user.isInitialized = false;
  world.userStatus = {};
  await page.clock.install();
  world.link = `${url}/privacy-policy`;
  await opens(`/settings?${AT_LOGIN}`);
  await page.getByLabel('Email').fill('nora@lind.example');
  await page.getByRole('checkbox').check();
  await presses('Complete Account Setup');
  await sees('Account initialized successfully!');
  expect(await storedToken(page)).toBe('the-token-after-the-setup');
  await page.getByRole('radio', { name: 'Immediately' }).check();
  await presses('Save settings');
  await sees('Settings saved successfully');
  expect(calls).toContain(
    'POST /api/user/settings {"email":"nora@lind.example","outageThreshold":"MEDIUM","resumeSettings":{"mode":"instant"}}',
  );

  await expect(page.getByRole('switch')).toHaveCount(0);
  const goesTo = async (name: string) => {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();
    // Until its chunk is loaded, the page before is shown.
    await expect(page.getByRole('heading', { name: `Settings: ${name}` })).toBeVisible();
  };
  await goesTo('Notifications');
  await page.getByLabel('Email').fill('nora@other.example');
  await presses('Save settings');
  await sees('Settings saved successfully');
  expect(calls).toContain(
    'POST /api/user/settings {"email":"nora@other.example","outageThreshold":"MEDIUM","resumeSettings":{"mode":"instant"}}',
  );
  await goesTo('Billing');
  await sees('Yearly plan');
  await sees(`Renews on ${END}`);
  const portal = page.context().waitForEvent('page');
  await presses('Manage billing');
  await (await portal).waitForURL(`${url}/privacy-policy`);
  await (await portal).close();
  await goesTo('Account');
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toHaveCount(0);

  await presses('Revoke authorization');
  await confirms('Revoke authorization');
  await sees('Authorization revoked. Logging you out…');
  await page.clock.fastForward(FAREWELL_MS);
  await page.waitForURL(`${url}/?error=DEAUTH_SUCCESS`);
  await sees('Successfully Deauthorized');
  // It is loaded apart: no request is left when the test ends.
  await expect(page.getByRole('heading', { level: 1, name: /^Stop paying/ })).toBeVisible();
  expect(await storedToken(page)).toBeNull();
});

test('[AUTH-07, PRICE-06] from the plans to the checkout and back', async ({ begin }) => {
  const { page, url, world, calls, opens, sees, presses } = begin(
    newWorld({ subscription: NEVER_SUBSCRIBED }),
  );
  await opens('/payment?cycle=yearly');
  await presses('Get Started - Yearly');
  await presses('Connect with Facebook');
  await page.waitForURL(`${url}/payment?modal=open&cycle=yearly`);
  await presses('Continue to Payment');
  await sees('No checkout URL returned');
  world.link = 'javascript:alert(1)';
  await presses('Continue to Payment');
  await sees('Failed to create checkout session');
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
  await expect(page.getByRole('button', { name: 'Update payment method' })).toBeVisible();
  world.subscription = subscribed('canceled', false);
  await opens('/payment');
  await sees('Choose your plan');
});

const SUBSCRIPTIONS = [
  ['active', subscribed('active', true), 'Active', 'green', `Renews on ${END}`, 'Already Subscribed'],
  ['past_due', subscribed('past_due', false), 'Past Due', 'yellow', 'Payment Issue', PAYMENT_ISSUE],
  ['on_hold', subscribed('on_hold', false), 'Unknown', 'gray', 'Status unknown', 'Already Subscribed'],
  ['none', NEVER_SUBSCRIBED, null, '', 'No subscription. Start one', 'Get Started - Monthly'],
] as const;

test('[AUTH-07, SET-08] each subscription: the settings, the pricing page and the home page', async ({
  begin,
}) => {
  const { page, world, opens, sees } = begin(newWorld());
  const billing = page.getByRole('region', { name: 'Billing & Subscription' });
  for (const [name, subscription, badge, color, words, button] of SUBSCRIPTIONS)
    await test.step(name, async () => {
      world.subscription = subscription;
      const isActive = subscription.hasActiveSubscription;
      await opens(`/settings?${AT_LOGIN}#billing`);
      await expect(billing.getByText(words)).toBeVisible();
      const shown = billing.locator('.mantine-Badge-root');
      await expect(shown).toHaveText(badge === null ? [] : [badge]);
      if (badge !== null) await hasColor(shown, color);
      await opens('/settings');
      if (isActive) await expect(page.getByRole('radio', { name: 'Next day' })).toBeChecked();
      else await expect(billing).toBeVisible();
      await expect(page.getByRole('heading', { name: 'SmartPause Settings' })).toHaveCount(isActive ? 1 : 0);
      await opens('/payment');
      await sees(button);
      await opens('/');
      await sees(isActive ? 'SmartPause on for 1 of 3' : button);
      await isWhole(page);
    });
});

test('[AUTH-07] the admin page shows the fields of the specification and overrides the status', async ({
  begin,
}) => {
  const { page, world, calls, opens, sees, presses, confirms } = begin(newWorld({ user: ADMIN }));
  world.admin.trueMetaStatus = 'LOW_DISRUPTION';
  await opens(`/admin?${AT_LOGIN}`);
  await sees('Total users');
  await sees('Paused Shoes');
  await sees('Jan 8, 2026, 9:10 PM EST');
  await sees('Low disruption');
  await expect(page.getByRole('heading', { name: 'System health' })).toBeHidden();
  await expect(page.getByText('Failed to load admin data')).toHaveCount(0);
  await presses('Force High');
  await confirms('Force High');
  await sees('High disruption');
  await expect.poll(() => calls).toContain('POST /api/admin/force-high');
  await presses('Grant 10-year subscription');
  await confirms('Grant 10-year subscription');
  await sees('You now have a 10-year subscription.');
});

async function pauseShoes({ presses }: Visit): Promise<void> {
  await presses('More for Shoes');
  await presses('Manual Pause Shoes');
}

test('[AUTH-07] the status 401 logs out', async ({ begin }) => {
  for (const [call, act] of [
    ['GET /api/me', () => Promise.resolve()],
    ['POST /api/campaigns/4/pause', pauseShoes],
  ] as const) {
    const visit = begin(newWorld({ user: ADMIN, failures: { [call]: 401 } }));
    await visit.opens(`/?${AT_LOGIN}`);
    await act(visit);
    await visit.isLoggedOut();
  }
});

test('[AUTH-07] GET /api/me with the status 500 at each try logs out @before-release', async ({ begin }) => {
  const { page, opens, isLoggedOut } = begin(newWorld({ failures: { 'GET /api/me': 500 } }));
  await page.clock.install();
  await opens(`/?${AT_LOGIN}`);
  await expect(async () => {
    await page.clock.fastForward(2000);
    expect(await storedToken(page)).toBeNull();
  }).toPass({ intervals: [25] });
  await isLoggedOut();
});
