import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { PATIENCE_MS } from '../outside/wait-for.ts';
import { unpackChromium } from './bundled-chromium.ts';
import { Witness } from './witness.ts';

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

/** Starts the browser named by CHROME_PATH, else one that the machine has, else the one inside node_modules. */
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

/** The one browser of this process; every page gets a context of its own in it. */
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

/** The browser's own note on every answer that is not good; tests cause such answers on purpose, but not for assets. */
const REFUSED = /^Failed to load resource: the server responded/;
const UNANSWERED = /^Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)/;

interface OpenPage {
  context: BrowserContext;
  page: Page;
  /** Errors that the page did not catch or left in the console. */
  faults: Error[];
  witness: Witness;
}

/**
 * Gives `use` a page in a fresh context (own cookies, own storage) and closes it afterwards. An error that the
 * page did not catch or left in the console fails the call. A failure also says what every page of the context showed.
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

/**
 * Like `withPage`, but in the page of the call before, without its storage and routes: a new renderer process compiles
 * the whole program anew. The caller sets viewport and colours, and removes its init scripts. After a failure the
 * next call gets a fresh page.
 */
export async function withKeptPage<T>(
  use: (page: Page) => Promise<T>,
  options: PageOptions = {},
): Promise<T> {
  const open = kept ?? (await openPage(options));
  kept = null;
  try {
    const result = await usePage(open, use);
    await clearPage(open);
    kept = open;
    return result;
  } catch (error) {
    await open.context.close();
    throw error;
  }
}

async function clearPage({ context, page }: OpenPage): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await Promise.all(context.pages().map((one) => one.evaluate('sessionStorage.clear()')));
  await Promise.all(context.pages().map((one) => (one === page ? page.goto('about:blank') : one.close())));
  await context.setStorageState({ cookies: [], origins: [] });
}

async function openPage(options: PageOptions): Promise<OpenPage> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: Error[] = [];
  const witness = new Witness(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error));
  page.on('console', (message) => {
    const isAsset = message.location().url.includes('/assets/');
    if (message.type() !== 'error' || UNANSWERED.test(message.text())) return;
    if (REFUSED.test(message.text()) && !isAsset) return;
    faults.push(new Error(`in the console: ${message.text()}`));
  });
  return { context, page, faults, witness };
}

async function usePage<T>({ page, faults, witness }: OpenPage, use: (page: Page) => Promise<T>): Promise<T> {
  faults.length = 0;
  try {
    const result = await use(page);
    if (faults.length > 0)
      throw new AggregateError(faults, `the page threw: ${faults.map(String).join('; ')}`);
    return result;
  } catch (error) {
    throw await witness.tells(error);
  }
}
