import type { Page } from 'playwright-core';
import type { World } from './world.ts';
import type { Advertiser, Wish } from './advertiser.ts';

/** A page on its way to a state. */
export interface Visit {
  page: Page;
  world: World;
  /** Opens a page of the product, as this user or logged out. */
  opens: (path: string, who?: Advertiser) => Promise<unknown>;
  sees: (words: string | RegExp) => Promise<unknown>;
  presses: (name: string | RegExp) => Promise<unknown>;
  /** Calls to these addresses get no response while the page is open. */
  holdsBack: (addresses: string) => Promise<unknown>;
  breaks: (addresses: string, status?: number) => Promise<unknown>;
  /** Runs this script before those of every page that is opened afterwards. */
  runsFirst: (script: string) => Promise<unknown>;
  /** Messages that disappear by themselves stay, on pages that are opened afterwards. */
  keepsTextInPlace: () => Promise<unknown>;
  /** Timers of 1 s or more run 50 times faster, on pages that are opened afterwards. */
  hurries: () => Promise<unknown>;
}

/** One state of one page: its name, and the steps that reach it in the running product. */
export interface State {
  name: string;
  reach: (visit: Visit) => Promise<unknown>;
  /** The only screen on which the state exists. */
  only?: 'desktop' | 'phone';
  /** The page fails to render and logs an error, as expected. */
  throws?: boolean;
  /** Too long for a full-page picture, or with an element that sticks to the window's edge. */
  endless?: boolean;
}

/** A part of the product with all its states; its pictures share a folder. */
export interface Area {
  name: string;
  states: readonly State[];
}

interface Subscriber extends Wish {
  /** The status of the subscription at the payment provider. */
  status?: string;
  isCanceled?: boolean;
}

/** The page at this address as a new advertiser sees it, and the words that show the state. */
export function seenBy(
  name: string,
  path: string,
  words: string | RegExp,
  { status, isCanceled = false, ...wish }: Subscriber = {},
): State {
  return {
    name,
    reach: async ({ opens, sees, world }) => {
      const nora = await world.advertiser(wish);
      if (status !== undefined) await nora.subscriptionBecomes(status);
      if (isCanceled) await nora.cancels();
      await opens(path, nora);
      await sees(words);
    },
  };
}
