import { openBlank } from '../support/document.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withKeptPage, withPage } from '../../scripts/browser/browser.ts';
import { asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { User } from '../../scripts/browser/user.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';

const GROUND = { light: 'rgb(246, 247, 249)', dark: 'rgb(15, 18, 22)' };

function groundOf(page: Page): Promise<string> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}

async function isSoon(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await waitFor(`a ${scheme} page`, async () => (await groundOf(page)) === GROUND[scheme]);
}

function choice(page: Page, name: 'Light' | 'System' | 'Dark') {
  return page.getByRole('group', { name: 'Color theme' }).getByRole('radio', { name });
}

/** The colours of every frame since the first paint. */
const WATCH_FRAMES = `
  globalThis.grounds = [];
  const note = () => {
    if (document.body !== null) grounds.push(getComputedStyle(document.documentElement).backgroundColor);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);`;

describe('light, dark and system theme', () => {
  const product = productOfThisSuite();

  test('a theme chosen on the landing page by keyboard stays after login and in every frame of a reload', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(
      async (page) => {
        const nora = new User(page, product);
        await nora.opens('/');
        await choice(page, 'System').waitFor();
        await expect.poll(() => choice(page, 'System').isChecked()).toBe(true);
        expect(await groundOf(page)).toBe(GROUND.light);
        await tabTo(page, 'System');
        await page.keyboard.press('ArrowRight');
        await isSoon(page, 'dark');
        await expect.poll(() => choice(page, 'Dark').isChecked()).toBe(true);

        await nora.signsInAs(name);
        await isSoon(page, 'dark');
        await page.addInitScript(WATCH_FRAMES);
        for (const path of ['/', '/settings', '/terms']) {
          await nora.opens(path);
          await choice(page, 'Dark').waitFor();
          const frames = await page.evaluate<string[]>('grounds');
          expect(new Set(frames), path).toEqual(new Set([GROUND.dark]));
        }
      },
      { colorScheme: 'light' },
    );
  });

  test('the system theme is followed while it changes, and a choice applies to every tab', async () => {
    await withKeptPage(
      async (page) => {
        await page.goto(`${product.url}/terms`);
        await isSoon(page, 'dark');
        await page.emulateMedia({ colorScheme: 'light' });
        await isSoon(page, 'light');
        const other = await page.context().newPage();
        await other.emulateMedia({ colorScheme: 'light' });
        await other.goto(`${product.url}/privacy`);
        await choice(other, 'Dark').check();
        await isSoon(other, 'dark');
        await isSoon(page, 'dark');
        await expect.poll(() => choice(page, 'Dark').isChecked()).toBe(true);
        await choice(page, 'System').check();
        await isSoon(other, 'light');
      },
      { colorScheme: 'dark' },
    );
  });

  test('a visitor sees the landing page in the system theme in every frame, with and without scripts', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const javaScriptEnabled of [true, false]) {
        await withPage(
          async (page) => {
            if (javaScriptEnabled) await page.addInitScript(WATCH_FRAMES);
            await page.goto(product.url);
            await page.getByRole('contentinfo').waitFor();
            const frames = javaScriptEnabled ? await page.evaluate<string[]>('grounds') : [];
            expect(new Set([...frames, await groundOf(page)])).toEqual(new Set([GROUND[colorScheme]]));
          },
          { colorScheme, javaScriptEnabled },
        );
      }
    }
  });

  test('a theme chosen on the landing page by a visitor applies to every frame of the next visit', async () => {
    await withPage(
      async (page) => {
        await page.goto(product.url);
        await choice(page, 'Dark').check();
        await isSoon(page, 'dark');
        await page.addInitScript(WATCH_FRAMES);
        await page.reload();
        await choice(page, 'Dark').waitFor();
        await expect
          .poll(async () => new Set(await page.evaluate<string[]>('grounds')))
          .toEqual(new Set([GROUND.dark]));
      },
      { colorScheme: 'light' },
    );
  });

  test('a stored theme applies on any system, and an invalid one is ignored', () =>
    withKeptPage(
      async (page) => {
        await openBlank(page, product.url);
        for (const [stored, shown] of [
          ['light', 'light'],
          ['auto', 'dark'],
          ['<b>pink</b>', 'dark'],
        ] as const) {
          await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${stored}')`);
          for (const path of ['/', '/terms']) {
            await page.goto(product.url + path);
            await choice(page, 'System').waitFor();
            await isSoon(page, shown);
          }
        }
      },
      { colorScheme: 'dark' },
    ));

  test('[HEAD-08] the phone menu offers the theme choice', async () => {
    await asVisitor(
      product,
      async (nora, page) => {
        await nora.opens('/terms');
        await nora.presses('Open menu');
        const menu = page.getByRole('dialog', { name: 'Menu' });
        await menu.getByRole('radio', { name: 'Dark' }).check();
        await isSoon(page, 'dark');
      },
      { viewport: PHONE, colorScheme: 'light' },
    );
  });
});
