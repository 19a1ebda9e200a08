import type { Page } from 'playwright-core';
import type { AdAccount } from '../../scripts/browser/advertiser.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import type { Screen } from '../../scripts/browser/browser.ts';
import { withKeptPage, withPage } from '../../scripts/browser/browser.ts';
import type { Product } from '../../scripts/browser/product.ts';
import type { Setup } from '../../scripts/browser/user.ts';
import { User } from '../../scripts/browser/user.ts';

type Running = Omit<Product, 'stop'>;

interface Visit {
  nora: User;
  page: Page;
  name: string;
  id: string;
  account: AdAccount;
}

interface Arrival extends Screen {
  campaigns?: Parameters<typeof newAdvertiser>[1];
  /** Null: the setup is not completed. */
  setup?: Setup | null;
  path?: string;
  /** In a new context: for visits with an init script, a page clock, or an eye on the history. */
  isFresh?: boolean;
}

/** A new advertiser with these campaigns, subscribed and set up, with the campaigns open. */
export async function asAdvertiser(
  product: Running,
  { campaigns = {}, setup, path, isFresh = false, ...screen }: Arrival,
  act: (visit: Visit) => Promise<void>,
): Promise<void> {
  const advertiser = await newAdvertiser(product.graph, campaigns);
  await (isFresh ? withPage : withKeptPage)(async (page) => {
    const nora = new User(page, product);
    await nora.arrivesAs(advertiser.name, setup, path);
    await act({ nora, page, ...advertiser });
  }, screen);
}

/** A visitor who is not logged in. */
export const asVisitor = <T>(
  product: Running,
  act: (visitor: User, page: Page) => Promise<T>,
  screen: Screen = {},
): Promise<T> => withKeptPage((page) => act(new User(page, product), page), screen);

/** A new advertiser who has logged in and has no subscription. */
export async function asNewUser(
  product: Running,
  act: (nora: User, page: Page, name: string) => Promise<void>,
  { isFresh = false, ...screen }: Pick<Arrival, 'isFresh' | keyof Screen> = {},
): Promise<void> {
  const { name } = await newAdvertiser(product.graph, {});
  await (isFresh ? withPage : withKeptPage)(async (page) => {
    const nora = new User(page, product);
    await nora.signsInAs(name);
    await act(nora, page, name);
  }, screen);
}
