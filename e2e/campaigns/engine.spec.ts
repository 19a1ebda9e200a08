import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import type { User } from '../../scripts/browser/user.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { focusedName, tabTo } from '../support/keyboard.ts';
import { openBlank } from '../support/document.ts';
import { KeyboardUser } from '../support/keyboard-user.ts';
import { signIn } from '../../scripts/outside/user.ts';

const EMAIL = 'nora@lind.example';
const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

const ACTIVATED = 'SmartPause Activated - Threshold Matched';
const SCHEDULED = 'SmartPause Resume Scheduled';

const IS_ON_LIST = "document.activeElement.id === 'campaign-list'";

describe('a user and an outage', () => {
  /** Its clock is moved, so it is not shared. */
  const product = productOfThisSuite({});

  async function endsOutage(user: User): Promise<void> {
    await product.status.reports('Resolved');
    await user.button('Meta ad services: Up').waitFor();
  }

  test('[ENG-04, ENG-05, ENG-07, ENG-13, DASH-02, DASH-03, SET-06] pauses two campaigns and resumes them a minute after the outage; a campaign paused before stays paused', () =>
    asAdvertiser(
      product,
      {
        campaigns: { [SALE]: 'ACTIVE', [SERUM]: 'ACTIVE', [FILM]: 'PAUSED' },
        setup: { threshold: 'HIGH', resume: { delayMinutes: 1 } },
      },
      async ({ nora, account }) => {
        for (const campaign of [SALE, SERUM, FILM]) await nora.turnsSmartPause('on', campaign);
        await product.status.reports('High disruptions');
        await nora.sees(ACTIVATED);
        for (const campaign of [SALE, SERUM]) {
          await nora.seesCampaign(campaign, 'PAUSED');
          await nora.seesCampaign(campaign, 'SmartPause Active');
          await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
        }
        // The email waits 10 s for further pauses.
        await product.advance(11_000);
        const paused = await product.mailbox.waitFor(EMAIL, /^SmartPause paused 2 campaigns/);
        for (const words of [SALE, SERUM, 'resumes exactly these campaigns 1 minute later']) {
          expect(paused.text).toContain(words);
        }
        expect(paused.text).not.toContain(FILM);

        await product.status.reports('Resolved');
        await nora.sees(SCHEDULED);
        await nora.sees(/Resume scheduled for \d+:\d\d [AP]M EST/);
        await nora.noLongerSees(ACTIVATED);
        await product.advance(60_000);
        for (const campaign of [SALE, SERUM]) await nora.seesCampaign(campaign, 'ACTIVE');
        await nora.noLongerSees(SCHEDULED);
        await nora.seesCampaign(FILM, 'PAUSED');
        expect(await account.writesTo(FILM)).toEqual([]);
      },
    ));

  test('[ENG-06] instant: paused campaigns resume as soon as the outage ends', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await account.becomes('Shoes', 'PAUSED');
        await nora.seesAfterReloading(ACTIVATED);
        await nora.seesCampaign('Shoes', 'PAUSED');
        await product.status.reports('Resolved');
        await account.becomes('Shoes', 'ACTIVE');
        await page.reload();
        await nora.seesCampaign('Shoes', 'ACTIVE');
        expect(await account.writesTo('Hats')).toEqual([]);
      },
    ));

  test('[ENG-09, DASH-04] a level below the threshold schedules a resume, and a new match cancels it', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE' }, setup: { resume: { delayMinutes: 5 }, threshold: 'HIGH' } },
      async ({ nora, account }) => {
        await nora.turnsSmartPause('on', 'Shoes');
        await product.status.reports('High disruptions');
        await account.becomes('Shoes', 'PAUSED');
        await product.status.reports('Medium disruptions');
        await nora.seesAfterReloading(SCHEDULED);
        await nora.sees('Meta Services Disruption Detected');
        await nora.sees(
          /remain active or are resuming as scheduled, because the status is below your threshold/,
        );
        await product.status.reports('High disruptions');
        await nora.seesAfterReloading(ACTIVATED);
        await nora.noLongerSees(SCHEDULED);
        await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
      },
    ));

  test('[ENG-12] SmartPause on during an outage pauses at once; off leaves the campaign paused, and Manual Resume works at once', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await product.status.reports('High disruptions');
    await asVisitor(product, async (nora) => {
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Shoes', 'Turn on and pause');
      await account.becomes('Shoes', 'PAUSED');
      await nora.seesCampaign('Shoes', /Paused by SmartPause/);
      await nora.turnsSmartPause('off', 'Shoes', 'Keep paused');
      await nora.sees('Shoes stays paused until you resume it.');
      await nora.presses('Manual Resume Shoes');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      const writes = await account.writesTo('Shoes');
      expect(writes.map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
    });
  });

  test('[UX-01, UX-02] without a protected campaign the banner warns; then it counts and shows the paused ones', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } }, async ({ nora, page }) => {
      await product.status.reports('High disruptions');
      await nora.seesAfterReloading('Nothing is protected in this disruption');
      await nora.sees(/SmartPause is on for none of your 2 running campaigns\. They keep spending\./);
      await expect.poll(() => page.getByText(ACTIVATED).count()).toBe(0);
      await nora.presses('Choose campaigns');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('campaign-list');

      await nora.turnsSmartPause('on', 'Shoes', 'Turn on and pause');
      await nora.sees(ACTIVATED);
      await nora.sees(/^1 campaign paused in 1 account\./);
      await page.getByRole('link', { name: 'Show them' }).click();
      await nora.campaign('Hats').waitFor({ state: 'hidden' });
      await nora.seesCampaign('Shoes', 'PAUSED');
      await expect.poll(() => page.getByLabel('Filter by SmartPause').inputValue()).toBe('paused');
      await endsOutage(nora);

      await nora.opens('/');
      await nora.turnsSmartPause('off', 'Shoes');
      await product.status.reports('High disruptions');
      const banner = page.getByRole('note').filter({ hasText: 'Nothing is protected' });
      await banner.getByRole('button', { name: 'Turn on for all active campaigns' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/the 2 running ones are paused immediately/).waitFor();
      await nora.presses('Turn on for 2 campaigns');
      await nora.sees('SmartPause is on for 2 campaigns and pauses them now.');
      await nora.sees(/^2 campaigns paused in 1 account\./);
      await endsOutage(nora);
    }));

  test('[UX-05] the resume banner names campaigns and account; Resume now resumes them and reports a failure', () =>
    asAdvertiser(
      product,
      {
        campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' },
        setup: { resume: { delayMinutes: 60 } },
      },
      async ({ nora, page, account }) => {
        for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
        await product.status.reports('High disruptions');
        await nora.sees(/^2 campaigns paused in 1 account\./);
        await product.status.reports('Resolved');
        await nora.sees(SCHEDULED);
        await nora.sees(`2 campaigns in ${account.name}`);

        const error = { code: 'CAMPAIGN_BUSY', message: 'SmartPause is at work on this ad account.' };
        const resume = `**/api/campaigns/${await account.idOf('Shoes')}/resume`;
        await page.route(resume, (route) => route.fulfill({ status: 409, json: { error } }));
        const user = new KeyboardUser(page);
        await user.opens('Resume now');
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Resume 2 campaigns now?').waitFor();
        await user.isPutOn('Resume 2 campaigns');
        await user.presses('Escape');
        await user.isPutOn('Resume now');
        await user.presses('Enter');
        await user.isPutOn('Resume 2 campaigns');
        await user.presses('Enter');
        await dialog.getByText('Some campaigns were not resumed').waitFor();
        await dialog.getByText('Resumed 1 campaign.').waitFor();
        await dialog.getByText(/^1 not resumed: Shoes\. SmartPause is off for it now/).waitFor();
        await dialog.getByText(error.message).waitFor();
        await expect
          .poll(async () => [await account.statusOf('Hats'), await account.statusOf('Shoes')])
          .toEqual(['ACTIVE', 'PAUSED']);
        await user.isPutOn('Close');
        await user.presses('Enter');
        // The banner with the button has gone.
        await waitFor('the focus on the list', () => page.evaluate(IS_ON_LIST));
        await nora.noLongerSees(SCHEDULED);
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);
        await nora.seesCampaign('Hats', 'ACTIVE');
      },
    ));

  test('[UX-05] Resume now sends nothing more after another user has logged in in another tab', async () => {
    const other = await newAdvertiser(product.graph, { Film: 'ACTIVE' });
    await asAdvertiser(
      product,
      {
        campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' },
        setup: { resume: { delayMinutes: 60 } },
        isFresh: true,
      },
      async ({ nora, page, account }) => {
        for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
        await product.status.reports('High disruptions');
        await nora.sees(/^2 campaigns paused in 1 account\./);
        await product.status.reports('Resolved');
        await nora.sees(SCHEDULED);
        const noras = await nora.overHttp();
        const { token } = await signIn(product.url, other.id);
        const sent: string[] = [];
        await page.route(/\/api\/(smartpause|campaigns\/\d+\/resume)/, async (route) => {
          sent.push(new URL(route.request().url()).pathname);
          if (sent.length === 1) {
            const tab = await page.context().newPage();
            await openBlank(tab, product.url);
            await tab.evaluate(`localStorage.setItem('authToken', ${JSON.stringify(token)})`);
          }
          await route.continue().catch(() => undefined);
        });
        await nora.presses('Resume now');
        await nora.chooses('Resume 2 campaigns');
        await nora.sees(`Welcome, ${other.name}`);
        expect(sent).toHaveLength(1);
        const { campaigns } = await noras.get<{ campaigns: { smartPauseSetting: string }[] }>(
          `/api/campaigns/${account.id}`,
        );
        expect(campaigns.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON')).not.toHaveLength(0);
        for (const campaign of ['Shoes', 'Hats'])
          await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
      },
    );
  });

  test('[UX-01, UX-05] with a refused token the banners say what it prevents, with a link to reconnect', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' }, setup: { resume: { delayMinutes: 60 } } },
      async ({ nora, page, id, name, account }) => {
        for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
        await product.graph.post('/tokens/invalidate', { userId: id });
        await product.status.reports('High disruptions');
        await nora.seesAfterReloading(/^2 campaigns can’t be paused: Meta no longer accepts our access\./);
        const banner = page.getByRole('note').filter({ hasText: ACTIVATED });
        await tabTo(page, 'Reconnect to Meta');
        await expect.poll(() => banner.locator(':focus').count()).toBe(1);
        await page.keyboard.press('Enter');
        await nora.presses(`Continue as ${name}`);
        await nora.sees(/^2 campaigns paused in 1 account\. They resume 60 minutes after it ends\./);
        await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');

        await product.graph.post('/tokens/invalidate', { userId: id });
        await product.status.reports('Resolved');
        await nora.seesAfterReloading(SCHEDULED);
        const scheduled = page.getByRole('note').filter({ hasText: SCHEDULED });
        await nora.seesAfterReloading(/nothing resumes until you reconnect/);
        await scheduled.getByRole('link', { name: 'Reconnect to Meta' }).waitFor();
        await expect.poll(() => scheduled.getByRole('button', { name: 'Resume now' }).count()).toBe(0);
      },
    ));

  test('[UX-03] the toggle asks first during a match: the focus returns, Resume now resumes, and says when that fails', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        const dialog = page.getByRole('dialog');
        await product.status.reports('High disruptions');
        await nora.seesAfterReloading('Nothing is protected in this disruption');
        await nora.switchOf('Shoes').press('Space');
        await dialog
          .getByText(/Shoes is paused immediately. When the disruption ends, it is resumed /)
          .waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        await waitFor('the focus', async () => (await focusedName(page)) === 'SmartPause for Shoes');
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);

        for (const campaign of ['Shoes', 'Hats']) {
          await nora.turnsSmartPause('on', campaign, 'Turn on and pause');
          await account.becomes(campaign, 'PAUSED');
          await nora.seesCampaign(campaign, /Paused by SmartPause/);
        }
        await nora.switchOf('Shoes').press('Space');
        await nora.chooses('Cancel');
        await waitFor('the focus', async () => (await focusedName(page)) === 'SmartPause for Shoes');
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(true);
        await nora.turnsSmartPause('off', 'Shoes', 'Resume now');
        await nora.seesCampaign('Shoes', 'ACTIVE');
        await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
        await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);

        await page.route('**/api/campaigns/*/resume', (route) => route.fulfill({ status: 500, json: {} }));
        await nora.turnsSmartPause('off', 'Hats', 'Resume now');
        await nora.sees('No clear response about Hats');
        await expect.poll(() => nora.switchOf('Hats').isChecked()).toBe(false);
        await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
        await endsOutage(nora);
      },
    ));

  test('[ENG-10] while the status is unknown, no pause starts and no match ends, and the page says so', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } }, async ({ nora, account }) => {
      await nora.turnsSmartPause('on', 'Shoes');
      await product.status.reports('High disruptions');
      await account.becomes('Shoes', 'PAUSED');
      await product.status.fault({ kind: 'unknown_phrase', times: 0 });
      await product.status.reports('Resolved');
      await nora.seesAfterReloading('Meta Status Unknown');
      await nora.sees(/No new pauses start until we can/);
      await expect.poll(() => account.statusOf('Shoes')).toBe('PAUSED');
      await product.status.ask('DELETE', '/faults');
      await account.becomes('Shoes', 'ACTIVE');
    }));

  test('[DASH-10] a campaign resumed in Ads Manager is left alone, shows why, and can be re-enabled', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, account }) => {
      await nora.turnsSmartPause('on', 'Shoes');
      await product.status.reports('High disruptions');
      await account.becomes('Shoes', 'PAUSED');
      await nora.seesCampaign('Shoes', /by SmartPause/);
      await product.graph.post(`/campaigns/${await account.idOf('Shoes')}`, { status: 'ACTIVE' });
      // A changed status makes the reconciler run at once: the second time verifies the first.
      await product.status.reports('Medium disruptions');
      await nora.button('Meta ad services: Medium disruption').waitFor();
      await product.advance(10_000);
      await product.status.reports('High disruptions');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await expect
        .poll(() =>
          nora
            .campaign('Shoes')
            .getByText(/by SmartPause/)
            .count(),
        )
        .toBe(0);
      await nora.seesCampaign('Shoes', 'SmartPause Disabled');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await expect.poll(() => nora.switchOf('Shoes').isChecked()).toBe(false);

      const why = page.getByRole('tooltip');
      await nora.campaign('Shoes').getByText('SmartPause Disabled').hover();
      await why.filter({ hasText: /changed outside SmartPause.*re-enable/ }).waitFor();
      await page.mouse.move(0, 0);
      await why.waitFor({ state: 'hidden' });
      await tabTo(page, 'SmartPause Disabled');
      await why.filter({ hasText: /changed outside SmartPause.*re-enable/ }).waitFor();

      await endsOutage(nora);
      await nora.turnsSmartPause('on', 'Shoes');
      await nora.noLongerSees('SmartPause Disabled');
      const writes = await account.writesTo('Shoes');
      expect(writes.filter(({ token_user: by }) => by !== null).map(({ status }) => status)).toEqual([
        'PAUSED',
      ]);
    }));
});
