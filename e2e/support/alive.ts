import type { Page } from 'playwright-core';

/** Whether the script has taken over: it says so. */
export function isAlive(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.querySelector('#root')?.dataset.alive !== undefined");
}
