import type { Page } from 'playwright-core';

/** Whether the script has taken over: React marks what it looks after. */
export function isAlive(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    "Object.keys(document.querySelector('#root > *')).some((key) => key.startsWith('__react'))",
  );
}
