import type { Locator, Page } from 'playwright-core';
import type { Screen } from '../../scripts/browser/browser.ts';
import { withKeptPage } from '../../scripts/browser/browser.ts';
import { User, arrives } from '../../scripts/browser/user.ts';
import { signIn } from '../../scripts/outside/user.ts';
import { BOSS } from '../support/fixture.ts';
import type { productOfThisSuite } from '../support/fixture.ts';

type Product = ReturnType<typeof productOfThisSuite>;

/** The admin on the admin page, without an override. */
export async function asTheBoss(
  product: Product,
  act: (boss: User, page: Page) => Promise<void>,
  screen: Screen = {},
): Promise<void> {
  const over = await signIn(product.url, BOSS.id);
  await over.post('/api/admin/clear');
  await withKeptPage(async (page) => {
    await arrives(page, `${product.url}/admin`, over.token);
    // Until the environment is known, every action asks for confirmation.
    await fact(page, 'Overridden').waitFor();
    await act(new User(page, product), page);
  }, screen);
}

export const part = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** The value beside a label in the list of facts. */
export const fact = (page: Page, name: string): Locator =>
  part(page, 'System status').locator('dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
