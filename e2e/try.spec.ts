import { expect, test } from './support/fixtures.ts';

test('[UX-09, TEST-01, TEST-02] from the checklist: what would happen now, then a live test with the keyboard', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Boots: 'ACTIVE', Hats: 'PAUSED' } });
  const { account } = nora;

  await nora.sees('Run a test (optional)');
  await nora.presses('Run a live test');
  const dialog = page.getByRole('dialog', { name: 'Run a live test' });
  await dialog.getByRole('combobox', { name: 'Campaign' }).fill('boo');
  await expect(page.getByRole('option', { name: 'Boots' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Shoes' })).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Start the test' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/^Paused on Meta after \d+ s$/)).toBeVisible();
  await expect.poll(() => account.statusOf('Boots')).toBe('PAUSED');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await expect(page.getByText(/Test: resumes at/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Resume now' }).press('Enter');
  await expect(dialog.getByText(/^Resumed after \d+ s$/)).toBeVisible();
  await expect.poll(() => account.statusOf('Boots')).toBe('ACTIVE');
  await page.keyboard.press('Escape');
  await nora.turnsSmartPause('on', 'Shoes');

  await page.goto(`${world.url}/settings`);
  await nora.presses('What would happen now?');
  await nora.sees('If Meta’s status met your threshold now, SmartPause would pause 1 of 3 campaigns.');
  await page.getByText('Would be paused').press('Enter');
  await expect(page.getByRole('dialog').getByText('Shoes', { exact: true })).toBeVisible();
  await nora.sees('Not paused: it’s paused already and stays paused');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
});
