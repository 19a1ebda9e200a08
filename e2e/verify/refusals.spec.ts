import { User } from '../support/user.ts';
import { expect, test } from '../support/fixtures.ts';

/** As in a browser that is configured to store nothing. */
const KEEPS_NOTHING = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
  });
}`;

const CANNOT_START = 'SmartPause couldn’t be loaded';

test('without storage every page works, and a login lasts as long as the page', async ({ nora, page }) => {
  await page.addInitScript(KEEPS_NOTHING);
  for (const [path, heading] of [
    ['/', /^Stop paying/],
    ['/payment', /SmartPause free/],
    ['/terms', 'Terms of Service'],
  ] as const) {
    await nora.opens(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  await nora.logsIn();
  await nora.sees(`Welcome, ${nora.name}`);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toBeVisible();
});

test('[HEAD-07] a logout without a connection shows the landing page; the session ends when the connection is back', async ({
  nora,
  page,
}) => {
  await nora.signsIn();

  const elsewhere = await nora.overHttp();
  await nora.sees('Get Started - Monthly');
  await page.context().setOffline(true);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  expect((await elsewhere.call('GET', '/api/me')).status).toBe(200);
  await page.context().setOffline(false);
  await expect.poll(async () => (await elsewhere.call('GET', '/api/me')).status).toBe(401);
});

test('[AUTH-02] a login as another user in another tab leaves no data of the first user on the page', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });
  await page.getByLabel('Email').fill('ann@ann.example');
  const bob = new User(await page.context().newPage(), world);
  await bob.runs({});
  await bob.opens('/auth/facebook?returnTo=%2Fterms');
  await Promise.all([page.waitForEvent('load'), bob.presses(`Continue as ${bob.name}`)]);
  await nora.sees(`Welcome, ${bob.name}`);
  // A user without a subscription has no form either.
  await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveCount(0);
});

test('an app that cannot be loaded shows a message; a landing page stays as it was sent', async ({
  nora,
  page,
  world,
  faults,
}) => {
  await page.route(/\/assets\/(start|app)-.*\.js/, (route) => route.abort());
  await page.goto(`${world.url}/terms`);
  await expect(page.getByRole('heading', { name: CANNOT_START })).toBeVisible();
  await page.goto(world.url);
  await nora.isAtLandingPage();
  await page.unrouteAll();
  await page.route(/\/assets\/app-.*\.js/, (route) => route.abort());
  await page.goto(`${world.url}/terms`);
  await expect(page.getByRole('heading', { name: CANNOT_START })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
  faults.length = 0;
});
