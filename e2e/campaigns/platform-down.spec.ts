import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

/** A list counts as new for half a minute, and is asked for every quarter. */
const OLD_WITHIN_MS = 120_000;
const PAUSED = /^Campaigns with SmartPause on that were running are paused\./;

describe('while Meta does not answer', () => {
  const product = productOfThisSuite();

  test('on a phone the last known list is there, says how old it is, and SmartPause can be turned on', async () => {
    const { name, id } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Coats: 'PAUSED' });
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.continuesAs(name);
        await page.getByRole('button', { name: /^Open menu, Meta/ }).waitFor();
        await nora.subscribes();
        await nora.completesSetup({ resume: 'instant' });
        await nora.opens('/');
        await nora.seesCampaign('Shoes', 'ACTIVE');
        await product.graph.fault({ kind: 'html', http: 503, times: 0, match: { user: id } });
        const notice = page.getByRole('status').getByText('Meta does not answer.');
        await notice.waitFor({ timeout: OLD_WITHIN_MS });
        await nora.sees(/This list is from (less than a minute|\d+ minutes?) ago\./);
        await nora.seesCampaign('Coats', 'PAUSED');
        await nora.turnsSmartPause('on', 'Shoes');
        await page.reload();
        await notice.waitFor();
        await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(PHONE.width);
        await product.graph.ask('DELETE', '/faults');
        await notice.waitFor({ state: 'hidden', timeout: OLD_WITHIN_MS });
        await nora.seesCampaign('Shoes', 'ACTIVE');
      },
      { viewport: PHONE },
    );
  });

  test('a list that was never read is said to be missing, and comes by itself', async () => {
    const { name, id } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    const match = { user: id, path: 'campaigns' };
    await product.graph.fault({ kind: 'html', http: 503, times: 0, match });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.completesSetup({ resume: 'instant' });
      await nora.opens('/');
      const notice = nora.campaigns().getByRole('status').getByText('Meta does not answer');
      await notice.waitFor({ timeout: OLD_WITHIN_MS });
      await nora.sees(/there is no list of this ad account yet\. SmartPause tries again by itself\./);
      expect(await page.getByTestId('campaign-placeholder').count()).toBe(0);
      await page.reload();
      await notice.waitFor({ timeout: OLD_WITHIN_MS });
      const again = page.waitForRequest('**/api/campaigns/*');
      await nora.button('Try again').press('Enter');
      await again;
      expect(await focusedName(page)).toBe('Try again');
      expect(await notice.isVisible()).toBe(true);
      await product.graph.ask('DELETE', '/faults');
      await nora.campaign('Shoes').waitFor({ timeout: OLD_WITHIN_MS });
      expect(await notice.count()).toBe(0);
    });
  });

  test('[DASH-03] what is not paused yet is not said to be paused', async () => {
    const { name, id, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
      await product.graph.fault({ kind: 'html', http: 503, times: 0, match: { user: id } });
      await product.status.reports('High disruptions');
      await nora.sees('SmartPause Activated - Threshold Matched');
      await page
        .getByText(/^Pausing 2 campaigns; Meta does not answer at the moment, and SmartPause tries again\./)
        .waitFor({ timeout: OLD_WITHIN_MS });
      expect(await page.getByText(PAUSED).count()).toBe(0);
      expect(await account.statusOf('Hats')).toBe('ACTIVE');
      await product.graph.ask('DELETE', '/faults');
      await page.getByText(PAUSED).waitFor({ timeout: OLD_WITHIN_MS });
      for (const campaign of ['Shoes', 'Hats']) expect(await account.statusOf(campaign)).toBe('PAUSED');
    });
  });
});
