import { expect, test } from '../support/fixtures.ts';

test('[BANNER-01, BANNER-02] the banner names a declined permission; its link asks again and logs the user in', async ({
  nora,
  page,
  world,
}) => {
  await nora.opens('/');
  await nora.goesToTheDialog();
  await page.getByRole('checkbox', { name: /ads_management/ }).uncheck();
  await nora.presses(`Continue as ${nora.name}`);
  const banner = page.getByRole('alert').filter({ hasText: 'Access Denied' });
  await expect(banner.getByText(/without permission to manage your ads/)).toBeVisible();
  expect(await nora.token()).toBeNull();
  await banner.getByRole('link', { name: 'Log in again' }).click();
  await expect(page.getByRole('checkbox', { name: /ads_management/ })).toBeChecked();
  await nora.presses(`Continue as ${nora.name}`);
  await nora.isSignedIn();
  await expect(banner).toHaveCount(0);

  await nora.opens('/terms?error=ACCESS_DENIED&missing=ads_management&from=mail');
  await nora.presses('Dismiss');
  await page.waitForURL(`${world.url}/terms?from=mail`);
});

test('[BANNER-02] when Meta refuses access, every page shows one banner until the user logs in again', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  await nora.turnsSmartPause('on', 'Shoes');
  await world.graph.post('/tokens/invalidate', { userId: nora.id });
  await world.reports('High disruptions');
  await nora.sees('Session Expired');
  await nora.opens('/settings?error=TOKEN_EXPIRED');
  await expect(page.getByText('Session Expired')).toHaveCount(1);
  await expect(page.getByText('Your Meta connection has expired.')).toBeVisible();
  await page.getByRole('status').getByRole('link', { name: 'Log in again' }).click();
  await nora.presses(`Continue as ${nora.name}`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/settings`);
  await expect(page.getByText('Session Expired')).toHaveCount(0);
});
