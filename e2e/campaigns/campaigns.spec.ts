import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { manyCampaigns } from '../../scripts/browser/many-campaigns.ts';
import { Person } from '../../scripts/browser/person.ts';

const TEN = manyCampaigns(10);

describe('the list of campaigns', () => {
  const product = productOfThisSuite();

  const search = (page: Page) => page.getByLabel('Search campaigns');
  const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const listed = (nora: Person) => nora.campaigns().getByRole('listitem');

  async function settings(nora: Person, accountId: string): Promise<Record<string, string>> {
    const over = await nora.overHttp();
    const { campaigns } = await over.get<{ campaigns: { name: string; smartPauseSetting: string }[] }>(
      `/api/campaigns/${accountId}`,
    );
    return Object.fromEntries(campaigns.map(({ name, smartPauseSetting }) => [name, smartPauseSetting]));
  }

  async function confirms(page: Page, to: 'on' | 'off'): Promise<void> {
    await page.getByRole('button', { name: new RegExp(`^Turn SmartPause ${to}`) }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`^Turn ${to} for`) })
      .click();
  }

  test('[DASH-06] the address keeps what is looked for: reload, back, and other words in it', async () => {
    const { name, account } = await newAdvertiser(product.graph, TEN);
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.opens('/?error=FACEBOOK_ERROR&status=nonsense');
      await nora.sees('10 campaigns');
      await page.getByLabel('Filter by status').selectOption('active');
      await nora.sees('9 of 10 campaigns');
      const before = await page.evaluate<number>('history.length');
      await search(page).pressSequentially('spring sale');
      await nora.sees('2 of 10 campaigns');
      await waitFor('the address', () => Promise.resolve(param(page, 'q') === 'spring sale'));
      expect(await page.evaluate<number>('history.length')).toBe(before);
      expect(param(page, 'account')).toBe(account.id);
      expect(param(page, 'error')).toBe('FACEBOOK_ERROR');

      await page.reload();
      await nora.sees('2 of 10 campaigns');
      expect(await search(page).inputValue()).toBe('spring sale');
      await page.goBack();
      await nora.sees('10 campaigns');
      expect(await search(page).inputValue()).toBe('');
      await page.goForward();
      await nora.sees('2 of 10 campaigns');

      await search(page).fill('nothing like it');
      await nora.sees('No campaign matches your search and filters');
      await nora.presses('Clear filters');
      await nora.sees('10 campaigns');
      expect([param(page, 'q'), param(page, 'status')]).toEqual([null, null]);
    });
  });

  test('[DASH-05] the account is in the address, and another one begins without filters', async () => {
    await withPage(async (page) => {
      const daniel = new Person(page, product);
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

  test('[DASH-11] SmartPause on and off for those selected, after a question that names them', async () => {
    const { name, account } = await newAdvertiser(product.graph, {
      Boots: 'PAUSED',
      Coats: 'ACTIVE',
      Hats: 'ACTIVE',
      Shoes: 'ACTIVE',
      Socks: 'ACTIVE',
    });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      expect(await search(page).count()).toBe(0);
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
      await confirms(page, 'on');
      await nora.sees('SmartPause turned on for 3 campaigns.');
      expect(sent).toHaveLength(3);
      await nora.sees('SmartPause on for 4 of 5');
      expect(await settings(nora, account.id)).toEqual({
        ...{ Boots: 'OFF', Coats: 'ON', Hats: 'ON', Shoes: 'ON', Socks: 'ON' },
      });

      await page.getByLabel('Select Hats').check();
      await page.getByLabel('Select Socks').click({ modifiers: ['Shift'] });
      await nora.sees('3 selected');
      await confirms(page, 'off');
      await nora.sees('SmartPause turned off for 3 campaigns.');
      expect(await settings(nora, account.id)).toEqual({
        ...{ Boots: 'OFF', Coats: 'ON', Hats: 'OFF', Shoes: 'OFF', Socks: 'OFF' },
      });
    });
  });

  test('[DASH-11] turned on during an outage those running are paused; turned off they stay so, and the question says it', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Hats: 'ACTIVE', Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await product.status.reports('High Disruptions');
      await nora.seesAfterReloading('Threshold Matched');
      await page.getByLabel('Select all 2 campaigns').check();
      await page.getByRole('button', { name: 'Turn SmartPause on (2)' }).click();
      await nora.sees(/right now: the 2 of them that are running are paused at once/);
      await page.getByRole('dialog').getByRole('button', { name: 'Turn on for 2 campaigns' }).click();
      await waitFor('the pauses', async () => (await account.statusOf('Hats')) === 'PAUSED');
      await nora.sees('2 held');
      await page.getByLabel('Select all 2 campaigns').check();
      await page.getByRole('button', { name: 'Turn SmartPause off (2)' }).click();
      await nora.sees(/2 of them are held by SmartPause right now\. They stay paused/);
      await page.getByRole('dialog').getByRole('button', { name: 'Turn off for 2 campaigns' }).click();
      await nora.sees('SmartPause turned off for 2 campaigns.');
      await product.status.post('/reset');
      const over = await nora.overHttp();
      await waitFor(
        'the end',
        async () => (await over.get<{ status: string }>('/api/status')).status === 'UP',
      );
      expect([await account.statusOf('Hats'), await account.statusOf('Shoes')]).toEqual(['PAUSED', 'PAUSED']);
    });
  });

  test('[DASH-15] what fails is counted and named, and tried again alone; a refusal for all stops it', async () => {
    const { name, account } = await newAdvertiser(product.graph, TEN);
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const unlucky = 'Spring Sale | Prospecting | 0001';
      const path = `**/api/smartpause/*/${await account.idOf(unlucky)}`;
      await page.route(path, (route) => route.fulfill({ status: 500, json: {} }));
      await page.getByLabel('Select all 10 campaigns').check();
      await confirms(page, 'on');
      await nora.sees('SmartPause turned on for 9 of 10 campaigns.');
      await nora.sees(`1 failed: ${unlucky}.`);
      expect((await settings(nora, account.id))[unlucky]).toBe('OFF');
      await page.unroute(path);
      await nora.presses('Try again for 1');
      await nora.sees('SmartPause turned on for 1 campaign.');
      expect(Object.values(await settings(nora, account.id))).toEqual(Array.from({ length: 10 }, () => 'ON'));
      await nora.presses('Dismiss');

      let calls = 0;
      const error = { code: 'SUBSCRIPTION_REQUIRED', message: 'An active subscription is needed for this.' };
      await page.route('**/api/smartpause/**', (route) => {
        calls += 1;
        return route.fulfill({ status: 403, json: { error } });
      });
      await page.getByLabel('Select all 10 campaigns').check();
      await confirms(page, 'off');
      await nora.sees('SmartPause turned off for 0 of 10 campaigns.');
      await nora.sees(/10 were left as they are\. An active subscription is needed/);
      expect(calls).toBeLessThanOrEqual(6);
    });
  });

  test('[DASH-11] it goes on while another page is looked at, and can be stopped', async () => {
    const { name } = await newAdvertiser(product.graph, manyCampaigns(40));
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      let calls = 0;
      await page.route('**/api/smartpause/**', async (route) => {
        calls += 1;
        if (calls > 8) await released;
        await route.continue();
      });
      await page.getByLabel('Select all 40 campaigns').check();
      await confirms(page, 'on');
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
    });
  });

  test('[DASH-06, DASH-07] five thousand: few rows are drawn, they are found, and Tab goes on beyond those seen', async () => {
    const { name, account } = await newAdvertiser(product.graph, manyCampaigns(5000));
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.sees('5,000 campaigns');
      expect(await listed(nora).count()).toBeLessThan(60);
      const first = listed(nora).first();
      expect([await first.getAttribute('aria-posinset'), await first.getAttribute('aria-setsize')]).toEqual([
        '1',
        '5000',
      ]);
      await search(page).pressSequentially('friday look 2469');
      await nora.sees('1 of 5,000 campaigns');
      await nora.campaign('Black Friday | Lookalike 1% | 2469').waitFor();
      await search(page).fill(await account.idOf('Spring Sale | Prospecting | 0001'));
      await nora.campaign('Spring Sale | Prospecting | 0001').waitFor();
      await page.getByLabel('Clear search').click();
      await nora.sees(/^5,000 campaigns$/);

      await listed(nora).first().getByRole('checkbox').focus();
      for (let row = 2; row <= 40; row += 1) {
        for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
        await page.locator(`li[aria-posinset="${row}"] input[type=checkbox]:focus`).waitFor();
      }
      const held = await focusedName(page);
      await page.evaluate('window.scrollTo(0, 150000)');
      await page.locator('li[aria-posinset^="19"]').first().waitFor();
      expect(await focusedName(page)).toBe(held);
      await page.keyboard.press('Tab');
      expect(await focusedName(page)).toBe(held.replace('Select', 'SmartPause for'));

      await page.evaluate('window.scrollTo(0, 0)');
      await search(page).fill('000');
      await nora.sees('14 of 5,000 campaigns');
      await page.getByLabel('Select all 14 campaigns').check();
      await confirms(page, 'on');
      await nora.sees('SmartPause turned on for 14 campaigns.');
      await nora.sees('SmartPause on for 14 of 5,000');
    });
  });

  test('[HEAD-02, DASH-11] by keyboard alone: search, select, and turn on; the focus is never lost', async () => {
    const { name, account } = await newAdvertiser(product.graph, TEN);
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
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
    });
  });

  test('[HEAD-02] on a phone nothing is cut, and everything can be pressed', async () => {
    const { name } = await newAdvertiser(product.graph, TEN);
    for (const width of [PHONE.width, 320]) {
      await withPage(
        async (page) => {
          const nora = new Person(page, product);
          await nora.opens('/');
          await page
            .getByRole('link', { name: /Log In/ })
            .first()
            .click();
          await nora.presses(`Continue as ${name}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await nora.subscribes();
          if ((await page.getByText('Account Setup Required').count()) > 0 || width === PHONE.width)
            await nora.completesSetup({ resume: 'instant' });
          await nora.opens('/');
          await page.getByLabel('Select all 10 campaigns').check();
          await page.getByRole('button', { name: 'Turn SmartPause on (10)' }).waitFor();
          expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
          const small = await page.evaluate<string[]>(
            `[...document.querySelectorAll('main :is(button, select, .mantine-Input-input, li > label)')]
              .filter((one) => one.offsetHeight < 24 || one.offsetWidth < 24)
              .map((one) => one.outerHTML)`,
          );
          expect(small).toEqual([]);
          const overlapping = await page.evaluate<number>(
            `[...document.querySelectorAll('main li')].filter((row) => {
              const [one, other] = ['[role=switch]', 'button'].map((part) => row.querySelector(part).getBoundingClientRect());
              return one.right > other.left && one.bottom > other.top;
            }).length`,
          );
          expect(overlapping).toBe(0);
        },
        { viewport: { ...PHONE, width } },
      );
    }
  });
});
