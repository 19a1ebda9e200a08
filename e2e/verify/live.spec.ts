import type { Request } from '@playwright/test';
import type { User } from '../support/user.ts';
import { expect, test } from '../support/fixtures.ts';

/** A page that never polls: later changes can only arrive by the stream. */
const NO_POLLS = `{
  const real = window.setInterval;
  window.setInterval = (run, ms, ...rest) => (ms >= 5000 ? 0 : real(run, ms, ...rest));
}`;
const STREAM = '**/api/events';

function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === '/api/events';
}

/** On the campaigns page, with a stream and without polls. */
async function atCampaigns(nora: User): Promise<void> {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await nora.page.addInitScript(NO_POLLS);
  const opened = nora.page.waitForResponse((answer) => isStream(answer.request()) && answer.status() === 200);
  await nora.page.reload();
  await opened;
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
}

test('a broken stream opens again, and the page reads the missed changes', async ({ nora, page, world }) => {
  await atCampaigns(nora);
  await page.route(STREAM, (route) => route.abort());
  const broken = { contentType: 'text/event-stream', body: ':\n\n' };
  await page.route(STREAM, (route) => route.fulfill(broken), { times: 1 });
  const refused = page.waitForEvent('requestfailed', isStream);
  await page.clock.install();
  await page.reload();
  await expect(nora.link('Meta ad services: Up')).toBeVisible();
  await refused;
  await world.reports('High disruptions');
  await expect(nora.link('Meta ad services: Up')).toHaveCount(1);
  await expect(page.getByText('Can’t reach SmartPause.')).toHaveCount(0);
  await page.unroute(STREAM);
  // A try under way has not set the timer of the next one yet.
  await expect(async () => {
    await page.clock.fastForward(60_000);
    expect(await nora.link('Meta ad services: High disruption').isVisible()).toBe(true);
  }).toPass();
});

test('a page whose stream is refused respects Retry-After and polls until then', async ({ nora, page }) => {
  await nora.arrives({ campaigns: { Bags: 'ACTIVE' } });
  let tries = 0;
  await page.route(STREAM, (route) => {
    tries += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: {} });
  });
  await page.clock.install();
  await page.reload();
  await nora.isPausedInOutage('Bags');
  await page.clock.fastForward(30_000);
  await nora.seesCampaign('Bags', 'PAUSED');
  expect(tries).toBe(1);
});

test('a hidden page has no stream, and reads everything when it becomes visible', async ({
  nora,
  page,
  world,
}) => {
  await atCampaigns(nora);
  const turns = (state: 'hidden' | 'visible') =>
    page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
  const closed = page.waitForEvent('requestfailed', isStream);
  await turns('hidden');
  await closed;
  await world.reports('High disruptions');
  await expect(nora.link('Meta ad services: Up')).toHaveCount(1);
  await turns('visible');
  await expect(nora.link('Meta ad services: High disruption')).toBeVisible();
});
