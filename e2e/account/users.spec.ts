import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signIn } from '../../scripts/outside/user.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withKeptPage, withPage } from '../../scripts/browser/browser.ts';
import { asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { User } from '../../scripts/browser/user.ts';

/** Calls the API from the page with its stored token. */
async function callFrom(page: Page, method: string, path: string, body?: object): Promise<number> {
  const script = `fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { authorization: 'Bearer ' + localStorage.getItem('authToken'), 'content-type': 'application/json' },
    body: ${body === undefined ? 'undefined' : JSON.stringify(JSON.stringify(body))},
  }).then((answer) => answer.status)`;
  return page.evaluate<number>(script);
}

/** Logs in through the dialog. */
async function logsIn(nora: User, name: string): Promise<void> {
  await nora.continuesAs(name);
  await nora.isSignedIn();
  await nora.opens('/settings');
}

describe('users and their sessions', () => {
  const product = productOfThisSuite();

  test('[AUTH-04] "Log out everywhere else" says how many sessions ended, and their pages leave after the next call', async () => {
    const { name, id } = await newAdvertiser(product.graph, {});
    const other = await signIn(product.url, id);
    await asVisitor(product, async (nora) => {
      await logsIn(nora, name);
      await withPage(async (elsewhere) => {
        const noraElsewhere = new User(elsewhere, product);
        // The event stream would report the change at once.
        await elsewhere.route('**/api/events', () => {});
        await logsIn(noraElsewhere, name);
        await nora.presses('Log out everywhere else');
        await nora.sees('2 other sessions ended.');
        expect((await other.call('GET', '/api/me')).status).toBe(401);

        // On a slow machine the page's own poll is the next call, and this button is gone.
        void noraElsewhere.presses('Log out everywhere else').catch(() => undefined);
        await elsewhere.waitForURL(`${product.url}/`);
        await elsewhere.getByRole('heading', { name: /Stop paying/ }).waitFor();
        expect(await noraElsewhere.token()).toBeNull();
      });
      expect((await (await nora.overHttp()).call('GET', '/api/me')).status).toBe(200);
      await nora.presses('Log out everywhere else');
      await nora.sees('You’re only logged in here.');
    });
  });

  test('by keyboard: skip the header, complete the setup, end other sessions; the focus is never lost', async () => {
    const { name, id } = await newAdvertiser(product.graph, {});
    await signIn(product.url, id);
    await asVisitor(product, async (nora, page) => {
      await nora.arrivesAs(name, null, '/settings');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      expect(page.url()).toBe(`${product.url}/settings`);

      await tabTo(page, /^Email/);
      await page.keyboard.type('nora@lind.example');
      await page.getByRole('checkbox').focus();
      await page.keyboard.press('Space');
      await tabTo(page, 'Complete Account Setup');
      await page.keyboard.press('Enter');
      await nora.sees('Account initialized successfully!');
      await expect.poll(() => focusedName(page)).toBe('Account initialized successfully!');

      await tabTo(page, 'Log out everywhere else');
      await page.keyboard.press('Enter');
      await nora.sees('1 other session ended.');
      await expect.poll(() => focusedName(page)).toBe('Log out everywhere else');
      await tabTo(page, 'Revoke authorization');
    });
  });

  test('two users see and reach only their own data', async () => {
    const noras = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Boots: 'PAUSED' });
    const bens = await newAdvertiser(product.graph, { Hats: 'ACTIVE' });
    await asVisitor(product, async (nora, page) => {
      await nora.arrivesAs(noras.name);
      await withKeptPage(async (bensPage) => {
        const ben = new User(bensPage, product);
        await ben.arrivesAs(bens.name);
        for (const [user, advertiser] of [
          [nora, noras],
          [ben, bens],
        ] as const) {
          // One account takes no column: its name is the heading of the list.
          await expect.poll(() => user.page.getByRole('region', { name: 'Ad accounts' }).count()).toBe(0);
          await expect
            .poll(() => user.campaigns().getByRole('heading').allInnerTexts())
            .toEqual([advertiser.account.name]);
        }
        const account = noras.account.id;
        const [shoes, boots] = [await noras.account.idOf('Shoes'), await noras.account.idOf('Boots')];
        for (const [method, path, body] of [
          ['GET', `/api/campaigns/${account}`, undefined],
          ['POST', `/api/smartpause/${account}/${shoes}`, { enabled: true }],
          ['POST', `/api/smartpause/${bens.account.id}/${shoes}`, { enabled: true }],
          ['POST', `/api/campaigns/${shoes}/pause`, undefined],
          ['POST', `/api/campaigns/${boots}/resume`, undefined],
        ] as const) {
          expect([path, await callFrom(bensPage, method, path, body)]).toEqual([path, 404]);
        }
        for (const campaign of ['Shoes', 'Boots']) {
          expect(await noras.account.writesTo(campaign)).toEqual([]);
        }
        await page.reload();
        await nora.seesCampaign('Shoes', 'ACTIVE');
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);
        expect(await callFrom(page, 'GET', `/api/campaigns/${account}`)).toBe(200);
      });
    });
  });

  test('[AUTH-02] the token in the address appears neither in the history nor in any request', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(async (page) => {
      const requests: { url: string; headers: Promise<Record<string, string>> }[] = [];
      page.context().on('request', (request) => {
        requests.push({ url: request.url(), headers: request.allHeaders().catch(() => request.headers()) });
      });
      const nora = new User(page, product);
      await logsIn(nora, name);
      const token = requests.map(({ url }) => new URL(url).searchParams.get('token')).find(Boolean);
      expect(token).toMatch(/^\S{20,}$/);
      const seen: string[] = [page.url()];
      while ((await page.evaluate<number>('history.length')) > 1 && seen.length < 20) {
        const before = page.url();
        await page.goBack();
        if (page.url() === before || page.url() === 'about:blank') break;
        seen.push(page.url());
      }
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.filter((url) => url.includes(token ?? ''))).toEqual([]);
      const withToken = requests.filter(({ url }) => url.includes(token ?? ''));
      expect(withToken.map(({ url }) => new URL(url).pathname)).toEqual(['/']);
      for (const { headers } of requests) expect((await headers)['referer'] ?? '').not.toContain('token');
    });
  });
});
