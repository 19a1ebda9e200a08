import { expect, test } from './support/fixtures.ts';

test('[HIST-07] a table of the known outages follows the chosen threshold and resume mode', async ({
  nora,
  page,
  world,
}) => {
  await world.reports('Medium disruptions');
  await world.reports('Resolved');
  await nora.arrives({ path: '/settings' });

  const panel = page.getByRole('region', { name: 'What your settings would have done' });
  const table = panel.getByRole('table', { name: 'Outages of the last 12 months with these settings' });
  const row = table.getByRole('row', { name: /Medium disruption/ });
  await panel.getByLabel('Resume').selectOption('Immediately');
  await panel.getByText(/^(The outage|All \d+ outages)$/).click();
  await expect(row.getByRole('cell', { name: /^(less than a minute|\d+ min)$/ })).toBeVisible();
  await panel.getByLabel('Resume').selectOption('1 hour later');
  await expect(row.getByRole('cell', { name: /^1 h( \d+ min)?$/ })).toBeVisible();
  await expect
    .poll(() => panel.getByRole('status').innerText())
    .toMatch(/^Your campaigns would have been paused in \d+ of \d+ outages?, for .* in total\.$/);
  await panel.getByLabel('Threshold').selectOption('High');
  await expect(row.getByRole('cell', { name: 'Not paused: below your threshold' })).toBeVisible();
  // Nothing is saved.
  await page.reload();
  await expect(panel.getByRole('status')).toBeVisible();
  const threshold = panel.getByLabel('Threshold');
  await expect(threshold).toHaveValue('MEDIUM');
  // As on the dashboard, whose styles a page that is opened by its address has not loaded.
  await expect(threshold.locator('..').locator('svg')).toHaveCSS('width', '18px');
});
