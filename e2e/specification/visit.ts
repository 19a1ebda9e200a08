import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/run.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import type { SpecificationServer, World } from './server.ts';
import { startSpecificationServer } from './server.ts';

const FOLDER = join(ROOT, 'dist/web');

export interface Visit extends SpecificationServer {
  page: Page;
  opens: (path: string) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  presses: (name: string) => Promise<void>;
  /** Presses the button of this name in the dialog. */
  confirms: (name: string) => Promise<void>;
  storedToken: () => Promise<string | null>;
  /** The addresses of the documents so far. */
  documents: string[];
}

/** Opens a page of a server that answers exactly what the specification says. */
export async function visit(
  world: World,
  use: (visit: Visit) => Promise<void>,
  home?: 'index.html' | 'landing.html',
): Promise<void> {
  const server = await startSpecificationServer(FOLDER, world, home);
  const documents: string[] = [];
  try {
    await withPage(async (page) => {
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url().replace(server.url, ''));
      });
      await use({
        ...server,
        page,
        documents,
        opens: async (path) => {
          await page.goto(server.url + path);
        },
        sees: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
        presses: (name) => page.getByRole('button', { name, exact: true }).click(),
        confirms: (name) => page.getByRole('dialog').getByRole('button', { name }).click(),
        storedToken: () => page.evaluate<string | null>("localStorage.getItem('authToken')"),
      });
      expect(await shownWords(page)).not.toMatch(/undefined|NaN|Invalid Date|could not be loaded|PRACTICE_/);
    });
  } finally {
    await server.stop();
  }
  // Each document and each new token asks once for a stream that does not exist.
  const streams = server.calls.filter((call) => call === 'GET /api/events').length;
  expect(streams).toBeLessThanOrEqual(documents.length + 1);
}

export function shownWords(page: Page): Promise<string> {
  return page.evaluate<string>('document.body.innerText');
}
