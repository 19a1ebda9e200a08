import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { WAIT_MS } from '../outside/wait-for.ts';
import { unpackChromium } from './bundled-chromium.ts';
import { PageObserver } from './page-observer.ts';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Starts the browser named by CHROME_PATH, else an installed one, else the one inside node_modules. */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env['CHROME_PATH'];
  if (named) return start({ executablePath: named });
  for (const executablePath of INSTALLED.filter((path) => existsSync(path))) {
    const browser = await start({ executablePath }).catch(() => null);
    if (browser !== null) return browser;
  }
  const bundled = await unpackChromium();
  return start({ executablePath: bundled.executable, env: bundled.env });
}

function start(options: LaunchOptions): Promise<Browser> {
  return chromium.launch({ headless: true, args: FLAGS, timeout: 60_000, ...options });
}

let shared: Promise<Browser> | null = null;

/** The one browser of this process; every page gets its own context. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

export async function closeBrowser(): Promise<void> {
  const browser = shared;
  shared = null;
  kept = null;
  await (await browser)?.close();
}

export type PageOptions = Pick<
  BrowserContextOptions,
  | 'viewport'
  | 'colorScheme'
  | 'baseURL'
  | 'reducedMotion'
  | 'storageState'
  | 'deviceScaleFactor'
  | 'userAgent'
  | 'javaScriptEnabled'
>;

/** The browser logs every error response; tests cause them on purpose, but never for assets. */
const REFUSED = /^Failed to load resource: the server responded/;
const UNANSWERED = /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)/;

interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Errors that the page did not catch or logged to the console. */
  faults: Error[];
  pageObserver: PageObserver;
}

/**
 * Gives `use` a page in a fresh context (own cookies, own storage) and closes it afterwards. An uncaught or
 * logged error of the page fails the call. A failure also includes the content of every page of the context.
 */
export async function withPage<T>(use: (page: Page) => Promise<T>, options: PageOptions = {}): Promise<T> {
  const open = await openPage(options);
  try {
    return await usePage(open, use);
  } finally {
    await open.context.close();
  }
}

let kept: OpenPage | null = null;

/** What one visit sets on the kept page. */
export type Screen = Pick<PageOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * Like `withPage`, but reuses the page of an earlier call: a new renderer process would compile the whole
 * program again. For visits that leave no init script and no page clock. A failure discards the page.
 */
export async function withKeptPage<T>(use: (page: Page) => Promise<T>, screen: Screen = {}): Promise<T> {
  const open = kept ?? (await openPage({}));
  kept = null;
  open.page.clock.install = () =>
    Promise.reject(new Error('Time would stand still in later visits: use a fresh page.'));
  try {
    const { viewport, colorScheme = 'light', reducedMotion = 'no-preference' } = screen;
    await open.page.setViewportSize(viewport ?? DESKTOP);
    await open.page.emulateMedia({ colorScheme, reducedMotion });
    const result = await usePage(open, use);
    await clearPage(open);
    // Visits may be inside one another: the last one to end leaves its page.
    await closeKept();
    kept = open;
    return result;
  } catch (error) {
    await open.context.close();
    throw error;
  }
}

async function closeKept(): Promise<void> {
  await kept?.context.close();
}

/** A blank page has no storage. */
const CLEAR_SESSION_STORAGE = '(() => { try { sessionStorage.clear() } catch {} return true })()';

async function clearPage({ context, page }: OpenPage): Promise<void> {
  for (const event of ['request', 'console', 'dialog']) page.removeAllListeners(event);
  await page.mouse.move(0, 0);
  await page.waitForFunction(CLEAR_SESSION_STORAGE);
  // Before the held requests go on: an answer may send the page to another address.
  await Promise.all(context.pages().map((one) => (one === page ? page.goto('about:blank') : one.close())));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.setStorageState({ cookies: [], origins: [] });
}

async function openPage(options: PageOptions): Promise<OpenPage> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const faults: Error[] = [];
  const pageObserver = new PageObserver(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error));
  return { context, page, faults, pageObserver };
}

async function usePage<T>(
  { page, faults, pageObserver }: OpenPage,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  faults.length = 0;
  page.on('console', (message) => {
    const isAsset = message.location().url.includes('/assets/');
    if (message.type() !== 'error' || UNANSWERED.test(message.text())) return;
    if (REFUSED.test(message.text()) && !isAsset) return;
    faults.push(new Error(`in the console: ${message.text()}`));
  });
  try {
    const result = await use(page);
    if (faults.length > 0)
      throw new AggregateError(faults, `the page threw: ${faults.map(String).join('; ')}`);
    return result;
  } catch (error) {
    throw await pageObserver.tells(error, faults);
  }
}
