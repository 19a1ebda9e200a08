import type { Page } from 'playwright-core';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { focusedName, tabTo } from './keyboard.ts';

/** Whether the focus can be seen: on the screen, and marked, be it at the label of a control that is drawn by it. */
const IS_SEEN = `(() => {
  const element = document.activeElement;
  const drawn = [element, ...(element.labels ?? []), element.nextElementSibling, element.parentElement].filter(Boolean);
  const onScreen = drawn.some((one) => {
    const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  });
  const marked = drawn.some((one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  });
  return onScreen && marked;
})()`;

/** Somebody without a mouse, who must always see where they are. */
export class KeyboardUser {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goesTo(name: string | RegExp): Promise<void> {
    await tabTo(this.page, name);
    await waitFor(
      `the focus on ${String(name)} to be seen`,
      () => this.page.evaluate<boolean>(IS_SEEN),
      2000,
    );
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

  /** Waits until the focus has been put where it belongs. */
  async isPutOn(name: string): Promise<void> {
    await waitFor(`the focus on ${name}`, () => this.isOn(name));
  }

  /** A page that is just going away has no focus. */
  private isOn(name: string): Promise<boolean> {
    return focusedName(this.page).then(
      (focused) => focused === name,
      () => false,
    );
  }
}
