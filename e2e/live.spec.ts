import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { newAdvertiser } from './advertiser.ts';
import { withPage } from './browser.ts';
import { productOfThisSuite } from './fixture.ts';
import { Person } from './person.ts';

/** A page that never asks by itself again: whatever it shows later, it was told of. */
const NO_POLLS = `{
  const real = window.setInterval;
  window.setInterval = (run, ms, ...rest) => (ms >= 5000 ? 0 : real(run, ms, ...rest));
}`;
const STREAM = '**/api/events';
/** One that opens, says its first word, and breaks off. */
const BROKEN = { contentType: 'text/event-stream', body: 'data: {"what":"everything"}\n\n' };

describe('live pages', () => {
  const product = productOfThisSuite();

  /** Somebody new at their campaigns, on a page that was given this script. */
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

  interface Many {
    nora: Person;
    page: Page;
    names: string[];
    /** SmartPause for all of them, one after the other and not by way of the page. */
    turnAllOn: () => Promise<void>;
  }

  /** Somebody new with as many campaigns, looking at them. */
  async function withMany(count: number, use: (many: Many) => Promise<void>): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `Campaign ${index + 1}.`);
    const statuses = Object.fromEntries(names.map((one) => [one, 'ACTIVE'] as const));
    const { name, account } = await newAdvertiser(product.graph, statuses);
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      const over = await nora.overHttp();
      const { campaigns } = await over.get<{ campaigns: { id: string }[] }>(`/api/campaigns/${account.id}`);
      const turnAllOn = async (): Promise<void> => {
        for (const campaign of campaigns) await over.setSmartPause(account.id, campaign.id, true);
      };
      await use({ nora, page, names, turnAllOn });
    });
  }

  async function reloadLive(page: Page): Promise<void> {
    const opened = page.waitForResponse((answer) => isStream(answer.request()) && answer.status() === 200);
    await page.reload();
    await opened;
  }

  test('[API-21] an outage appears at once, without being asked for: the status, the pause, and the resume', () =>
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

  test('fifty campaigns paused together are a few readings, not fifty', () =>
    withMany(50, async ({ nora, page, names, turnAllOn }) => {
      await turnAllOn();
      await page.addInitScript(NO_POLLS);
      await reloadLive(page);
      await nora.seesCampaign(names[49] ?? '', 'ACTIVE');
      let readings = 0;
      page.on('request', (request) => (readings += request.url().includes('/api/campaigns/act_') ? 1 : 0));
      const at = performance.now();
      await product.status.reports('High disruptions');
      await waitFor('all to be shown as paused', async () => {
        return (await nora.campaigns().getByText('PAUSED', { exact: true }).count()) === 50;
      });
      // A list is read every 1.5 s at most, so a slow machine may need more of them.
      expect(readings).toBeLessThanOrEqual(2 + (performance.now() - at) / 1500);
    }));

  test('a stream that breaks is opened again, and what was missed is made up for', () =>
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

  test('who is told to come back later does so, and asks meanwhile', () =>
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
      expect(tries).toBe(1);
    }));

  test('without a stream the page asks, as ever', () =>
    atCampaigns('', async (nora, page) => {
      await page.route(STREAM, (route) => route.abort());
      await page.reload();
      await nora.seesCampaign('Bags', 'ACTIVE');
      await nora.turnsSmartPause('on', 'Bags');
      await product.status.reports('High disruptions');
      await nora.seesCampaign('Bags', 'PAUSED');
      await nora.sees('SmartPause Activated - Threshold Matched');
      expect(await page.getByText('SmartPause cannot be reached.').count()).toBe(0);
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

  test('a hidden page has no stream, and reads everything anew when it is looked at', () =>
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

  test('seven windows have one stream, and all hear by it; who has it is followed by the next', () =>
    atCampaigns(NO_POLLS, async (nora, page) => {
      const streams: Page[] = [];
      const context = page.context();
      context.on('request', (request) => isStream(request) && streams.push(request.frame().page()));
      const others: Person[] = [];
      for (let i = 2; i <= 7; i += 1) {
        const other = new Person(await context.newPage(), product);
        await other.page.addInitScript(NO_POLLS);
        await other.opens('/');
        await other.seesCampaign('Shoes', 'ACTIVE');
        others.push(other);
      }
      expect(streams).toEqual([]);
      await nora.turnsSmartPause('on', 'Shoes');
      await Promise.all(
        others.map((other) => waitFor('all to know', () => other.switchOf('Shoes').isChecked())),
      );

      // By being hidden.
      const second = context.waitForEvent('response', (answer) => isStream(answer.request()));
      await page.evaluate(show('hidden'));
      await second;
      await product.status.reports('High disruptions');
      for (const other of others) await other.seesCampaign('Shoes', 'PAUSED');
      expect(streams).toHaveLength(1);

      // By being closed.
      const third = context.waitForEvent('response', (answer) => isStream(answer.request()));
      await streams[0]?.close();
      await third;
      await product.status.reports('Resolved');
      const left = others.filter((other) => !other.page.isClosed());
      expect(left).toHaveLength(5);
      for (const other of left) await other.seesCampaign('Shoes', 'ACTIVE');

      // Back again, it takes part without a stream of its own.
      await page.evaluate(show('visible'));
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await left[0]?.presses('Manual Pause Bags');
      await nora.seesCampaign('Bags', 'PAUSED');
      expect(streams).toHaveLength(2);
    }));

  test('a browser without locks has a stream for each page', () =>
    atCampaigns(`${NO_POLLS} delete Navigator.prototype.locks;`, async (nora, page) => {
      const other = new Person(await page.context().newPage(), product);
      await other.page.addInitScript(`${NO_POLLS} delete Navigator.prototype.locks;`);
      const opened = other.page.waitForResponse((answer) => isStream(answer.request()));
      await other.opens('/');
      await opened;
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the other page to know', () => other.switchOf('Shoes').isChecked());
    }));

  test('a big account that is changed again and again is read at the pace of its answers', () =>
    withMany(60, async ({ nora, page, names, turnAllOn }) => {
      await page.addInitScript(NO_POLLS);
      await reloadLive(page);
      await nora.seesCampaign(names[0] ?? '', 'ACTIVE');
      const under = { now: 0, most: 0, all: 0, cancelled: 0 };
      const isList = (request: Request) => request.url().includes('/api/campaigns/act_');
      page.on('requestfailed', (request) => (under.cancelled += isList(request) ? 1 : 0));
      // A big account's list is slow.
      await page.route('**/api/campaigns/act_*', async (route) => {
        under.all += 1;
        under.now += 1;
        under.most = Math.max(under.most, under.now);
        const answer = await route.fetch();
        await new Promise((resolve) => setTimeout(resolve, 700));
        under.now -= 1;
        await route.fulfill({ response: answer });
      });
      const at = performance.now();
      await turnAllOn();
      await waitFor('the last one to be shown', () => nora.switchOf(names[59] ?? '').isChecked());
      const tookMs = performance.now() - at;
      expect(under).toMatchObject({ most: 1, cancelled: 0 });
      expect(under.all).toBeLessThanOrEqual(2 + tookMs / 2100);
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
