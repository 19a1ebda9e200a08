import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

describe('the dashboard', () => {
  const product = productOfThisSuite();

  test('[DASH-01, DASH-13] before the setup everything is disabled, and a banner leads to it', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.subscribes();
      await nora.sees('Account Setup Required');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      expect(await nora.switchOf('Shoes').isDisabled()).toBe(true);
      expect(await nora.button('Manual Pause Shoes').isDisabled()).toBe(true);
      const accountButton = page.getByRole('button', { name: account.name });
      expect(await accountButton.isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Complete your setup in Settings' }).click();
      await page.waitForURL('**/settings');
      await nora.completesSetup({ resume: 'instant' });
      await page.getByRole('link', { name: 'Go to campaigns' }).click();
      await waitFor('the switch', () => nora.switchOf('Shoes').isEnabled());
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the button to be disabled', () => nora.button('Manual Pause Shoes').isDisabled());
    });
  });

  test('[DASH-11, DASH-12] manual pause and resume reach the platform, the switch sends the opposite', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.presses('Manual Pause Shoes');
      await nora.seesCampaign('Shoes', 'PAUSED');
      expect(await account.statusOf('Shoes')).toBe('PAUSED');
      await nora.presses('Manual Resume Shoes');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      expect(await account.statusOf('Shoes')).toBe('ACTIVE');

      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/smartpause/')) sent.push(request.postDataJSON());
      });
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
      await nora.turnsSmartPause('off', 'Shoes');
      expect(sent).toEqual([{ enabled: true }, { enabled: false }]);
    });
  });

  test('[AUTH-07, DASH-03, HEAD-05] a status with only its two fields is shown; without one the page blames itself', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const status = { status: 'HIGH_DISRUPTION', message: 'Delivery is down' };
      await page.route('**/api/status', (route) => route.fulfill({ json: status }));
      await page.reload();
      await nora.sees('SmartPause Activated - Threshold Matched');
      await nora.button('Meta ad services: High disruption').hover();
      const tooltip = page.getByRole('tooltip');
      await tooltip.getByText('Delivery is down').waitFor();
      for (const words of ['Meta says', 'last checked', 'not checked', 'Invalid Date']) {
        expect(await page.getByText(words).count(), words).toBe(0);
      }

      await page.route('**/api/status', (route) => route.fulfill({ status: 503 }));
      await page.reload();
      await page.getByRole('note').getByText('SmartPause cannot be reached').waitFor();
      expect(await page.getByText('Meta Status Unknown').count()).toBe(0);
    });
  });

  test('[DASH-11, DASH-12] a legacy Advantage+ campaign has the reason instead of a switch, and bulk changes skip it', async () => {
    const { name, id, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    const legacy = { id: `${id}900`, name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
    const lind = { id: account.id, name: account.name, currency: 'USD', campaigns: [legacy] };
    await product.graph.post('/seed', { users: [{ id, name, accounts: [lind] }] });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const reason = 'Meta no longer allows changes to this campaign type through its API.';
      const row = nora.campaigns().getByRole('listitem').filter({ hasText: 'Catalog' });
      await row.getByText(reason).waitFor();
      expect(await row.getByRole('switch').count()).toBe(0);
      expect(await row.getByRole('button').count()).toBe(0);
      await nora.switchOf('Shoes').waitFor();
      await page.getByRole('checkbox', { name: 'Select all 2 campaigns' }).check();
      await nora.presses('Turn SmartPause on (1)');
      await page.getByRole('dialog').getByText(`1 more is skipped. ${reason}`).waitFor();
    });
  });

  test('[DASH-07] running ones first, those without SmartPause before the others, with objective and budget', async () => {
    const { name } = await newAdvertiser(product.graph, {
      Boots: 'PAUSED',
      Coats: 'ACTIVE',
      Hats: 'ACTIVE',
      Shoes: 'ACTIVE',
    });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Coats');
      const names = async (): Promise<string> => {
        const lines = await nora.campaigns().getByRole('listitem').allInnerTexts();
        return lines.map((line) => line.split('\n')[0]).join(', ');
      };
      // Nothing jumps away from whoever turns a switch.
      expect(await names()).toBe('Coats, Hats, Shoes, Boots');
      await page.reload();
      await waitFor('the order', async () => (await names()) === 'Hats, Shoes, Coats, Boots');
      await nora.seesCampaign('Hats', 'SALES · $50.00 / day');
    });
  });

  test('[DASH-07, DASH-08] an archived campaign is shown last, and nothing can be done with it', async () => {
    const { name } = await newAdvertiser(product.graph, {
      Boots: 'ARCHIVED',
      Shoes: 'ACTIVE',
      Zips: 'PAUSED',
    });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.seesCampaign('Boots', 'ARCHIVED');
      expect(await nora.campaigns().getByRole('listitem').last().innerText()).toContain('Boots');
      expect(await nora.switchOf('Boots').isDisabled()).toBe(true);
      expect(await nora.button('Manual Resume Boots').isDisabled()).toBe(true);
      expect(await nora.switchOf('Zips').isEnabled()).toBe(true);
    });
  });

  test('[DASH-11] the switch is large where it stands alone, and small on a phone', async () => {
    for (const [campaigns, onDesktop, onPhone] of [
      [{ Shoes: 'ACTIVE', Hats: 'ACTIVE' }, 24, 20],
      [{ Shoes: 'ACTIVE' }, 30, 30],
    ] as const) {
      const { name } = await newAdvertiser(product.graph, campaigns);
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name);
        const track = nora.campaign('Shoes').locator('.mantine-Switch-track');
        const isHigh = (px: number) =>
          waitFor(`a switch of ${px} pixels`, async () => (await track.boundingBox())?.height === px);
        await isHigh(onDesktop);
        await page.setViewportSize(PHONE);
        await isHigh(onPhone);
        const pressed = await nora.switchOf('Shoes').boundingBox();
        expect(pressed?.height).toBeGreaterThanOrEqual(36);
      });
    }
  });

  test('[DASH-15] what fails is told, and what is true shows again', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'PAUSED' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const refusesOnce = { kind: 'error', code: 100, match: { op: 'inner', method: 'POST' } };
      await product.graph.fault(refusesOnce);
      await nora.presses('Manual Pause Shoes');
      await nora.sees('Failed to pause campaign');
      await product.graph.fault(refusesOnce);
      await nora.presses('Manual Resume Hats');
      await nora.sees('Failed to resume campaign');
      await page.route('**/api/smartpause/**', (route) => route.abort());
      await nora.switchOf('Shoes').click();
      await nora.sees('Failed to toggle SmartPause');
      await waitFor('the switch to be off again', async () => !(await nora.switchOf('Shoes').isChecked()));
      expect(await account.statusOf('Shoes')).toBe('ACTIVE');
      expect(await account.statusOf('Hats')).toBe('PAUSED');
    });
  });

  test('[DASH-16, API-12] a resume while SmartPause is on is refused, and the page says why', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'PAUSED' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      // What happens in another tab is not heard of in this one.
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
      expect(await account.statusOf('Shoes')).toBe('PAUSED');
    });
  });

  test('[DASH-05, DASH-06] the first account is chosen by itself; another one stays chosen after a reload', async () => {
    await withPage(async (page) => {
      const daniel = new Person(page, product);
      await daniel.arrivesAs('Daniel Okafor');
      const { promise: loaded, resolve: load } = Promise.withResolvers<undefined>();
      await page.route('**/api/ad-accounts', (route) => loaded.then(() => route.continue()));
      await page.reload();
      await page.getByTestId('account-placeholder').first().waitFor();
      expect(await page.getByTestId('account-placeholder').count()).toBe(3);
      expect(await page.getByTestId('campaign-placeholder').count()).toBe(5);
      load(undefined);
      await daniel.campaigns().getByRole('listitem').first().waitFor();
      const accounts = page.getByRole('region', { name: 'Ad accounts' }).getByRole('button');
      const chosen = (index: number) => accounts.nth(index).getAttribute('aria-pressed');
      expect([await chosen(0), await chosen(1)]).toEqual(['true', 'false']);
      await accounts.nth(1).click();
      await page.reload();
      await accounts.nth(1).waitFor();
      expect([await chosen(0), await chosen(1)]).toEqual(['false', 'true']);
    });
  });

  test('[DASH-06] an account without campaigns says so, and so does a person without an account', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await product.graph.post('/seed', { users: [{ id: '799', name: 'Ida Berg', accounts: [] }] });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.subscribes();
      await nora.sees('No campaigns found for this account');
    });
    await withPage(async (page) => {
      const ida = new Person(page, product);
      await ida.signsInAs('Ida Berg');
      await ida.subscribes();
      await ida.sees('Select an ad account to view campaigns');
    });
  });

  test('[DASH-14] when Meta does not answer the page stays usable and raises no alarm', async () => {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.subscribes();
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await product.graph.fault({ kind: 'reset', times: 0, method: 'GET' });
      await page.reload();
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await page.route('**/api/ad-accounts', (route) => route.abort());
      await page.reload();
      await nora.sees('Welcome');
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Email').waitFor();
    });
  });
});
