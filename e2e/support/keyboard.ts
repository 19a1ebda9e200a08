import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../../scripts/outside/wait-for.ts';

const FOCUSED = `((element) => element === document.body ? '' : element?.getAttribute('aria-label')
  ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '')(document.activeElement)`;

/** What the focus is on, by its label or its words. */
export async function focusedName(page: Page): Promise<string> {
  return String(await page.evaluate(FOCUSED)).trim();
}

/** Goes on with Tab until the focus is on it, round and round: what belongs there may still be on its way. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`the keyboard does not reach ${String(name)}`);
}
