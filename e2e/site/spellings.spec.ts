import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

/** Answers as the server gives them, in the specification's other spelling. */
async function respell(page: Page, path: string, spelled: (body: string) => string): Promise<void> {
  await page.route(path, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: spelled(await answer.text()) });
  });
}

describe('where the specification spells a value in two ways', () => {
  const product = productOfThisSuite();

  test('[DASH-08, DASH-10, DASH-11, SET-04] the pages understand the other one as well', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Shoes');
      await respell(page, '**/api/campaigns/*', (body) =>
        body.replaceAll('"ON"', '"On"').replaceAll('"OFF"', '"Deactivated"'),
      );
      await page.reload();
      await nora.seesCampaign('Hats', 'SmartPause Disabled');
      expect(await nora.switchOf('Shoes').isChecked()).toBe(true);
      expect(await nora.switchOf('Hats').isChecked()).toBe(false);
      await respell(page, '**/api/user/status', (body) => body.replace('"instant"', '"next-day"'));
      await nora.opens('/settings');
      const nextDay = page.getByRole('radio', { name: 'Next day' });
      await nextDay.waitFor();
      expect(await nextDay.isChecked()).toBe(true);
    });
  });
});
