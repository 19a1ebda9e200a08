import type { Page, Request } from '@playwright/test';
import type { User } from '../support/user.ts';
import { PHONE, expect, test } from '../support/fixtures.ts';

/** A page that never polls: later changes can only arrive by the stream. */
const NO_POLLS = `{
  const real = window.setInterval;
  window.setInterval = (run, ms, ...rest) => (ms >= 5000 ? 0 : real(run, ms, ...rest));
}`;
const STREAM = '**/api/events';
const BROKEN = { contentType: 'text/event-stream', body: ':\n\n' };

/** On the campaigns page, with a stream and without polls. */
async function atCampaigns(nora: User): Promise<void> {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Bags: 'ACTIVE' } });
  await nora.page.addInitScript(NO_POLLS);
  await reloadLive(nora.page);
}

async function reloadLive(page: Page): Promise<void> {
  const opened = page.waitForResponse((answer) => isStream(answer.request()) && answer.status() === 200);
  await page.reload();
  await opened;
}

test('[API-21] an outage appears at once without a poll: status, pause and resume', async ({
  nora,
  page,
  world,
}) => {
  await atCampaigns(nora);
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await expect(page.getByText(/Meta ad services are up · since .* EST · last checked/)).toBeVisible();
  await nora.turnsSmartPause('on', 'Shoes');
  await world.reports('High disruptions');
  await expect(nora.button('Meta ad services: High disruption')).toBeVisible();
  await expect(page.getByRole('status').getByText('Meta ad services: High disruption')).toBeVisible();
  await nora.seesCampaign('Shoes', 'PAUSED');
  await expect(
    page.getByText(/High disruption since .* EST · last checked (just now|\d+ s ago)/),
  ).toBeVisible();
  await world.reports('Resolved');
  await expect(nora.button('Meta ad services: Up')).toBeVisible();
  await nora.seesCampaign('Shoes', 'ACTIVE');
});

test('a broken stream opens again, and the page reads the missed changes', async ({ nora, page, world }) => {
  await atCampaigns(nora);
  await page.route(STREAM, (route) => route.abort());
  await page.route(STREAM, (route) => route.fulfill(BROKEN), { times: 1 });
  const refused = page.waitForEvent('requestfailed', isStream);
  await page.reload();
  await expect(nora.button('Meta ad services: Up')).toBeVisible();
  await refused;
  await world.reports('High disruptions');
  await expect(nora.button('Meta ad services: Up')).toHaveCount(1);
  await expect(page.getByText('Can’t reach SmartPause.')).toHaveCount(0);
  await page.unroute(STREAM);
  await expect(nora.button('Meta ad services: High disruption')).toBeVisible();
});

test('a page whose stream is refused respects Retry-After and polls until then', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Bags: 'ACTIVE' } });
  const { account } = nora;

  let tries = 0;
  await page.route(STREAM, (route) => {
    tries += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: {} });
  });
  await page.clock.install();
  await page.reload();
  await nora.seesCampaign('Bags', 'ACTIVE');
  await nora.turnsSmartPause('on', 'Bags');
  await world.reports('High disruptions');
  await account.becomes('Bags', 'PAUSED');
  await page.clock.fastForward(30_000);
  await nora.seesCampaign('Bags', 'PAUSED');
  await nora.sees('SmartPause Activated - Threshold Matched');
  await expect(page.getByText('Can’t reach SmartPause.')).toHaveCount(0);
  expect(tries).toBe(1);
});

test('a hidden page has no stream, and reads everything when it becomes visible', async ({
  nora,
  page,
  world,
}) => {
  await atCampaigns(nora);
  await expect(nora.button('Meta ad services: Up')).toBeVisible();
  const closed = page.waitForEvent('requestfailed', isStream);
  await page.evaluate(show('hidden'));
  await closed;
  await world.reports('High disruptions');
  await expect(nora.button('Meta ad services: Up')).toHaveCount(1);
  await page.evaluate(show('visible'));
  await expect(nora.button('Meta ad services: High disruption')).toBeVisible();
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

test('on a phone the last known list shows its age, and SmartPause can be turned on', async ({
  nora,
  page,
}) => {
  await page.setViewportSize(PHONE);
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Coats: 'PAUSED' } });

  await page.route('**/api/campaigns/*', async (route) => {
    const answer = await route.fetch();
    const at = new Date(Date.now() - 180_000).toISOString();
    const json = { ...((await answer.json()) as object), lastKnown: { at, because: 'no_answer' } };
    await route.fulfill({ response: answer, json });
  });
  await page.reload();
  const notice = page.getByRole('status').getByText('Can’t reach Meta.');
  await expect(notice).toBeVisible();
  await nora.sees('Showing data from 3 minutes ago.');
  await nora.seesCampaign('Coats', 'PAUSED');
  await nora.turnsSmartPause('on', 'Shoes');
  await expect(nora.switchOf('Shoes')).toBeChecked();
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth'))
    .toBeLessThanOrEqual(PHONE.width);
  await page.unrouteAll({ behavior: 'wait' });
  await nora.turnsSmartPause('off', 'Shoes');
  await expect(notice).toBeHidden();
  await nora.seesCampaign('Shoes', 'ACTIVE');
});
