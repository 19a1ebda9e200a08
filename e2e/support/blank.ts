import type { Page } from 'playwright-core';

/** A page of the product's origin without anything of the product in it: whatever the browser stores can be set there. */
export async function openBlank(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/blank`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${origin}/blank`);
}
