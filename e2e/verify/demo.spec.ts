import { DESKTOP, PHONE, expect, test } from '../support/fixtures.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../scripts/outside/demo.ts';
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
  await page.setViewportSize(PHONE);
  await page.goto(demo.url);
  await page.getByRole('link', { name: 'Open the demo' }).click();
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  // After the four links to the simulators.
  for (let stop = 0; stop < 5; stop += 1) await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Demo', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  const replay = page.getByRole('button', { name: 'In 30 seconds' });
  await replay.press('Enter');
  await expect(replay).toBeDisabled();
  await expect(replay).toBeFocused();
  const story = page.locator('demo-panel').getByRole('list');
  await expect(story.getByText(/^.*SmartPause paused 3\d campaigns in 2 ad accounts/)).toBeVisible();
  await expect(page.getByText(/3\d campaigns paused in 2 accounts/)).toBeVisible();
  await page
    .locator('demo-panel summary', {
      hasText: /^To daniel@northlane.example: SmartPause paused 3\d campaigns: Meta reports/,
    })
    .click({ timeout: 90_000 });
  await expect(page.locator('demo-panel pre').getByText('Northlane Bikes').first()).toBeVisible();
  await expect(story.getByText(/SmartPause resumed 3\d campaigns/)).toBeVisible({ timeout: 60_000 });
  for (const screen of [DESKTOP, PHONE, { width: 320, height: 640 }]) {
    await page.setViewportSize(screen);
    await standsStill(page);
    expect(await violationsOn(page), `${screen.width}`).toEqual([]);
    const panel = await page.locator('demo-panel section').boundingBox();
    expect(panel?.x, `${screen.width}`).toBeGreaterThanOrEqual(0);
    expect(panel?.y, `${screen.width}`).toBeGreaterThanOrEqual(0);
    expect((panel?.x ?? 0) + (panel?.width ?? 0), `${screen.width}`).toBeLessThanOrEqual(screen.width);
  }

  await page.getByRole('button', { name: 'Skip to tomorrow 12:01 AM EST' }).click();
  await expect(page.locator('demo-panel').getByRole('alert')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Demo', exact: true })).toBeVisible();
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
