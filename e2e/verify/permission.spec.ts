import type { World } from '../support/world.ts';
import { PHONE, expect, test } from '../support/fixtures.ts';

interface Callback {
  answer: { status: number; body: string };
}

const asksForDeletion = async (world: World, userId: string) => {
  const url = `${world.url}/auth/facebook/data-deletion`;
  const { answer } = await world.graph.post<Callback>('/callbacks', { userId, url, removeApp: true });
  return JSON.parse(answer.body) as { url: string; confirmation_code: string };
};

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
  await expect(banner.getByText(/needs permission to manage your ads/)).toBeVisible();
  expect(await nora.token()).toBeNull();
  await banner.getByRole('link', { name: 'Log in again' }).click();
  await expect(page.getByRole('checkbox', { name: /ads_management/ })).toBeChecked();
  await nora.presses(`Continue as ${nora.name}`);
  await expect(page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);

  await nora.opens('/terms?error=ACCESS_DENIED&missing=ads_management&from=mail');
  await nora.presses('Dismiss');
  await page.waitForURL(`${world.url}/terms?from=mail`);
  await nora.opens('/terms?error=ACCESS_DENIED&missing=%3Cb%3Eplanted');
  await nora.sees('Access Denied');
  await expect(page.getByText(/planted/)).toHaveCount(0);
});

test('[BANNER-02] when Meta refuses access, every page shows one banner until the user logs in again', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { id, name } = nora;

  await nora.turnsSmartPause('on', 'Shoes');
  await world.graph.post('/tokens/invalidate', { userId: id });
  await world.reports('High disruptions');
  await nora.sees('Session Expired');
  await nora.opens('/?error=TOKEN_EXPIRED');
  await expect(nora.campaigns()).toBeVisible();
  await nora.sees('Session Expired');
  await expect(page.getByText('Session Expired')).toHaveCount(1);
  await nora.presses('Dismiss');
  await page.waitForURL(`${world.url}/`);
  await expect(page.getByText('Session Expired')).toHaveCount(1);
  await nora.opens('/settings');
  const banner = page.getByRole('status').filter({ hasText: 'Session Expired' });
  await banner.getByRole('link', { name: 'Log in again' }).click();
  await nora.presses(`Continue as ${name}`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/settings`);
  await expect(banner).toHaveCount(0);
});

test('a deletion requested on Meta shows its progress to anyone with the code', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { id } = nora;

  const { url, confirmation_code } = await asksForDeletion(world, id);
  expect(url).toBe(`${world.url}/data-deletion/${confirmation_code}`);
  const phone = await page.context().newPage();
  await phone.setViewportSize(PHONE);
  await phone.goto(url);
  await expect(phone.getByRole('heading', { name: 'Data deletion', level: 1 })).toBeVisible();
  await expect(phone.getByRole('heading', { name: 'Completed' })).toBeVisible();
  await expect(phone.getByText(confirmation_code)).toBeVisible();
  await expect(phone.getByText(/\d{4}, \d+:\d\d [AP]M EST$/)).toHaveCount(2);
  const width = await phone.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(PHONE.width);

  // The browser still has the token of the session that the deletion ended.
  await nora.opens(`/data-deletion/${confirmation_code}`);
  await expect(page.getByRole('heading', { name: 'Completed' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Log In' }).first()).toBeVisible();
  expect([page.url(), await nora.token()]).toEqual([url, null]);
});
