import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { startDemo } from '../../test/support/demo.ts';
import { ROOT } from '../../scripts/run.ts';
import { chromiumOptions } from './chromium.ts';

// The README's pictures, taken from the running demo: an outage in light and dark, and a short animation of it.

export const FOLDER = join(ROOT, 'docs/images');
const SIZE = { width: 1200, height: 720 };
const FRAME_MS = 400;
/** The shortest and the longest time of a picture in the animation. */
const [SHORTEST_MS, LONGEST_MS] = [1600, 2400];
/** The product without the demo's own controls. */
const WITHOUT_DEMO = `aside[aria-label="Demo mode"], demo-panel { display: none !important }`;

interface Frame {
  picture: Buffer;
  ms: number;
}

/** Takes all pictures; about two minutes. */
export async function takeReadmePictures(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch(await chromiumOptions());
  const demo = await startDemo();
  await demo.runs();
  try {
    for (const scheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: SIZE, colorScheme: scheme });
      const page = await context.newPage();
      await page.goto(`${demo.url}/_demo/sign-in`);
      await page.getByText('Summer Drop | Prospecting | B').waitFor({ timeout: 60_000 });
      await page.evaluate(`{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(${JSON.stringify(WITHOUT_DEMO)});
        document.adoptedStyleSheets.push(sheet);
      }`);
      const frames = await framesOfReplay(page, scheme);
      if (scheme === 'light') await animate(frames);
      await context.close();
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
}

/** Replays the outage in 30 s, and keeps the picture of its middle. */
async function framesOfReplay(page: Page, scheme: string): Promise<Frame[]> {
  const frames: Frame[] = [];
  const shoot = async (): Promise<void> => {
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const last = frames.at(-1);
    if (last?.picture.equals(picture) === true) last.ms = Math.min(last.ms + FRAME_MS, LONGEST_MS);
    else frames.push({ picture, ms: FRAME_MS });
  };
  await shoot();
  await page.request.post(new URL('/_demo/replay', page.url()).href, { data: { seconds: 30 } });
  const paused = page.getByText(/3\d campaigns paused in 2 accounts/);
  while (!(await paused.isVisible())) {
    await shoot();
    await page.waitForTimeout(FRAME_MS / 2);
  }
  await page.waitForTimeout(2000);
  await shoot();
  const middle = sharp(frames.at(-1)?.picture).webp({ quality: 86 });
  await middle.toFile(join(FOLDER, `outage-${scheme}.webp`));
  if (scheme === 'light') await writeFile(join(FOLDER, 'outage.txt'), await wordsOf(page));
  await paused.waitFor({ state: 'hidden', timeout: 60_000 });
  for (let n = 0; n < 12; n += 1) {
    await shoot();
    await page.waitForTimeout(FRAME_MS / 2);
  }
  return frames;
}

async function animate(frames: readonly Frame[]): Promise<void> {
  const pictures = await Promise.all(
    frames.map(({ picture }) => sharp(picture).resize({ width: 900 }).png().toBuffer()),
  );
  const delay = frames.map(({ ms }) => Math.max(ms, SHORTEST_MS));
  const moving = sharp(pictures, { join: { animated: true } }).webp({
    quality: 70,
    delay,
    loop: 0,
    effort: 6,
  });
  const { size } = await moving.toFile(join(FOLDER, 'outage.webp'));
  process.stdout.write(`${frames.length} frames, ${(size / 1000).toFixed(0)} kB\n`);
}

/**
 * The fixed words of the page that the pictures show: headings, column headers and buttons. A test compares them with
 * those of the pictures, so that old pictures are noticed; changes of style are not.
 */
export async function wordsOf(page: Page): Promise<string> {
  const texts = await page.locator('h1, h2, [role="columnheader"], nav a, main button').allInnerTexts();
  const words = new Set(
    texts.map((text) =>
      text
        .trim()
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\d[\d,.]*/g, '#'),
    ),
  );
  words.delete('');
  return `${[...words].toSorted().join('\n')}\n`;
}
