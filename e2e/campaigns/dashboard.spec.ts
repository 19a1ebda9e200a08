import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { FOUR_CAMPAIGNS } from '../support/example-campaigns.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import type { Locator, Page } from 'playwright-core';

const product = productOfThisSuite();

describe('the dashboard', () => {
  test('[DASH-01, DASH-13] before the setup all controls are disabled, and a banner leads to it', async () => {
    const { name, id, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    const accounts = [
      { id: account.id, name: account.name, currency: 'USD', campaigns: [] },
      { id: `act_${id}9`, name: 'Lind Tents', currency: 'USD', campaigns: [] },
    ];
    await product.graph.post('/seed', { users: [{ id, name, accounts }] });
    await asVisitor(product, async (nora, page) => {
      await nora.signsInAs(name);
      await nora.subscribes();
      await nora.sees('Account Setup Required');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await expect.poll(() => nora.switchOf('Shoes').isDisabled()).toBe(true);
      await expect.poll(() => nora.button('Manual Pause Shoes').isDisabled()).toBe(true);
      const accountButton = page.getByRole('button', { name: 'Lind Tents' });
      await expect.poll(() => accountButton.isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Complete your setup in Settings' }).click();
      await page.waitForURL('**/settings');
      await nora.completesSetup();
      await page.getByRole('link', { name: 'Go to campaigns' }).click();
      await waitFor('the switch', () => nora.switchOf('Shoes').isEnabled());
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the button to be disabled', () => nora.button('Manual Pause Shoes').isDisabled());
    });
  });

  test('[UX-09] the checklist stays until campaigns are chosen, and turns SmartPause on for all active ones', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Boots: 'ACTIVE', Hats: 'PAUSED' } },
      async ({ nora, page }) => {
        await nora.sees('Last step: choose campaigns');
        await nora.presses('Turn on for all active campaigns');
        await page.getByText(/^2 campaigns in 1 ad account: (Boots and Shoes|Shoes and Boots)\.$/).waitFor();
        await nora.chooses('Turn on for 2 campaigns');
        await nora.sees('Your campaigns are protected');
        await nora.noLongerSees('Last step: choose campaigns');
        await waitFor('both to be on', async () => {
          const on = ['Shoes', 'Boots', 'Hats'].map((name) => nora.switchOf(name).isChecked());
          return (await Promise.all(on)).join() === 'true,true,false';
        });
        await nora.turnsSmartPause('off', 'Shoes');
        await nora.turnsSmartPause('off', 'Boots');
        await page.reload();
        await nora.seesCampaign('Shoes', 'ACTIVE');
        await expect.poll(() => page.getByText('Last step: choose campaigns').count()).toBe(0);
      },
    ));

  test('[DASH-11, DASH-12] manual pause and resume reach Meta, and the toggle sends the opposite value', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, account }) => {
      await nora.presses('Manual Pause Shoes');
      await nora.seesCampaign('Shoes', 'PAUSED');
      await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
      await nora.presses('Manual Resume Shoes');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');

      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/smartpause/')) sent.push(request.postDataJSON());
      });
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
      await nora.turnsSmartPause('off', 'Shoes');
      expect(sent).toEqual([{ enabled: true }, { enabled: false }]);
    }));

  test('[DASH-11, DASH-12] a legacy Advantage+ campaign shows the reason instead of a toggle, and bulk changes skip it', async () => {
    const { name, id, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    const legacy = { id: `${id}900`, name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
    const lind = { id: account.id, name: account.name, currency: 'USD', campaigns: [legacy] };
    await product.graph.post('/seed', { users: [{ id, name, accounts: [lind] }] });
    await asVisitor(product, async (nora, page) => {
      await nora.arrivesAs(name);
      const reason = 'Meta no longer allows changes to this campaign type through its API.';
      const row = nora.campaignRows().filter({ hasText: 'Catalog' });
      await row.getByText(reason).waitFor();
      await expect.poll(() => row.getByRole('switch').count()).toBe(0);
      await expect.poll(() => row.getByRole('button', { name: /^Manual/ }).count()).toBe(0);
      await nora.switchOf('Shoes').waitFor();
      await page.getByRole('checkbox', { name: 'Select all 2 campaigns' }).check();
      await nora.presses('Turn SmartPause on (1)');
      await page.getByRole('dialog').getByText(`1 more is skipped. ${reason}`).waitFor();
    });
  });

  test('[FR-01] campaigns that have ended or not started yet say so, and are not counted as protected', async () => {
    const { name, account } = await newAdvertiser(product.graph, {
      Shoes: 'ACTIVE',
      Hats: 'ACTIVE',
      Coats: 'ACTIVE',
    });
    const dates = {
      Hats: { stop_time: '2026-03-16T19:30:00-0400' },
      Coats: { start_time: '2036-03-16T19:30:00-0400' },
    };
    for (const [campaign, times] of Object.entries(dates))
      await product.graph.post(`/campaigns/${await account.idOf(campaign)}`, times);
    await asVisitor(product, async (nora, page) => {
      await nora.arrivesAs(name);
      for (const campaign of ['Shoes', 'Hats', 'Coats']) await nora.turnsSmartPause('on', campaign);
      await nora.sees('SmartPause on for 1 of 1');
      await nora.campaign('Coats').getByText('Scheduled Mar 16').waitFor();
      await nora.campaign('Hats').getByText('Ended Mar 16').hover();
      await page.getByRole('tooltip').getByText('Ended on Mar 16, 2026, 7:30 PM EST.').waitFor();
    });
  });

  test('[DASH-07] ACTIVE campaigns come first, then those without SmartPause; each shows objective and budget', () =>
    asAdvertiser(
      product,
      {
        campaigns: FOUR_CAMPAIGNS,
      },
      async ({ nora, page }) => {
        await nora.turnsSmartPause('on', 'Coats');
        const names = async (): Promise<string> => {
          const lines = await nora.campaignRows().allInnerTexts();
          return lines.map((line) => line.split('\n')[0]).join(', ');
        };
        // A row does not move when the user turns its toggle.
        await expect.poll(() => names()).toBe('Coats, Hats, Shoes, Boots');
        await page.reload();
        await waitFor('the order', async () => (await names()) === 'Hats, Shoes, Coats, Boots');
        const lines = (await nora.campaign('Hats').innerText()).split('\n').filter((line) => line !== '');
        expect(lines).toEqual(['Hats', 'SALES', 'ACTIVE', 'Why?', '$50.00 / day', 'Manual Pause']);
      },
    ));

  test('[UX-04] Manual Pause moves no row, its notice undoes it, and the list is sorted once it is idle', () =>
    asAdvertiser(
      product,
      { campaigns: { Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE' }, isFresh: true },
      async ({ nora, page, account }) => {
        await page.clock.install();
        await page.reload();
        await nora.seesCampaign('Coats', 'ACTIVE');
        const names = async (): Promise<string> => {
          const lines = await nora.campaignRows().allInnerTexts();
          return lines.map((line) => line.split('\n')[0]).join(', ');
        };
        await nora.presses('Manual Pause Coats');
        await nora.seesCampaign('Coats', 'PAUSED');
        await nora.sees('Campaign paused');
        await expect.poll(() => names()).toBe('Coats, Hats, Boots');
        await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
        await nora.sees('Campaign resumed');
        await nora.seesCampaign('Coats', 'ACTIVE');
        await expect.poll(() => account.statusOf('Coats')).toBe('ACTIVE');

        await nora.presses('Manual Pause Coats');
        await nora.seesCampaign('Coats', 'PAUSED');
        await page.clock.fastForward(60_000);
        await expect.poll(() => names()).toBe('Coats, Hats, Boots');
        await page.mouse.move(0, 0);
        await page.evaluate('document.activeElement.blur()');
        await page.clock.fastForward(11_000);
        await waitFor('the order', async () => (await names()) === 'Hats, Boots, Coats');
      },
    ));

  test('[DASH-11] the toggle is large where it stands alone, and small on a phone', async () => {
    for (const [campaigns, onDesktop, onPhone] of [
      [{ Shoes: 'ACTIVE', Hats: 'ACTIVE' }, 24, 20],
      [{ Shoes: 'ACTIVE' }, 30, 30],
    ] as const) {
      const { name } = await newAdvertiser(product.graph, campaigns);
      await asVisitor(product, async (nora, page) => {
        await nora.arrivesAs(name);
        const height = `getComputedStyle(document.querySelector('[role=switch][aria-label$=Shoes]'), '::before').height`;
        const isHigh = (px: number) =>
          waitFor(`a switch of ${px} pixels`, async () => (await page.evaluate(height)) === `${px}px`);
        await isHigh(onDesktop);
        await page.setViewportSize(PHONE);
        await isHigh(onPhone);
        const pressed = await nora.switchOf('Shoes').boundingBox();
        expect(pressed?.height).toBeGreaterThanOrEqual(36);
      });
    }
  });

  test('[DASH-16, API-12] a resume while SmartPause is on is refused, and the page says why', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'PAUSED' });
    await asVisitor(product, async (nora, page) => {
      // Without the event stream this tab does not learn of changes in another tab.
      await page.route('**/api/events', () => {});
      await nora.arrivesAs(name);
      await nora.seesCampaign('Shoes', 'PAUSED');
      const otherTab = await nora.overHttp();
      await otherTab.setSmartPause(account.id, await account.idOf('Shoes'), true);
      await nora.presses('Manual Resume Shoes');
      await nora.sees(/cannot be manually resumed while SmartPause is active.*disable SmartPause first/);
      const refused = await otherTab.call<{ error: { code: string } }>(
        'POST',
        `/api/campaigns/${await account.idOf('Shoes')}/resume`,
      );
      expect([refused.status, refused.body.error.code]).toEqual([409, 'SMARTPAUSE_ACTIVE']);
      await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
    });
  });

  test('[DASH-05, DASH-06] the first account is chosen by default; another choice stays after a reload', async () => {
    await asVisitor(product, async (daniel, page) => {
      await daniel.arrivesAs('Daniel Okafor');
      const { promise: loaded, resolve: load } = Promise.withResolvers<undefined>();
      await page.route('**/api/ad-accounts', (route) => loaded.then(() => route.continue()));
      await page.reload();
      await page.getByTestId('account-placeholder').first().waitFor();
      await expect.poll(() => page.getByTestId('account-placeholder').count()).toBe(3);
      await expect.poll(() => page.getByTestId('campaign-placeholder').count()).toBe(5);
      load(undefined);
      await daniel.campaignRows().first().waitFor();
      const accounts = page.getByRole('region', { name: 'Ad accounts' }).getByRole('button');
      const chosen = (index: number) => accounts.nth(index).getAttribute('aria-pressed');
      await expect.poll(async () => [await chosen(0), await chosen(1)]).toEqual(['true', 'false']);
      await accounts.nth(1).click();
      await page.reload();
      await accounts.nth(1).waitFor();
      await expect.poll(async () => [await chosen(0), await chosen(1)]).toEqual(['false', 'true']);
    });
  });

  test('[DASH-06] an account without campaigns has an empty state, and so does a user without an account', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await product.graph.post('/seed', { users: [{ id: '799', name: 'Ida Berg', accounts: [] }] });
    await asVisitor(product, async (nora) => {
      await nora.signsInAs(name);
      await nora.subscribes();
      await nora.sees('No campaigns found for this account');
    });
    await asVisitor(product, async (ida) => {
      await ida.signsInAs('Ida Berg');
      await ida.subscribes();
      await ida.sees('Select an ad account to view campaigns');
    });
  });
});

type Color = 'green' | 'yellow' | 'red' | 'gray' | 'grape' | 'orange';

/** The background colour that the browser computes for a badge. */
function groundOf(page: Page, color: Color): Promise<string> {
  return page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--mantine-color-${color}-light)';
    const ground = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return ground;
  })()`);
}

async function isColored(badge: Locator, color: Color): Promise<void> {
  const page = badge.page();
  const ground = async (): Promise<string> => {
    await badge.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await badge.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return page.evaluate<string>(`(() => {
      const top = document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('.mantine-Badge-root');
      return top ? getComputedStyle(top).backgroundColor : 'covered';
    })()`);
  };
  await expect.poll(ground, { message: await badge.innerText() }).toBe(await groundOf(page, color));
}

describe('badge colours as the browser renders them', () => {
  test('[DASH-08, DASH-09, DASH-10, SET-08] campaign and subscription badges all have different colours', () =>
    asAdvertiser(product, { campaigns: { Running: 'ACTIVE' } }, async ({ nora, page }) => {
      const grounds = await Promise.all(
        (['green', 'yellow', 'red', 'gray', 'grape', 'orange'] as const).map((color) =>
          groundOf(page, color),
        ),
      );
      expect(new Set(grounds).size).toBe(6);

      const campaign = (words: string, status: string, smartPauseSetting: 'ON' | 'OFF' | 'DEACTIVATED') => ({
        ...{ id: `7${words.length}`, name: words, objective: 'OUTCOME_SALES', dailyBudget: null },
        ...{ status, smartPauseSetting, held: smartPauseSetting === 'ON' },
      });
      const campaigns = [
        campaign('Running', 'ACTIVE', 'OFF'),
        campaign('Waiting one', 'PAUSED', 'ON'),
        campaign('Archived long ago', 'ARCHIVED', 'OFF'),
        campaign('Changed externally', 'ACTIVE', 'DEACTIVATED'),
      ];
      await page.route('**/api/campaigns/*', (route) => route.fulfill({ json: { campaigns } }));
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('SmartPause Active');
      const badge = (of: string, words: string) => nora.campaign(of).getByText(words, { exact: true });
      await isColored(badge('Running', 'ACTIVE'), 'green');
      await isColored(badge('Waiting one', 'PAUSED'), 'yellow');
      await isColored(badge('Archived long ago', 'ARCHIVED'), 'gray');
      await isColored(badge('Waiting one', 'SmartPause Active'), 'grape');
      await isColored(badge('Changed externally', 'SmartPause Disabled'), 'orange');
      await badge('Changed externally', 'SmartPause Disabled').hover();
      await page
        .getByRole('tooltip', { name: /status was changed outside SmartPause\. You can re-enable it/ })
        .waitFor();

      let status = '';
      await page.route('**/api/stripe/subscription', (route) =>
        route.fulfill({
          json: {
            ...{ hasActiveSubscription: true, isTrialAvailable: false, hasPortal: true },
            subscription: {
              ...{ status, planType: 'monthly', currentPeriodEnd: '2046-01-19T02:30:00Z' },
              ...{ canceledAt: null, trialEnd: null, renews: status !== 'canceled' },
            },
          },
        }),
      );
      for (const [next, words, color] of [
        ['active', 'Active', 'green'],
        ['past_due', 'Past Due', 'yellow'],
        ['canceled', 'Canceled', 'red'],
      ] as const) {
        status = next;
        await nora.opens('/settings');
        const billing = page.getByRole('region', { name: 'Billing & Subscription' });
        const shown = billing.getByText(words, { exact: true });
        await shown.waitFor();
        await isColored(shown, color);
      }
    }));
});
