import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Steps the page's clock, as the timer of the next step may not be set yet. */
export const passesUntil = (page: Page, isSo: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await page.clock.fastForward(15_000);
      return isSo();
    })
    .toBe(true);
