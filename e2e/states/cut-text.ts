import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from '../../scripts/browser/browser.ts';
import type { Look } from './walk.ts';
import { takeShape } from './walk.ts';

const SCRIPT = readFileSync(join(import.meta.dirname, 'cut-text.js'), 'utf8');

/** Text on the page that cannot be read as the page is now: cut off, out of reach or overlapping, one line each. */
export function cutTextOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SCRIPT);
}

/** What WCAG 1.4.12 lets people ask of every page. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
p { margin-bottom: 2em !important }`;

/** The same page with its letters, words and lines set further apart. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(SPACED)});
    document.adoptedStyleSheets.push(sheet);
  }`);
}

/** The narrowest that WCAG 1.4.10 asks for, and what is left of 1280 when the page is twice as large. */
const NARROW = { width: 320, height: 640, scheme: 'light' } as const;
const ENLARGED = { width: 640, height: 450, scheme: 'light' } as const;

/** On a narrow screen, enlarged, and with spaced text on a usual one. */
export const cutTextOfState: Look<string[]> = async (page, { only }) => {
  const faults: string[] = [];
  const look = async (how: string): Promise<void> => {
    faults.push(...(await cutTextOn(page)).map((fault) => `${how}: ${fault}`));
  };
  const shapes = only === 'desktop' ? [{ ...DESKTOP, scheme: 'light' as const }] : [ENLARGED, NARROW];
  for (const shape of shapes) {
    await takeShape(page, shape);
    await look(`${shape.width}`);
  }
  await spaceText(page);
  await takeShape(page, { ...(only === 'desktop' ? DESKTOP : PHONE), scheme: 'light' });
  await look('spaced');
  return faults;
};
