import { isShownFor } from './support/checks.ts';
import { expect, test } from './support/fixtures.ts';
import { User } from './support/user.ts';

test('[SET-12] revoking resumes paused campaigns, shows the last message and ends at the banner', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await page.clock.install();
  await nora.opens('/settings');
  await nora.presses('Revoke authorization');
  await nora.sees(/^Your subscription continues and is still charged\./);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
  await nora.reads('Authorization revoked. Logging you out…');
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await page.waitForURL(`${world.url}/?error=DEAUTH_SUCCESS`);
  await nora.sees('Successfully Deauthorized');
  expect(await nora.token()).toBeNull();
});

test('[SET-12] a revocation in progress cannot be dismissed, and ends at the banner when its page is left', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
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
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  goesOn.resolve(undefined);
  await page.waitForURL(`${world.url}/?error=DEAUTH_SUCCESS`);
  await nora.isAtLandingPage();
});

test('[SET-12, AUTH-04] a 401 does not replace the last message of a revocation', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ path: '/settings' });

  await page.clock.install();
  await page.route('**/api/account/deauthorize', async (route) => {
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    const answer = await route.fetch();
    await refused;
    await route.fulfill({ response: answer });
  });
  await nora.presses('Revoke authorization');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
  await nora.reads('Authorization revoked. Logging you out…');
  await page.waitForURL(`${world.url}/?error=DEAUTH_SUCCESS`);
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
    await user.arrives({ setup: { resume: 'instant' }, campaigns: {}, path: '/settings' });
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

test('[SET-10, SET-11, SET-13] deletion waits for the cancellation, requires the exact phrase, ends at / and removes all data', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ path: '/settings' });

  await nora.sees(/Account deletion is disabled while you have an active subscription/);
  await expect(nora.button('Delete account')).toBeDisabled();
  await nora.cancelsSubscription();
  await nora.presses('Delete account');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  const phrase = dialog.getByRole('textbox');
  await nora.sees(/^Your subscription ends immediately\./);
  await expect(confirm).toBeDisabled();
  await phrase.fill('delete my account');
  await expect(confirm).toBeDisabled();
  await phrase.fill('DELETE MY ACCOUNT');
  await expect(confirm).toBeEnabled();
  await nora.chooses('Cancel');
  await expect(dialog).toBeHidden();
  await nora.presses('Delete account');
  await expect(phrase).toHaveValue('');
  await expect(confirm).toBeDisabled();
  await phrase.fill('DELETE MY ACCOUNT');
  await page.clock.install();
  await confirm.click();
  await nora.reads('Your account is deleted. Logging you out…');
  await page.waitForURL(`${world.url}/?error=ACCOUNT_DELETED`);
  await nora.sees('Account Deleted');
  // The server keeps only the record of the trial.
  await nora.signsIn();
  await nora.sees('Choose your plan');
});
