import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

interface Callback {
  answer: { status: number; body: string };
}

describe("Meta's permission: given, lapsed, taken back", () => {
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

  test('[BANNER-01, BANNER-02] a declined permission is named; its link asks again and lets the person in', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.opens('/');
      await nora.goesToTheDialog();
      await page.getByRole('checkbox', { name: /ads_management/ }).uncheck();
      await nora.presses(`Continue as ${name}`);
      const banner = page.getByRole('alert').filter({ hasText: 'Access Denied' });
      await banner.getByText(/needs the permission to manage your ads/).waitFor();
      expect(await nora.token()).toBeNull();
      await banner.getByRole('link', { name: 'Log in again' }).click();
      expect(await page.getByRole('checkbox', { name: /ads_management/ }).isChecked()).toBe(true);
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      expect(await banner.count()).toBe(0);

      await nora.opens('/terms?error=ACCESS_DENIED&missing=ads_management&from=mail');
      await nora.presses('Dismiss');
      await page.waitForURL(`${product.url}/terms?from=mail`);
      await nora.opens('/terms?error=ACCESS_DENIED&missing=%3Cb%3Eplanted');
      await nora.sees('Access Denied');
      expect(await page.getByText(/planted/).count()).toBe(0);
    });
  });

  test('[BANNER-02] access that Meta refuses is told on every page, once, until the person logs in again', async () => {
    const { name, id } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Shoes');
      await product.graph.post('/tokens/invalidate', { userId: id });
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('Session Expired');
      await nora.opens('/?error=TOKEN_EXPIRED');
      await nora.campaigns().waitFor();
      expect(await page.getByText('Session Expired').count()).toBe(1);
      await nora.presses('Dismiss');
      await page.waitForURL(`${product.url}/`);
      expect(await page.getByText('Session Expired').count()).toBe(1);
      await nora.opens('/settings');
      const banner = page.getByRole('status').filter({ hasText: 'Session Expired' });
      await banner.getByRole('link', { name: 'Log in again' }).click();
      await nora.presses(`Continue as ${name}`);
      await page.getByLabel('Email').waitFor();
      expect(page.url()).toBe(`${product.url}/settings`);
      expect(await banner.count()).toBe(0);
    });
  });

  test('[BANNER-01, BANNER-02] access that ends soon is told at the login, and on every page until it is renewed', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await product.graph.post('/settings', { codeTokenSeconds: 3600, extendTokens: false });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      expect(page.url()).toBe(`${product.url}/?error=TOKEN_STALE`);
      const banner = page.getByRole('status').filter({ hasText: 'Token Refresh Required' });
      const link = banner.getByRole('link', { name: 'Log in again' });
      await nora.presses('Dismiss');
      await page.waitForURL(`${product.url}/`);
      expect(await link.getAttribute('href')).toBe('/auth/facebook?returnTo=%2F');
      await nora.opens('/privacy?from=mail');
      expect(await link.getAttribute('href')).toBe('/auth/facebook?returnTo=%2Fprivacy%3Ffrom%3Dmail');
      await product.graph.post('/settings', { codeTokenSeconds: null, extendTokens: true });
      await link.click();
      await nora.presses(`Continue as ${name}`);
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      expect([page.url(), await banner.count()]).toEqual([`${product.url}/privacy?from=mail`, 0]);
    });
  });

  test('a deletion that was asked for on Meta finishes before the eyes of whoever has its code', async () => {
    const { name, id } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const { url, confirmation_code } = await asksForDeletion(id);
      expect(url).toBe(`${product.url}/data-deletion/${confirmation_code}`);
      await withPage(
        async (phone) => {
          await phone.goto(url);
          await phone.getByRole('heading', { name: 'Data deletion', level: 1 }).waitFor();
          await phone.getByRole('heading', { name: 'Finished' }).waitFor();
          await phone.getByText(confirmation_code).waitFor();
          expect(await phone.getByText(/\d{4}, \d+:\d\d [AP]M EST$/).count()).toBe(2);
          await fits(phone);
        },
        { viewport: PHONE, colorScheme: 'dark' },
      );
      // Their own browser still has the token of a session that ended with the account.
      await nora.opens(`/data-deletion/${confirmation_code}`);
      await page.getByRole('heading', { name: 'Finished' }).waitFor();
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      expect([page.url(), await nora.token()]).toEqual([url, null]);
    });
  });

  test('a code that nobody was given is not found', async () => {
    await withPage(async (page) => {
      for (const [code, status] of [
        ['A'.repeat(20), 200],
        ['nonsense', 404],
      ] as const) {
        expect((await page.goto(`${product.url}/data-deletion/${code}`))?.status()).toBe(status);
        await page.getByText('There is no deletion with this confirmation code').waitFor();
      }
    });
  });

  test('[HEAD-08] on a phone the settings do not scroll sideways', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.continuesAs(name);
        await nora.sees('Try SmartPause free for 30 days');
        await nora.subscribes();
        await nora.opens('/settings?error=ACCESS_DENIED&missing=ads_management');
        await page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('listitem').waitFor();
        await fits(page);
      },
      { viewport: PHONE },
    );
  });
});
