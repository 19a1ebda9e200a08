import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { focusedName, tabTo } from './keyboard.ts';

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

function seesTheFocus(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(IS_SEEN);
}

/** An advertiser without a mouse, for whom the focus must always be visible. */
export class KeyboardUser {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goesTo(name: string | RegExp): Promise<void> {
    await tabTo(this.page, name);
    await expect.poll(() => seesTheFocus(this.page), { message: String(name) }).toBe(true);
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

  /** Waits until the opened element has the focus: an earlier key could go elsewhere. */
  async isTakenInto(opened: Locator): Promise<void> {
    await expect(opened.locator(':focus')).toBeVisible();
  }
}
