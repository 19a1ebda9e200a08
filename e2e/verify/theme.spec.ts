import type { Page } from '@playwright/test';

import { expect, test } from '../support/fixtures.ts';
import { tabTo } from '../support/keyboard.ts';

const GROUND = { light: 'rgb(246, 247, 249)', dark: 'rgb(15, 18, 22)' };

function groundOf(page: Page): Promise<string> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}

async function isSoon(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await expect.poll(() => groundOf(page)).toBe(GROUND[scheme]);
}

const choice = (page: Page) => page.getByRole('contentinfo').getByLabel('Color theme');

/** The colours of every frame since the first paint. */
const WATCH_FRAMES = `
  globalThis.grounds = [];
  const note = () => {
    if (document.body !== null) grounds.push(getComputedStyle(document.documentElement).backgroundColor);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);`;

test('a theme chosen by keyboard stays after login and in every frame of a reload', async ({
  nora,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await nora.opens('/terms');
  await expect(choice(page)).toHaveValue('auto');
  expect(await groundOf(page)).toBe(GROUND.light);
  await tabTo(page, 'Color theme');
  await page.keyboard.press('End');
  await isSoon(page, 'dark');
  await expect(choice(page)).toHaveValue('dark');

  await nora.signsIn();
  await isSoon(page, 'dark');
  await page.addInitScript(WATCH_FRAMES);
  for (const path of ['/', '/settings', '/terms']) {
    await nora.opens(path);
    await expect(choice(page)).toHaveValue('dark');
    const frames = await page.evaluate<string[]>('grounds');
    expect(new Set(frames), path).toEqual(new Set([GROUND.dark]));
  }
});
