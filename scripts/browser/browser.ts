import { existsSync } from 'node:fs';
import type { Browser, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core';
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

/**
 * Gives `use` a page in a fresh context (own cookies, own storage) and closes it afterwards. An error that the
 * page did not catch or left in the console makes the call fail, because nobody would see it otherwise. Whatever
 * fails also says what every page of the context showed then.
 */
export async function withPage<T>(use: (page: Page) => Promise<T>, options: PageOptions = {}): Promise<T> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const faults: Error[] = [];
  const witness = new Witness(context);
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error));
    page.on('console', (message) => {
      const isAsset = message.location().url.includes('/assets/');
      if (message.type() !== 'error' || UNANSWERED.test(message.text())) return;
      if (REFUSED.test(message.text()) && !isAsset) return;
      faults.push(new Error(`in the console: ${message.text()}`));
    });
    const result = await use(page);
    if (faults.length > 0)
      throw new AggregateError(faults, `the page threw: ${faults.map(String).join('; ')}`);
    return result;
  } catch (error) {
    throw await witness.tells(error);
  } finally {
    await context.close();
  }
}
