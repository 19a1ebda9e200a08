import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

const CUT_TEXT = readFileSync(join(import.meta.dirname, '../states/cut-text.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Accessibility violations of the page as it is now, one line each. */
export async function violationsOn(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    runOnly: { type: 'tag', values: TAGS },
    rules: { 'target-size': { enabled: true } },
    // Selectors of the elements that pass would take most of the time.
    resultTypes: ['violations'],
  });
  // No page has frames, so axe needs no second page to join the results of frames.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .map(({ target, html, any }) => ({ target: target.join(' '), html, why: any[0]?.message ?? '' }))
      // A row that scrolls under a bar which stays in view: scrolling shows it whole.
      .filter(({ target, why }) => !(target.includes('[data-campaign') && why.includes('obscured')))
      .map(({ target, html, why }) => `${id}: ${target}: ${why} ${html.slice(0, 160)}`),
  );
}

/** Text that cannot be read now: cut off, out of reach or overlapping, one line each. */
export function cutTextOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(CUT_TEXT);
}

/** Applies the text spacing of WCAG 1.4.12. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(\`* { line-height: 1.5 !important; letter-spacing: .12em !important;
      word-spacing: .16em !important } p { margin-bottom: 2em !important }\`);
    document.adoptedStyleSheets.push(sheet);
  }`);
}

/** Resolves when fonts are loaded and only endless animations still run. */
export async function standsStill(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await document.fonts.ready;
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
    await frame();
  })()`);
}

/** Clock step between two checks of a message. */
const STEP_MS = 100;

/** Uses the paused clock of the page, so the speed of the machine does not matter. */
export async function isShownFor(message: Locator, ms: number, act: () => Promise<void>): Promise<void> {
  const { clock } = message.page();
  await clock.install();
  await clock.pauseAt((await message.page().evaluate<number>('Date.now()')) + 1000);
  await act();
  await expect(async () => {
    await clock.runFor(STEP_MS);
    expect(await message.isVisible()).toBe(true);
  }).toPass({ intervals: [25] });
  await clock.runFor(ms - 2 * STEP_MS);
  await expect(message).toBeVisible();
  await clock.runFor(3 * STEP_MS);
  await expect(message).toBeHidden();
  await clock.resume();
}
