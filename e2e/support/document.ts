import type { Page } from 'playwright-core';

/** Whether the script of the landing page is active. */
export function isAlive(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.querySelector('#root')?.dataset.alive !== undefined");
}

/** A blank page of the product's origin, for setting the browser's storage. */
export async function openBlank(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/blank`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${origin}/blank`);
}
