import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { isAlive } from '../support/document.ts';
import { asNewUser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';

describe('the address', () => {
  const product = productOfThisSuite();

  const dismissButton = (page: Page) => page.getByRole('button', { name: 'Dismiss' });
  const isAt = (page: Page, address: string) => page.waitForURL(product.url + address);

  test.each([
    [
      '/dashboard?error=NO_CODE&from=mail#prices',
      '/?error=NO_CODE&from=mail#prices',
      'Authentication Error',
      '/?from=mail#prices',
    ],
    [
      '/settings?error=ACCESS_DENIED&missing=ads_management&from=mail',
      '/?error=ACCESS_DENIED&missing=ads_management',
      /needs permission to manage your ads/,
      '/',
    ],
    ['/admin?error=SERVER_ERROR', '/?error=SERVER_ERROR', 'Server Error', '/'],
  ])(
    '[BANNER-01, ROUTE-05, ROUTE-06, ROUTE-07] logged out, %s ends at %s and shows its banner',
    (opened, landed, words, dismissed) =>
      asVisitor(product, async (visitor, page) => {
        await visitor.isSentHomeFrom(opened);
        await isAt(page, landed);
        await visitor.sees(words);
        await dismissButton(page).click();
        await visitor.noLongerSees(words);
        await isAt(page, dismissed);
      }),
  );

  test('[BANNER-01, ROUTE-06] an ended session keeps the code, and login leads back', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/terms');
      await page.evaluate("localStorage.setItem('authToken', 'ended-long-ago')");
      await visitor.isSentHomeFrom('/settings?error=NO_CODE&from=mail#billing');
      await isAt(page, '/?error=NO_CODE');
      await visitor.sees('Authentication Error');
      const login = await page.getByRole('link', { name: 'Log In' }).first().getAttribute('href');
      expect(login).toBe(`/auth/facebook?returnTo=${encodeURIComponent('/settings?from=mail#billing')}`);
    }));

  test('[BANNER-01, ROUTE-05, ROUTE-07] logged in, the code and the rest of the address stay', () =>
    asNewUser(product, async (nora, page) => {
      await nora.opens('/dashboard?error=NO_CODE&cycle=yearly#plans');
      await nora.sees('Authentication Error');
      await isAt(page, '/?error=NO_CODE&cycle=yearly#plans');
      await dismissButton(page).click();
      await isAt(page, '/?cycle=yearly#plans');
      await nora.button('Get Started - Yearly').waitFor();

      await nora.opens('/settings?error=SERVER_ERROR&missing=x&from=mail#sessions');
      await nora.sees('Server Error');
      await dismissButton(page).click();
      await isAt(page, '/settings?from=mail#sessions');

      await nora.opens('/admin?error=SERVER_ERROR');
      await nora.sees('Server Error');
      await isAt(page, '/?error=SERVER_ERROR');
      await nora.opens('/admin?error=');
      await nora.sees('Admin Access Required');
      await isAt(page, '/?error=ADMIN_REQUIRED');
    }));

  test('[BANNER-01] an empty code shows nothing', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/?error=');
      await waitFor('the page to be hydrated', () => isAlive(page));
      await page.waitForLoadState('networkidle');
      await expect.poll(() => dismissButton(page).count()).toBe(0);
      await visitor.opens('/terms?error=&from=mail');
      await page.getByRole('heading', { name: 'Terms of Service' }).waitFor();
      await expect.poll(() => dismissButton(page).count()).toBe(0);
    }));

  test('[LAND-04, ROUTE-04] the plan buttons of the landing page select their billing cycle', () =>
    asVisitor(product, async (visitor, page) => {
      await visitor.opens('/');
      const trials = page.locator('#prices').getByRole('link', { name: 'Start Free Trial' });
      const addresses = await trials.evaluateAll((links) =>
        links.map((link) => (link as unknown as { getAttribute(name: string): string }).getAttribute('href')),
      );
      expect(addresses).toEqual(['/payment?cycle=monthly', '/payment?cycle=yearly']);
      await trials.last().click();
      await isAt(page, '/payment?cycle=yearly');
      await visitor.button('Get Started - Yearly').waitFor();
    }));
});
