import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { ROOT } from '../../scripts/run.ts';
import { expect, test as base } from './fixtures.ts';
import type { SpecWorld } from './spec-world.ts';
import { answerTo, newWorld } from './spec-world.ts';

export interface Visit {
  page: Page;
  url: string;
  world: SpecWorld;
  /** 'POST /api/campaigns/1/pause', with the body where there was one. */
  calls: string[];
  opens: (path: string) => Promise<void>;
  sees: (text: string | RegExp) => Promise<void>;
  presses: (name: string) => Promise<void>;
  confirms: (name: string) => Promise<void>;
  isLoggedOut: () => Promise<void>;
  /** The addresses of the loaded documents. */
  documents: string[];
}

/** In the query of an address. */
export const AT_LOGIN = 'token=the-token-of-the-login';
/** The last message before the logout is read for so long. */
export const FAREWELL_MS = 2000;

export const storedToken = (page: Page) => page.evaluate<string | null>("localStorage.getItem('authToken')");
export const shownCopy = (page: Page) => page.evaluate<string>('document.body.innerText');

/** No text on the page comes from missing data. */
export const isWhole = async (page: Page) =>
  expect(await shownCopy(page)).not.toMatch(
    /undefined|NaN|Invalid Date|could(?:n’t| not) be loaded|DEMO_(COPY|NAME|ADDRESS)/,
  );

/** No such host exists: Playwright answers every request. */
const URL_OF_SERVER = 'https://specification.test';
const WEB_FOLDER = join(ROOT, 'dist/web');

async function answer(route: Route, world: SpecWorld, calls: string[]): Promise<void> {
  const request = route.request();
  const { pathname, searchParams } = new URL(request.url());
  if (pathname === '/auth/facebook') {
    const location = new URL(searchParams.get('returnTo') ?? '/', URL_OF_SERVER);
    location.searchParams.set('token', world.token);
    // Playwright does not answer the request after a redirect.
    const body = `<script>location.replace(${JSON.stringify(location)})</script>`;
    return route.fulfill({ contentType: 'text/html', body });
  }
  if (request.method() === 'GET' && !/^\/(api|auth|health)\b/.test(pathname)) {
    const document = pathname === '/' ? world.home : 'index.html';
    const path = join(WEB_FOLDER, extname(pathname) === '' ? document : pathname);
    return route.fulfill(existsSync(path) ? { path } : { status: 404 });
  }
  const call = `${request.method()} ${pathname}`;
  const body = request.postData() ?? '';
  calls.push(`${call} ${body}`.trimEnd());
  const isKnown = request.headers()['authorization'] === `Bearer ${world.token}`;
  const refusal = pathname.startsWith('/api/') ? 401 : 404;
  const given = isKnown ? answerTo(call, body, world) : refusal;
  if (typeof given === 'number') return route.fulfill({ status: given });
  if (given === '') return route.fulfill({ body: '' });
  return route.fulfill({ status: 'error' in given ? 409 : 200, json: given });
}

/** A page of a server that follows the specification exactly. */
export const test = base.extend<{ begin: (world: SpecWorld) => Visit }>({
  begin: async ({ page, context, faults: _ }, use) => {
    const calls: string[] = [];
    const documents: string[] = [];
    let current = newWorld();
    await context.route(`${URL_OF_SERVER}/**`, (route) => answer(route, current, calls));
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url().replace(URL_OF_SERVER, ''));
    });
    await use((world) => {
      current = world;
      return {
        ...{ page, url: URL_OF_SERVER, world, calls, documents },
        opens: async (path) => void (await page.goto(URL_OF_SERVER + path)),
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
    await isWhole(page);
    // Each document and each new token requests a stream once, which does not exist here.
    const streams = calls.filter((call) => call === 'GET /api/events').length;
    expect(streams).toBeLessThanOrEqual(documents.length + 1);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },
});
