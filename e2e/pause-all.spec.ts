import { PHONE, expect, test } from './support/fixtures.ts';

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
  const button = page.getByRole('button', { name: 'Pause all now' });
  await button.click();
  await nora.chooses('Cancel');
  await expect(button).toBeFocused();
  await button.click();
  await expect(dialog.getByText(/^This pauses 1 campaign, whatever Meta’s status says/)).toBeVisible();
  await dialog.getByRole('radio', { name: 'In 1 hour' }).check();
  await dialog.getByRole('button', { name: 'Pause 1 campaign' }).click();
  await expect(dialog).toBeHidden();
  await nora.sees(/^You paused all protected campaigns at/);
  await expect(
    page.getByRole('status').filter({ hasText: 'You paused all protected campaigns' }),
  ).toBeFocused();
  await expect.poll(() => account.statusOf(SALE)).toBe('PAUSED');
  await nora.seesCampaign(SALE, /^Paused by you at/);
  expect(await account.statusOf(SERUM)).toBe('ACTIVE');

  await page.getByRole('button', { name: 'Resume all' }).click();
  await expect.poll(() => account.statusOf(SALE)).toBe('ACTIVE');
  await expect(page.getByText(/^You paused all protected campaigns/)).toBeHidden();
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

test('[EARLY-04, EARLY-06, EARLY-08] an early warning says that nothing pauses by the user’s choice, and leads to it and to ‘Pause all now’', async ({
  nora,
  page,
}) => {
  const warning = {
    ...{ since: new Date().toISOString(), pauses: true },
    evidence: 'Since 12:45 PM EST, reading campaigns fails for 31 of 118 businesses.',
  };
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), warning } });
  });
  await page.route('**/api/user/status', async (route) => {
    const response = await route.fetch();
    const { status } = (await response.json()) as { status: object };
    await route.fulfill({ response, json: { status: { ...status, earlyWarning: 'official' } } });
  });
  await nora.arrives({ campaigns: { [SALE]: 'ACTIVE' } });
  await nora.turnsSmartPause('on', SALE);
  const banner = page.getByRole('status').filter({ hasText: 'Early warning: Meta may have an outage' });
  await expect(banner).toContainText(warning.evidence);
  await expect(banner).toContainText('Your campaigns keep running: you chose the official status only.');
  await banner.getByRole('link', { name: 'Change in Settings' }).click();
  await expect(page.getByRole('radio', { name: 'Official status only' })).toBeInViewport();
  await page.goBack();

  await expect(page.getByRole('button', { name: 'Pause all now' })).toHaveCount(1);
  await banner.getByRole('button', { name: 'Pause all now' }).click();
  await nora.chooses('Pause 1 campaign');
  await expect(
    page.getByRole('status').filter({ hasText: 'You paused all protected campaigns' }),
  ).toBeFocused();
  await expect.poll(() => nora.account.statusOf(SALE)).toBe('PAUSED');
});

test('[UX-18, EARLY-08] on a phone ‘Pause all now’ has a place of its own, but none without a subscription', async ({
  nora,
  page,
}) => {
  await page.setViewportSize(PHONE);
  await nora.arrives({ campaigns: { [SALE]: 'ACTIVE' } });
  const gap = () =>
    page.evaluate<number>(`document.querySelector('[data-campaign]').getBoundingClientRect().top
      - [...document.querySelectorAll('main .mantine-Alert-root')].at(-1).getBoundingClientRect().bottom`);
  await nora.seesCampaign(SALE, 'ACTIVE');
  const before = await gap();
  await nora.turnsSmartPause('on', SALE);
  await expect(page.getByRole('button', { name: 'Pause all now' })).toBeVisible();
  expect(await gap()).toBe(before);
  await page.route('**/api/stripe/subscription', (route) =>
    route.fulfill({ json: { hasActiveSubscription: false, subscription: null } }),
  );
  await nora.opens('/?show=campaigns');
  await nora.seesCampaign(SALE, 'ACTIVE');
  expect(await gap()).toBeLessThanOrEqual(before - 36);
});
