import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { User } from '../../scripts/browser/user.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { focusedName } from '../support/keyboard.ts';

const product = productOfThisSuite();

/** A page that never polls: later changes can only arrive by the stream. */
const NO_POLLS = `{
  const real = window.setInterval;
  window.setInterval = (run, ms, ...rest) => (ms >= 5000 ? 0 : real(run, ms, ...rest));
}`;
const STREAM = '**/api/events';
const BROKEN = { contentType: 'text/event-stream', body: ':\n\n' };

describe('live pages', () => {
  /** A new user on the campaigns page, with this script run first. */
  const atCampaigns = (
    script: string,
    use: (nora: User, page: Page, id: string) => Promise<void>,
  ): Promise<void> =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE', Bags: 'ACTIVE' } }, async ({ nora, page, id }) => {
      const added = await page.addInitScript(script);
      await reloadLive(page);
      await use(nora, page, id);
      await added.dispose();
    });

  async function reloadLive(page: Page): Promise<void> {
    const opened = page.waitForResponse((answer) => isStream(answer.request()) && answer.status() === 200);
    await page.reload();
    await opened;
  }

  test('[API-21] an outage appears at once without a poll: status, pause and resume', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await page.getByText(/Meta ad services are up · since .* EST · last checked/).waitFor();
      await nora.turnsSmartPause('on', 'Shoes');
      await product.status.reports('High disruptions');
      await nora.button('Meta ad services: High disruption').waitFor();
      await page.getByRole('status').getByText('Meta ad services: High disruption').waitFor();
      await nora.seesCampaign('Shoes', 'PAUSED');
      await page.getByText(/High disruption since .* EST · last checked (just now|\d+ s ago)/).waitFor();
      await product.status.reports('Resolved');
      await nora.button('Meta ad services: Up').waitFor();
      await nora.seesCampaign('Shoes', 'ACTIVE');
    }));

  test('a broken stream opens again, and the page reads the missed changes', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      await page.route(STREAM, (route) => route.abort());
      await page.route(STREAM, (route) => route.fulfill(BROKEN), { times: 1 });
      const refused = page.waitForEvent('requestfailed', isStream);
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await refused;
      await product.status.reports('High disruptions');
      await nora.serverKnows('HIGH_DISRUPTION');
      await expect.poll(() => nora.button('Meta ad services: Up').count()).toBe(1);
      await expect.poll(() => page.getByText('Can’t reach SmartPause.').count()).toBe(0);
      await page.unroute(STREAM);
      await nora.button('Meta ad services: High disruption').waitFor({ timeout: 40_000 });
    }));

  test('a page whose stream is refused respects Retry-After and polls until then', () =>
    asAdvertiser(
      product,
      { campaigns: { Bags: 'ACTIVE' }, isFresh: true },
      async ({ nora, page, account }) => {
        let tries = 0;
        await page.route(STREAM, (route) => {
          tries += 1;
          return route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: {} });
        });
        await page.clock.install();
        await page.reload();
        await nora.seesCampaign('Bags', 'ACTIVE');
        await nora.turnsSmartPause('on', 'Bags');
        await product.status.reports('High disruptions');
        await account.becomes('Bags', 'PAUSED');
        await page.clock.fastForward(30_000);
        await nora.seesCampaign('Bags', 'PAUSED');
        await nora.sees('SmartPause Activated - Threshold Matched');
        await expect.poll(() => page.getByText('Can’t reach SmartPause.').count()).toBe(0);
        expect(tries).toBe(1);
      },
    ));

  test('an action on one page appears on the other, and a logout applies to both', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      const other = new User(await page.context().newPage(), product);
      await other.page.addInitScript(NO_POLLS);
      await other.opens('/');
      await other.seesCampaign('Shoes', 'ACTIVE');
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the other page to be updated', () => other.switchOf('Shoes').isChecked());
      await other.presses('Manual Pause Bags');
      await nora.seesCampaign('Bags', 'PAUSED');
      const ended = page.waitForEvent('requestfailed', isStream);
      await nora.presses(/^Log out$/);
      await ended;
      await other.page.getByRole('link', { name: 'Log In' }).first().waitFor();
    }));

  test('a session that ended elsewhere ends its page at once', () =>
    atCampaigns(NO_POLLS, async (nora, page, id) => {
      await (await signIn(product.url, id)).post('/api/sessions/end-others');
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      expect(await nora.token()).toBeNull();
    }));

  test('a hidden page has no stream, and reads everything when it becomes visible', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      await nora.button('Meta ad services: Up').waitFor();
      const closed = page.waitForEvent('requestfailed', isStream);
      await page.evaluate(show('hidden'));
      await closed;
      await product.status.reports('High disruptions');
      await nora.serverKnows('HIGH_DISRUPTION');
      await expect.poll(() => nora.button('Meta ad services: Up').count()).toBe(1);
      await page.evaluate(show('visible'));
      await nora.button('Meta ad services: High disruption').waitFor();
    }));
});

function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === '/api/events';
}

function show(state: 'hidden' | 'visible'): string {
  return `{
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`;
}

/** A list counts as new for 30 s, and the page requests it every 15 s. */
const OLD_WITHIN_MS = 120_000;
const PAUSED = /^2 campaigns paused in 1 account\./;

describe('while Meta does not answer', () => {
  test('on a phone the last known list shows its age, and SmartPause can be turned on', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Coats: 'PAUSED' }, viewport: PHONE },
      async ({ nora, page }) => {
        await page.route('**/api/campaigns/*', async (route) => {
          const answer = await route.fetch();
          const at = new Date(Date.now() - 180_000).toISOString();
          const json = { ...((await answer.json()) as object), lastKnown: { at, because: 'no_answer' } };
          await route.fulfill({ response: answer, json });
        });
        await page.reload();
        const notice = page.getByRole('status').getByText('Can’t reach Meta.');
        await notice.waitFor();
        await nora.sees('Showing data from 3 minutes ago.');
        await nora.seesCampaign('Coats', 'PAUSED');
        await nora.turnsSmartPause('on', 'Shoes');
        await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'))
          .toBeLessThanOrEqual(PHONE.width);
        await page.unrouteAll({ behavior: 'wait' });
        await nora.turnsSmartPause('off', 'Shoes');
        await notice.waitFor({ state: 'hidden' });
        await nora.seesCampaign('Shoes', 'ACTIVE');
      },
    ));

  test('a list that was never read is shown as missing, and appears by itself', async () => {
    const { name, id } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    const match = { user: id, path: 'campaigns' };
    await product.graph.fault({ kind: 'html', http: 503, times: 0, match });
    await asVisitor(product, async (nora, page) => {
      await nora.arrivesAs(name, undefined, '/settings');
      await nora.opens('/');
      const notice = nora.campaigns().getByRole('status').getByText('Can’t reach Meta');
      await notice.waitFor({ timeout: OLD_WITHIN_MS });
      await nora.sees(/there’s no saved list for this ad account yet\. SmartPause keeps trying\./);
      await expect.poll(() => page.getByTestId('campaign-placeholder').count()).toBe(0);
      await page.reload();
      await notice.waitFor({ timeout: OLD_WITHIN_MS });
      const again = page.waitForRequest('**/api/campaigns/*');
      await nora.button('Try again').press('Enter');
      await again;
      await expect.poll(() => focusedName(page)).toBe('Try again');
      await expect.poll(() => notice.isVisible()).toBe(true);
      await product.graph.ask('DELETE', '/faults');
      await nora.campaign('Shoes').waitFor({ timeout: OLD_WITHIN_MS });
      await expect.poll(() => notice.count()).toBe(0);
    });
  });

  test('[DASH-03] a campaign that is not paused yet is not shown as paused', () =>
    asAdvertiser(
      product,
      { campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } },
      async ({ nora, page, account, id }) => {
        for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
        await product.graph.fault({ kind: 'html', http: 503, times: 0, match: { user: id } });
        await product.status.reports('High disruptions');
        await nora.sees('SmartPause Activated - Threshold Matched');
        await page
          .getByText(/^Pausing 2 campaigns\. Meta isn’t responding, so we keep trying\./)
          .waitFor({ timeout: OLD_WITHIN_MS });
        await expect.poll(() => page.getByText(PAUSED).count()).toBe(0);
        await expect.poll(() => account.statusOf('Hats')).toBe('ACTIVE');
        await product.graph.ask('DELETE', '/faults');
        await page.getByText(PAUSED).waitFor({ timeout: OLD_WITHIN_MS });
        for (const campaign of ['Shoes', 'Hats'])
          await expect.poll(() => account.statusOf(campaign)).toBe('PAUSED');
      },
    ));
});
