import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import type { PageOptions } from '../../scripts/browser/browser.ts';
import { Somebody } from '../states/somebody.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

const BOSS = { id: '7111000000031', name: 'Ada Boss' };
/** More than one page. */
const MANY = Array.from({ length: 56 }, (_, n) => `Campaign number ${n}`);

const part = (page: Page, name: string) => page.getByRole('region', { name });
const pausedCampaigns = (page: Page) => part(page, 'Campaigns paused by SmartPause').getByRole('listitem');
const problems = (page: Page) => part(page, 'Problems').getByRole('listitem');

describe('paused campaigns and problems on the admin page', () => {
  const product = productOfThisSuite({ ADMIN_PLATFORM_IDS: BOSS.id });

  beforeAll(async () => {
    await product.graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
  });

  const asTheBoss = (act: (boss: Person, page: Page) => Promise<void>, options: PageOptions = {}) =>
    withPage(async (page) => {
      const boss = new Person(page, product);
      await boss.isSentHomeFrom('/admin');
      await boss.goesToTheDialog();
      await boss.presses(`Continue as ${BOSS.name}`);
      await part(page, 'System status').getByText('Overridden', { exact: true }).first().waitFor();
      try {
        await act(boss, page);
      } finally {
        await page.unrouteAll();
        await Promise.all([product.status, product.mailbox].map((one) => one.ask('DELETE', '/faults')));
        await product.status.reports('Resolved');
      }
    }, options);

  test('a paused campaign appears with its reason, and disappears after it is resumed', async () => {
    const omar = await Somebody.with(product, {
      name: 'Omar Haddad',
      accounts: { Own: { 'Sun Hats': 'ACTIVE' } },
      on: ['Sun Hats'],
    });
    await asTheBoss(async (boss, page) => {
      await boss.sees('No paused campaigns');
      await product.status.reports('High disruptions');
      await omar.isHeld('Sun Hats');
      const row = pausedCampaigns(page).filter({ hasText: 'Sun Hats' });
      for (const text of [
        /^Omar Haddad \(user \d+\)$/,
        'Paused',
        'High disruption met the threshold Medium.',
        'Waiting: the disruption still meets the threshold',
      ]) {
        await row.getByText(text, { exact: true }).waitFor();
      }
      await product.status.reports('Resolved');
      await boss.sees('No paused campaigns');
    });
  });

  test('a long list has pages; the first one is a press away', async () => {
    const many = await Somebody.with(product, {
      name: 'Many Campaigns',
      accounts: { Everything: Object.fromEntries(MANY.map((name) => [name, 'ACTIVE' as const])) },
      on: MANY,
    });
    await asTheBoss(async (boss, page) => {
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
      expect(await boss.button('Next page').isDisabled()).toBe(true);
      await boss.presses('First page');
      await waitFor('the first page', async () => (await names()).length === 50);
      expect(await names()).toEqual(first);
    });
  });

  test('an email that fails is sent by Retry, which the activity log says', async () => {
    await product.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    await Somebody.with(product, { name: 'Lin Waits' });
    await asTheBoss(async (boss, page) => {
      const row = problems(page).filter({ hasText: 'Lin Waits' });
      await row.getByText(/^Last error: /).waitFor({ timeout: 60_000 });
      await row.getByText(/Failed \d+ times?/).waitFor();
      await product.mailbox.ask('DELETE', '/faults');
      await row.getByRole('button', { name: /^Retry: Email \d+: Welcome$/ }).focus();
      await page.keyboard.press('Enter');
      await boss.sees('It is retried now.');
      await row.waitFor({ state: 'detached', timeout: 60_000 });
      await boss.sees(`${BOSS.name} retried an email.`);
    });
  });

  test('[ADMIN-06] where live users may be affected a retry needs a confirmation', () =>
    asTheBoss(async (boss, page) => {
      const status = await (await boss.overHttp()).get<object>('/api/admin/status');
      const json = { ...status, isProductionLike: true };
      await page.route('**/api/admin/status', (route) => route.fulfill({ json }));
      const common = { people: [], accountId: null, campaign: null, failures: 2, blockedUntil: null };
      const times = { since: null, nextAt: null, lastError: null };
      const found = [{ part: 'mail_waiting', id: '7', kind: 'welcome', ...common, ...times }];
      await page.route('**/api/admin/problems', (route) =>
        route.fulfill({ json: { problems: found, hasMore: false } }),
      );
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST')
          sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
      });
      await boss.opens('/admin');
      const button = 'Retry: Email 7: Welcome';
      await tabTo(page, button);
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Retry Email 7: Welcome?' });
      await question.getByText('Production Environment: affects live users').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'hidden' });
      await waitFor('the focus to be back', async () => (await focusedName(page)) === button);
      expect(sent).toEqual([]);
      await page.keyboard.press('Enter');
      await tabTo(page, 'Retry now');
      await page.keyboard.press('Enter');
      await boss.sees('The problem has ended.');
      expect(sent).toEqual(['/api/admin/retry {"part":"mail_waiting","id":"7"}']);
    }));

  test('on a phone both tables fit', () =>
    asTheBoss(
      async (boss, page) => {
        const lane = `act_${'1'.repeat(32)}`;
        const rest = { people: [], campaign: null, kind: null, since: null, failures: 3, nextAt: null };
        const found = [{ part: 'accounts_failing', id: lane, accountId: lane, ...rest, blockedUntil: null }];
        await page.route('**/api/admin/problems', (route) =>
          route.fulfill({
            json: { problems: found.map((one) => ({ ...one, lastError: 'transient' })), hasMore: true },
          }),
        );
        await boss.opens('/admin');
        await problems(page).getByText(lane).waitFor();
        await boss.sees('There are more problems than this list shows.');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      },
      { viewport: PHONE },
    ));
});
