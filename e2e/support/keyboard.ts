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
