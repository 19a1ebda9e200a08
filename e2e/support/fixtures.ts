import { test as base, expect } from '@playwright/test';
import type { ConsoleMessage } from '@playwright/test';
import { User } from './user.ts';
import type { World } from './world.ts';
import { startWorld } from './world.ts';

/**
 * All tests of a worker use one world, in turn. After a test that has moved the world's clock the next test gets
 * a new world, because the clock of its browser shows the real time.
 */
class WorkerWorld {
  #current: World | null = null;

  /** @returns a reset world at the real time */
  async fresh(): Promise<World> {
    if (this.#current?.isShifted() === true) await this.close();
    this.#current ??= await startWorld();
    await this.#current.reset();
    return this.#current;
  }

  async close(): Promise<void> {
    await this.#current?.close();
    this.#current = null;
  }
}

interface Fixtures {
  /** The product and its simulators, reset before the test: no users but one admin, no outage, no faults. */
  world: World;
  /** A new Meta user with an ad account, who is not logged in. */
  nora: User;
  /** The errors that the page logged and did not catch; at the end of the test there is none. */
  faults: string[];
}

/** The browser logs every error response; tests cause them on purpose, but never for assets. */
function isFault(message: ConsoleMessage): boolean {
  const text = message.text();
  if (message.type() !== 'error' || /net::ERR_(FAILED|INTERNET_DISCONNECTED)/.test(text)) return false;
  return !text.startsWith('Failed to load resource') || message.location().url.includes('/assets/');
}

export const test = base.extend<Fixtures, { workerWorld: WorkerWorld }>({
  workerWorld: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const workerWorld = new WorkerWorld();
      await use(workerWorld);
      await workerWorld.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ workerWorld }, use) => use(await workerWorld.fresh()),
  faults: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (isFault(message)) faults.push(message.text());
    });
    await use(faults);
    expect(faults, 'errors of the page').toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  nora: async ({ page, world, faults: _ }, use) => {
    const nora = new User(page, world);
    await nora.runs({});
    await use(nora);
  },
});

export { expect };
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
