import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { Advertiser } from '../states/advertiser.ts';
import { asTheBoss, part, reloadsWhen } from './boss.ts';
import { BOSS, productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';

/** More than one page of the table. */
const MANY = Array.from({ length: 56 }, (_, n) => `Campaign number ${n}`);

const pausedCampaigns = (page: Page) => part(page, 'Campaigns paused by SmartPause').getByRole('listitem');
const problems = (page: Page) => part(page, 'System health').getByRole('listitem');

describe('paused campaigns and problems on the admin page', () => {
  const product = productOfThisSuite();

  test('a paused campaign appears with its reason, and disappears after it is resumed', async () => {
    const omar = await Advertiser.with(product, {
      name: 'Omar Haddad',
      accounts: { Own: { 'Sun Hats': 'ACTIVE' } },
      on: ['Sun Hats'],
    });
    await asTheBoss(product, async (boss, page) => {
      await boss.sees('No paused campaigns');
      await product.status.reports('High disruptions');
      await omar.isHeld('Sun Hats');
      const row = pausedCampaigns(page).filter({ hasText: 'Sun Hats' });
      for (const text of [
        /^Omar Haddad \(user \d+\)$/,
        'Paused',
        'High disruption met the Medium threshold.',
        'Waiting: the disruption still meets the threshold',
      ]) {
        await row.getByText(text, { exact: true }).waitFor();
      }
      await product.status.reports('Resolved');
      await boss.sees('No paused campaigns');
    });
  });

  test('a long list has pages, and a button leads back to the first one', async () => {
    const many = await Advertiser.with(product, {
      name: 'Many Campaigns',
      accounts: { Everything: Object.fromEntries(MANY.map((name) => [name, 'ACTIVE' as const])) },
      on: MANY,
    });
    await asTheBoss(product, async (boss, page) => {
      await product.status.reports('High disruptions');
      for (const name of MANY) await many.isHeld(name);
      await boss.opens('/admin');
      const names = async () =>
        (await pausedCampaigns(page).allInnerTexts()).map((text) => text.split('\n')[0]);
      await waitFor('a whole page', async () => (await names()).length === 50);
      const first = await names();
      await boss.presses('Next page');
      await waitFor('the rest', async () => (await names())[0] !== first[0]);
      const all = [...first, ...(await names())].filter((name) => name?.startsWith('Campaign number'));
      expect(all.toSorted()).toEqual(MANY.toSorted());
      await expect.poll(() => boss.button('Next page').isDisabled()).toBe(true);
      await boss.presses('First page');
      await waitFor('the first page', async () => (await names()).length === 50);
      await expect.poll(() => names()).toEqual(first);
    });
  });

  test('Retry sends a failed email, and the activity log records it', async () => {
    await product.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    const lin = await Advertiser.with(product, {
      name: 'Lin Waits',
      accounts: { Own: { 'Rain Coats': 'ACTIVE' } },
      on: ['Rain Coats'],
    });
    await product.status.reports('High disruptions');
    await lin.isHeld('Rain Coats');
    await asTheBoss(product, async (boss, page) => {
      const row = problems(page).filter({ hasText: 'Lin Waits' });
      await reloadsWhen(boss, 'listed', 'Lin Waits');
      await row.getByText(/^Last error: /).waitFor();
      await row.getByText(/Failed \d+ times?/).waitFor();
      await product.mailbox.ask('DELETE', '/faults');
      await row.getByRole('button', { name: /^Retry: Email \d+: Campaigns were paused$/ }).focus();
      await page.keyboard.press('Enter');
      await boss.sees('Retrying now.');
      await reloadsWhen(boss, 'gone', 'Lin Waits');
      await boss.sees('All systems normal');
      await boss.sees(`${BOSS.name} retried an email.`);
    });
  });

  test('[ADMIN-06] a retry that may affect live users needs a confirmation; the focus survives the end of the problem', () =>
    asTheBoss(product, async (boss, page) => {
      const status = await (await boss.overHttp()).get<object>('/api/admin/status');
      const json = { ...status, isProductionLike: true };
      await page.route('**/api/admin/status', (route) => route.fulfill({ json }));
      const common = { users: [], accountId: null, campaign: null, failures: 2, blockedUntil: null };
      const times = { since: null, nextAt: null, lastError: null };
      const found = { part: 'notification_waiting', id: '7', kind: 'paused', ...common, ...times };
      let isOver = false;
      await page.route('**/api/admin/problems', (route) =>
        route.fulfill({ json: { problems: isOver ? [] : [found], hasMore: false } }),
      );
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST')
          sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
      });
      await boss.opens('/admin');
      const button = 'Retry: Email 7: Campaigns were paused';
      await tabTo(page, button);
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Retry Email 7: Campaigns were paused?' });
      await question.getByText('Production Environment: affects live users').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'hidden' });
      await waitFor('the focus to be back', async () => (await focusedName(page)) === button);
      expect(sent).toEqual([]);
      await page.keyboard.press('Enter');
      await tabTo(page, 'Retry now');
      isOver = true;
      await page.keyboard.press('Enter');
      await boss.sees('The problem is already resolved.');
      await waitFor('the focus on the heading', async () => (await focusedName(page)) === 'System health');
      expect(sent).toEqual(['/api/admin/retry {"part":"notification_waiting","id":"7"}']);
    }));
});
