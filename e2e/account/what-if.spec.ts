import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { asAdvertiser } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';

describe('what the settings would have done', () => {
  const product = productOfThisSuite();

  async function meets(phrase: string, level: string): Promise<void> {
    await product.status.reports(phrase);
    await waitFor(`the level ${level}`, async () =>
      (await (await fetch(`${product.url}/status.json`)).text()).includes(`"_status":{"level":"${level}"`),
    );
  }

  test('[HIST-07] a table of the known outages follows the chosen threshold and resume mode', async () => {
    await meets('Medium disruptions', 'MEDIUM_DISRUPTION');
    await meets('Resolved', 'UP');
    await asAdvertiser(product, { path: '/settings' }, async ({ page }) => {
      const panel = page.getByRole('region', { name: 'What your settings would have done' });
      const table = panel.getByRole('table', { name: 'Outages of the last 12 months with these settings' });
      const row = table.getByRole('row', { name: /Medium disruption/ });
      await panel.getByLabel('Resume').selectOption('Immediately');
      await panel.getByText(/^(The outage|All \d+ outages)$/).click();
      await row.getByRole('cell', { name: /^(less than a minute|\d+ min)$/ }).waitFor();
      await panel.getByLabel('Resume').selectOption('1 hour later');
      await row.getByRole('cell', { name: /^1 h( \d+ min)?$/ }).waitFor();
      await expect
        .poll(() => panel.getByRole('status').innerText())
        .toMatch(/^Your campaigns would have been paused in \d+ of \d+ outages?, for .* in total\.$/);
      await panel.getByLabel('Threshold').selectOption('High');
      await row.getByRole('cell', { name: 'Not paused: below your threshold' }).waitFor();
      // Nothing is saved.
      await page.reload();
      await panel.getByRole('status').waitFor();
      await expect.poll(() => panel.getByLabel('Threshold').inputValue()).toBe('MEDIUM');
    });
  });
});
