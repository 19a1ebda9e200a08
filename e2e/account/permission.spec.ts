import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withKeptPage } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';

interface Callback {
  answer: { status: number; body: string };
}

describe('Meta permission: granted, expired and revoked', () => {
  const product = productOfThisSuite();

  const asksForDeletion = async (userId: string) => {
    const url = `${product.url}/auth/facebook/data-deletion`;
    const { answer } = await product.graph.post<Callback>('/callbacks', { userId, url, removeApp: true });
    return JSON.parse(answer.body) as { url: string; confirmation_code: string };
  };

  const fits = async (page: Page): Promise<void> => {
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(PHONE.width);
  };

  test('[BANNER-01, BANNER-02] the banner names a declined permission; its link asks again and logs the user in', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(product, async (nora, page) => {
      await nora.opens('/');
      await nora.goesToTheDialog();
      await page.getByRole('checkbox', { name: /ads_management/ }).uncheck();
      await nora.presses(`Continue as ${name}`);
      const banner = page.getByRole('alert').filter({ hasText: 'Access Denied' });
      await banner.getByText(/needs permission to manage your ads/).waitFor();
      expect(await nora.token()).toBeNull();
      await banner.getByRole('link', { name: 'Log in again' }).click();
      await expect.poll(() => page.getByRole('checkbox', { name: /ads_management/ }).isChecked()).toBe(true);
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('button', { name: 'Log out', exact: true }).waitFor();
      await expect.poll(() => banner.count()).toBe(0);

      await nora.opens('/terms?error=ACCESS_DENIED&missing=ads_management&from=mail');
      await nora.presses('Dismiss');
      await page.waitForURL(`${product.url}/terms?from=mail`);
      await nora.opens('/terms?error=ACCESS_DENIED&missing=%3Cb%3Eplanted');
      await nora.sees('Access Denied');
      await expect.poll(() => page.getByText(/planted/).count()).toBe(0);
    });
  });

  test('[BANNER-02] when Meta refuses access, every page shows one banner until the user logs in again', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, id, name }) => {
      await nora.turnsSmartPause('on', 'Shoes');
      await product.graph.post('/tokens/invalidate', { userId: id });
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('Session Expired');
      await nora.opens('/?error=TOKEN_EXPIRED');
      await nora.campaigns().waitFor();
      await nora.sees('Session Expired');
      await expect.poll(() => page.getByText('Session Expired').count()).toBe(1);
      await nora.presses('Dismiss');
      await page.waitForURL(`${product.url}/`);
      await expect.poll(() => page.getByText('Session Expired').count()).toBe(1);
      await nora.opens('/settings');
      const banner = page.getByRole('status').filter({ hasText: 'Session Expired' });
      await banner.getByRole('link', { name: 'Log in again' }).click();
      await nora.presses(`Continue as ${name}`);
      await page.getByLabel('Email').waitFor();
      expect(page.url()).toBe(`${product.url}/settings`);
      await expect.poll(() => banner.count()).toBe(0);
    }));

  test('[BANNER-01, BANNER-02] access that expires soon shows a banner on every page until it is renewed', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await product.graph.post('/settings', { codeTokenSeconds: 7200, extendTokens: false });
    await asVisitor(product, async (nora, page) => {
      await nora.continuesAs(name);
      await nora.isSignedIn();
      expect(page.url()).toBe(`${product.url}/`);
      // In the first hour the longer token is requested in the background.
      await product.advance(61 * 60_000);
      await nora.opens('/');
      const banner = page.getByRole('status').filter({ hasText: 'Token Refresh Required' });
      const link = banner.getByRole('link', { name: 'Log in again' });
      await expect.poll(() => link.getAttribute('href')).toBe('/auth/facebook?returnTo=%2F');
      await nora.opens('/privacy?from=mail');
      await expect
        .poll(() => link.getAttribute('href'))
        .toBe('/auth/facebook?returnTo=%2Fprivacy%3Ffrom%3Dmail');
      await product.graph.post('/settings', { codeTokenSeconds: null, extendTokens: true });
      await link.click();
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      await expect
        .poll(async () => [page.url(), await banner.count()])
        .toEqual([`${product.url}/privacy?from=mail`, 0]);
    });
  });

  test('a deletion requested on Meta shows its progress to anyone with the code', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, id }) => {
      const { url, confirmation_code } = await asksForDeletion(id);
      expect(url).toBe(`${product.url}/data-deletion/${confirmation_code}`);
      await withKeptPage(
        async (phone) => {
          await phone.goto(url);
          await phone.getByRole('heading', { name: 'Data deletion', level: 1 }).waitFor();
          await phone.getByRole('heading', { name: 'Completed' }).waitFor();
          await phone.getByText(confirmation_code).waitFor();
          await expect.poll(() => phone.getByText(/\d{4}, \d+:\d\d [AP]M EST$/).count()).toBe(2);
          await fits(phone);
        },
        { viewport: PHONE, colorScheme: 'dark' },
      );
      // The browser still has the token of the session that the deletion ended.
      await nora.opens(`/data-deletion/${confirmation_code}`);
      await page.getByRole('heading', { name: 'Completed' }).waitFor();
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      expect([page.url(), await nora.token()]).toEqual([url, null]);
    }));

  test('an unknown deletion code shows not found', async () => {
    await withKeptPage(async (page) => {
      for (const [code, status] of [
        ['A'.repeat(20), 200],
        ['nonsense', 404],
      ] as const) {
        expect((await page.goto(`${product.url}/data-deletion/${code}`))?.status()).toBe(status);
        await page.getByText('No deletion matches this confirmation code').waitFor();
      }
    });
  });
});
