import type { Dialog } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { KeyboardUser, seesTheFocus } from '../support/keyboard-user.ts';
import { manyCampaigns } from '../../scripts/browser/many-campaigns.ts';
import { User } from '../../scripts/browser/user.ts';

const TOGGLES = '**/api/smartpause/**';

/** Makes the 30 s timeout of a call fire when the test says so. */
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

describe('bulk changes: edge cases', () => {
  const product = productOfThisSuite();

  test('[HEAD-02] the bulk bar never covers the focused element, also on small screens', async () => {
    const { name } = await newAdvertiser(product.graph, manyCampaigns(20));
    await asVisitor(
      product,
      async (nora, page) => {
        await nora.arrivesAs(name);
        let calls = 0;
        await page.route(TOGGLES, (route) => {
          calls += 1;
          return calls % 5 === 0 ? route.fulfill({ status: 500, json: {} }) : route.continue();
        });
        await page.getByLabel('Select all 20 campaigns').check();
        await nora.turnsSelected('on');
        await nora.sees('SmartPause turned on for 16 of 20 campaigns.');
        for (const [width, height] of [
          [640, 450],
          [320, 640],
          [390, 844],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.evaluate('window.scrollTo(0, 0)');
          await nora.campaignRows().first().getByRole('checkbox').focus();
          // The bar grows and could cover the element.
          await page.keyboard.press('Space');
          await nora.sees('1 selected');
          await waitFor('the focus to stay visible', () => seesTheFocus(page));
          const bar = page.getByRole('region', { name: 'Selected campaigns' });
          await expect
            .poll(async () => (await bar.boundingBox())?.height)
            .toBeLessThanOrEqual(Math.ceil(0.4 * height));
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

  test('[DASH-11, DASH-15] a call without an answer ends after 30 s, or when Stop is pressed again', async () => {
    const { name } = await newAdvertiser(product.graph, { Hats: 'ACTIVE', Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new User(page, product);
      await page.addInitScript(TIME_IS_OURS);
      await nora.arrivesAs(name);
      let calls = 0;
      await page.route(TOGGLES, () => void (calls += 1));
      await page.getByLabel('Select all 2 campaigns').check();
      await nora.turnsSelected('on');
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

  test('[SET-10] the browser asks before the user leaves a running change, but not after a revocation', () =>
    asAdvertiser(product, { campaigns: { Hats: 'ACTIVE' } }, async ({ nora, page }) => {
      await page.route(TOGGLES, () => undefined);
      await page.getByLabel('Select Hats').check();
      await nora.turnsSelected('on');
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
    }));

  test('[DASH-11] an open confirmation does not change, and only the remaining changes are sent', () =>
    asAdvertiser(product, { campaigns: manyCampaigns(10) }, async ({ nora, page, account }) => {
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

      // Changes two of the campaigns in another tab.
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
    }));

  test('[UX-04, DASH-12, DASH-13] by keyboard: the selected campaigns are paused manually, what cannot be is skipped, and Undo resumes them', () =>
    asAdvertiser(
      product,
      { campaigns: { Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        const user = new KeyboardUser(page);
        await nora.turnsSmartPause('on', 'Coats');
        await tabTo(page, 'Select all 4 campaigns');
        await user.presses('Space');
        await user.opens('Pause (2)');
        const question = page.getByRole('dialog', { name: 'Pause 2 campaigns?' });
        await question.getByText(`In ${account.name}: Hats and Shoes.`).waitFor();
        await question.getByText('1 more is paused already.').waitFor();
        await question.getByText(/^1 more is skipped, because SmartPause is on\./).waitFor();
        await user.isPutOn('Pause 2 campaigns');
        await user.presses('Escape');
        await user.isPutOn('Pause (2)');
        await expect.poll(() => account.statusOf('Hats')).toBe('ACTIVE');
        await user.presses('Enter');
        await user.isPutOn('Pause 2 campaigns');
        await user.presses('Enter');
        await nora.sees('Paused 2 campaigns.');
        await user.isPutOn('Selected campaigns');
        for (const campaign of ['Hats', 'Shoes']) {
          await nora.seesCampaign(campaign, 'PAUSED');
          await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
        }
        expect(await account.writesTo('Coats')).toEqual([]);

        await user.opens('Undo: Pause 2');
        await nora.sees('Resumed 2 campaigns.');
        for (const campaign of ['Hats', 'Shoes'])
          await expect.poll(() => account.statusOf(campaign)).toBe('ACTIVE');
        await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
        expect(await account.writesTo('Boots')).toEqual([]);

        await page.getByLabel('Select Coats').check();
        await user.goesTo('Pause (0)');
        await page.getByRole('tooltip', { name: 'Turn SmartPause off to pause it manually' }).waitFor();
        await user.presses('Enter');
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      },
    ));

  test('[DASH-15] a bulk pause shows its progress, can be stopped, and gives the reason of a failure', () =>
    asAdvertiser(
      product,
      { campaigns: { Coats: 'ACTIVE', Hats: 'ACTIVE', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
        const error = { code: 'CAMPAIGN_ACTION_FAILED', message: 'Meta didn’t apply this change.' };
        await page.route(`**/api/campaigns/${await account.idOf('Coats')}/pause`, (route) =>
          route.fulfill({ status: 502, json: { error } }),
        );
        await page.route(`**/api/campaigns/${await account.idOf('Hats')}/pause`, async (route) => {
          await released;
          await route.continue();
        });
        await page.getByLabel('Select all 3 campaigns').check();
        await nora.presses('Pause (3)');
        await nora.chooses('Pause 3 campaigns');
        await nora.sees('Pausing 0 of 3…');
        await nora.sees('1 failed so far');
        await nora.presses('Stop');
        await nora.sees('Stopping: paused 0 of 3…');
        release(undefined);
        await nora.sees('Paused 1 of 3 campaigns.');
        await nora.sees(/1 failed: Coats\. Meta didn’t apply this change\. 1 was left as it is\./);
        await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
        expect(await account.writesTo('Shoes')).toEqual([]);
        await page.unrouteAll();
        await nora.presses('Try again for 2');
        await nora.sees('Paused 2 campaigns.');
        await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
      },
    ));

  test('[DASH-13] the keyboard reaches the reason why a campaign cannot be paused manually', () =>
    asAdvertiser(product, { campaigns: { Hats: 'ACTIVE' } }, async ({ nora, page, account }) => {
      await nora.turnsSmartPause('on', 'Hats');
      const pause = nora.button('Manual Pause Hats');
      await waitFor('the button to be disabled', () => pause.isDisabled());
      await nora.switchOf('Hats').focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedName(page)).toBe('Manual Pause Hats');
      await page.getByRole('tooltip', { name: /^Turn SmartPause off to pause or resume manually/ }).waitFor();
      const said = await page.evaluate<string>(
        "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent",
      );
      expect(said).toBe('Turn SmartPause off to pause or resume manually');
      await page.keyboard.press('Enter');
      await nora.turnsSmartPause('off', 'Hats');
      await waitFor('the button to be enabled', () => pause.isEnabled());
      expect(await account.writesTo('Hats')).toEqual([]);
    }));
});
