import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { ROOT } from '../../scripts/run.ts';
import { withKeptPage } from '../../scripts/browser/browser.ts';
import type { SpecificationServer, World } from './server.ts';
import { startSpecificationServer } from './server.ts';
import { newWorld } from './worlds.ts';

const FOLDER = join(ROOT, 'dist/web');

export interface Visit {
  page: Page;
  url: string;
  world: World;
  calls: string[];
  opens: (path: string) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  presses: (name: string) => Promise<void>;
  confirms: (name: string) => Promise<void>;
  storedToken: () => Promise<string | null>;
  /** The addresses of the loaded documents. */
  documents: string[];
}

let server: SpecificationServer;
beforeAll(async () => {
  server = await startSpecificationServer(FOLDER, newWorld());
});
afterAll(() => server.stop());

/** Opens a page of a server that follows the specification exactly. */
export async function visit(world: World, use: (visit: Visit) => Promise<void>): Promise<void> {
  const { url, calls } = server;
  server.begin(world);
  const documents: string[] = [];
  await withKeptPage(async (page) => {
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url().replace(url, ''));
    });
    await use({
      page,
      url,
      world,
      calls,
      documents,
      opens: async (path) => {
        await page.goto(url + path);
      },
      sees: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
      presses: (name) => page.getByRole('button', { name, exact: true }).click(),
      confirms: (name) => page.getByRole('dialog').getByRole('button', { name }).click(),
      storedToken: () => page.evaluate<string | null>("localStorage.getItem('authToken')"),
    });
    expect(await shownCopy(page)).not.toMatch(
      /undefined|NaN|Invalid Date|could(?:n’t| not) be loaded|DEMO_(COPY|NAME|ADDRESS)/,
    );
  });
  // Each document and each new token requests a stream once, which does not exist here.
  const streams = calls.filter((call) => call === 'GET /api/events').length;
  expect(streams).toBeLessThanOrEqual(documents.length + 1);
}

export function shownCopy(page: Page): Promise<string> {
  return page.evaluate<string>('document.body.innerText');
}
