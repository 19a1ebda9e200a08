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
/** The shortcuts are loaded together with their links. */
const areReady = (page: Page) =>
  expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
const isFocused = (page: Page, name: string) => expect.poll(() => focusedName(page)).toBe(name);

test('Ctrl+K finds pages, ad accounts and campaigns by keyboard, and goes there', async ({ nora, page }) => {
  await nora.arrives({ campaigns: MANY, path: '/settings' });
  const opens = async () => {
    await page.keyboard.press('Control+k');
    await isFocused(page, 'Quick search');
  };
  await areReady(page);
  await page.getByLabel('Email').focus();
  await opens();
  await expect(page.getByRole('group', { name: 'Ad accounts' }).getByRole('option')).toBeVisible();
  const selected = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });
  await expect(selected).toHaveText('Campaigns');
  await page.keyboard.press('ArrowDown');
  await expect(selected).toHaveText('Activity');
  const active = await box(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`#${active ?? ''}`)).toHaveText('Activity');
  await page.keyboard.press('Escape');
  await expect(box(page)).toBeHidden();
  await expect(page.getByLabel('Email')).toBeFocused();

  await opens();
  await page.keyboard.type('tents');
  await expect(page.getByRole('option', { name: /^Tents/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await isFocused(page, 'Campaigns');
  await expect(nora.switchOf('Tents')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(1);

  await opens();
  await page.keyboard.type('lind');
  await expect(page.getByRole('option', { name: nora.account.name, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(nora.switchOf('Boots')).toBeVisible();
  await expect(page.locator('#campaign-list')).toBeFocused();
});

test('/ goes to the search, ? lists the shortcuts, and single keys can be turned off', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: MANY });
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await areReady(page);
  await expect(page.getByLabel('Search campaigns')).toBeVisible();
  await page.keyboard.press('/');
  await isFocused(page, 'Search campaigns');
  await page.keyboard.type('a/b?');
  await expect(page.getByLabel('Search campaigns')).toHaveValue('a/b?');
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).click();
  await page.keyboard.press('?');
  await expect(dialog.getByText('Show these shortcuts')).toBeVisible();
  await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.reload();
  await areReady(page);
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await isFocused(page, 'Quick search');
  await expect(dialog).toHaveCount(0);
});
