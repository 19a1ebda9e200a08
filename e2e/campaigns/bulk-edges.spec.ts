import type { Dialog, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';
import { seesTheFocus } from '../support/keyboard-user.ts';
import { manyCampaigns } from '../../scripts/browser/many-campaigns.ts';
import { Person } from '../../scripts/browser/person.ts';

const TOGGLES = '**/api/smartpause/**';

/** What is not waited for longer than 30 s is over as soon as the test says so. */
const TIME_IS_OURS = `{
  const usual = AbortSignal.timeout.bind(AbortSignal);
  window.timesOut = [];
  AbortSignal.timeout = (ms) => {
    if (ms !== 30000) return usual(ms);
    const timer = new AbortController();
    window.timesOut.push(() => timer.abort(new DOMException('', 'TimeoutError')));
    return timer.signal;
  };
}`;

async function begins(page: Page, to: 'on' | 'off'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Turn SmartPause ${to}`) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^Turn ${to} for`) })
    .click();
}

describe('many campaigns at once, when something comes in between', () => {
  const product = productOfThisSuite();

  test('[HEAD-02] whatever the keyboard comes to is never behind the bar, on small screens neither', async () => {
    const { name } = await newAdvertiser(product.graph, manyCampaigns(20));
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name);
        let calls = 0;
        await page.route(TOGGLES, (route) => {
          calls += 1;
          return calls % 5 === 0 ? route.fulfill({ status: 500, json: {} }) : route.continue();
        });
        await page.getByLabel('Select all 20 campaigns').check();
        await begins(page, 'on');
        await nora.sees('SmartPause turned on for 16 of 20 campaigns.');
        for (const [width, height] of [
          [640, 450],
          [320, 640],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.evaluate('window.scrollTo(0, 0)');
          await nora.campaigns().getByRole('listitem').first().getByRole('checkbox').focus();
          // The bar grows under it.
          await page.keyboard.press('Space');
          await nora.sees('1 selected');
          await waitFor('the focus to stay in sight', () => seesTheFocus(page));
          const bar = page.getByRole('region', { name: 'Selected campaigns' });
          expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(Math.ceil(0.4 * height));
          const hidden: string[] = [];
          for (let tabs = 0; tabs < 40; tabs += 1) {
            await page.keyboard.press('Tab');
            if (!(await seesTheFocus(page))) hidden.push(`${tabs}: ${await focusedName(page)}`);
          }
          expect([width, hidden]).toEqual([width, []]);
          for (let tabs = 0; tabs < 10; tabs += 1) {
            await page.keyboard.press('Shift+Tab');
            if (!(await seesTheFocus(page))) hidden.push(`${-tabs}: ${await focusedName(page)}`);
          }
          expect([width, hidden]).toEqual([width, []]);
          await nora.presses('Clear selection');
        }
      },
      { reducedMotion: 'reduce' },
    );
  });

  test('[DASH-11, DASH-15] a call that is never answered ends after 30 s, or when Stop is pressed again', async () => {
    const { name } = await newAdvertiser(product.graph, { Hats: 'ACTIVE', Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await page.addInitScript(TIME_IS_OURS);
      await nora.arrivesAs(name);
      let calls = 0;
      await page.route(TOGGLES, () => void (calls += 1));
      await page.getByLabel('Select all 2 campaigns').check();
      await begins(page, 'on');
      await waitFor('both calls', () => Promise.resolve(calls === 2));
      await page.evaluate('window.timesOut.forEach((over) => over())');
      await nora.sees('SmartPause turned on for 0 of 2 campaigns.');
      await nora.sees(/2 failed: Hats and Shoes\. SmartPause took too long to answer\./);

      await nora.presses('Try again for 2');
      await waitFor('both calls', () => Promise.resolve(calls === 4));
      await nora.presses('Stop');
      await nora.sees('Stopping: turned on 0 of 2');
      await nora.presses('Stop now');
      await nora.sees(/2 failed: Hats and Shoes\. It was stopped before SmartPause had answered\./);

      await page.unroute(TOGGLES);
      await nora.presses('Try again for 2');
      await nora.sees('SmartPause turned on for 2 campaigns.');
    });
  });

  test('[SET-10] the browser asks before a run is left; not whoever has revoked the authorization', async () => {
    const { name } = await newAdvertiser(product.graph, { Hats: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await page.route(TOGGLES, () => undefined);
      await page.getByLabel('Select Hats').check();
      await begins(page, 'on');
      await nora.sees('Turning on 0 of 1');
      const asked: string[] = [];
      const stays = (dialog: Dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      };
      page.on('dialog', stays);
      await page.evaluate("window.location.assign('/terms')").catch(() => undefined);
      await waitFor('the question', () => Promise.resolve(asked.length === 1));
      expect(asked).toEqual(['beforeunload']);

      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await nora.presses('Revoke authorization');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
      await page.waitForURL('**/?error=DEAUTH_SUCCESS');
      expect(asked).toHaveLength(1);
    });
  });

  test('[DASH-11] what is asked stays as it was asked, and only what is still to be done is done', async () => {
    const { name, account } = await newAdvertiser(product.graph, manyCampaigns(10));
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await page.getByLabel('Select all 10 campaigns').check();
      await page.getByLabel('Search campaigns').fill('holiday');
      await nora.sees('10 selected, 8 of them not shown');
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/smartpause/')) sent.push(request.url());
      });
      await page.getByRole('button', { name: 'Turn SmartPause on (10)' }).click();
      const question = page.getByRole('dialog', { name: 'Turn SmartPause on for 10 campaigns?' });
      await question.getByText('8 of them are not shown.').waitFor();

      // In another tab.
      const other = await nora.overHttp();
      const changed = ['Holiday Gifts | Cart Abandoners | 0005', 'Holiday Gifts | Broad | 0010'];
      for (const campaign of changed) {
        await other.setSmartPause(account.id, await account.idOf(campaign), true);
      }
      for (const campaign of changed)
        await waitFor('the switch', () =>
          page.getByLabel(`SmartPause for ${campaign}`, { exact: true }).isChecked(),
        );
      await question.getByRole('button', { name: 'Turn on for 10 campaigns' }).click();
      await nora.sees('SmartPause turned on for 8 campaigns.');
      await nora.sees('2 were on already.');
      expect(sent).toHaveLength(8);
    });
  });

  test('[DASH-13] why a campaign cannot be paused by hand is said to the keyboard, too', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Hats: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Hats');
      const pause = nora.button('Manual Pause Hats');
      await waitFor('the button to be disabled', () => pause.isDisabled());
      await nora.switchOf('Hats').focus();
      await page.keyboard.press('Tab');
      expect(await focusedName(page)).toBe('Manual Pause Hats');
      await page.getByRole('tooltip', { name: /^Turn SmartPause off to pause or resume by hand/ }).waitFor();
      const said = await page.evaluate<string>(
        "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent",
      );
      expect(said).toBe('Turn SmartPause off to pause or resume by hand');
      await page.keyboard.press('Enter');
      await nora.turnsSmartPause('off', 'Hats');
      await waitFor('the button to be free', () => pause.isEnabled());
      expect(await account.writesTo('Hats')).toEqual([]);
    });
  });
});
