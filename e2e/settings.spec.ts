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

test('[SET-02, SET-05, SET-06, UX-10] setup requires an email and the ticked box, and stores the new token', async ({
  nora,
  page,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });

  const before = await nora.token();
  const submit = nora.button('Complete Account Setup');
  const email = page.getByLabel('Email');
  await expect
    .poll(async () => [await email.getAttribute('type'), await email.getAttribute('required')])
    .toEqual(['email', '']);
  await expect(submit).toBeDisabled();
  await page.getByRole('checkbox').check();
  await expect(submit).toBeEnabled();
  await email.fill(' ');
  await expect(submit).toBeDisabled();
  await linksLegalPages(page.getByRole('form'));
  await email.fill('nora@lind.example');
  await submit.click();
  await nora.sees('Account initialized successfully!');
  await expect(nora.button('Save settings')).toBeVisible();
  await linksLegalPages(page.getByRole('main').getByText('Terms of Service · Privacy Policy'));
  const after = await nora.token();
  expect(after).not.toBe(before);
  expect((await (await nora.overHttp()).call('GET', '/api/me')).status).toBe(200);
});

test('[SET-04, UX-10] a delay stays within its bounds, and an invalid one is ignored', async ({
  nora,
  page,
}) => {
  await nora.arrives({ setup: { resume: { delayMinutes: 5 } }, path: '/settings' });

  const saved = async (): Promise<object> => {
    await nora.presses('Save settings');
    await nora.sees('Settings saved successfully');
    return (await (await nora.overHttp()).get<Saved>('/api/user/status')).status.resumeSettings;
  };
  const delay = page.getByRole('textbox', { name: 'Delay' });
  for (const typed of ['-3', '0', '-']) {
    await delay.selectText();
    await delay.pressSequentially(typed);
    await expect(nora.button('Save settings')).toBeDisabled();
  }
  await delay.blur();
  await expect(delay).toHaveValue('5');
  await delay.fill('75');
  expect(await saved()).toEqual({ mode: 'delay', delay: { value: 60, unit: 'minutes' } });
  await delay.fill('0');
  await page.getByLabel('Unit').selectOption('days');
  await expect(delay).toHaveValue('3');
  expect(await saved()).toEqual({ mode: 'delay', delay: { value: 3, unit: 'days' } });
  await page.getByRole('radio', { name: 'Next day' }).check();
  expect(await saved()).toEqual({ mode: 'next_day' });
});

test('[SET-03, SET-04, FMT-01] each choice shows its effect and what it means now', async ({
  nora,
  page,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });

  await nora.sees('Medium: pause when Meta reports medium or high disruptions.');
  await page.getByRole('slider', { name: 'Outage threshold' }).press('ArrowRight');
  await nora.sees(/^High: pause only when Meta reports high disruptions\./);
  const effect = /^If an outage ended now, campaigns would resume/;
  await page.getByRole('radio', { name: 'Next day' }).check();
  await expect(page.getByText(effect)).toHaveText(/on .*, 12:01 AM EST, in .*\.$/);
  await page.getByRole('radio', { name: 'After a delay' }).check();
  await nora.sees('1–60 minutes.');
  await page.getByRole('textbox', { name: 'Delay' }).fill('75');
  await expect(page.getByText(effect)).toHaveText(/, in 1 h\.$/);
});

test('[SET-07] saving shows its outcome, and the message disappears by itself', async ({ nora, page }) => {
  await nora.arrives({ path: '/settings' });

  await page.getByRole('radio', { name: 'Next day' }).check();
  await isShownFor(page.getByText('Settings saved successfully'), 3000, () => nora.presses('Save settings'));
  // An email address that the browser accepts and the server rejects.
  await page.getByLabel('Email').fill('nora@lind');
  await isShownFor(page.getByText('Failed to save settings'), 5000, () => nora.presses('Save settings'));
});

test('[UX-10] Save needs a change, and unsaved changes are not lost without a question', async ({
  nora,
  page,
  world,
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
  await page.getByRole('link', { name: 'Go to campaigns' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
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
  await logout.getByRole('button', { name: 'Cancel' }).click();
  await expect(logout).toBeHidden();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');

  await save.click();
  await nora.sees('Settings saved successfully');
  await expect(save).toBeDisabled();
  await slider.press('ArrowLeft');
  await page.getByRole('link', { name: 'Go to campaigns' }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.waitForURL(`${world.url}/`);
  await nora.opens('/settings');
  await expect(slider).toBeVisible();
  await expect(slider).toHaveAttribute('aria-valuetext', 'High');
  await slider.press('ArrowLeft');
  await nora.presses(/^Log out$/);
  await nora.presses('Log out without saving');
  await nora.isAtLandingPage();
  expect(await nora.token()).toBeNull();
});

test('[UX-09] SmartPause for new campaigns is off until it is chosen, in the setup or in the settings', async ({
  nora,
  page,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });

  const option = page.getByRole('switch', { name: 'Turn SmartPause on for new campaigns' });
  const saved = async () =>
    (await (await nora.overHttp()).get<Saved>('/api/user/status')).status.onForNewCampaigns;
  for (const step of ['When to pause', 'When to resume'])
    await expect(page.getByRole('region', { name: step })).toBeVisible();
  const last = page.getByRole('region', { name: 'Which campaigns' });
  await expect(last.getByText('usually within 15 minutes')).toBeVisible();
  await expect(option).not.toBeChecked();
  await option.check();
  await page.getByLabel('Email').fill('nora@lind.example');
  await page.getByRole('checkbox').check();
  await nora.presses('Complete Account Setup');
  await expect(nora.button('Save settings')).toBeVisible();
  expect(await saved()).toBe(true);
  await nora.opens('/settings');
  await expect(option).toBeChecked();
  await option.press('Space');
  await nora.sees('Unsaved changes');
  await nora.presses('Save settings');
  await nora.sees('Settings saved successfully');
  expect(await saved()).toBe(false);
});

test('[SET-03] the threshold starts at Medium and moves with the keyboard; an outage locks it, also on the server', async ({
  nora,
  page,
  world,
}) => {
  await nora.arrives({ setup: null, path: '/settings' });

  const slider = page.getByRole('slider', { name: 'Outage threshold' });
  const value = () => slider.getAttribute('aria-valuetext');
  expect(await value()).toBe('Medium (recommended)');
  await slider.press('ArrowLeft');
  expect(await value()).toBe('Low');
  await page.getByLabel('Email').fill('nora@lind.example');
  await page.getByRole('checkbox').check();
  await nora.presses('Complete Account Setup');
  await nora.sees('Account initialized successfully!');
  await world.reports('Low disruptions');
  await nora.sees('Threshold adjustments are disabled during Meta outages');
  await expect(slider).toHaveAttribute('aria-disabled', 'true');
  await slider.press('ArrowRight');
  expect(await value()).toBe('Low');
  const refused = await (
    await nora.overHttp()
  ).call('POST', '/api/user/settings', {
    email: 'nora@lind.example',
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'HIGH',
  });
  expect(refused.status).toBe(409);
});
