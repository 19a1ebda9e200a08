import { readFile } from 'node:fs/promises';
import { expect, test } from './support/fixtures.ts';
import { focusedName, tabTo } from './support/keyboard.ts';
import { passesUntil } from './support/page-clock.ts';
import type { User } from './support/user.ts';
import type { World } from './support/world.ts';

/** SmartPause has paused Shoes and resumed it; Hats was paused before, and SmartPause is off for Coats. */
async function hadOutage(nora: User, world: World): Promise<void> {
  await nora.arrives({
    campaigns: {
      ...{ Shoes: 'ACTIVE', Hats: 'PAUSED', Coats: 'ACTIVE', Boots: 'PAUSED', Belts: 'PAUSED' },
      ...{ Socks: 'PAUSED', Ties: 'PAUSED', Gloves: 'PAUSED' },
    },
  });
  await nora.page.clock.install();
  await nora.page.reload();
  await nora.isPausedInOutage('Shoes', 'Hats');
  await world.reports('Resolved');
  await nora.account.becomes('Shoes', 'ACTIVE');
  await nora.seesCampaign('Shoes', 'ACTIVE');
}

test('[HIST-01, HIST-02, HIST-03, HIST-05] after an outage a user finds out by keyboard what happened and why, and downloads it', async ({
  nora,
  page,
  world,
}) => {
  await hadOutage(nora, world);

  // Not above a list in use (UX-04), but once the pointer rests in it.
  const card = page.getByRole('note').filter({ hasText: 'Last outage' });
  await expect(card).toHaveCount(0);
  await expect(nora.switchOf('Hats')).toBeFocused();
  const told = card.getByText(/, high disruption: 1 campaign paused within .* and resumed; 1 kept running\./);
  await passesUntil(page, () => told.isVisible());

  await tabTo(page, 'More for Shoes');
  await page.keyboard.press('Enter');
  await expect.poll(() => focusedName(page)).toBe('Why? History of Shoes');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Why?' });
  await expect(drawer.getByText('The outage is over.')).toBeVisible();
  await expect(drawer.getByText('High disruptions, your threshold is medium.')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('why')).toMatch(/^\d+$/);
  await expect(drawer.locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect.poll(() => focusedName(page)).toBe('More for Shoes');

  await tabTo(page, 'Activity');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible();
  const outage = page.getByRole('region', { name: 'Outages' }).getByRole('listitem').first();
  await expect(outage.getByText('High disruption', { exact: true })).toBeVisible();
  await expect(outage.getByText(/^1 campaign paused within .* and resumed; 1 kept running\.$/)).toBeVisible();
  const log = page.getByRole('region', { name: 'Everything that happened' });
  await expect(log.getByText(/^Paused “Shoes” in .*: high disruptions/)).toBeVisible();
  await log.getByLabel('Search activity by campaign').fill('hats');
  await expect(log.getByText(/“Shoes”/)).toHaveCount(0);
  await expect(log.getByRole('list', { name: 'Today' }).getByText(/“Hats”/)).toBeVisible();
  await log.getByLabel('Search activity by campaign').fill('');
  await log
    .getByRole('listitem')
    .filter({ hasText: 'Paused “Shoes”' })
    .getByRole('link', { name: 'See the outage' })
    .press('Enter');

  await expect(page.getByRole('heading', { name: /^Outage on/, level: 1 })).toBeVisible();
  await expect(page.getByRole('img', { name: /^High disruption from .*, until/ })).toBeVisible();
  // Light text on paper could not be read.
  await page.emulateMedia({ colorScheme: 'dark' });
  const scheme = 'document.documentElement.dataset.mantineColorScheme';
  await page.evaluate(`addEventListener('beforeprint', () => { globalThis.printed = ${scheme}; })`);
  await page.pdf();
  expect(await page.evaluate(`[printed, ${scheme}]`)).toEqual(['light', 'dark']);
  const row = (name: string) =>
    page
      .getByRole('list', { name: 'Campaigns' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name, exact: true }) });
  await expect(row('Shoes').getByText('Resumed', { exact: true }).first()).toBeVisible();
  await expect(row('Hats').getByText('It was already paused before the outage.')).toBeVisible();
  await expect(row('Coats').getByText('SmartPause was off for it.')).toBeVisible();

  const pauseSent = row('Shoes').getByText('Pause sent');
  await expect(pauseSent).toBeHidden();
  await expect(row('Shoes').getByText('Paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show all steps' }).press('Enter');
  await expect(pauseSent).toBeVisible();
  await page.getByRole('button', { name: 'Show fewer steps' }).press('Enter');
  await expect(pauseSent).toBeHidden();

  await page.getByLabel('Filter by result').selectOption({ label: 'Not paused by SmartPause (7)' });
  await expect(row('Shoes')).toBeHidden();
  await page.getByLabel('Search campaigns').pressSequentially('coa');
  await expect(row('Hats')).toBeHidden();
  await expect(row('Coats')).toBeVisible();
  await page.getByLabel('Search campaigns').fill('');
  await page.getByLabel('Filter by result').selectOption('All results');
  await expect(row('Shoes')).toBeVisible();

  const download = page.waitForEvent('download');
  await tabTo(page, 'Download CSV');
  await page.keyboard.press('Enter');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^smartpause-outage-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv).toMatch(/^\uFEFFCampaign,Campaign id,/);
  expect(csv).toMatch(/\r\nShoes,"=""\d+""",[^\r]*,Resumed,,\d{4}-\d\d-\d\dT/);

  await page.getByRole('link', { name: 'Campaigns' }).click();
  await card.getByRole('button', { name: 'Hide last outage' }).click();
  await expect(card).toBeHidden();
  await page.reload();
  await expect(nora.campaign('Shoes')).toBeVisible();
  await expect(card).toHaveCount(0);
});

test('[HIST-01, HIST-03] the link of an outage or a history opens it; a failure offers a retry', async ({
  nora,
  page,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

  const shoes = await page.locator('[data-campaign]').getAttribute('data-campaign');
  const calls = '**/api/campaigns/*/history*';
  // Live updates would load it before the press.
  await page.route('**/api/events', () => {});
  await page.route(calls, (route) => route.fulfill({ status: 400 }));
  await nora.opens(`/?why=${shoes ?? ''}`);
  const drawer = page.getByRole('dialog', { name: 'Why?' });
  await expect(drawer.getByRole('alert').getByText('The history couldn’t be loaded.')).toBeVisible();
  await page.unroute(calls);
  await drawer.getByRole('button', { name: 'Retry' }).click();
  await expect(drawer.getByRole('heading', { name: 'Shoes' })).toBeVisible();
  await nora.opens('/activity/999999999');
  await nora.sees('This outage isn’t in your history, which goes back 400 days.');
});

test('[UX-21] a change in Ads Manager during an outage appears at once with its author, and protection is turned on again', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE', Hats: 'ACTIVE' } });
  await page.clock.install();
  await page.reload();
  await nora.isPausedInOutage('Shoes', 'Hats');
  // A read that is not newer than our pause proves nothing.
  await world.advance(11_000);
  await nora.account.changes('Shoes', { status: 'ACTIVE' });
  await nora.presses('Why? History of Shoes');
  const drawer = page.getByRole('dialog', { name: 'Why?' });
  await expect(drawer.getByText('Meta shows this campaign running.')).toBeVisible();
  await world.advance(11_000);
  await expect(
    drawer.getByText(/^Robin Vale resumed this campaign in Ads Manager on .* EST \(.* UTC\)\.$/),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await nora.seesCampaign('Shoes', 'SmartPause Disabled');

  await world.reports('Resolved');
  await nora.account.becomes('Hats', 'ACTIVE');
  await page.clock.fastForward(11_000);
  const card = page.getByRole('note').filter({ hasText: 'Last outage' });
  await expect(card.getByText(/, 1 resumed, 1 resumed outside SmartPause\./)).toBeVisible();
  // A campaign that is gone or has ended cannot be turned on.
  await page.route('**/api/campaigns/act_*', (route) => route.fulfill({ json: { campaigns: [] } }));
  await card.getByRole('button', { name: 'Turn on again' }).click();
  await nora.sees('Nothing to turn on');
  await page.unroute('**/api/campaigns/act_*');
  await card.getByRole('button', { name: 'Turn on again' }).click();
  await nora.sees(/^1 campaign in 1 ad account: Shoes\.$/);
  await nora.chooses('Turn on');
  await expect(nora.switchOf('Shoes')).toBeChecked();
  await expect(card.getByText('lost protection')).toHaveCount(0);

  await card.getByRole('link', { name: 'See what happened' }).click();
  await nora.sees('Resumed in Ads Manager');
});
