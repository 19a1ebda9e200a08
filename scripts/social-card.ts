import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeBrowser, withPage } from './browser/browser.ts';
import { ROOT } from './run.ts';

// Renders the picture that other sites show beside a link to us. It is committed,
// since a build has no browser; run this again when the copy or the colours change.

const CARD = join(ROOT, 'src/web/landing/social-card.png');
const SIZE = { width: 1200, height: 630 };

async function drawCard(): Promise<void> {
  const font = await readFile(
    join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  );
  const logo = await readFile(join(ROOT, 'src/web/favicon.svg'), 'utf8');
  const picture = await withPage(
    async (page) => {
      await page.setContent(card(logo, font.toString('base64')));
      await page.evaluate('document.fonts.ready.then(() => true)');
      return page.screenshot();
    },
    { viewport: SIZE },
  );
  await closeBrowser();
  await writeFile(CARD, picture);
}

function card(logo: string, font: string): string {
  return `<!doctype html>
<style>
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
  body { box-sizing: border-box; width: 1200px; height: 630px; margin: 0; padding: 64px 72px 0; overflow: hidden;
    background: #f6f7f9; color: #000; font: 30px/1.4 Inter }
  .name { display: flex; align-items: center; gap: 16px; font-size: 34px; font-weight: 700 }
  .name svg { width: 52px; height: 52px }
  h1 { margin: 44px 0 16px; white-space: nowrap; font-size: 68px; line-height: 1.05; letter-spacing: -2.5px; font-weight: 700 }
  p { margin: 0; white-space: nowrap; font-size: 28px; color: #5b6472 }
  .picture { position: absolute; left: 0; bottom: 0 }
</style>
<div class="name">${logo}SmartPause</div>
<h1>Stop paying for Meta’s outages</h1>
<p>Campaigns pause while ad delivery is broken, and resume afterwards.</p>
<svg class="picture" width="1200" height="270" viewBox="0 0 240 100" preserveAspectRatio="none">
  <path d="M70 0H165V100H70Z" fill="#c11f1f" opacity=".1" />
  <path d="M0 60C14 56 28 62 40 58S60 56 70 54S96 44 112 48S146 40 165 42S178 9 190 8S212 50 240 55"
    fill="none" stroke="#5b6472" stroke-width="4" stroke-dasharray="12 10" vector-effect="non-scaling-stroke" />
  <path d="M0 64C14 60 28 66 40 62S60 62 70 62V99H170V64C188 60 208 65 240 61V100H0Z" fill="#3b53c4" opacity=".14" />
  <path d="M0 64C14 60 28 66 40 62S60 62 70 62V99H170V64C188 60 208 65 240 61"
    fill="none" stroke="#3b53c4" stroke-width="6" stroke-linejoin="round" vector-effect="non-scaling-stroke" />
</svg>`;
}

await drawCard();
