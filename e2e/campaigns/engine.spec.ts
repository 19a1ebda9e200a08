import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { AdAccount, newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';

/** What `completesSetup` gives. */
const EMAIL = 'nora@lind.example';
const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

const ACTIVATED = 'SmartPause Activated - Threshold Matched';
const SCHEDULED = 'SmartPause Resume Scheduled';

async function becomes(account: AdAccount, campaign: string, status: string): Promise<void> {
  await waitFor(`${campaign} to be ${status} on the platform`, async () => {
    return (await account.statusOf(campaign)) === status;
  });
}

/** Lives through a whole minute, so the quick ones below run meanwhile, with a product of their own. */
describe('a person and an outage', { concurrent: true }, () => {
  const product = productOfThisSuite();

  test('[ENG-04, ENG-05, ENG-07, ENG-13, DASH-02, DASH-03, SET-06] two are paused and resumed after the delay, the one paused before stays as it was', async () => {
    const juniper = await AdAccount.named(product.graph, 'Juniper & Vale Skincare');
    await withPage(async (page) => {
      const maya = new Person(page, product);
      await maya.signsInAs('Maya Chen');
      await maya.completesSetup({ threshold: 'HIGH', resume: { delayMinutes: 1 } });
      await maya.choosesAccount(juniper.name);
      for (const campaign of [SALE, SERUM, FILM]) await maya.turnsSmartPause('on', campaign);
      await maya.seesCampaign(SALE, 'ACTIVE');
      await maya.seesCampaign(FILM, 'PAUSED');

      await product.status.reports('High disruptions');
      await becomes(juniper, SALE, 'PAUSED');
      await becomes(juniper, SERUM, 'PAUSED');
      await maya.sees(ACTIVATED);
      for (const campaign of [SALE, SERUM]) {
        await maya.seesCampaign(campaign, 'PAUSED');
        await maya.seesCampaign(campaign, 'SmartPause Active');
      }
      const paused = await product.mailbox.waitFor(EMAIL, /^SmartPause paused 2 campaigns/);
      for (const words of [SALE, SERUM, 'resumes exactly these campaigns 1 minute later']) {
        expect(paused.text).toContain(words);
      }
      expect(paused.text).not.toContain(FILM);

      const resolvedAt = Date.now();
      await product.status.reports('Resolved');
      await maya.sees(SCHEDULED);
      await maya.sees(/Resume scheduled for \d+:\d\d [AP]M EST/);
      await maya.noLongerSees(ACTIVATED);

      for (const campaign of [SALE, SERUM]) {
        await maya.page.waitForTimeout(Math.max(0, resolvedAt + 58_000 - Date.now()));
        await becomes(juniper, campaign, 'ACTIVE');
        await maya.seesCampaign(campaign, 'ACTIVE');
        const writes = await juniper.writesTo(campaign);
        expect(writes.map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
        expect(Date.parse(writes[1]?.at ?? '')).toBeGreaterThanOrEqual(resolvedAt + 60_000);
      }
      await maya.noLongerSees(SCHEDULED);
      await maya.seesCampaign(FILM, 'PAUSED');
      expect(await juniper.statusOf(FILM)).toBe('PAUSED');
      expect(await juniper.writesTo(FILM)).toEqual([]);
      const resumed = await product.mailbox.waitFor(EMAIL, /^SmartPause resumed 2 campaigns/);
      expect(resumed.text).toMatch(/^Met your threshold: .* EST to .* EST$/m);
      expect(await product.mailbox.messagesTo(EMAIL)).toHaveLength(3);
    });
  }, 240_000);
});

describe('quick outages', { concurrent: true }, () => {
  const product = productOfThisSuite();

  test(
    '[ENG-06] instant: what was paused runs again as soon as it is over',
    { concurrent: false },
    async () => {
      const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name, { resume: 'instant' });
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await becomes(account, 'Shoes', 'PAUSED');
        await nora.seesAfterReloading(ACTIVATED);
        await nora.seesCampaign('Shoes', 'PAUSED');
        await product.status.reports('Resolved');
        await becomes(account, 'Shoes', 'ACTIVE');
        await page.reload();
        await nora.seesCampaign('Shoes', 'ACTIVE');
        expect(await account.writesTo('Hats')).toEqual([]);
      });
    },
  );

  test(
    '[ENG-09, DASH-04] below the threshold a resume is scheduled, and cancelled when it is met again',
    { concurrent: false },
    async () => {
      const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name, { resume: { delayMinutes: 5 }, threshold: 'HIGH' });
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await becomes(account, 'Shoes', 'PAUSED');
        await product.status.reports('Medium disruptions');
        await nora.seesAfterReloading(SCHEDULED);
        await nora.sees('Meta Services Disruption Detected');
        await nora.sees(/remain active or are resuming, because the status is below your threshold/);
        await product.status.reports('High disruptions');
        await nora.seesAfterReloading(ACTIVATED);
        await nora.noLongerSees(SCHEDULED);
        expect(await account.statusOf('Shoes')).toBe('PAUSED');
      });
    },
  );

  test(
    '[ENG-12] SmartPause on during an outage pauses at once; off leaves the campaign paused, and Manual Resume works at once',
    { concurrent: false },
    async () => {
      const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
      await product.status.reports('High disruptions');
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name);
        await nora.turnsSmartPause('on', 'Shoes');
        await becomes(account, 'Shoes', 'PAUSED');
        await nora.seesCampaign('Shoes', /held by SmartPause/);
        await nora.turnsSmartPause('off', 'Shoes');
        await nora.presses('Manual Resume Shoes');
        await nora.seesCampaign('Shoes', 'ACTIVE');
        const writes = await account.writesTo('Shoes');
        expect(writes.map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
      });
    },
  );

  test(
    '[ENG-10] while the status cannot be read no pause starts and no match ends, and the page says so',
    { concurrent: false },
    async () => {
      const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name);
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await becomes(account, 'Shoes', 'PAUSED');
        await product.status.fault({ kind: 'html', times: 0 });
        await product.status.reports('Resolved');
        await nora.seesAfterReloading('Meta Status Unknown');
        await nora.sees(/SmartPause starts no pauses until it is known again/);
        expect(await account.statusOf('Shoes')).toBe('PAUSED');
        await product.status.ask('DELETE', '/faults');
        await becomes(account, 'Shoes', 'ACTIVE');
      });
    },
  );

  test(
    '[DASH-10] a campaign that was resumed in Ads Manager is left alone, says why, and can be re-enabled',
    { concurrent: false },
    async () => {
      const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.arrivesAs(name);
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await becomes(account, 'Shoes', 'PAUSED');
        await nora.seesCampaign('Shoes', /by SmartPause/);
        await product.graph.post(`/campaigns/${await account.idOf('Shoes')}`, { status: 'ACTIVE' });
        // A changed status makes the engine look at once, and a second time 10 s later.
        await product.status.reports('Medium disruptions');
        await nora.seesCampaign('Shoes', 'ACTIVE');
        expect(
          await nora
            .campaign('Shoes')
            .getByText(/by SmartPause/)
            .count(),
        ).toBe(0);
        await nora.seesCampaign('Shoes', 'SmartPause Disabled');
        await nora.seesCampaign('Shoes', 'ACTIVE');
        expect(await nora.switchOf('Shoes').isChecked()).toBe(false);

        const why = page.getByRole('tooltip');
        await nora.campaign('Shoes').getByText('SmartPause Disabled').hover();
        await why.filter({ hasText: /changed outside SmartPause.*re-enable/ }).waitFor();
        await page.mouse.move(0, 0);
        await why.waitFor({ state: 'hidden' });
        await tabTo(page, 'SmartPause Disabled');
        await why.filter({ hasText: /changed outside SmartPause.*re-enable/ }).waitFor();

        await product.status.reports('Resolved');
        await nora.noLongerSees(ACTIVATED);
        await nora.turnsSmartPause('on', 'Shoes');
        await nora.noLongerSees('SmartPause Disabled');
        const writes = await account.writesTo('Shoes');
        expect(writes.filter(({ token_user: by }) => by !== null).map(({ status }) => status)).toEqual([
          'PAUSED',
        ]);
      });
    },
  );
});
