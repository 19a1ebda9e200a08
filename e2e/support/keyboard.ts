import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const FOCUSED = `((element) => element === document.body ? '' : element?.getAttribute('aria-label')
  ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '')(document.activeElement)`;

/** More than any page has. */
const MOST_TABS = 300;

/** The label or the text of the focused element. */
export async function focusedName(page: Page): Promise<string> {
  return String(await page.evaluate(FOCUSED)).trim();
}

/** Presses Tab until the element has the focus, several times around: it may still be loading. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`the keyboard does not reach ${String(name)}`);
}

/**
 * Whether the focus is visible: on the screen, not fully covered, and marked,
 * also where a label draws the control.
 */
const IS_SEEN = `(() => {
  const element = document.activeElement;
  const drawn = [element, ...(element.labels ?? []), element.nextElementSibling, element.parentElement].filter(Boolean);
  // What is no larger than a point is drawn by another one.
  const isPoint = element.offsetWidth <= 1 || element.offsetHeight <= 1 || getComputedStyle(element).opacity === '0';
  const parts = [0.05, 0.3, 0.5, 0.7, 0.95];
  const onTop = (isPoint ? drawn : [element]).some((one) => {
    const { top, left, width, height } = one.getBoundingClientRect();
    return parts.some((x) => parts.some((y) =>
      one.contains(document.elementFromPoint(left + x * width, top + y * height))));
  });
  // The toggle's track, which has the outline, is its pseudo-element.
  const marked = drawn.some((one) => [null, '::before'].some((pseudo) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, pseudo);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  }));
  return onTop && marked;
})()`;

/** An advertiser without a mouse, for whom the focus must always be visible. */
export class KeyboardUser {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goesTo(name: string | RegExp): Promise<void> {
    await tabTo(this.page, name);
    await expect.poll(() => this.page.evaluate<boolean>(IS_SEEN), { message: String(name) }).toBe(true);
  }

  async presses(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  async opens(name: string | RegExp): Promise<void> {
    await this.goesTo(name);
    await this.presses('Enter');
  }

  async types(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Waits until the program has moved the focus there. */
  async isPutOn(name: string): Promise<void> {
    await expect.poll(() => focusedName(this.page).catch(() => '')).toBe(name);
  }
}
