import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { asAdvertiser } from '../support/as-user.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { focusedName } from '../support/keyboard.ts';
import { KeyboardUser } from '../support/keyboard-user.ts';

const EMAIL = 'nora@lind.example';

describe('history', () => {
  const product = productOfThisSuite();

  test('[HIST-01, HIST-02, HIST-03, HIST-05] after an outage a user finds out by keyboard what happened and why', () =>
    asAdvertiser(
      product,
      {
        campaigns: {
          ...{ Shoes: 'ACTIVE', Hats: 'PAUSED', Coats: 'ACTIVE', Boots: 'PAUSED', Belts: 'PAUSED' },
          ...{ Socks: 'PAUSED', Ties: 'PAUSED', Gloves: 'PAUSED' },
        },
      },
      async ({ nora, page, account }) => {
        for (const campaign of ['Shoes', 'Hats']) await nora.turnsSmartPause('on', campaign);
        await product.status.reports('High disruptions');
        await account.becomes('Shoes', 'PAUSED');
        await product.status.reports('Resolved');
        await account.becomes('Shoes', 'ACTIVE');
        const { text } = await product.mailbox.waitFor(EMAIL, /^SmartPause resumed 1 campaign/);
        expect(text).toContain(`See what happened: ${product.url}/activity`);

        // Not above the list while the focus is in it (UX-04).
        const card = page.getByRole('note').filter({ hasText: 'Last outage' });
        await expect.poll(() => card.count()).toBe(0);
        await page.getByRole('heading', { name: 'Campaigns', level: 1 }).click();
        await card.getByText(/\(high disruption\): 1 campaign paused within .* and resumed\./).waitFor();

        const keys = new KeyboardUser(page);
        await keys.opens('Why? History of Shoes');
        const drawer = page.getByRole('dialog', { name: 'Why?' });
        await drawer.getByText('Resumed this campaign.').waitFor();
        await drawer.getByText('Paused this campaign.').waitFor();
        expect(new URL(page.url()).searchParams.get('why')).toMatch(/^\d+$/);
        await keys.isTakenInto(drawer);
        await keys.presses('Escape');
        await drawer.waitFor({ state: 'hidden' });
        await waitFor(
          'the focus on the button',
          async () => (await focusedName(page)) === 'Why? History of Shoes',
        );

        await keys.opens('Activity');
        await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
        const outage = page.getByRole('region', { name: 'Outages' }).getByRole('listitem').first();
        await outage.getByText('High disruption', { exact: true }).waitFor();
        await outage.getByText('Last pause after').waitFor();
        await outage.getByRole('link').press('Enter');

        await page.getByRole('heading', { name: /^Outage on/, level: 1 }).waitFor();
        await page.getByRole('img', { name: /^High disruption from .*, until/ }).waitFor();
        const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
        await row('Shoes').getByText('Resumed', { exact: true }).first().waitFor();
        await row('Hats').getByText('It was already paused before the outage.').waitFor();
        await row('Coats').getByText('SmartPause was off for it.').waitFor();

        await page.getByLabel('Filter by result').selectOption({ label: 'Not paused (7)' });
        await row('Shoes').waitFor({ state: 'hidden' });
        await page.getByLabel('Search campaigns').pressSequentially('coa');
        await row('Hats').waitFor({ state: 'hidden' });
        await row('Coats').waitFor();
        await page.getByLabel('Search campaigns').pressSequentially('x');
        await nora.sees('No campaign matches the search and the filters.');
        await keys.opens('Clear search');
        await page.getByLabel('Filter by result').selectOption('All results');
        await row('Shoes').waitFor();

        const download = page.waitForEvent('download');
        await keys.opens('Download CSV');
        const file = await download;
        expect(file.suggestedFilename()).toMatch(/^smartpause-outage-\d{4}-\d\d-\d\d\.csv$/);
        const csv = await readFile(await file.path(), 'utf8');
        expect(csv).toMatch(/^\uFEFFCampaign,Campaign id,/);
        expect(csv).toMatch(/\r\nShoes,\d+,[^\r]*,Resumed,,\d{4}-\d\d-\d\dT/);
        expect(csv).toMatch(/\r\nHats,\d+,[^\r]*,Not paused,It was already paused before the outage\.,/);

        await keys.opens('Hats');
        await drawer.getByText('Hats').first().waitFor();
        await page.goBack();
        await drawer.waitFor({ state: 'hidden' });

        await page.getByRole('link', { name: 'Campaigns' }).click();
        await card.getByRole('button', { name: 'Hide last outage' }).click();
        await card.waitFor({ state: 'hidden' });
        await page.reload();
        await nora.campaign('Shoes').waitFor();
        await expect.poll(() => card.count()).toBe(0);
      },
    ));

  test('[HIST-01, HIST-03] the link of an outage or a history opens it; a failure offers a retry', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page }) => {
      const shoes = await page.locator('[data-campaign]').getAttribute('data-campaign');
      const calls = '**/api/campaigns/*/history*';
      await page.route(calls, (route) => route.fulfill({ status: 400 }));
      await nora.opens(`/?why=${shoes ?? ''}`);
      const drawer = page.getByRole('dialog', { name: 'Why?' });
      await drawer.getByRole('alert').getByText('The history couldn’t be loaded.').waitFor();
      await page.unroute(calls);
      await drawer.getByRole('button', { name: 'Try again' }).click();
      await drawer.getByRole('heading', { name: 'Shoes' }).waitFor();
      await nora.opens('/activity/999999999');
      await nora.sees('This outage isn’t in your history, which goes back 400 days.');
    }));
});
