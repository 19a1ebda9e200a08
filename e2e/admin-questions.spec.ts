import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { PHONE, withPage } from './browser.ts';
import type { PageOptions } from './browser.ts';
import { Somebody } from './catalogue/somebody.ts';
import { productOfThisSuite } from './fixture.ts';
import { focusedName, tabTo } from './keyboard.ts';
import { Person } from './person.ts';

const BOSS = { id: '7111000000031', name: 'Ada Boss' };
/** More than one page of holds. */
const MANY = Array.from({ length: 56 }, (_, n) => `Campaign number ${n}`);

const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const rows = (page: Page) => part(page, 'Who is held, and why').getByRole('listitem');
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true });

describe('what administrators ask', () => {
  const product = productOfThisSuite({ ADMIN_PLATFORM_IDS: BOSS.id });
  let many: Somebody;

  beforeAll(async () => {
    await product.graph.post('/seed', { users: [{ ...BOSS, accounts: [] }] });
    many = await Somebody.with(product, {
      name: 'Many Campaigns',
      accounts: { Everything: Object.fromEntries(MANY.map((name) => [name, 'ACTIVE' as const])) },
      on: MANY,
    });
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

  test('who is held and why, found with the keyboard, narrowed down in the address, until it is over', async () => {
    const omar = await Somebody.with(product, {
      name: 'Omar Haddad',
      accounts: { Own: { 'Sun Hats': 'ACTIVE' } },
      on: ['Sun Hats'],
    });
    await asTheBoss(async (boss, page) => {
      await tabTo(page, 'Held');
      await page.keyboard.press('Enter');
      await boss.sees('Nothing is held.');
      expect(await focusedName(page)).toBe('Held');
      expect(await tab(page, 'Held').getAttribute('aria-current')).toBe('page');
      await product.status.reports('High disruptions');
      await omar.isHeld('Sun Hats');
      // It comes by itself.
      await rows(page).first().waitFor({ timeout: 40_000 });
      await page.getByRole('textbox', { name: 'Person' }).fill('omar');
      await waitFor('one to be left', async () => (await rows(page).count()) === 1);
      const row = rows(page).first();
      for (const words of [
        'Sun Hats',
        'Omar Haddad',
        'Paused',
        'High disruption met the threshold Medium.',
        'Not resumed yet: the disruption still meets the threshold',
      ]) {
        await row.getByText(words, { exact: true }).waitFor();
      }
      expect(new URL(page.url()).search).toBe('?view=held&person=omar');
      await page.getByLabel('State').selectOption('In doubt');
      await boss.sees('Nothing is held that fits.');
      await page.goBack();
      await row.getByText('Sun Hats').waitFor();
      await page.reload();
      await row.getByText('Sun Hats').waitFor();
      expect(await page.getByRole('textbox', { name: 'Person' }).inputValue()).toBe('omar');
      await product.status.reports('Resolved');
      await boss.sees('Nothing is held that fits.');
    });
  });

  test('a long list is read a page at a time, both ways and back', () =>
    asTheBoss(async (boss, page) => {
      await product.status.reports('High disruptions');
      for (const name of MANY) await many.isHeld(name);
      await boss.opens('/admin?view=held&person=Many');
      const names = async () => (await rows(page).allInnerTexts()).map((text) => text.split('\n')[0]);
      await waitFor('a whole page', async () => (await rows(page).count()) === 50);
      const first = await names();
      await page.getByRole('link', { name: 'Next page' }).click();
      await waitFor('the rest', async () => (await rows(page).count()) === MANY.length - 50);
      expect([...first, ...(await names())].toSorted()).toEqual(MANY.toSorted());
      expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
      await page.goBack();
      await waitFor('the first page', async () => (await rows(page).count()) === 50);
      expect(await names()).toEqual(first);
      await page.getByLabel('Order').selectOption('Oldest first');
      await waitFor('the other order', async () => (await names())[0] !== first[0]);
    }));

  test('a mail that is stuck is told with its last error, and sent at the press of a button, which the journal says', async () => {
    await product.mailbox.fault({ kind: 'refuse', code: 451, times: 0 });
    await Somebody.with(product, { name: 'Lin Waits' });
    await asTheBoss(async (boss, page) => {
      await page.getByRole('link', { name: 'Stuck', exact: true }).click();
      const stuck = part(page, /could not be sent yet$/)
        .getByRole('listitem')
        .filter({ hasText: 'Lin Waits' });
      await stuck.getByText(/^Last error: /).waitFor({ timeout: 60_000 });
      await stuck.getByText(/failed \d+ times?/).waitFor();
      await product.mailbox.ask('DELETE', '/faults');
      const button = stuck.getByRole('button', { name: /^Try again: Mail \d+: Welcome$/ });
      await button.focus();
      await page.keyboard.press('Enter');
      await boss.sees('1 due now.');
      await stuck.waitFor({ state: 'detached', timeout: 60_000 });
      await tab(page, 'Overview').click();
      await boss.sees(`${BOSS.name} had 1 mail tried again.`);
    });
  });

  test('[ADMIN-06] where live users may be affected it is asked first, and not done when that is not wanted', () =>
    asTheBoss(async (boss, page) => {
      const told = await (await boss.overHttp()).get<object>('/api/admin/status');
      const json = { ...told, isProductionLike: true };
      await page.route('**/api/admin/status', (route) => route.fulfill({ json }));
      const failing = [{ part: 'mail_waiting', since: null, count: 2, lastError: null }];
      await page.route('**/api/admin/failing', (route) => route.fulfill({ json: { failing } }));
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST')
          sent.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
      });
      await boss.opens('/admin?view=stuck');
      await tabTo(page, 'Try all 2 again');
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Try 2 mails again now?' });
      await question.getByText('Production Environment: affects live users').waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'hidden' });
      await waitFor('the focus to be back', async () => (await focusedName(page)) === 'Try all 2 again');
      expect(sent).toEqual([]);
      await page.keyboard.press('Enter');
      await tabTo(page, 'Try again');
      await page.keyboard.press('Enter');
      await boss.sees('It is not stuck any more.');
      expect(sent).toEqual(['/api/admin/retry {"part":"mail_waiting"}']);
    }));

  test('what the status page said, and what could not be had of it', () =>
    asTheBoss(async (boss, page) => {
      await product.status.reports('Medium disruptions');
      await boss.opens('/admin?view=status');
      const answers = part(page, 'Last answers of the status page').getByRole('listitem');
      await answers.first().getByText('“Medium disruptions”').waitFor({ timeout: 60_000 });
      await product.status.fault({ kind: 'http', http: 503, times: 0 });
      await answers
        .first()
        .getByText(/\/data\/orgs\.json: HTTP 503/)
        .waitFor({ timeout: 60_000 });
      const changes = part(page, 'Changes of the status').getByRole('listitem');
      await changes.first().getByText('Unknown', { exact: true }).waitFor({ timeout: 60_000 });
      await changes.nth(1).getByText('Ads Delivery: Medium disruptions').waitFor();
    }));

  test('the queue, on a phone, where nothing scrolls sideways', () =>
    asTheBoss(
      async (boss, page) => {
        for (const view of ['Held', 'Stuck', 'Status', 'Queue']) {
          await tab(page, view).click();
          await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
          expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBe(PHONE.width);
        }
        await part(page, 'Ad accounts in the queue').getByText('Due now').waitFor();
        await part(page, 'Jobs').getByText('Tokens to ask Meta about').waitFor();
        await part(page, 'Next to be looked at')
          .getByText(/^act_|^No ad account is planned/)
          .first()
          .waitFor();
        await boss.sees('Outbox');
      },
      { viewport: PHONE },
    ));
});
