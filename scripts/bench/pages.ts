import { buildWeb } from '../build.ts';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { newAdvertiser } from '../browser/advertiser.ts';
import { PHONE, closeBrowser, sharedBrowser, withPage } from '../browser/browser.ts';
import { User } from '../browser/user.ts';
import { startProduct } from '../browser/product.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';

/**
 * Loads the built pages like a phone on a slow network with an empty cache. Uses Lighthouse's
 * throttling for phones: 'slow 4G' with request latency, and a processor four times slower.
 */
const REPETITIONS = 5;
const NETWORK = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1000) / 8,
  uploadThroughput: (675 * 1000) / 8,
};
const CPU_SLOWDOWN = 4;
const QUIET_MS = 2000;

const CALLED = { paint: 'largest paint', shift: 'layout shift', blocked: 'time blocked' };

interface Visit {
  name: string;
  path: string;
  /** A selector that matches once the page is complete. */
  whole: string;
  limit: Partial<Record<keyof typeof CALLED, number>>;
}

interface Figures {
  firstPaint: number;
  paint: number;
  shift: number;
  blocked: number;
  kb: number;
}

const WATCH = `
  globalThis.figures = { firstPaint: 0, paint: 0, shift: 0, tasks: [] };
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', (entry) => { if (entry.name === 'first-contentful-paint') figures.firstPaint = entry.startTime; });
  watch('largest-contentful-paint', (entry) => { figures.paint = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) figures.shift += entry.value; });
  watch('longtask', (entry) => figures.tasks.push({ start: entry.startTime, duration: entry.duration }));`;

const READ = `(() => {
  const { firstPaint, paint, shift, tasks } = figures;
  const blocked = tasks
    .filter(({ start }) => start >= firstPaint)
    .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const kb = entries.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000;
  return { firstPaint, paint, shift, blocked, kb };
})()`;

/** True when the page has not fetched, painted or computed anything for a while. */
const IS_QUIET = `(() => {
  const ends = [
    ...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd),
    ...figures.tasks.map(({ start, duration }) => start + duration),
    figures.paint,
  ];
  return performance.now() - Math.max(...ends) > ${QUIET_MS};
})()`;

async function visit({ path, whole }: Visit, url: string, options: BrowserContextOptions): Promise<Figures> {
  const context = await (await sharedBrowser()).newContext({ ...options, viewport: PHONE });
  try {
    const page = await context.newPage();
    await throttle(page);
    await page.addInitScript(WATCH);
    await page.goto(url + path, { timeout: 60_000 });
    await page.getByText(whole).first().waitFor({ timeout: 60_000 });
    await waitFor('a quiet page', () => page.evaluate<boolean>(IS_QUIET), 60_000);
    return await page.evaluate<Figures>(READ);
  } finally {
    await context.close();
  }
}

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

export async function run(): Promise<Figure[]> {
  await buildWeb();
  const product = await startProduct();
  try {
    const names = Array.from({ length: 13 }, (_, index) => [`Campaign ${index}`, 'ACTIVE'] as const);
    const { name } = await newAdvertiser(product.graph, Object.fromEntries(names));
    const signedIn = await withPage(async (page) => {
      await new User(page, product).arrivesAs(name);
      return page.context().storageState();
    });
    const visits: (Visit & { storageState?: typeof signedIn })[] = [
      {
        name: 'landing page',
        path: '/',
        whole: 'Stop paying',
        limit: { paint: 1200, shift: 0.02, blocked: 100 },
      },
      { name: 'pricing page', path: '/payment', whole: 'Get Started - Monthly', limit: {} },
      { name: 'dashboard', path: '/', whole: 'Campaign 12', limit: { shift: 0.1 }, storageState: signedIn },
      { name: 'settings', path: '/settings', whole: 'Save Settings', limit: {}, storageState: signedIn },
    ];
    const figures: Figure[] = [];
    for (const { storageState, ...each } of visits) {
      const loads: Figures[] = [];
      for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
        loads.push(await visit(each, product.url, storageState === undefined ? {} : { storageState }));
      }
      figures.push(...figuresOf(each, loads));
    }
    return figures;
  } finally {
    await closeBrowser();
    await product.stop();
  }
}

/** Figures without a limit are only shown. */
function figuresOf({ name, limit }: Visit, loads: readonly Figures[]): Figure[] {
  const middle = (key: keyof Figures): number => median(loads.map((one) => one[key]));
  const worst = (key: keyof Figures): number => Math.max(...loads.map((one) => one[key]));
  const whole = `first paint ${inMs(middle('firstPaint'))}, ${middle('kb').toFixed(0)} kB, median of ${REPETITIONS}`;
  return (['paint', 'shift', 'blocked'] as const).flatMap((key) => {
    const most = limit[key];
    if (most === undefined) return [];
    const shown = (value: number): string => (key === 'shift' ? value.toFixed(3) : inMs(value));
    return [
      {
        what: `${name} on a slow phone: ${CALLED[key]}`,
        measured: `${shown(middle(key))} (worst ${shown(worst(key))}); ${whole}`,
        yardstick: `limit ${shown(most)}`,
        ratio: middle(key) / most,
        limit: { atMost: 1 },
      },
    ];
  });
}
