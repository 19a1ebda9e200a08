import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

/** A page that never polls: whatever it shows later arrived by the stream. */
const NO_POLLS = `{
  const real = window.setInterval;
  window.setInterval = (run, ms, ...rest) => (ms >= 5000 ? 0 : real(run, ms, ...rest));
}`;
const STREAM = '**/api/events';
/** A stream that opens and ends at once. */
const BROKEN = { contentType: 'text/event-stream', body: ':\n\n' };

describe('live pages', () => {
  const product = productOfThisSuite();

  /** A new user on the campaigns page, which runs this script first. */
  async function atCampaigns(
    script: string,
    use: (nora: Person, page: Page) => Promise<void>,
  ): Promise<void> {
    const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Bags: 'ACTIVE' });
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await page.addInitScript(script);
      await reloadLive(page);
      await use(nora, page);
    });
  }

  async function reloadLive(page: Page): Promise<void> {
    const opened = page.waitForResponse((answer) => isStream(answer.request()) && answer.status() === 200);
    await page.reload();
    await opened;
  }

  test('[API-21] an outage appears at once and without a poll: the status, the pause, and the resume', () =>
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

  test('a broken stream is opened again, and the page reads what it missed', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      await page.route(STREAM, (route) => route.abort());
      await page.route(STREAM, (route) => route.fulfill(BROKEN), { times: 1 });
      const refused = page.waitForEvent('requestfailed', isStream);
      await page.reload();
      await nora.button('Meta ad services: Up').waitFor();
      await refused;
      await product.status.reports('High disruptions');
      const over = await nora.overHttp();
      await waitFor('the server to know', async () => {
        return (await over.get<{ status: string }>('/api/status')).status === 'HIGH_DISRUPTION';
      });
      expect(await nora.button('Meta ad services: Up').count()).toBe(1);
      expect(await page.getByText('SmartPause cannot be reached.').count()).toBe(0);
      await page.unroute(STREAM);
      await nora.button('Meta ad services: High disruption').waitFor({ timeout: 40_000 });
    }));

  test('a page whose stream is refused comes back as late as it was told, and polls meanwhile', () =>
    atCampaigns('', async (nora, page) => {
      let tries = 0;
      await page.route(STREAM, (route) => {
        tries += 1;
        return route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: {} });
      });
      await page.reload();
      await nora.seesCampaign('Bags', 'ACTIVE');
      await nora.turnsSmartPause('on', 'Bags');
      await product.status.reports('High disruptions');
      await nora.seesCampaign('Bags', 'PAUSED');
      await nora.sees('SmartPause Activated - Threshold Matched');
      expect(await page.getByText('SmartPause cannot be reached.').count()).toBe(0);
      expect(tries).toBe(1);
    }));

  test('what is done on one page appears on the other, and a logout is for both', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      const other = new Person(await page.context().newPage(), product);
      await other.page.addInitScript(NO_POLLS);
      await other.opens('/');
      await other.seesCampaign('Shoes', 'ACTIVE');
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the other page to know', () => other.switchOf('Shoes').isChecked());
      await other.presses('Manual Pause Bags');
      await nora.seesCampaign('Bags', 'PAUSED');
      const ended = page.waitForEvent('requestfailed', isStream);
      await nora.presses('Log out');
      await ended;
      await other.page.getByRole('link', { name: 'Log In' }).first().waitFor();
    }));

  test('a session that is ended elsewhere ends its page at once', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      const over = await nora.overHttp();
      const { sessions } = await over.get<{ sessions: { id: string }[] }>('/api/sessions');
      await over.post(`/api/sessions/${sessions[0]?.id ?? ''}/end`);
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
      expect(await nora.token()).toBeNull();
    }));

  test('a hidden page has no stream, and reads everything when it is visible again', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      await nora.button('Meta ad services: Up').waitFor();
      const closed = page.waitForEvent('requestfailed', isStream);
      await page.evaluate(show('hidden'));
      await closed;
      await product.status.reports('High disruptions');
      const over = await nora.overHttp();
      await waitFor('the server to know', async () => {
        return (await over.get<{ status: string }>('/api/status')).status === 'HIGH_DISRUPTION';
      });
      expect(await nora.button('Meta ad services: Up').count()).toBe(1);
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
