import { describe, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { newAdvertiser } from './advertiser.ts';
import { PHONE, withPage } from './browser.ts';
import { productOfThisSuite } from './fixture.ts';
import { Person } from './person.ts';
import { asSomebodyNew } from './somebody-new.ts';

/** The list of sessions cannot be drawn then. */
const NO_DATES = `{
  const date = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...date,
    get() {
      if (location.pathname === '/settings') throw new Error('a page that breaks');
      return date.get.call(this);
    },
  });
}`;

describe('when something goes wrong', () => {
  const product = productOfThisSuite();

  test('a page that breaks says so in its place, with ways on; header and other pages go on', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    const visit = withPage(async (page) => {
      const nora = new Person(page, product);
      await page.addInitScript(NO_DATES);
      await nora.signsInAs(name);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('alert').getByText('This page hit a problem').waitFor();
      await nora.sees(`Welcome, ${name}`);
      await nora.button('Try again').waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Go home' }).click();
      await nora.sees('Get Started - Monthly');
      throw new Error('all is seen');
    });
    // The console tells of the error, as it should, and would fail the visit.
    await expect(visit).rejects.toThrow('all is seen');
  });

  test('offline is said on every page, calls fail at once, and all recovers by itself', () =>
    asSomebodyNew(product, async (nora, page) => {
      await nora.button('Meta ad services: Up').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('status').getByText('You are offline.').waitFor();
      await nora.button('Meta ad services: Unknown').waitFor();
      await page.getByRole('link', { name: 'Privacy' }).first().click();
      await page.getByRole('status').getByText('You are offline.').waitFor();
      const elsewhere = await nora.overHttp();
      await product.status.reports('High disruptions');
      await waitFor('the server to know', async () => {
        return (await elsewhere.get<{ status: string }>('/api/status')).status === 'HIGH_DISRUPTION';
      });
      await page.context().setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'hidden' });
      await nora.button('Meta ad services: High disruption').waitFor({ timeout: 10_000 });
    }));

  test('what is pressed without a connection is not done later, unasked', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await page.context().setOffline(true);
      await nora.switchOf('Shoes').click();
      await nora.sees('Failed to toggle SmartPause');
      await waitFor('the switch to be off again', async () => !(await nora.switchOf('Shoes').isChecked()));
      await nora.presses('Manual Pause Shoes');
      await nora.sees('Failed to pause campaign');
      await page.context().setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'hidden' });
      await page.reload();
      await nora.seesCampaign('Shoes', 'ACTIVE');
      expect(await nora.switchOf('Shoes').isChecked()).toBe(false);
      expect(await account.writesTo('Shoes')).toEqual([]);
    });
  });

  test('on a phone a server that does not answer is noticed by a failed call, and so is its return', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.opens('/');
        await nora.goesToTheDialog();
        await nora.presses(`Continue as ${name}`);
        await nora.presses(/^Open menu, Meta/);
        await page.route(/\/(api|health)/, (route) => route.abort());
        await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('status').getByText('SmartPause cannot be reached.').waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(PHONE.width);
        await page.unrouteAll();
        await page.getByText('SmartPause cannot be reached.').waitFor({ state: 'hidden' });
        await page
          .getByRole('region', { name: 'Sessions' })
          .getByText('This session', { exact: true })
          .waitFor();
      },
      { viewport: PHONE },
    );
  });
});
