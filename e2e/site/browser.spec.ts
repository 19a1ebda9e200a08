import { afterAll, expect, test } from 'vitest';
import { DESKTOP, PHONE, closeBrowser, withKeptPage } from '../../scripts/browser/browser.ts';

afterAll(closeBrowser);

const BASE = 'http://page.test/';

test.each([
  ['an uncaught error', 'pageerror', "setTimeout(() => { throw new Error('unseen') })"],
  ['an error in the console', 'console', "console.error('unseen')"],
] as const)('%s fails the visit', async (_what, event, script) => {
  const broken = withKeptPage(async (page) => {
    const seen = event === 'console' ? page.waitForEvent('console') : page.waitForEvent('pageerror');
    await page.evaluate(script);
    await seen;
  });
  await expect(broken).rejects.toThrow('unseen');
});

test('the kept page has the chosen screen, and keeps nothing of the visit before', async () => {
  const stored = () =>
    withKeptPage(
      async (page) => {
        await page.route(BASE, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A page</p>' }));
        await page.goto(BASE);
        return page.evaluate<string[]>(`[
          innerWidth, matchMedia('(prefers-color-scheme: dark)').matches,
          sessionStorage.length, localStorage.length, document.cookie,
        ].map(String)`);
      },
      { viewport: PHONE, colorScheme: 'dark' },
    );
  const first = await stored();
  expect(first).toEqual([String(PHONE.width), 'true', '0', '0', '']);
  await withKeptPage(async (page) => {
    await page.route(BASE, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A page</p>' }));
    await page.goto(BASE);
    await page.evaluate("sessionStorage.a = localStorage.a = document.cookie = 'a=1'");
    expect(await page.evaluate('innerWidth')).toBe(DESKTOP.width);
  });
  expect(await stored()).toEqual(first);
});
