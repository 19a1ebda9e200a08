import type { Disposable, Page } from 'playwright-core';
import { DESKTOP, PHONE, withKeptPage } from '../../scripts/browser/browser.ts';
import type { Somebody } from './somebody.ts';
import type { State, Visit } from './state.ts';
import type { World } from './world.ts';

/** What is done with a page while it is in a state. */
export type Look<T> = (page: Page, state: State) => Promise<T>;

/** Reaches a state as a new visitor, and gives the page to `look` while it is there. */
export async function visitState<T>(world: World, state: State, look: Look<T>): Promise<T> {
  await world.calmsDown();
  const viewport = state.only === 'phone' ? PHONE : DESKTOP;
  const seen: T[] = [];
  const scripts: Disposable[] = [];
  try {
    await withKeptPage(
      async (page) => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: 'light' });
        await state.reach(visitOf(page, world, scripts));
        seen.push(await look(page, state));
        await Promise.all(scripts.map((script) => script.dispose()));
      },
      { reducedMotion: 'reduce' },
    );
  } catch (error) {
    // What the page left in the console comes last.
    if (seen.length === 0 || state.throws !== true) throw error;
  }
  return seen[0] as T;
}

function visitOf(page: Page, world: World, scripts: Disposable[]): Visit {
  const { url } = world.product;
  const runsFirst = async (script: string) => void scripts.push(await page.addInitScript(script));
  let isHeld = false;
  return {
    page,
    world,
    opens: async (path, who) => {
      if (who === undefined) await page.goto(url + path);
      else await arrives(page, url + path, who);
      // Of a page that waits for a call there is no more than the shape of what comes.
      await page
        .locator(isHeld ? 'h1, [aria-busy=true]' : 'h1')
        .first()
        .waitFor();
    },
    sees: (words) => page.getByText(words).first().waitFor(),
    presses: (name) => page.getByRole('button', { name }).first().click(),
    holdsBack: async (addresses) => {
      isHeld = true;
      await page.route(addresses, () => undefined);
    },
    breaks: async (addresses, status) => {
      await page.route(addresses, (route) => {
        return status === undefined ? route.abort() : route.fulfill({ status });
      });
    },
    runsFirst,
    // Notices go after 3 to 8 seconds, and who has left is led away after 2.
    letsWordsStay: () => runsFirst(WORDS_STAY),
    hurries: () => runsFirst(HURRY),
  };
}

const WORDS_STAY = `{
  const later = window.setTimeout;
  window.setTimeout = (act, ms, ...more) => (ms >= 2000 && ms <= 8000 ? 0 : later(act, ms, ...more));
}`;

const HURRY = `for (const set of ['setTimeout', 'setInterval']) {
  const usual = window[set];
  window[set] = (act, ms, ...more) => usual(act, ms >= 1000 ? ms / 50 : ms, ...more);
}`;

/** The way a login comes back: with the token in the address, and a cookie that says which one it is. */
async function arrives(page: Page, address: string, { over }: Somebody): Promise<void> {
  const url = new URL(address);
  url.searchParams.set('token', over.token);
  const value = over.token.slice(0, 12);
  await page.context().addCookies([{ name: 'smartpause_arrival', value, url: url.origin }]);
  await page.goto(url.href);
}

export interface Shape {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

/** What everybody should look at: two screens in two colour schemes, as far as the state exists there. */
export function shapesOf({ only }: State): Shape[] {
  const screens = [...(only === 'phone' ? [] : [DESKTOP]), ...(only === 'desktop' ? [] : [PHONE])];
  return screens.flatMap((screen) => [
    { ...screen, scheme: 'light' as const },
    { ...screen, scheme: 'dark' as const },
  ]);
}

/** The page as it is on another screen or in other colours, without being loaded anew. */
export async function takeShape(page: Page, { width, height, scheme }: Shape): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  await page.evaluate(STANDS_STILL);
}

/** Fonts are there, and nothing moves any more but what moves without end. */
const STANDS_STILL = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await document.fonts.ready;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  await frame();
})()`;
