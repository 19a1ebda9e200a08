import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { FOUR_CAMPAIGNS } from '../support/example-campaigns.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { manyCampaigns } from '../../scripts/browser/many-campaigns.ts';
import type { User } from '../../scripts/browser/user.ts';

const TEN = manyCampaigns(10);

describe('the campaign list', () => {
  const product = productOfThisSuite();

  const search = (page: Page) => page.getByLabel('Search campaigns');
  const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const listed = (nora: User) => nora.campaignRows();

  async function settings(nora: User, accountId: string): Promise<Record<string, string>> {
    const over = await nora.overHttp();
    const { campaigns } = await over.get<{ campaigns: { name: string; smartPauseSetting: string }[] }>(
      `/api/campaigns/${accountId}`,
    );
    return Object.fromEntries(campaigns.map(({ name, smartPauseSetting }) => [name, smartPauseSetting]));
  }

  test('[DASH-06] the address keeps the search: reload, back, and other values', () =>
    asAdvertiser(product, { campaigns: TEN, isFresh: true }, async ({ nora, page, account }) => {
      await nora.opens('/?error=FACEBOOK_ERROR&status=nonsense');
      await nora.sees('10 campaigns');
      await page.getByLabel('Filter by status').selectOption('active');
      await nora.sees('9 of 10 campaigns');
      const before = await page.evaluate<number>('history.length');
      await search(page).pressSequentially('spring sale');
      await nora.sees('2 of 10 campaigns');
      await waitFor('the address', () => Promise.resolve(param(page, 'q') === 'spring sale'));
      await expect.poll(() => page.evaluate<number>('history.length')).toBe(before);
      expect(param(page, 'account')).toBe(account.id);
      expect(param(page, 'error')).toBe('FACEBOOK_ERROR');

      await page.reload();
      await nora.sees('2 of 10 campaigns');
      await expect.poll(() => search(page).inputValue()).toBe('spring sale');
      await page.goBack();
      await nora.sees('10 campaigns');
      await expect.poll(() => search(page).inputValue()).toBe('');
      await page.goForward();
      await nora.sees('2 of 10 campaigns');

      await search(page).fill('nothing like it');
      await nora.sees('No campaign matches your search and filters');
      await nora.presses('Clear filters');
      await nora.sees('10 campaigns');
      expect([param(page, 'q'), param(page, 'status')]).toEqual([null, null]);
    }));

  test('[DASH-05] the account is in the address, and another account starts without filters', async () => {
    await asVisitor(product, async (daniel, page) => {
      await daniel.arrivesAs('Daniel Okafor');
      const accounts = page.getByRole('region', { name: 'Ad accounts' }).getByRole('button');
      await accounts.nth(1).click();
      await waitFor('the address', () => Promise.resolve(param(page, 'account') !== null));
      const second = param(page, 'account');
      await daniel.opens(`/?account=${second}&smartpause=on`);
      await accounts.nth(1).and(page.locator('[aria-pressed=true]')).waitFor();
      await daniel.sees('No campaign matches');
      await accounts.nth(0).click();
      await listed(daniel).first().waitFor();
      expect(param(page, 'smartpause')).toBeNull();
      await page.goBack();
      await daniel.sees('No campaign matches');
      await daniel.opens('/?account=act_1');
      await accounts.nth(1).and(page.locator('[aria-pressed=true]')).waitFor();
    });
  });

  test('[DASH-11] SmartPause on and off for the selected campaigns, after a confirmation that names them', () =>
    asAdvertiser(
      product,
      {
        campaigns: { ...FOUR_CAMPAIGNS, Socks: 'ACTIVE' },
      },
      async ({ nora, page, account }) => {
        await expect.poll(() => search(page).count()).toBe(0);
        await nora.turnsSmartPause('on', 'Coats');
        await nora.sees('SmartPause on for 1 of 5');
        const sent: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/api/smartpause/')) sent.push(request.url());
        });
        await page.getByLabel('Select all 5 campaigns').check();
        await page.getByLabel('Select Boots').uncheck();
        await nora.sees('4 selected');
        await page.getByRole('button', { name: 'Turn SmartPause on (3)' }).click();
        const question = page.getByRole('dialog', { name: 'Turn SmartPause on for 3 campaigns?' });
        await question.getByText(`In ${account.name}: Hats, Shoes and Socks.`).waitFor();
        await question.getByText('1 more is selected, where SmartPause is on already.').waitFor();
        await question.getByRole('button', { name: 'Cancel' }).click();
        expect(sent).toEqual([]);
        await nora.turnsSelected('on');
        await nora.sees('SmartPause turned on for 3 campaigns.');
        expect(sent).toHaveLength(3);
        await nora.sees('SmartPause on for 4 of 5');
        expect(await settings(nora, account.id)).toEqual({
          ...{ Boots: 'OFF', Coats: 'ON', Hats: 'ON', Shoes: 'ON', Socks: 'ON' },
        });

        await page.getByLabel('Select Hats').check();
        await page.getByLabel('Select Socks').click({ modifiers: ['Shift'] });
        await nora.sees('3 selected');
        await nora.turnsSelected('off');
        await nora.sees('SmartPause turned off for 3 campaigns.');
        expect(await settings(nora, account.id)).toEqual({
          ...{ Boots: 'OFF', Coats: 'ON', Hats: 'OFF', Shoes: 'OFF', Socks: 'OFF' },
        });
      },
    ));

  test('[DASH-11] on during an outage pauses running campaigns; off leaves them paused, and the confirmation says so', () =>
    asAdvertiser(
      product,
      { campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        await product.status.reports('High Disruptions');
        await nora.seesAfterReloading('Nothing is protected in this disruption');
        await page.getByLabel('Select all 2 campaigns').check();
        await page.getByRole('button', { name: 'Turn SmartPause on (2)' }).click();
        await nora.sees(/right now: the 2 running ones are paused immediately/);
        await page.getByRole('dialog').getByRole('button', { name: 'Turn on for 2 campaigns' }).click();
        await account.becomes('Hats', 'PAUSED');
        await nora.sees('2 paused by SmartPause');
        await page.getByLabel('Select all 2 campaigns').check();
        await page.getByRole('button', { name: 'Turn SmartPause off (2)' }).click();
        await nora.sees(
          /2 of them are paused by SmartPause right now\. Resume them now, or keep them paused/,
        );
        await page.keyboard.press('Escape');
        await waitFor('the focus', async () => (await focusedName(page)) === 'Turn SmartPause off (2)');
        await nora.turnsSelected('off', 'Keep paused');
        await nora.sees('SmartPause turned off for 2 campaigns.');
        await product.status.post('/reset');
        await nora.serverKnows('UP');
        await expect
          .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
          .toEqual(['PAUSED', 'PAUSED']);
      },
    ));

  test('[UX-03] off with Resume now resumes the held ones, and says which resume failed', () =>
    asAdvertiser(
      product,
      { campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        await page.getByLabel('Select all 2 campaigns').check();
        await nora.turnsSelected('on');
        await nora.sees('SmartPause turned on for 2 campaigns.');
        await product.status.reports('High disruptions');
        await nora.sees('2 paused by SmartPause');
        const resume = `**/api/campaigns/${await account.idOf('Shoes')}/resume`;
        const error = { code: 'CAMPAIGN_BUSY', message: 'SmartPause is at work on this ad account.' };
        await page.route(resume, (route) => route.fulfill({ status: 409, json: { error } }));
        await page.getByLabel('Select all 2 campaigns').check();
        await nora.turnsSelected('off', 'Resume now');
        await nora.sees('SmartPause turned off for 2 campaigns.');
        await nora.sees(
          /1 not resumed: Shoes\. SmartPause is off for it now, .* at work on this ad account\./,
        );
        await nora.seesCampaign('Hats', 'ACTIVE');
        await expect
          .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
          .toEqual(['ACTIVE', 'PAUSED']);
      },
    ));

  test('[DASH-15] failures are counted, named and retried alone; a refusal that applies to all stops the change', () =>
    asAdvertiser(product, { campaigns: TEN }, async ({ nora, page, account }) => {
      const unlucky = 'Spring Sale | Prospecting | 0001';
      const path = `**/api/smartpause/*/${await account.idOf(unlucky)}`;
      await page.route(path, (route) => route.fulfill({ status: 500, json: {} }));
      await page.getByLabel('Select all 10 campaigns').check();
      await nora.turnsSelected('on');
      await nora.sees('SmartPause turned on for 9 of 10 campaigns.');
      await nora.sees(`1 failed: ${unlucky}.`);
      expect((await settings(nora, account.id))[unlucky]).toBe('OFF');
      await page.unroute(path);
      await nora.presses('Try again for 1');
      await nora.sees('SmartPause turned on for 1 campaign.');
      expect(Object.values(await settings(nora, account.id))).toEqual(Array.from({ length: 10 }, () => 'ON'));
      await nora.presses('Dismiss');

      let calls = 0;
      const error = { code: 'SUBSCRIPTION_REQUIRED', message: 'You need an active subscription for this.' };
      await page.route('**/api/smartpause/**', (route) => {
        calls += 1;
        return route.fulfill({ status: 403, json: { error } });
      });
      await page.getByLabel('Select all 10 campaigns').check();
      await nora.turnsSelected('off');
      await nora.sees('SmartPause turned off for 0 of 10 campaigns.');
      await nora.sees(/10 were left as they are\. You need an active subscription/);
      expect(calls).toBeLessThanOrEqual(6);
    }));

  test('[DASH-11] a bulk change continues on another page and can be stopped', () =>
    asAdvertiser(product, { campaigns: manyCampaigns(40) }, async ({ nora, page }) => {
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      let calls = 0;
      await page.route('**/api/smartpause/**', async (route) => {
        calls += 1;
        if (calls > 8) await released;
        await route.continue();
      });
      await page.getByLabel('Select all 40 campaigns').check();
      await nora.turnsSelected('on');
      await nora.sees('Turning on 8 of 40…');
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Email').waitFor();
      await page.getByRole('link', { name: 'SmartPause' }).first().click();
      await nora.sees('Turning on 8 of 40…');
      await nora.presses('Stop');
      release(undefined);
      await nora.sees('SmartPause turned on for 14 of 40 campaigns.');
      await nora.sees('26 were left as they are.');
      expect(calls).toBe(14);
      await nora.sees('SmartPause on for 14 of 40');
    }));

  test('[DASH-06, DASH-07] with 5000 campaigns few rows are drawn, search finds all, and Tab continues beyond the drawn rows', () =>
    asAdvertiser(product, { campaigns: manyCampaigns(5000) }, async ({ nora, page, account }) => {
      await nora.sees('5,000 campaigns');
      await expect.poll(() => listed(nora).count()).toBeLessThan(60);
      const first = listed(nora).first();
      const table = nora.campaigns().getByRole('table');
      await expect
        .poll(async () => [
          await first.getAttribute('aria-rowindex'),
          await table.getAttribute('aria-rowcount'),
        ])
        .toEqual(['2', '5001']);
      await search(page).pressSequentially('friday look 2469');
      await nora.sees('1 of 5,000 campaigns');
      await nora.campaign('Black Friday | Lookalike 1% | 2469').waitFor();
      await search(page).fill(await account.idOf('Spring Sale | Prospecting | 0001'));
      await nora.campaign('Spring Sale | Prospecting | 0001').waitFor();
      await page.getByLabel('Clear search').click();
      await nora.sees(/^5,000 campaigns$/);

      await listed(nora).first().getByRole('checkbox').focus();
      for (let row = 2; row <= 40; row += 1) {
        for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
        await page.locator(`[aria-rowindex="${row + 1}"] input[type=checkbox]:focus`).waitFor();
      }
      const held = await focusedName(page);
      await page.evaluate('window.scrollTo(0, 150000)');
      await page.locator('[aria-rowindex^="28"]').first().waitFor();
      await expect.poll(() => focusedName(page)).toBe(held);
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe(held.replace('Select', 'Why? History of'));

      await page.evaluate('window.scrollTo(0, 0)');
      await search(page).fill('000');
      await nora.sees('14 of 5,000 campaigns');
      await page.getByLabel('Select all 14 campaigns').check();
      await nora.turnsSelected('on');
      await nora.sees('SmartPause turned on for 14 campaigns.');
      await nora.sees('SmartPause on for 14 of 5,000');
    }));

  test('[HEAD-02, DASH-11] by keyboard: search, select and turn on; the focus is never lost', () =>
    asAdvertiser(product, { campaigns: TEN }, async ({ nora, page, account }) => {
      await tabTo(page, 'Search campaigns');
      await page.keyboard.type('holiday');
      await nora.sees('2 of 10 campaigns');
      await tabTo(page, 'Select all 2 campaigns');
      await page.keyboard.press('Space');
      await tabTo(page, /^Turn SmartPause on \(2\)/);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await waitFor('the focus', async () => (await focusedName(page)) === 'Turn on for 2 campaigns');
      await page.keyboard.press('Enter');
      await nora.sees('SmartPause turned on for 2 campaigns.');
      await waitFor('the focus', async () => (await focusedName(page)) === 'Selected campaigns');
      await tabTo(page, 'Dismiss');
      await page.keyboard.press('Enter');
      await waitFor('the focus', async () => (await focusedName(page)) === 'Select all 2 campaigns');
      expect((await settings(nora, account.id))['Holiday Gifts | Cart Abandoners | 0005']).toBe('ON');
    }));

  test('[HEAD-02] on a phone no text is cut, and every control can be pressed', () =>
    asAdvertiser(product, { campaigns: TEN, viewport: PHONE }, async ({ page }) => {
      await page.getByLabel('Select all 10 campaigns').check();
      await page.getByRole('button', { name: 'Turn SmartPause on (10)' }).waitFor();
      for (const width of [PHONE.width, 320]) {
        await page.setViewportSize({ ...PHONE, width });
        await expect.poll(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
        const small = await page.evaluate<string[]>(
          `[...document.querySelectorAll('main :is(button, select, .mantine-Input-input, [role=cell] > label)')]
              .filter((one) => one.checkVisibility() && (one.offsetHeight < 24 || one.offsetWidth < 24))
              .map((one) => one.outerHTML)`,
        );
        expect(small).toEqual([]);
        const overlapping = await page.evaluate<number>(
          `[...document.querySelectorAll('main [data-campaign]')].filter((row) => {
              const [one, other] = ['[role=switch]', 'button'].map((part) => row.querySelector(part).getBoundingClientRect());
              return one.right > other.left && one.bottom > other.top;
            }).length`,
        );
        expect(overlapping).toBe(0);
      }
    }));
});
