import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

describe('when a subscription ends while campaigns are held', () => {
  const product = productOfThisSuite();

  test('[ROUTE-02, DASH-11, DASH-12] what is held is said at home, and can be given back by hand', async () => {
    const { name, account } = await newAdvertiser(product.graph, {
      Shoes: 'ACTIVE',
      Hats: 'ACTIVE',
      Coats: 'ACTIVE',
    });
    await product.stripe.setClock(-29 * DAY_MS);
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.subscribesWithoutThePage('monthly', 'fails_at_renewal');
      await nora.completesSetup({ resume: 'instant' });
      await nora.choosesAccount(account.name);
      await nora.turnsSmartPause('on', 'Shoes');
      await nora.turnsSmartPause('on', 'Hats');
      await product.status.reports('High disruptions');
      for (const campaign of ['Shoes', 'Hats']) {
        await waitFor('the pause', async () => (await account.statusOf(campaign)) === 'PAUSED');
      }
      await product.stripe.advance(30.5 * DAY_MS);
      await (await nora.overHttp()).post('/api/stripe/refresh-subscription');

      await nora.opens('/');
      await nora.sees('Your payment did not go through');
      await nora.sees('2 campaigns are paused by SmartPause right now');
      await nora.sees(/still resumes them when the disruption is over/);
      await page.getByRole('link', { name: 'See them, or resume them yourself' }).click();
      await nora.seesCampaign('Shoes', 'PAUSED');
      await nora.sees('SmartPause pauses nothing new');
      expect(await nora.switchOf('Coats').isDisabled()).toBe(true);
      expect(await nora.button('Manual Pause Coats').isDisabled()).toBe(true);
      expect(await nora.button('Manual Resume Shoes').isDisabled()).toBe(true);

      await nora.turnsSmartPause('off', 'Shoes');
      await nora.sees('1 campaign is paused by SmartPause right now');
      await page.reload();
      await nora.presses('Manual Resume Shoes');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      expect(await account.statusOf('Shoes')).toBe('ACTIVE');
      expect(await nora.switchOf('Shoes').isDisabled()).toBe(true);

      const { subscriptions } = await product.stripe.ask<{ subscriptions: { id: string }[] }>(
        'GET',
        '/state',
      );
      for (const { id } of subscriptions) await product.stripe.setStatus(id, 'canceled');
      await (await nora.overHttp()).post('/api/stripe/refresh-subscription');
      await nora.opens('/');
      await nora.sees('Choose your plan');
      await nora.sees('1 campaign is paused by SmartPause right now');
      await product.status.reports('Resolved');
      await nora.noLongerSees('1 campaign is paused by SmartPause right now');
      expect(await account.statusOf('Hats')).toBe('ACTIVE');
    });
  });
});
