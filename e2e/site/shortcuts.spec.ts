import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { asAdvertiser, asVisitor } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';

const MANY = Object.fromEntries(
  ['Shoes', 'Boots', 'Hats', 'Socks', 'Tents', 'Coats', 'Belts', 'Mugs', 'Maps'].map((name) => [
    name,
    'ACTIVE' as const,
  ]),
);

describe('keyboard shortcuts', () => {
  const product = productOfThisSuite();

  const box = (page: Page) => page.getByRole('combobox', { name: 'Quick search' });
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  /** The shortcuts are loaded together with their links. */
  const areReady = (page: Page) => page.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor();
  const isFocused = (page: Page, name: string) =>
    waitFor(`${name} to have the focus`, async () => (await focusedName(page)) === name);

  test('/ goes to the search of the campaigns, and opens quick search where there is none; a field gets the letter', () =>
    asAdvertiser(product, { campaigns: MANY }, async ({ nora, page }) => {
      await areReady(page);
      await page.getByLabel('Search campaigns').waitFor();
      await page.keyboard.press('/');
      await isFocused(page, 'Search campaigns');
      await page.keyboard.type('a/b?');
      await expect.poll(() => page.getByLabel('Search campaigns').inputValue()).toBe('a/b?');
      await nora.opens('/settings');
      await areReady(page);
      await page.getByLabel('Email').fill('');
      await page.keyboard.type('/?');
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('/?');
      await page.getByRole('radio', { name: 'Next day' }).focus();
      await page.keyboard.press('/');
      await isFocused(page, 'Quick search');
      await expect.poll(() => box(page).inputValue()).toBe('');
    }));

  test('Ctrl+K finds pages, ad accounts and campaigns by keyboard, and goes there', () =>
    asAdvertiser(product, { campaigns: MANY, path: '/settings' }, async ({ page, account }) => {
      await areReady(page);
      await page.getByLabel('Email').focus();
      await page.keyboard.press('Control+k');
      await isFocused(page, 'Quick search');
      await page.getByRole('group', { name: 'Ad accounts' }).getByRole('option').waitFor();
      const results = page.getByRole('listbox', { name: 'Results' });
      const selected = () => results.getByRole('option', { selected: true }).innerText();
      await waitFor('the first result', async () => (await selected()) === 'Campaigns');
      await page.keyboard.press('ArrowDown');
      await waitFor('the next result', async () => (await selected()) === 'Activity');
      const active = await box(page).getAttribute('aria-activedescendant');
      await expect.poll(() => page.locator(`#${active ?? ''}`).innerText()).toBe('Activity');

      await page.keyboard.type('boot');
      await page.getByRole('option', { name: /^Boots/ }).waitFor();
      await expect.poll(() => results.getByRole('option').count()).toBe(1);
      await page.keyboard.press('Escape');
      await box(page).waitFor({ state: 'hidden' });
      await waitFor('the focus to return', async () => (await focusedName(page)).startsWith('Email'));

      await page.keyboard.press('Control+k');
      await isFocused(page, 'Quick search');
      await page.keyboard.type('tents');
      await page.getByRole('option', { name: /^Tents/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor();
      await isFocused(page, 'Campaigns');
      expect(new URL(page.url()).searchParams.get('account')).toBe(account.id);
      await page.getByRole('switch', { name: 'SmartPause for Tents' }).waitFor();
      await expect.poll(() => page.getByRole('switch').count()).toBe(1);

      await page.keyboard.press('Control+k');
      await isFocused(page, 'Quick search');
      await page.keyboard.type('lind');
      await page.getByRole('option', { name: account.name, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('switch', { name: 'SmartPause for Boots' }).waitFor();
      await waitFor('the list to have the focus', () =>
        page.evaluate<boolean>("document.activeElement?.id === 'campaign-list'"),
      );
    }));

  test('? lists the shortcuts; single keys can be turned off, and do nothing in a dialog', () =>
    asAdvertiser(product, { campaigns: MANY, isFresh: true }, async ({ page }) => {
      await areReady(page);
      await page.keyboard.press('?');
      await dialog(page).getByText('Show these shortcuts').waitFor();
      await dialog(page).getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      await page.reload();
      await areReady(page);
      await page.keyboard.press('?');
      await page.keyboard.press('/');
      await page.keyboard.press('Control+k');
      await isFocused(page, 'Quick search');
      await expect.poll(() => dialog(page).count()).toBe(0);
      await page.keyboard.press('Escape');
      await box(page).waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      const option = dialog(page).getByRole('switch');
      await expect.poll(() => option.isChecked()).toBe(false);
      await option.press('Space');
      await page.keyboard.press('/');
      await page.keyboard.press('Control+k');
      await expect.poll(() => box(page).count()).toBe(0);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      await page.keyboard.press('/');
      await isFocused(page, 'Search campaigns');
    }));

  test('on a phone the links in the footer open both; a visitor has neither', async () => {
    await asAdvertiser(product, { campaigns: MANY, viewport: PHONE }, async ({ page }) => {
      await page.getByRole('button', { name: 'Quick search' }).click();
      await page.getByRole('listbox').getByRole('option', { name: 'Settings' }).click();
      await page.waitForURL('**/settings');
      await isFocused(page, 'Settings');
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await dialog(page).getByRole('button', { name: 'Close' }).click();
      await dialog(page).waitFor({ state: 'hidden' });
    });
    await asVisitor(product, async (visitor, page) => {
      await visitor.opens('/payment');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).waitFor();
      await page.keyboard.press('?');
      await expect.poll(() => page.getByRole('button', { name: 'Keyboard shortcuts' }).count()).toBe(0);
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });
});
