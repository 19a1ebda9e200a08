import { signIn } from '../scripts/simulator-clients/user.ts';
import { expect, test } from './support/fixtures.ts';
import { User } from './support/user.ts';

test('[AUTH-01, AUTH-02, HEAD-06, FR-10] login returns to the page where it began, its token leaves the address, and the dialog or the callback again show no banner', async ({
  nora,
  page,
  world,
}) => {
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/facebook/callback?')) callbacks.push(request.url());
  });
  await nora.opens('/privacy-policy');
  await nora.goesToTheDialog();
  await nora.presses(`Continue as ${nora.name}`);
  await nora.sees(`Welcome, ${nora.name}`);
  await expect(page).toHaveURL(`${world.url}/privacy-policy`);
  const token = await nora.token();
  expect(token).toMatch(/^\S{20,}$/);
  const tokenWasSeen = () => page.url().includes('token=');
  await page.goBack();
  expect(tokenWasSeen()).toBe(false);
  await page.goForward();
  await nora.sees(`Welcome, ${nora.name}`);
  expect(tokenWasSeen()).toBe(false);
  await nora.opens(new URL(callbacks[0] ?? '').pathname + new URL(callbacks[0] ?? '').search);
  await nora.sees(`Welcome, ${nora.name}`);
  expect([page.url(), await nora.token()]).toEqual([`${world.url}/privacy-policy`, token]);
  await page.goBack();
  await page.goBack();
  await nora.presses(`Continue as ${nora.name}`);
  await nora.sees(`Welcome, ${nora.name}`);
  await expect(page).toHaveURL(`${world.url}/privacy-policy`);
  await expect(page.getByText('Security Error')).toHaveCount(0);
});

test('[FR-11, BANNER-01] a login that another browser finishes is refused there, with a button to start again; a cancelled one shows its banner', async ({
  nora,
  page,
  world,
  browser,
}) => {
  await nora.opens('/');
  await nora.goesToTheDialog();
  const context = await browser.newContext();
  const other = new User(await context.newPage(), world, nora);
  await other.page.goto(page.url());
  await other.presses(`Continue as ${nora.name}`);
  const banner = other.page.getByRole('alert').filter({ hasText: 'Security Error' });
  await expect(banner).toContainText('This login didn’t start in this browser');
  expect(await other.token()).toBeNull();
  await banner.getByRole('link', { name: 'Log in again' }).click();
  await other.presses(`Continue as ${nora.name}`);
  await other.isSignedIn();
  await context.close();

  await nora.presses('Cancel');
  await expect(page.getByRole('alert').filter({ hasText: 'Access Denied' })).toBeVisible();
  expect(await nora.token()).toBeNull();
  await nora.presses('Dismiss');
  await nora.noLongerSees('Access Denied');
  await expect(page.getByRole('main')).toBeFocused();
});

test('[AUTH-01, HEAD-07] login on the landing page leads to the campaigns that a link named; Log out ends the session', async ({
  nora,
  page,
  world,
}) => {
  await nora.opens('/?show=campaigns');
  await nora.isAtLandingPage();
  await nora.goesToTheDialog();
  await nora.presses(`Continue as ${nora.name}`);
  await nora.isSignedIn();
  await expect(page).toHaveURL(`${world.url}/?show=campaigns`);
  const session = await nora.overHttp();
  expect((await session.call('GET', '/api/me')).status).toBe(200);
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  // The page reloads while this waits.
  await expect.poll(() => nora.token().catch(() => 'unknown')).toBe(null);
  await expect.poll(async () => (await session.call('GET', '/api/me')).status).toBe(401);
});

test('Log out everywhere else ends the other sessions of the user, and says so; Log out leaves no page to return to', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn('/settings#sessions');
  const other = await signIn(world.url, nora.id);
  await nora.presses('Log out everywhere else');
  await nora.sees('1 other session ended.');
  expect((await other.call('GET', '/api/me')).status).toBe(401);
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  await expect(page.getByText('Log in to see the page you opened.')).toHaveCount(0);
});

test('[HEAD-07] after a logout there is no notice of a campaign, also not of a pause under way', async ({
  nora,
  page,
}) => {
  await page.clock.install();
  await nora.arrives({ campaigns: { Boots: 'ACTIVE', Shoes: 'ACTIVE' } });
  await nora.picks('Manual Pause', 'Shoes');
  await expect(nora.button('Undo: pause Shoes')).toBeVisible();
  const goesOn = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  await page.route('**/api/campaigns/*/pause', async (route) => {
    const answer = await route.fetch();
    await goesOn.promise;
    await route.fulfill({ response: answer });
    answered.resolve(undefined);
  });
  const asked = page.waitForRequest('**/api/campaigns/*/pause');
  await nora.picks('Manual Pause', 'Boots');
  await asked;
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  // A notice goes by itself later.
  expect(await page.getByText('Shoes').count()).toBe(0);
  goesOn.resolve(undefined);
  await answered.promise;
  await page.clock.runFor(500);
  expect(await page.getByText('Boots').count()).toBe(0);
});

test('[AUTH-04, ROUTE-11] a session that ended elsewhere leads to /, which says so, and login works again', async ({
  nora,
  page,
  world,
}) => {
  // The event stream would report the change at once.
  await page.route('**/api/events', () => {});
  // The page's last request: any request after the end of the session would leave the page too early.
  const replayed = page.waitForResponse('**/api/outages/replay?*');
  await nora.arrives({ setup: null, path: '/settings' });
  await page.getByRole('checkbox').check();
  await replayed;
  const headers = { authorization: `Bearer ${(await nora.token()) ?? ''}` };
  await fetch(`${world.url}/auth/logout`, { method: 'POST', headers });
  await nora.presses('Complete Account Setup');
  await page.waitForURL(`${world.url}/?error=TOKEN_EXPIRED`);
  await nora.isAtLandingPage();
  await expect(page.getByRole('status').getByText('You were logged out.')).toBeVisible();
  expect(await nora.token()).toBeNull();
  await nora.logsIn();
  await nora.isSignedIn();
});

test("[AUTH-02] a token from another browser's login is rejected: the current session stays, and no other user is logged in @before-release", async ({
  page,
  nora,
  world,
}) => {
  const bob = new User(page, world);
  await bob.runs({});
  const { token: others } = await signIn(world.url, bob.id);
  for (const path of ['/', '/terms']) {
    await nora.opens(`${path}?token=${others}`);
    await expect(page.getByRole('alert').filter({ hasText: 'Security Error' })).toBeVisible();
    await expect(page).toHaveURL(`${world.url}/?error=INVALID_STATE`);
    // The document of the landing page replaces that of the app while this waits.
    await expect.poll(() => nora.token().catch(() => 'unknown')).toBeNull();
  }
  await nora.logsIn();
  await nora.isSignedIn();
  const own = await nora.token();
  for (const token of [others, 'x', '']) {
    await nora.opens(`/terms?token=${token}`);
    await nora.sees(`Welcome, ${nora.name}`);
    await expect(page).toHaveURL(`${world.url}/terms`);
    expect(await nora.token()).toBe(own);
  }
});

test('[AUTH-02, FR-42] a second login in the same browser ends the first session and deletes the arrival cookie; Back shows no former user', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn();

  const before = await nora.overHttp();
  await nora.opens('/auth/facebook?returnTo=%2Fterms');
  await nora.presses(`Continue as ${nora.name}`);
  await nora.sees(`Welcome, ${nora.name}`);
  await expect(page).toHaveURL(`${world.url}/terms`);
  expect(await nora.token()).not.toBe(before.token);
  await expect.poll(async () => (await before.call('GET', '/api/me')).status).toBe(401);
  expect((await (await nora.overHttp()).call('GET', '/api/me')).status).toBe(200);
  const cookies = await page.context().cookies(world.url);
  expect(cookies.map((cookie) => cookie.name)).not.toContain('smartpause_arrival');

  const other = new User(page, world, { id: `${nora.id}1`, name: 'Ada Other' });
  await other.hasAccounts([]);
  const { token } = await signIn(world.url, other.id);
  await page.evaluate(`localStorage.setItem('authToken', ${JSON.stringify(token)});
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await other.sees('Welcome, Ada Other');
});

test('[ROUTE-01, ROUTE-05, ROUTE-06, ROUTE-10, ROUTE-12, UX-24] every address leads to its page', async ({
  nora,
  page,
  world,
}) => {
  for (const path of ['/dashboard', '/settings']) {
    await nora.opens(path);
    await page.waitForURL(`${world.url}/`);
    await nora.isAtLandingPage();
    const isSaid = path === '/settings';
    await expect(page.getByText('Log in to see the page you opened.')).toBeVisible({ visible: isSaid });
  }
  await nora.opens('/login');
  await nora.presses('Cancel');
  await expect(page.getByRole('alert').filter({ hasText: 'Access Denied' })).toBeVisible();
  await nora.opens('/pricing?cycle=yearly');
  await page.waitForURL(`${world.url}/payment?cycle=yearly`);
  await nora.sees('Get Started - Yearly');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Pricing' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'FAQ' }).click();
  await page.waitForURL(`${world.url}/payment?cycle=yearly#faq`);
  for (const path of ['/privacy-policy', '/privacy']) {
    await nora.opens(path);
    await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible();
  }
  for (const path of ['/terms-of-service', '/terms']) {
    await nora.opens(path);
    await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
  }
  expect((await page.goto(`${world.url}/no-such-page`))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go home' }).click();
  await page.waitForURL(`${world.url}/`);
});
