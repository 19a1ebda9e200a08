import { openBlank } from '../support/blank.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE, withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { tabTo } from '../support/keyboard.ts';
import { Person } from '../../scripts/browser/person.ts';
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

/** The colours of every frame up to now, from the first one that the browser painted. */
const WATCH_FRAMES = `
  globalThis.grounds = [];
  const note = () => {
    if (document.body !== null) grounds.push(getComputedStyle(document.documentElement).backgroundColor);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);`;

describe('light, dark, or as the system has it', () => {
  const product = productOfThisSuite();

  test('chosen on the landing page with the keyboard, it holds after the login and in every frame of a reload', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.opens('/');
        await choice(page, 'System').waitFor();
        expect(await choice(page, 'System').isChecked()).toBe(true);
        expect(await groundOf(page)).toBe(GROUND.light);
        await tabTo(page, 'System');
        await page.keyboard.press('ArrowRight');
        await isSoon(page, 'dark');
        expect(await choice(page, 'Dark').isChecked()).toBe(true);

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

  test('the system is followed while it changes, and a choice counts in every tab', async () => {
    await withPage(
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
        expect(await choice(page, 'Dark').isChecked()).toBe(true);
        await choice(page, 'System').check();
        await isSoon(other, 'light');
      },
      { colorScheme: 'dark' },
    );
  });

  test('a stranger sees the landing page as the system has it in every frame, with a script and without', async () => {
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

  test('chosen on the landing page by a stranger, it holds in every frame of the next visit', async () => {
    await withPage(
      async (page) => {
        await page.goto(product.url);
        await choice(page, 'Dark').check();
        await isSoon(page, 'dark');
        await page.addInitScript(WATCH_FRAMES);
        await page.reload();
        await choice(page, 'Dark').waitFor();
        expect(new Set(await page.evaluate<string[]>('grounds'))).toEqual(new Set([GROUND.dark]));
      },
      { colorScheme: 'light' },
    );
  });

  test('[HEAD-08] on a phone the menu has it as well', async () => {
    await withPage(
      async (page) => {
        const nora = new Person(page, product);
        await nora.opens('/terms');
        await nora.presses('Open menu');
        const menu = page.getByRole('dialog', { name: 'Menu' });
        await menu.getByRole('radio', { name: 'Dark' }).check();
        await isSoon(page, 'dark');
      },
      { viewport: PHONE, colorScheme: 'light' },
    );
  });

  test('what the browser has stored may be anything', async () => {
    await withPage(
      async (page) => {
        await openBlank(page, product.url);
        await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '<b>pink</b>')`);
        await page.goto(`${product.url}/terms`);
        await choice(page, 'System').waitFor();
        await isSoon(page, 'dark');
      },
      { colorScheme: 'dark' },
    );
  });
});
