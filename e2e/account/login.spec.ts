import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

describe('logging in and out', () => {
  const product = productOfThisSuite();

  const somebodyNew = async (): Promise<string> => (await newAdvertiser(product.graph, {})).name;

  test('[AUTH-01, AUTH-02, HEAD-06] the login ends where it began; the token is kept and leaves the address', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/privacy-policy');
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      expect(page.url()).toBe(`${product.url}/privacy-policy`);
      expect(await nora.token()).toMatch(/^\S{20,}$/);
      const tokenWasSeen = () => page.url().includes('token=');
      await page.goBack();
      expect(tokenWasSeen()).toBe(false);
      await page.goForward();
      await nora.sees(`Welcome, ${name}`);
      expect(tokenWasSeen()).toBe(false);
    });
  });

  test('[AUTH-01] the login never ends at another site', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/auth/facebook?returnTo=%2F%2Felsewhere.example%2F');
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      expect(page.url()).toBe(`${product.url}/`);
    });
  });

  test('[HEAD-07] Log out ends the session, on the server as well', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      const session = await nora.overHttp();
      expect((await session.call('GET', '/api/me')).status).toBe(200);
      await nora.presses('Log out');
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      // The page is loaded anew meanwhile.
      await waitFor('the token to be gone', async () => (await nora.token().catch(() => 'unknown')) === null);
      await waitFor('the session to end', async () => (await session.call('GET', '/api/me')).status === 401);
    });
  });

  test('[AUTH-04, ROUTE-11] when the session has ended elsewhere the page is at / and logging in works again', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      // With the stream the page would learn of it at once.
      await page.route('**/api/events', () => {});
      await nora.arrivesAtSettingsAs(name);
      const headers = { authorization: `Bearer ${(await nora.token()) ?? ''}` };
      await fetch(`${product.url}/auth/logout`, { method: 'POST', headers });
      await page.getByRole('checkbox').check();
      await nora.presses('Complete Account Setup');
      await page.waitForURL(`${product.url}/`);
      await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      expect(await nora.token()).toBeNull();
      await nora.signsInAs(name);
    });
  });

  test('[AUTH-06] a token that the server does not know is thrown away', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      await somebody.opens('/terms');
      await page.evaluate("localStorage.setItem('authToken', 'not-a-token')");
      await somebody.opens('/');
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      // The page begins anew without it; this goes on looking in the new one.
      await page.waitForFunction("localStorage.getItem('authToken') === null");
      expect(page.url()).toBe(`${product.url}/`);
    });
  });

  test('[AUTH-02] a token of no login of this browser is not taken: who is here stays, and nobody else comes in', async () => {
    const others = await withPage(async (page) => {
      const bob = new Person(page, product);
      await bob.signsInAs(await somebodyNew());
      return (await bob.token()) ?? '';
    });
    const ann = await somebodyNew();
    await withPage(async (page) => {
      const person = new Person(page, product);
      await person.signsInAs(ann);
      const own = await person.token();
      for (const token of [others, 'x', '']) {
        await person.opens(`/terms?token=${token}`);
        await person.sees(`Welcome, ${ann}`);
        expect(await person.token()).toBe(own);
        expect(page.url()).toBe(`${product.url}/terms`);
      }
    });
    for (const path of ['/', '/settings', '/terms']) {
      await withPage(async (page) => {
        const stranger = new Person(page, product);
        await stranger.opens(`${path}?token=${others}`);
        await page.getByRole('alert').filter({ hasText: 'Security Error' }).waitFor();
        await page.getByRole('link', { name: 'Log In' }).first().waitFor();
        expect(await stranger.token()).toBeNull();
        expect(page.url()).toBe(`${product.url}/?error=INVALID_STATE`);
        await stranger.signsInAs(ann);
      });
    }
  });

  test('[AUTH-02] a login beside a session of the same browser ends that; what announced it is used up', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      const before = await nora.overHttp();
      await nora.opens('/auth/facebook?returnTo=%2Fterms');
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      expect(page.url()).toBe(`${product.url}/terms`);
      expect(await nora.token()).not.toBe(before.token);
      await waitFor(
        'the earlier session to end',
        async () => (await before.call('GET', '/api/me')).status === 401,
      );
      expect((await (await nora.overHttp()).call('GET', '/api/me')).status).toBe(200);
      const cookies = await page.context().cookies(product.url);
      expect(cookies.map((cookie) => cookie.name)).not.toContain('smartpause_arrival');
    });
  });

  test('[BANNER-01] a cancelled dialog says so; dismissing keeps the rest of the address', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      await somebody.opens('/');
      await somebody.goesToTheDialog();
      await somebody.presses('Cancel');
      await page.getByRole('alert').filter({ hasText: 'Access Denied' }).waitFor();
      expect(await somebody.token()).toBeNull();
      await somebody.opens('/terms?error=ACCESS_DENIED&from=mail');
      await somebody.presses('Dismiss');
      await page.waitForURL(`${product.url}/terms?from=mail`);
      await somebody.noLongerSees('Access Denied');
    });
  });

  test('without the permission to manage ads nobody gets in; it can be granted the next time', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/');
      await nora.goesToTheDialog();
      await page.getByRole('checkbox', { name: /ads_management/ }).uncheck();
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('alert').filter({ hasText: 'Access Denied' }).waitFor();
      expect(await nora.token()).toBeNull();
      await nora.signsInAs(name);
    });
  });

  test('[BANNER-04] an unknown code shows no markup of its own', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      await somebody.opens('/?error=%3Cimg%20src%3Dx%20alt%3Dplanted%3E');
      await somebody.sees('Something Went Wrong');
      expect(await page.getByAltText('planted').count()).toBe(0);
      expect(await page.getByText('planted').count()).toBe(0);
    });
  });

  test('[ROUTE-01, ROUTE-05, ROUTE-06, ROUTE-10, ROUTE-12] every address leads where it should', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      for (const path of ['/dashboard', '/settings']) {
        await somebody.opens(path);
        await page.waitForURL(`${product.url}/`);
        await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      }
      for (const path of ['/privacy-policy', '/privacy']) {
        await somebody.opens(path);
        await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor();
      }
      for (const path of ['/terms-of-service', '/terms']) {
        await somebody.opens(path);
        await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
      }
      expect((await page.goto(`${product.url}/no-such-page`))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Go home' }).click();
      await page.waitForURL(`${product.url}/`);
    });
  });
});
