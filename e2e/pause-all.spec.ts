import { expect, test } from './support/fixtures.ts';

const SALE = 'Spring Sale | Prospecting';
const SERUM = 'Hydration Serum | Retargeting 30d';
const FILM = 'Brand Film | Video Views';

test('[EARLY-08] ‘Pause all now’ pauses what is protected while Meta is up, and ‘Resume all’ ends it', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { [SALE]: 'ACTIVE', [SERUM]: 'ACTIVE', [FILM]: 'PAUSED' } });
  const { account } = nora;
  const dialog = page.getByRole('dialog', { name: 'Pause all now?' });
  // Nothing is protected yet.
  await expect(page.getByRole('button', { name: 'Pause all now' })).toHaveCount(0);

  await nora.turnsSmartPause('on', SALE);
  await page.getByRole('button', { name: 'Pause all now' }).click();
  await expect(dialog.getByText(/^This pauses 1 campaign, whatever Meta’s status says/)).toBeVisible();
  await dialog.getByRole('radio', { name: 'In 1 hour' }).check();
  await dialog.getByRole('button', { name: 'Pause 1 campaign' }).click();
  await expect(dialog).toBeHidden();
  await nora.sees(/^You paused everything at/);
  await expect.poll(() => account.statusOf(SALE)).toBe('PAUSED');
  await nora.seesCampaign(SALE, /^Paused by you at/);
  expect(await account.statusOf(SERUM)).toBe('ACTIVE');

  await page.getByRole('button', { name: 'Resume all' }).click();
  await expect.poll(() => account.statusOf(SALE)).toBe('ACTIVE');
  await expect(page.getByText(/^You paused everything/)).toBeHidden();
  await nora.seesCampaign(SALE, 'ACTIVE');
  expect(await account.writesTo(SERUM)).toEqual([]);
});

test('[EARLY-08] ‘Change the end’ begins at the chosen end, and saves only another one', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { [SALE]: 'ACTIVE' } });
  await nora.turnsSmartPause('on', SALE);
  await page.getByRole('button', { name: 'Pause all now' }).click();
  await page.getByRole('radio', { name: 'In 4 hours' }).check();
  await page.getByRole('button', { name: 'Pause 1 campaign' }).click();

  const dialog = page.getByRole('dialog', { name: 'Change the end' });
  await page.getByRole('button', { name: 'Change the end' }).click();
  await expect(dialog.getByRole('radio', { name: 'At another time' })).toBeChecked();
  await expect(dialog.getByLabel('Resume at')).toHaveValue(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
  const save = dialog.getByRole('button', { name: 'Save the end' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('radio', { name: 'In 1 hour' }).check();
  await expect(save).not.toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('radio', { name: 'At another time' }).check();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('radio', { name: 'When I choose “Resume all”' }).check();
  await save.click();
  await nora.sees(/stays paused until you choose “Resume all”\./);

  await page.getByRole('button', { name: 'Change the end' }).click();
  await expect(dialog.getByRole('radio', { name: 'When I choose “Resume all”' })).toBeChecked();
  await expect(save).toHaveAttribute('aria-disabled', 'true');
});
