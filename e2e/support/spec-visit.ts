import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ROOT } from '../../scripts/run.ts';
import { expect, test as base } from './fixtures.ts';
import type { SpecWorld, SpecificationServer } from './spec-server.ts';
import { newWorld, startSpecificationServer } from './spec-server.ts';

export interface Visit {
  page: Page;
  url: string;
  world: SpecWorld;
  calls: string[];
  opens: (path: string) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  presses: (name: string) => Promise<void>;
  confirms: (name: string) => Promise<void>;
  isLoggedOut: () => Promise<void>;
  /** The addresses of the loaded documents. */
  documents: string[];
}

export const storedToken = (page: Page) => page.evaluate<string | null>("localStorage.getItem('authToken')");
export const shownCopy = (page: Page) => page.evaluate<string>('document.body.innerText');

/** A page of a server that follows the specification exactly. */
export const test = base.extend<{ begin: (world: SpecWorld) => Visit }, { server: SpecificationServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const server = await startSpecificationServer(join(ROOT, 'dist/web'), newWorld());
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  begin: async ({ page, server, faults: _ }, use) => {
    const { url, calls } = server;
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url().replace(url, ''));
    });
    await use((world) => {
      server.begin(world);
      return {
        ...{ page, url, world, calls, documents },
        opens: async (path) => void (await page.goto(url + path)),
        sees: (text) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible(),
        presses: (name) => page.getByRole('button', { name, exact: true }).click(),
        confirms: (name) => page.getByRole('dialog').getByRole('button', { name }).click(),
        isLoggedOut: async () => {
          // With or without a banner.
          await page.waitForURL(({ pathname }) => pathname === '/');
          await expect(page.getByRole('heading', { name: /^Stop paying/ })).toBeVisible();
          expect(await storedToken(page)).toBeNull();
        },
      };
    });
    expect(await shownCopy(page)).not.toMatch(
      /undefined|NaN|Invalid Date|could(?:n’t| not) be loaded|DEMO_(COPY|NAME|ADDRESS)/,
    );
    // Each document and each new token requests a stream once, which does not exist here.
    const streams = calls.filter((call) => call === 'GET /api/events').length;
    expect(streams).toBeLessThanOrEqual(documents.length + 1);
  },
});
