import type { Page } from '@playwright/test';

import { expect, test } from '../support/fixtures.ts';
import { focusedName } from '../support/keyboard.ts';

const MANY = Object.fromEntries(
  ['Shoes', 'Boots', 'Hats', 'Socks', 'Tents', 'Coats', 'Belts', 'Mugs', 'Maps'].map((name) => [
    name,
    'ACTIVE' as const,
  ]),
);

const box = (page: Page) => page.getByRole('combobox', { name: 'Quick search' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
/** The shortcuts are loaded together with their links. */
const areReady = (page: Page) =>
  expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
const isFocused = (page: Page, name: string) => expect.poll(() => focusedName(page)).toBe(name);

test('/ goes to the search of the campaigns, and opens quick search where there is none; a field gets the letter', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: MANY });

  await areReady(page);
  await expect(page.getByLabel('Search campaigns')).toBeVisible();
  await page.keyboard.press('/');
  await isFocused(page, 'Search campaigns');
  await page.keyboard.type('a/b?');
  await expect(page.getByLabel('Search campaigns')).toHaveValue('a/b?');
  await nora.opens('/settings');
  await areReady(page);
  await page.getByLabel('Email').fill('');
  await page.keyboard.type('/?');
  await expect(page.getByLabel('Email')).toHaveValue('/?');
  await page.getByRole('radio', { name: 'Next day' }).focus();
  await page.keyboard.press('/');
  await isFocused(page, 'Quick search');
  await expect(box(page)).toHaveValue('');
});

test('Ctrl+K finds pages, ad accounts and campaigns by keyboard, and goes there', async ({ nora, page }) => {
  await nora.arrives({ campaigns: MANY, path: '/settings' });
  const { account } = nora;

  await areReady(page);
  await page.getByLabel('Email').focus();
  await page.keyboard.press('Control+k');
  await isFocused(page, 'Quick search');
  await expect(page.getByRole('group', { name: 'Ad accounts' }).getByRole('option')).toBeVisible();
  const results = page.getByRole('listbox', { name: 'Results' });
  const selected = () => results.getByRole('option', { selected: true }).innerText();
  await expect.poll(() => selected()).toBe('Campaigns');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => selected()).toBe('Activity');
  const active = await box(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`#${active ?? ''}`)).toHaveText('Activity');

  await page.keyboard.type('boot');
  await expect(page.getByRole('option', { name: /^Boots/ })).toBeVisible();
  await expect(results.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeHidden();
  await expect
    .poll(async () => (await focusedName(page)).startsWith('Email'), { message: 'the focus to return' })
    .toBe(true);

  await page.keyboard.press('Control+k');
  await isFocused(page, 'Quick search');
  await page.keyboard.type('tents');
  await expect(page.getByRole('option', { name: /^Tents/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible();
  await isFocused(page, 'Campaigns');
  expect(new URL(page.url()).searchParams.get('account')).toBe(account.id);
  await expect(page.getByRole('switch', { name: 'SmartPause for Tents' })).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(1);

  await page.keyboard.press('Control+k');
  await isFocused(page, 'Quick search');
  await page.keyboard.type('lind');
  await expect(page.getByRole('option', { name: account.name, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('switch', { name: 'SmartPause for Boots' })).toBeVisible();
  await expect
    .poll(() => page.evaluate<boolean>("document.activeElement?.id === 'campaign-list'"), {
      message: 'the list to have the focus',
    })
    .toBe(true);
});

test('? lists the shortcuts; single keys can be turned off, and do nothing in a dialog', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: MANY });

  await areReady(page);
  await page.keyboard.press('?');
  await expect(dialog(page).getByText('Show these shortcuts')).toBeVisible();
  await dialog(page).getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await areReady(page);
  await page.keyboard.press('?');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await isFocused(page, 'Quick search');
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeHidden();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const option = dialog(page).getByRole('switch');
  await expect(option).not.toBeChecked();
  await option.press('Space');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await expect(box(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.keyboard.press('/');
  await isFocused(page, 'Search campaigns');
});
