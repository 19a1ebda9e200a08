import { isShownFor } from '../support/checks.ts';
import { expect, test } from '../support/fixtures.ts';
import { User } from '../support/user.ts';

test('[SET-12] a revocation in progress cannot be dismissed, and ends at the banner when its page is left', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  const goesOn = Promise.withResolvers<undefined>();
  await page.route('**/api/account/deauthorize', async (route) => {
    await goesOn.promise;
    await route.continue();
  });
  await nora.presses('Revoke authorization');
  const dialog = page.getByRole('dialog', { name: 'Revoke authorization?' });
  await nora.chooses('Revoke authorization');
  await expect(dialog.locator('[aria-busy=true]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  goesOn.resolve(undefined);
  await page.waitForURL(`${world.url}/?error=DEAUTH_SUCCESS`);
  await nora.isAtLandingPage();
});

test('[SET-12, SET-13] when Meta does not revoke our access, a message says so for 5 s', async ({
  page,
  world,
}) => {
  await world.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
  for (const [action, failure, banner] of [
    ['Revoke authorization', 'revoke authorization', 'Your authorization is being revoked'],
    ['Delete account', 'delete account', 'Your account is being deleted'],
  ] as const) {
    const user = new User(page, world);
    await user.arrives({ setup: { resume: 'instant' }, campaigns: {}, path: '/settings/account' });
    await user.cancelsSubscription();
    await user.presses(action);
    const dialog = page.getByRole('dialog');
    if (action === 'Delete account') await dialog.getByRole('textbox').fill('DELETE MY ACCOUNT');
    const failureAlert = dialog
      .getByRole('alert')
      .filter({ hasText: `Failed to ${failure}. Please try again.` })
      .filter({ hasText: /We haven’t finished .* We’ll keep trying in the background\.$/ });
    await isShownFor(failureAlert, 5000, () => user.chooses(action));
    await expect(dialog.getByRole('button', { name: action })).toBeEnabled();
    await user.opens('/terms');
    await user.sees(banner);
  }
});
