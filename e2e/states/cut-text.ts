import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from '../../scripts/browser/browser.ts';
import type { Look } from './walk.ts';
import { takeShape } from './walk.ts';

const SCRIPT = readFileSync(join(import.meta.dirname, 'cut-text.js'), 'utf8');

/** Text that cannot be read now: cut off, out of reach or overlapping, one line each. */
export function cutTextOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SCRIPT);
}

/** The text spacing of WCAG 1.4.12. */
const SPACED = `* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
p { margin-bottom: 2em !important }`;

/** Applies that spacing to the page. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(SPACED)});
    document.adoptedStyleSheets.push(sheet);
  }`);
}

/** The narrowest width of WCAG 1.4.10, and 1280 px at 200 %. */
const NARROW = { width: 320, height: 640, scheme: 'light' } as const;
const ENLARGED = { width: 640, height: 450, scheme: 'light' } as const;

/** Checks a narrow screen, enlarged text, and spaced text on a normal screen. */
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
