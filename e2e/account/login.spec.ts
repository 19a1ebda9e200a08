import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { asNewUser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';

describe('login and logout', () => {
  const product = productOfThisSuite();

  test('[AUTH-01, AUTH-02, HEAD-06] login returns to the page where it began; the token is stored and removed from the address', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
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

  test('[FR-10] Back to the dialog after a login, and the repeated callback, show the page without a banner', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      const callbacks: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/auth/facebook/callback?')) callbacks.push(request.url());
      });
      await nora.opens('/privacy-policy');
      await nora.goesToTheDialog();
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      const token = await nora.token();
      await nora.opens(new URL(callbacks[0] ?? '').pathname + new URL(callbacks[0] ?? '').search);
      await nora.sees(`Welcome, ${name}`);
      expect([page.url(), await nora.token()]).toEqual([`${product.url}/privacy-policy`, token]);
      await page.goBack();
      await page.goBack();
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      expect(page.url()).toBe(`${product.url}/privacy-policy`);
      await expect.poll(() => page.getByText('Security Error').count()).toBe(0);
    });
  });

  test('[AUTH-01] login never redirects to another site', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      await nora.opens('/auth/facebook?returnTo=%2F%2Felsewhere.example%2F');
      await nora.presses(`Continue as ${name}`);
      await nora.sees(`Welcome, ${name}`);
      expect(page.url()).toBe(`${product.url}/`);
    });
  });

  test('[HEAD-07] Log out ends the session in the browser and on the server', () =>
    asNewUser(product, async (nora, page) => {
      const session = await nora.overHttp();
      expect((await session.call('GET', '/api/me')).status).toBe(200);
      await nora.presses(/^Log out$/);
      await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      // The page reloads while this waits.
      await waitFor('the token to be gone', async () => (await nora.token().catch(() => 'unknown')) === null);
      await waitFor('the session to end', async () => (await session.call('GET', '/api/me')).status === 401);
    }));

  test('[AUTH-04, ROUTE-11] a session that ended elsewhere leads to /, and login works again', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      // The event stream would report the change at once.
      await page.route('**/api/events', () => {});
      // The page's last request: any request after the end of the session would leave the page too early.
      const replayed = page.waitForResponse('**/api/outages/replay?*');
      await nora.arrivesAs(name, null, '/settings');
      await page.getByRole('checkbox').check();
      await replayed;
      const headers = { authorization: `Bearer ${(await nora.token()) ?? ''}` };
      await fetch(`${product.url}/auth/logout`, { method: 'POST', headers });
      await nora.presses('Complete Account Setup');
      await page.waitForURL(`${product.url}/`);
      await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      expect(await nora.token()).toBeNull();
      await nora.continuesAs(name);
      await nora.isSignedIn();
    });
  });

  test('[AUTH-06] a token that the server does not know is removed', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/terms');
      await page.evaluate("localStorage.setItem('authToken', 'not-a-token')");
      await visitor.opens('/');
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      // The page reloads without the token; this wait continues in the new document.
      await page.waitForFunction("localStorage.getItem('authToken') === null");
      expect(page.url()).toBe(`${product.url}/`);
    }));

  test("[AUTH-02] a token from another browser's login is rejected: the current session stays, and no other user is logged in", async () => {
    const others = await asVisitor(product, async (bob) => {
      await bob.signsInAs((await newAdvertiser(product.graph, {})).name);
      return (await bob.token()) ?? '';
    });
    const { name: ann } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (user, page) => {
      await user.signsInAs(ann);
      const own = await user.token();
      for (const token of [others, 'x', '']) {
        await user.opens(`/terms?token=${token}`);
        await user.sees(`Welcome, ${ann}`);
        expect(await user.token()).toBe(own);
        expect(page.url()).toBe(`${product.url}/terms`);
      }
    });
    for (const path of ['/', '/settings', '/terms']) {
      await asVisitor(product, async (stranger, page) => {
        await stranger.opens(`${path}?token=${others}`);
        await page.getByRole('alert').filter({ hasText: 'Security Error' }).waitFor();
        await page.getByRole('link', { name: 'Log In' }).first().waitFor();
        expect(await stranger.token()).toBeNull();
        expect(page.url()).toBe(`${product.url}/?error=INVALID_STATE`);
        await stranger.continuesAs(ann);
        await stranger.isSignedIn();
      });
    }
  });

  test('[AUTH-02] a second login in the same browser ends the first session and deletes the arrival cookie', () =>
    asNewUser(product, async (nora, page, name) => {
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
    }));

  test('[BANNER-01] a cancelled dialog shows its banner', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/');
      await visitor.goesToTheDialog();
      await visitor.presses('Cancel');
      await page.getByRole('alert').filter({ hasText: 'Access Denied' }).waitFor();
      expect(await visitor.token()).toBeNull();
    }));

  test('[BANNER-04] an unknown code is shown as text, not as markup', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/?error=%3Cimg%20src%3Dx%20alt%3Dplanted%3E');
      await visitor.sees('Something Went Wrong');
      await expect.poll(() => page.getByAltText('planted').count()).toBe(0);
      await expect.poll(() => page.getByText('planted').count()).toBe(0);
    }));

  test('[ROUTE-01, ROUTE-05, ROUTE-06, ROUTE-10, ROUTE-12] every address leads to its page', () =>
    asVisitor(product, async (visitor, page) => {
      for (const path of ['/dashboard', '/settings']) {
        await visitor.opens(path);
        await page.waitForURL(`${product.url}/`);
        await page.getByRole('heading', { name: /Stop paying/ }).waitFor();
      }
      for (const path of ['/privacy-policy', '/privacy']) {
        await visitor.opens(path);
        await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor();
      }
      for (const path of ['/terms-of-service', '/terms']) {
        await visitor.opens(path);
        await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
      }
      expect((await page.goto(`${product.url}/no-such-page`))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Go home' }).click();
      await page.waitForURL(`${product.url}/`);
    }));
});
