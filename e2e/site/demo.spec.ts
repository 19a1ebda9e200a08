import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHONE, sharedBrowser } from '../../scripts/browser/browser.ts';
import { startDemo } from '../../scripts/outside/demo.ts';
import { FOLDER, wordsOf } from '../../scripts/pictures/readme.ts';
import { violationsOn } from '../states/axe.ts';
import { shapesOf, takeShape } from '../states/walk.ts';

const NARROWEST = { width: 320, height: 640, scheme: 'light' } as const;

describe('npm start', () => {
  let url = '';
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, stop } = await startDemo());
  });
  afterAll(async () => {
    await stop();
  });

  test('[DEMO-01] opens an example advertiser with one click, replays an outage and tells what happens', async () => {
    const context = await (await sharedBrowser()).newContext({ viewport: PHONE });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(url);
    await page.getByRole('link', { name: 'Open the demo' }).click();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Demo', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'In 30 seconds' }).press('Enter');
    const story = page.locator('demo-panel').getByRole('list');
    await story.getByText(/^.*SmartPause paused 3\d campaigns in 2 ad accounts/).waitFor({ timeout: 60_000 });
    await page.getByText(/3\d campaigns paused in 2 accounts/).waitFor({ timeout: 60_000 });
    await page
      .locator('demo-panel')
      .getByText(/SmartPause paused 3\d campaigns: Meta reports/)
      .click({ timeout: 90_000 });
    await page.locator('demo-panel pre').getByText('Northlane Bikes').first().waitFor();
    await story.getByText(/SmartPause resumed 3\d campaigns/).waitFor({ timeout: 90_000 });
    for (const shape of [...shapesOf({}), NARROWEST]) {
      await takeShape(page, shape);
      expect(await violationsOn(page), JSON.stringify(shape)).toEqual([]);
      const panel = await page.locator('demo-panel section').boundingBox();
      expect(panel?.x, JSON.stringify(shape)).toBeGreaterThanOrEqual(0);
      expect(panel?.y, JSON.stringify(shape)).toBeGreaterThanOrEqual(0);
      expect((panel?.x ?? 0) + (panel?.width ?? 0), JSON.stringify(shape)).toBeLessThanOrEqual(shape.width);
    }

    await page.getByRole('button', { name: 'Pause in Ads Manager' }).click();
    await page.getByRole('button', { name: 'Resume in Ads Manager' }).waitFor();
    await page.getByRole('button', { name: 'Let Meta fail' }).click();
    await page.getByRole('button', { name: 'Let Meta recover' }).click();
    await page.getByRole('button', { name: 'Back to normal' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Demo', exact: true }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test('[DEMO-02] the README’s pictures show the current page: else run npm run screenshots -- readme', async () => {
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 1200, height: 720 } });
    const page = await context.newPage();
    await page.goto(`${url}/_demo/sign-in`);
    await page.getByText('Summer Drop | Prospecting | B').waitFor({ timeout: 60_000 });
    await page.request.post(`${url}/_demo/replay`, { data: { seconds: 30 } });
    await page.getByText(/3\d campaigns paused in 2 accounts/).waitFor({ timeout: 60_000 });
    expect(await wordsOf(page)).toBe(await readFile(join(FOLDER, 'outage.txt'), 'utf8'));
    await page.request.post(`${url}/_demo/reset`, { data: {} });
    await context.close();
  });
});
