import type { Page } from 'playwright-core';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { Person } from '../../scripts/browser/person.ts';
import type { Product } from '../../scripts/browser/product.ts';

/** Somebody who has just come and logged in, in a browser of their own. */
export async function asSomebodyNew(
  product: Omit<Product, 'stop'>,
  act: (nora: Person, page: Page) => Promise<void>,
): Promise<void> {
  const { name } = await newAdvertiser(product.graph, {});
  await withPage(async (page) => {
    const nora = new Person(page, product);
    await nora.signsInAs(name);
    await act(nora, page);
  });
}
