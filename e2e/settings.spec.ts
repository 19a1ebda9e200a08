import type { Locator } from '@playwright/test';
import { isShownFor } from './support/checks.ts';
import { expect, test } from './support/fixtures.ts';

interface Saved {
  status: { resumeSettings: object; outageThreshold: string; onForNewCampaigns?: boolean };
}

/** Checks that each link opens in a new tab. */
async function linksLegalPages(place: Locator): Promise<void> {
  for (const [name, path] of [
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
  ] as const) {
    const link = place.getByRole('link', { name });
    await expect
      .poll(async () => [await link.getAttribute('href'), await link.getAttribute('target')])
      .toEqual([path, '_blank']);
  }
}

test('[SET-02, SET-03, SET-05, SET-06, UX-09, UX-10] setup requires an email and the ticked box, and stores the new token and the choices; an outage locks the threshold', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });

  const before = await nora.token();
  const submit = nora.button('Complete Account Setup');
  const email = page.getByLabel('Email');
  await expect
    .poll(async () => [await email.getAttribute('type'), await email.getAttribute('required')])
    .toEqual(['email', '']);
  const slider = page.getByRole('slider', { name: 'Outage threshold' });
  const value = () => slider.getAttribute('aria-valuetext');
  expect(await value()).toBe('Medium (recommended)');
  await slider.press('ArrowLeft');
  expect(await value()).toBe('Low');
  await nora.sees(/^Low: pause when/);
  await nora.sees(/usually within 15 minutes/);
  const option = page.getByRole('switch', { name: 'Turn SmartPause on for new campaigns' });
  await expect(option).not.toBeChecked();
  await option.check();

  await expect(submit).toBeDisabled();
  await expect(submit).toHaveAccessibleDescription('To continue, agree to the terms.');
  await page.getByRole('checkbox').check();
  await expect(submit).toBeEnabled();
  await expect(submit).toHaveAccessibleDescription('');
  await email.fill(' ');
  await expect(submit).toBeDisabled();
  await expect(submit).toHaveAccessibleDescription('To continue, enter your email.');
  await linksLegalPages(page.getByRole('form'));
  await email.fill('nora@lind.example');
  await submit.click();
  await nora.sees('Account initialized successfully!');
  await expect(nora.button('Save settings')).toBeDisabled();
  await expect(nora.link('Go to campaigns')).toHaveAttribute('data-variant', 'subtle');
  await expect(nora.link('Choose your campaigns')).toHaveAttribute('href', '/');
  await linksLegalPages(page.getByRole('main'));
  const after = await nora.token();
  expect(after).not.toBe(before);
  const saved = async () => (await (await nora.overHttp()).get<Saved>('/api/user/status')).status;
  expect(await saved()).toMatchObject({ outageThreshold: 'LOW', onForNewCampaigns: true });

  await nora.opens('/settings');
  await expect(option).toBeChecked();
  await option.press('Space');
  await nora.sees('Unsaved changes');
  await nora.presses('Save settings');
  await nora.sees('Settings saved successfully');
  expect(await saved()).toMatchObject({ outageThreshold: 'LOW', onForNewCampaigns: false });
  await world.reports('Low disruptions');
  await nora.sees('Threshold adjustments are disabled during Meta outages');
  await nora.sees(/^When this outage ends, campaigns resume /);
  await expect(slider).toHaveAttribute('aria-disabled', 'true');
  await slider.press('ArrowRight');
  expect(await value()).toBe('Low');
});

test('[SET-02, SET-04, UX-10] an invalid delay or email is not saved', async ({ nora, page }) => {
  await nora.arrives({ setup: { resume: { delayMinutes: 5 } }, path: '/settings' });

  const saved = async (): Promise<object> => {
    // The message of the save before may still be there.
    const answered = page.waitForResponse('**/api/user/settings');
    await nora.presses('Save settings');
    await answered;
    await nora.sees('Settings saved successfully');
    return (await (await nora.overHttp()).get<Saved>('/api/user/status')).status.resumeSettings;
  };
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  const delay = page.getByRole('textbox', { name: 'Delay' });
  for (const typed of ['-3', '0', '61']) {
    await delay.fill(typed);
    await delay.blur();
    await expect(delay).toHaveValue(typed);
    await nora.sees('Enter 1–60 minutes.');
    await nora.sees('Enter a valid delay to see when campaigns would resume.');
  }
  // What can be saved waits for it.
  await page.getByRole('slider', { name: 'Outage threshold' }).press('ArrowLeft');
  await nora.presses('Save settings');
  await expect(delay).toBeFocused();
  await expect(delay).toHaveAttribute('aria-invalid', 'true');
  await expect(delay).toHaveAccessibleDescription('Enter 1–60 minutes.');
  expect(sent).toEqual([]);
  await delay.fill('60');
  await nora.noLongerSees('Enter 1–60 minutes.');
  expect(await saved()).toEqual({ mode: 'delay', delay: { value: 60, unit: 'minutes' } });
  await delay.fill('0');
  await page.getByLabel('Unit').selectOption('days');
  await expect(delay).toHaveValue('3');
  expect(await saved()).toEqual({ mode: 'delay', delay: { value: 3, unit: 'days' } });
  await page.getByRole('radio', { name: 'Next day' }).check();
  await nora.sees(/^If an outage ended now, campaigns would resume .*12:01 AM EST, in .*\.$/);
  expect(await saved()).toEqual({ mode: 'next_day' });
  await page.getByLabel('Time zone').selectOption('Each ad account’s');
  await nora.sees('At the next 12:01 AM in the ad account’s time zone.');
  expect(await saved()).toEqual({ mode: 'next_day', zone: 'account' });

  const email = page.getByRole('textbox', { name: 'Email' });
  await email.fill('nora@lind');
  await nora.presses('Save settings');
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription(/Enter a complete email address/);
  await email.fill('nora@other.example');
  await nora.noLongerSees(/^Enter a complete email address/);
  expect(await saved()).toEqual({ mode: 'next_day', zone: 'account' });
});

test('[SET-07] saving shows its outcome, and the message disappears by itself; on another page a failure is a notice', async ({
  nora,
  page,
}) => {
  await nora.arrives({ path: '/settings' });

  await page.getByRole('radio', { name: 'Next day' }).check();
  await isShownFor(page.getByText('Settings saved successfully'), 3000, () => nora.presses('Save settings'));
  await page.route('**/api/user/settings', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('radio', { name: 'Immediately' }).check();
  const failed = page.getByRole('alert').filter({ hasText: 'Your changes are still here. Try again.' });
  await isShownFor(failed.getByText('Failed to save settings'), 5000, () => nora.presses('Save settings'));

  const failing = Promise.withResolvers<undefined>();
  await page.route('**/api/user/settings', async (route) => {
    await failing.promise;
    await route.fulfill({ status: 500, json: {} });
  });
  await nora.presses('Save settings');
  await page.getByRole('link', { name: 'Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Settings: Billing' })).toBeVisible();
  failing.resolve(undefined);
  await nora.sees('Failed to save settings');
});

test('[UX-10] Save needs a change, and unsaved changes are not lost without a question', async ({
  nora,
  page,
}) => {
  await nora.arrives({ path: '/settings' });

  const save = nora.button('Save settings');
  const slider = page.getByRole('slider', { name: 'Outage threshold' });
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(save).toBeDisabled();
  await slider.press('ArrowRight');
  await nora.sees('Unsaved changes');
  await slider.press('ArrowLeft');
  await nora.noLongerSees('Unsaved changes');
  await expect(save).toBeDisabled();

  await slider.press('ArrowRight');
  await nora.link('Notifications').click();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog).toBeHidden();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');

  const logout = page.getByRole('dialog', { name: 'Log out without saving?' });
  await nora.presses(/^Log out$/);
  await logout.getByRole('button', { name: 'Keep editing' }).click();
  await expect(logout).toBeHidden();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');

  await save.click();
  await nora.sees('Settings saved successfully');
  await expect(save).toBeDisabled();

  // In another tab.
  const savesElsewhere = async (resumeSettings: object) => {
    const body = { resumeSettings, outageThreshold: 'HIGH', email: nora.email };
    await (await nora.overHttp()).call('POST', '/api/user/settings', body);
  };
  const delay = page.getByRole('textbox', { name: 'Delay' });
  await savesElsewhere({ mode: 'delay', delay: { value: 7, unit: 'minutes' } });
  await expect(delay).toHaveValue('7');
  await expect(save).toBeDisabled();
  await slider.press('ArrowLeft');
  await savesElsewhere({ mode: 'delay', delay: { value: 9, unit: 'minutes' } });
  await nora.sees('Settings were saved in another tab');
  await expect(delay).toHaveValue('9');
  await expect(slider).toHaveAttribute('aria-valuetext', /^Medium/);
  await page.getByRole('link', { name: 'Go to campaigns' }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/');
  await nora.opens('/settings');
  await expect(slider).toBeVisible();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');
  await slider.press('ArrowLeft');
  await nora.presses(/^Log out$/);
  await nora.presses('Log out without saving');
  await nora.isAtLandingPage();
  expect(await nora.token()).toBeNull();
});

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
  // The form's own settings, saved or not, until others are chosen.
  const form = page.getByRole('form', { name: 'SmartPause settings' });
  await form.getByRole('slider').press('ArrowRight');
  await expect(panel.getByLabel('Threshold')).toHaveValue('HIGH');
  await form.getByRole('slider').press('ArrowLeft');
  await expect(panel.getByLabel('Threshold')).toHaveValue('MEDIUM');
  await panel.getByLabel('Resume').selectOption('Immediately');
  await panel.getByText(/^\d+ outages? in detail$/).click();
  await expect(row.getByRole('cell', { name: /^(\d+ min|(\d+ min )?[\d.]+ s)$/ })).toBeVisible();
  await panel.getByLabel('Resume').selectOption('1 hour later');
  await expect(row.getByRole('cell', { name: /^1 h( \d+ min)?$/ })).toBeVisible();
  await expect
    .poll(() => panel.getByRole('status').innerText())
    .toMatch(
      /^\d+ of \d+ outages? in the last 12 months would have paused your campaigns\s+.* in total\.\s*$/,
    );
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

test('nothing moves while Settings load, and their contents mark the page and the section in view', async ({
  nora,
  page,
}) => {
  await page.addInitScript(`globalThis.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });`);
  await nora.arrives({ path: '/settings' });
  const contents = page.getByRole('navigation', { name: 'Settings' });
  const [shown, inView] = (['page', 'location'] as const).map((what) =>
    contents.locator(`[aria-current=${what}]`),
  ) as [Locator, Locator];
  await expect(shown).toHaveText('SmartPause');
  await expect(inView).toHaveText('When to pause');
  await expect(page.getByLabel('Email')).toBeVisible();
  // The greeting in the header makes 0.01; a footer that moves makes 0.08.
  expect(Math.max(0, ...(await page.evaluate<number[]>('shifts')))).toBeLessThan(0.05);
  await contents.getByRole('link', { name: 'Try it' }).click();
  await expect(inView).toHaveText('Try it');
  await contents.getByRole('link', { name: 'Notifications' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Settings: Notifications' })).toBeFocused();
  await expect(shown).toHaveText('Notifications');
  await expect(inView).toHaveCount(0);
  // A section of the page that Settings was. At the end of its page, which scrolls no further.
  await nora.opens('/settings#danger-zone');
  await page.waitForURL('**/settings/account#danger-zone');
  await expect(page.getByRole('region', { name: 'Danger Zone' })).toBeFocused();
  await expect(shown).toHaveText('Account');
  for (const name of ['Sessions', 'Danger Zone']) {
    await contents.getByRole('link', { name }).click();
    await expect(inView).toHaveText(name);
  }
  await nora.opens('/no-such-page');
  await nora.sees('Page not found');
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
});

test('[SET-12, AUTH-04] revoking resumes paused campaigns, shows the last message, which no 401 replaces, and ends at the banner', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ campaigns: { Shoes: 'ACTIVE' } });
  const { account } = nora;

  await nora.isPausedInOutage('Shoes');
  await page.clock.install();
  await nora.opens('/settings/account');
  await page.route('**/api/account/deauthorize', async (route) => {
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    const answer = await route.fetch();
    await refused;
    await route.fulfill({ response: answer });
  });
  await nora.presses('Revoke authorization');
  await nora.sees(/^Your subscription continues and is still charged\./);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
  await nora.reads('Authorization revoked. Logging you out…');
  await expect(page.getByRole('dialog').getByRole('button')).toHaveCount(0);
  await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
  await page.waitForURL(`${world.url}/?error=DEAUTH_SUCCESS`);
  await nora.sees('Successfully Deauthorized');
  expect(await nora.token()).toBeNull();
});

test('[SET-10, SET-11, SET-13] deletion waits for the cancellation, requires the exact phrase, ends at / and removes all data', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ path: '/settings/account' });

  await nora.sees(/Account deletion is disabled while you have an active subscription/);
  await expect(nora.button('Delete account')).toBeDisabled();
  await nora.cancelsSubscription();
  await nora.presses('Delete account');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  const phrase = dialog.getByRole('textbox');
  await nora.sees(/^What is left of your subscription ends immediately\./);
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
  await expect(dialog.getByRole('status')).toBeFocused();
  await nora.reads('Your account is deleted. Logging you out…');
  await page.waitForURL(`${world.url}/?error=ACCOUNT_DELETED`);
  await nora.sees('Account Deleted');
  // The server keeps only the record of the trial.
  await nora.signsIn();
  await nora.sees('Choose your plan');
});

test('[EARLY-04] the choice of what an early warning does begins with the official status, and is saved', async ({
  nora,
  page,
}) => {
  await page.route('**/api/user/status', async (route) => {
    const response = await route.fetch();
    const { status } = (await response.json()) as { status: object };
    await route.fulfill({ response, json: { status: { earlyWarning: 'official', ...status } } });
  });
  await nora.arrives({ path: '/settings' });
  const choice = page.getByRole('radiogroup', { name: 'Early warning' });
  await expect(choice.getByRole('radio')).toHaveCount(3);
  await expect(choice.getByRole('radio', { name: 'Official status only' })).toBeChecked();
  await choice.getByRole('radio', { name: 'Early warnings pause as well' }).check();
  const sent = page.waitForRequest('**/api/user/settings');
  await nora.presses('Save settings');
  expect((await sent).postDataJSON()).toMatchObject({ earlyWarning: 'pause' });
  await nora.sees('Settings saved successfully');
});
