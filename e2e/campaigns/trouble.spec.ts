import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';
import { asSomebodyNew } from '../support/somebody-new.ts';

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

  /** The console tells of an error, as it should, which would fail the visit. */
  async function meetsAnError(act: (nora: Person, page: Page) => Promise<void>): Promise<void> {
    const seen = new Error('all is seen');
    const visit = asSomebodyNew(product, async (nora, page) => {
      await act(nora, page);
      throw seen;
    });
    await expect(visit).rejects.toBe(seen);
  }

  test('a page that breaks says so in its place, with ways on; header and other pages go on', () =>
    meetsAnError(async (nora, page) => {
      await page.addInitScript(NO_DATES);
      await page.reload();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('alert').getByText('This page hit a problem').waitFor();
      await nora.sees(/^Welcome, /);
      await nora.button('Try again').waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
      await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Go home' }).click();
      await nora.sees('Get Started - Monthly');
    }));

  describe('a page whose part of the program cannot be fetched', () => {
    const PART = /\/assets\/settings-.*\.js/;
    const toSettings = (page: Page) => page.getByRole('link', { name: 'Settings' }).click();
    const says = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();
    const isThere = (page: Page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

    test('because the connection is lost, comes by itself with the connection', () =>
      meetsAnError(async (_, page) => {
        await page.route(PART, (route) => route.abort());
        await page.route('**/health', (route) => route.abort());
        await page.reload();
        await toSettings(page);
        await says(page, 'This page could not be loaded');
        await page.getByRole('status').getByText('SmartPause cannot be reached.').waitFor();
        await page.unrouteAll();
        await isThere(page);
      }));

    test('because a release has replaced it, is loaded with the new one', () =>
      asSomebodyNew(product, async (nora, page) => {
        await page.route(PART, (route) => route.abort(), { times: 1 });
        await page.clock.install();
        await page.reload();
        await nora.sees('Get Started - Monthly');
        await page.clock.fastForward(60_000);
        await Promise.all([page.waitForEvent('load'), toSettings(page)]);
        await isThere(page);
      }));

    test('although it was just looked for, says so and offers ways on', () =>
      meetsAnError(async (nora, page) => {
        await page.route(PART, (route) => route.abort(), { times: 1 });
        await page.reload();
        await toSettings(page);
        await says(page, 'This page could not be loaded');
        await nora.presses('Try again');
        await isThere(page);
      }));

    test('without a connection is there all the same, once the others have been loaded', () =>
      asSomebodyNew(product, async (nora, page) => {
        const loaded = page.waitForEvent('requestfinished', (request) => PART.test(request.url()));
        await page.reload();
        await nora.sees('Get Started - Monthly');
        await loaded;
        await page.context().setOffline(true);
        await page.getByRole('status').getByText('You are offline.').waitFor();
        await toSettings(page);
        await isThere(page);
      }));
  });

  test('offline is said on every page, calls fail at once, and all recovers by itself', () =>
    asSomebodyNew(product, async (nora, page) => {
      const isLegal = (request: Request) => /\/assets\/legal-.*\.js/.test(request.url());
      const loaded = page.waitForEvent('requestfinished', isLegal);
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await nora.sees('Get Started - Monthly');
      await loaded;
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
      await nora.button('Meta ad services: High disruption').waitFor();
    }));

  test('offline is also said when the last answer under way still arrived', () =>
    asSomebodyNew(product, async (nora, page) => {
      // Nothing else may fail and so raise a doubt: the live updates do not open, the next poll is half a minute off.
      await page.route('**/api/events', () => {});
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await nora.sees('Get Started - Monthly');
      await page.route('**/health', (route) => route.fulfill({ body: 'ok' }), { times: 1 });
      await page.context().setOffline(true);
      await page.getByRole('status').getByText('You are offline.').waitFor();
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
        await nora.continuesAs(name);
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
