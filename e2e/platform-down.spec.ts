import { describe, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { newAdvertiser } from './advertiser.ts';
import { PHONE, withPage } from './browser.ts';
import { productOfThisSuite } from './fixture.ts';
import { Person } from './person.ts';

/** A list counts as new for half a minute, and is asked for every quarter. */
const OLD_WITHIN_MS = 120_000;

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
});
