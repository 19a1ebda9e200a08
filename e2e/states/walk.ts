import type { Disposable, Page } from 'playwright-core';
import { DESKTOP, PHONE, withKeptPage } from '../../scripts/browser/browser.ts';
import { arrives } from '../../scripts/browser/user.ts';
import type { State, Visit } from './state.ts';
import type { World } from './world.ts';

/** A check of a page in a state. */
export type Look<T> = (page: Page, state: State) => Promise<T>;

/** Reaches a state as a new visitor, and calls `look` there. */
export async function visitState<T>(world: World, state: State, look: Look<T>): Promise<T> {
  await world.reset();
  const screen = { viewport: state.only === 'phone' ? PHONE : DESKTOP, reducedMotion: 'reduce' } as const;
  const seen: T[] = [];
  const scripts: Disposable[] = [];
  try {
    await withKeptPage(async (page) => {
      await state.reach(visitOf(page, world, scripts));
      seen.push(await look(page, state));
      await Promise.all(scripts.map((script) => script.dispose()));
    }, screen);
  } catch (error) {
    // Console errors of the page come last.
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
      else await arrives(page, url + path, who.over.token);
      // A page that waits for a call shows only its placeholders.
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
    // Notices disappear after 3 to 8 s, and a user who has left is redirected after 2 s.
    keepsTextInPlace: () => runsFirst(WORDS_STAY),
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

export interface Shape {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

/** Two screens in two colour schemes, as far as the state exists there. */
export function shapesOf({ only }: Pick<State, 'only'>): Shape[] {
  const screens = [...(only === 'phone' ? [] : [DESKTOP]), ...(only === 'desktop' ? [] : [PHONE])];
  return screens.flatMap((screen) => [
    { ...screen, scheme: 'light' as const },
    { ...screen, scheme: 'dark' as const },
  ]);
}

/** Changes the screen or the colours of the page without a reload. */
export async function takeShape(page: Page, { width, height, scheme }: Shape): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  await page.evaluate(STANDS_STILL);
}

/** Resolves when fonts are loaded and only endless animations still run. */
const STANDS_STILL = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await document.fonts.ready;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  await frame();
})()`;
