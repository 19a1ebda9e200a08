import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { PHONE, closeBrowser, withPage } from './browser.ts';
import { Person } from './person.ts';
import type { RunningProduct } from './running-product.ts';
import { startRunningProduct } from './running-product.ts';

const JUNIPER = 'Juniper & Vale Skincare';
const HARBOUR = 'Harbour & Pine Homeware';
const TOKYO = 'Becker Travel Tokyo';
const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

describe('a person and an outage, in the browser', () => {
  let product: RunningProduct;

  beforeAll(async () => {
    product = await startRunningProduct();
  });
  afterAll(async () => {
    await closeBrowser();
    await product.stop();
  });
  beforeEach(async () => {
    await product.status.post('/reset');
    await product.graph.post('/reset');
  });

  /** Names come again in other accounts. */
  async function idOf(name: string, accountName = JUNIPER): Promise<string> {
    const { accounts } = await product.graph.ask<{ accounts: { id: string; name: string }[] }>(
      'GET',
      '/state',
    );
    const account = accounts.find((one) => one.name === accountName);
    for (const campaign of (await product.graph.campaigns()).values()) {
      if (campaign.name === name && campaign.account === account?.id) return campaign.id;
    }
    throw new Error(`there is no campaign ${name} in ${accountName}`);
  }

  async function statusOf(name: string, accountName?: string): Promise<string | undefined> {
    return (await product.graph.campaigns()).get(await idOf(name, accountName))?.status;
  }

  test('[ENG-04, ENG-05, ENG-07, DASH-02, DASH-03, SET-06] two are paused and resumed after the delay, the one paused before stays as it was', async () => {
    await withPage(async (page) => {
      const maya = new Person(page, product.url);
      await maya.signsInAs('Maya Chen');
      expect(page.url()).not.toContain('token');
      await maya.completesSetup({ delayMinutes: 1 });
      await maya.choosesAccount(JUNIPER);
      for (const name of [SALE, SERUM, FILM]) await maya.turnsSmartPauseOnFor(name);
      await maya.seesCampaign(SALE, 'ACTIVE');
      await maya.seesCampaign(FILM, 'PAUSED');

      await product.status.reports('High disruptions');
      await waitFor(
        'both to be paused on the platform',
        async () => (await statusOf(SALE)) === 'PAUSED' && (await statusOf(SERUM)) === 'PAUSED',
      );
      await maya.sees('SmartPause Activated - Threshold Matched');
      await maya.seesCampaign(SALE, 'PAUSED');
      await maya.seesCampaign(SALE, 'SmartPause Active');

      await product.status.reports('Resolved');
      const resolvedAt = Date.now();
      await maya.sees('SmartPause Resume Scheduled');
      await maya.sees(/Resume scheduled for .* EST/);
      expect(await statusOf(SALE)).toBe('PAUSED');
      await waitFor(
        'both to run again',
        async () => (await statusOf(SALE)) === 'ACTIVE' && (await statusOf(SERUM)) === 'ACTIVE',
        90_000,
      );
      expect(Date.now() - resolvedAt).toBeGreaterThan(59_000);
      await maya.seesCampaign(SALE, 'ACTIVE');
      await maya.seesCampaign(FILM, 'PAUSED');

      const film = await idOf(FILM);
      const writes = await product.graph.writes();
      expect(writes.filter(({ campaign }) => campaign === film)).toEqual([]);
      for (const name of [SALE, SERUM]) {
        const id = await idOf(name);
        expect(writes.filter(({ campaign }) => campaign === id).map(({ status }) => status)).toEqual([
          'PAUSED',
          'ACTIVE',
        ]);
      }
    });
  }, 240_000);

  /** Signed in and set up, with the account chosen; the answer is a running campaign of theirs. */
  async function atTheDashboard(who: Person, name: string, account: string): Promise<string> {
    await who.signsInAs(name);
    await who.completesSetup('instant');
    await who.choosesAccount(account);
    const shown = await who.campaigns().getByRole('listitem').first().innerText();
    return shown.split('\n')[0]?.trim() ?? '';
  }

  test('[DASH-12, DASH-13, ENG-12] manual pause and resume reach the platform; with SmartPause on the button is disabled', async () => {
    await withPage(async (page) => {
      const sofia = new Person(page, product.url);
      const campaign = await atTheDashboard(sofia, 'Sofia Lindqvist', HARBOUR);
      await page.getByRole('button', { name: `Manual Pause ${campaign}` }).click();
      await sofia.seesCampaign(campaign, 'PAUSED');
      expect(await statusOf(campaign, HARBOUR)).toBe('PAUSED');
      await page.getByRole('button', { name: `Manual Resume ${campaign}` }).click();
      await sofia.seesCampaign(campaign, 'ACTIVE');
      expect(await statusOf(campaign, HARBOUR)).toBe('ACTIVE');
      await sofia.turnsSmartPauseOnFor(campaign);
      const button = page.getByRole('button', { name: `Manual Pause ${campaign}` });
      await waitFor('the button to be disabled', () => button.isDisabled());
    });
  });

  test('[DASH-15] a pause that Meta refuses is told', async () => {
    await withPage(async (page) => {
      const tom = new Person(page, product.url);
      const campaign = await atTheDashboard(tom, 'Tom Becker', TOKYO);
      await product.graph.fault({ kind: 'error', code: 100, match: { op: 'inner', method: 'POST' } });
      await page.getByRole('button', { name: `Manual Pause ${campaign}` }).click();
      await tom.sees('Failed to pause campaign');
      expect(await statusOf(campaign, TOKYO)).toBe('ACTIVE');
    });
  });

  test('[HEAD-06, HEAD-07] logging out ends the session on the server as well', async () => {
    await withPage(async (page) => {
      const priya = new Person(page, product.url);
      await priya.signsInAs('Priya Raman');
      await priya.sees('Welcome, Priya Raman');
      const token = String(await page.evaluate("localStorage.getItem('authToken')"));
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByText('Log In', { exact: true }).first().waitFor();
      const headers = { authorization: `Bearer ${token}` };
      await waitFor(
        'the session to end',
        async () => (await fetch(`${product.url}/api/me`, { headers })).status === 401,
      );
    });
  });

  test('[AUTH-02, BANNER-01] a cancelled login says so, and the banner can be dismissed', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product.url);
      await somebody.opens('/');
      await page.getByText('Log In', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await somebody.sees('Access Denied');
      await page.getByRole('button', { name: /dismiss/i }).click();
      await waitFor('the address to be clean', () => !page.url().includes('error'));
    });
  });

  test('[ROUTE-12] an unknown path is not found, also for programs', async () => {
    expect((await fetch(`${product.url}/no-such-page`)).status).toBe(404);
    expect((await fetch(`${product.url}/settings`)).status).toBe(200);
    await withPage(async (page) => {
      await new Person(page, product.url).opens('/no-such-page');
      await page.getByRole('heading', { name: /not found/i }).waitFor();
    });
  });

  test('on a phone nothing scrolls sideways, and the page says that Meta is played by a program', async () => {
    await withPage(
      async (page) => {
        const maya = new Person(page, product.url);
        await maya.opens('/');
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(PHONE.width);
      },
      { viewport: PHONE },
    );
  });
});
