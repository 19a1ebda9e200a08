import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

type Color = 'green' | 'yellow' | 'red' | 'gray' | 'grape' | 'orange';

/** What the browser makes of the theme's colour for badges. */
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
  await badge.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await badge.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const ground = await badge.page().evaluate<string>(
    `getComputedStyle(document.elementFromPoint(${x + width / 2}, ${y + height / 2})
      .closest('.mantine-Badge-root')).backgroundColor`,
  );
  const words = await badge.innerText();
  expect(`${words}: ${ground}`).toBe(`${words}: ${await groundOf(badge.page(), color)}`);
}

describe('the colours of badges, as the browser draws them', () => {
  const product = productOfThisSuite();

  test('[DASH-08, DASH-09, DASH-10, SET-08] of campaigns and of subscriptions, all of them different', async () => {
    const { name } = await newAdvertiser(product.graph, { Running: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
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
        campaign('Changed by somebody', 'ACTIVE', 'DEACTIVATED'),
      ];
      await page.route('**/api/campaigns/*', (route) => route.fulfill({ json: { campaigns } }));
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('SmartPause Active');
      const badge = (of: string, words: string) => nora.campaign(of).getByText(words, { exact: true });
      await isColored(badge('Running', 'ACTIVE'), 'green');
      await isColored(badge('Waiting one', 'PAUSED'), 'yellow');
      await isColored(badge('Archived long ago', 'ARCHIVED'), 'gray');
      await isColored(badge('Waiting one', 'SmartPause Active'), 'grape');
      await isColored(badge('Changed by somebody', 'SmartPause Disabled'), 'orange');
      await badge('Changed by somebody', 'SmartPause Disabled').hover();
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
    });
  });
});
