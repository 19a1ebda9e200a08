import type { Page } from 'playwright-core';
import type { World } from './world.ts';
import type { Somebody } from './somebody.ts';

/** A browser's page on its way into a state. */
export interface Visit {
  page: Page;
  world: World;
  /** Opens a page of the product, as somebody who is logged in or as nobody. */
  opens: (path: string, who?: Somebody) => Promise<unknown>;
  /** Waits until these words are there. */
  sees: (words: string | RegExp) => Promise<unknown>;
  presses: (name: string | RegExp) => Promise<unknown>;
  /** Calls to these addresses get no answer for as long as the page is open. */
  holdsBack: (addresses: string) => Promise<unknown>;
  /** Calls to these addresses fail. */
  breaks: (addresses: string, status?: number) => Promise<unknown>;
  /** This script runs before those of every page that is opened afterwards. */
  runsFirst: (script: string) => Promise<unknown>;
  /** Words that go away by themselves stay; for pages that are opened afterwards. */
  letsWordsStay: () => Promise<unknown>;
  /** What happens after seconds happens at once; for pages that are opened afterwards. */
  hurries: () => Promise<unknown>;
}

/** One state of one page: how it is called, and how it is reached through the running product. */
export interface State {
  name: string;
  reach: (visit: Visit) => Promise<unknown>;
  /** There is no such thing on the other screen. */
  only?: 'desktop' | 'phone';
  /** The page breaks, and the console tells of it as it should. */
  throws?: boolean;
  /** Too long for a picture of all of it, or with something that keeps to the window's edge. */
  endless?: boolean;
}

/** A part of the product with all its states; pictures of them are kept together. */
export interface Area {
  name: string;
  states: readonly State[];
}
