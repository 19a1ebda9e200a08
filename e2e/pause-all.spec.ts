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
  await page.getByRole('button', { name: 'Pause all now' }).click();
  await expect(dialog.getByText(/^Nothing to pause: no running campaign has SmartPause on/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Pause/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();

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
