import { buildWeb } from '../build.ts';
import type { Page } from 'playwright-core';
import { newAdvertiser } from '../browser/advertiser.ts';
import { closeBrowser, withPage } from '../browser/browser.ts';
import { manyCampaigns } from '../browser/many-campaigns.ts';
import { User } from '../browser/user.ts';
import { startProduct } from '../browser/product.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, median } from './parts/figure.ts';

/** The dashboard of a large agency on a phone: smooth scrolling, and the response time of a switch. */
const CAMPAIGNS = 5000;
const WHEELS = 240;
const WHEEL_PX = 240;
const TOGGLES = 9;
const FRAMES_PER_SECOND = 60;
const LONGEST_TASK_MS = 50;
const ANSWER_MS = 100;
const WAIT_MS = 20_000;
const REST_MS = 200;

const WATCH = `
  globalThis.watched = { frames: [], tasks: [] };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks.push(duration);
  }).observe({ type: 'longtask' });
  const tick = (at) => { watched.frames.push(at); requestAnimationFrame(tick); };
  requestAnimationFrame(tick);`;

/** Chooses a switch in the middle of the viewport once nothing moves, so that it stays in place. */
const CHOOSE_SWITCH = `new Promise((resolve, reject) => {
  const isInTheMiddle = (element) => {
    const { top } = element.getBoundingClientRect();
    return top > innerHeight / 3 && top < (innerHeight * 2) / 3;
  };
  const choose = () => {
    const chosen = [...document.querySelectorAll('[role=switch]')].find(isInTheMiddle);
    if (chosen === undefined) return reject(new Error('no switch is seen'));
    chosen.setAttribute('data-chosen', '');
    resolve();
  };
  const settle = (before) =>
    setTimeout(() => (scrollY === before ? choose() : settle(scrollY)), ${REST_MS});
  settle(scrollY);
})`;

/** Measures from the press to the first frame that shows the new state. */
// Does not return the promise: `evaluate` would wait for it before the press.
const WATCH_SWITCH = `(() => {
  const element = document.querySelector('[data-chosen]');
  const before = element.checked;
  globalThis.answered = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the switch did not answer')), ${WAIT_MS});
    document.addEventListener('pointerdown', () => {
      const pressed = performance.now();
      const look = () =>
        element.checked === before
          ? requestAnimationFrame(look)
          : requestAnimationFrame(() => resolve(performance.now() - pressed));
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  });
})()`;

interface Watched {
  frames: number[];
  tasks: number[];
}

export async function run(): Promise<Figure[]> {
  await buildWeb();
  const product = await startProduct();
  try {
    const { name } = await newAdvertiser(product.graph, manyCampaigns(CAMPAIGNS));
    return await withPage(async (page) => {
      await new User(page, product).arrivesAs(name);
      await page.getByRole('switch').first().waitFor();
      await page.evaluate(WATCH);
      const { frames, tasks } = await scroll(page);
      const seconds = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1000;
      const perSecond = (frames.length - 1) / seconds;
      const longest = Math.max(0, ...tasks);
      const answers = await toggle(page);
      const what = `dashboard with ${CAMPAIGNS.toLocaleString('en')} campaigns`;
      return [
        {
          what: `${what}: frames while it scrolls`,
          measured: `${perSecond.toFixed(1)} a second over ${seconds.toFixed(1)} s`,
          yardstick: `${FRAMES_PER_SECOND} a second`,
          ratio: perSecond / FRAMES_PER_SECOND,
          limit: { atLeast: 0.98 },
        },
        {
          what: `${what}: longest task while it scrolls`,
          measured: longest === 0 ? 'none over 50 ms' : inMs(longest),
          yardstick: `limit ${LONGEST_TASK_MS} ms`,
          ratio: longest / LONGEST_TASK_MS,
          limit: { atMost: 1 },
        },
        {
          what: `${what}: a switch answers the eye`,
          measured: `${inMs(median(answers))} (longest ${inMs(Math.max(...answers))}), median of ${TOGGLES}`,
          yardstick: `limit ${inMs(ANSWER_MS)}`,
          ratio: median(answers) / ANSWER_MS,
          limit: { atMost: 1 },
        },
      ];
    });
  } finally {
    await closeBrowser();
    await product.stop();
  }
}

async function scroll(page: Page): Promise<Watched> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width / 2, height / 2);
  await page.evaluate('watched.frames.length = 0; watched.tasks.length = 0');
  for (let wheel = 0; wheel < WHEELS; wheel += 1) await page.mouse.wheel(0, WHEEL_PX);
  return await page.evaluate<Watched>('watched');
}

async function toggle(page: Page): Promise<number[]> {
  const answers: number[] = [];
  await page.evaluate(CHOOSE_SWITCH);
  const control = page.locator('[data-chosen]');
  for (let one = 0; one < TOGGLES; one += 1) {
    await page.evaluate(WATCH_SWITCH);
    const saved = page.waitForResponse((response) => response.url().includes('/api/smartpause/'));
    const answered = page.evaluate<number>('answered');
    const [answer] = await Promise.all([answered, control.click(), saved]);
    answers.push(answer);
  }
  return answers;
}
