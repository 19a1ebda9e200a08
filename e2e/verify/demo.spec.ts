import { DESKTOP, PHONE, expect, test } from '../support/fixtures.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../test/support/demo.ts';
import { FOLDER, wordsOf } from '../support/readme-pictures.ts';
import { standsStill, violationsOn } from '../support/checks.ts';

let demo: Awaited<ReturnType<typeof startDemo>>;

test.beforeAll(async () => {
  demo = await startDemo();
  await demo.runs();
});
test.afterAll(() => demo.stop());

test('[DEMO-01] opens an example advertiser with one click, replays an outage and tells what happens', async ({
  page,
  faults,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ ...DESKTOP, width: 1536 });
  await page.goto(demo.url);
  const replay = page.getByRole('button', { name: 'Replay January 8' });
  await replay.press('Enter');
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  await expect(replay).toBeDisabled();
  const panel = page.locator('demo-panel section');
  const edge = async () => (await panel.boundingBox())?.x ?? 0;
  const main = await page.getByRole('main').boundingBox();
  expect((main?.x ?? 0) + (main?.width ?? 0), 'the rail is beside the page').toBeLessThanOrEqual(
    await edge(),
  );
  const logout = await page.getByRole('button', { name: 'Log out' }).boundingBox();
  expect((logout?.x ?? 0) + (logout?.width ?? 0)).toBeLessThanOrEqual(await edge());
  const story = page.locator('demo-panel').getByRole('list');
  await expect(story.getByText(/^.*SmartPause paused 3\d campaigns in 2 ad accounts/)).toBeVisible();
  await expect(page.getByText(/3\d campaigns paused in 2 accounts/)).toBeVisible();
  await page
    .locator('demo-panel summary', {
      hasText: /^To daniel@northlane.example: SmartPause paused 3\d campaigns: Meta reports/,
    })
    .click({ timeout: 90_000 });
  await expect(page.locator('demo-panel pre').getByText('Northlane Bikes').first()).toBeVisible();
  await expect(story.getByText(/SmartPause resumed 3\d campaigns/)).toBeVisible({ timeout: 90_000 });
  await page.setViewportSize(PHONE);
  await expect(story).toBeHidden();
  await page.getByRole('button', { name: 'Details' }).press('Enter');
  for (const screen of [DESKTOP, PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(screen);
    await standsStill(page);
    expect(await violationsOn(page), `${screen.width}`).toEqual([]);
    await expect(page.getByRole('button', { name: 'Close' }), `${screen.width}`).toBeInViewport({ ratio: 1 });
    await expect(replay, `${screen.width}`).toBeInViewport({ ratio: 1 });
  }

  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Skip to tomorrow 12:01 AM EST' }).click();
  await loaded;
  await expect(page.getByText(/last checked/)).toHaveText(/last checked (just now|\d+ seconds? ago)/);
  await page.getByRole('button', { name: 'Close' }).press('Escape');
  await expect(page.getByRole('button', { name: 'Show the replay' })).toBeFocused();
  expect(faults).toEqual([]);
});

test('[DEMO-02] the README’s pictures show the current page: else run npm run screenshots -- readme', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1200, height: 720 });
  await page.goto(`${demo.url}/_demo/sign-in`);
  await expect(page.getByText('Summer Drop | Prospecting | B')).toBeVisible();
  await page.request.post(`${demo.url}/_demo/replay`, { data: { seconds: 30 } });
  await expect(page.getByText(/3\d campaigns paused in 2 accounts/)).toBeVisible();
  expect(await wordsOf(page)).toBe(await readFile(join(FOLDER, 'outage.txt'), 'utf8'));
});
