import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';
import { unpackChromium } from './bundled-chromium.ts';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

/** The browser named by CHROME_PATH, else the one inside node_modules, else an installed one. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  const named = process.env['CHROME_PATH'];
  if (named) return { executablePath: named, args };
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { executable, env } = await unpackChromium();
    return { executablePath: executable, env, args };
  }
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed === undefined)
    throw new Error('There is no browser: set CHROME_PATH to a Chrome or Chromium.');
  return { executablePath: installed, args };
}
