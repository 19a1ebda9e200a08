import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

/** How far the page's clock goes between two looks at a message. */
const STEP_MS = 100;

interface Saved {
  status: { resumeSettings: object; outageThreshold: string };
}

/** Each in a new tab. */
async function linksLegalPages(place: Locator): Promise<void> {
  for (const [name, path] of [
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
  ] as const) {
    const link = place.getByRole('link', { name });
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([path, '_blank']);
  }
}

describe('the settings', () => {
  const product = productOfThisSuite();

  const somebodyNew = async (): Promise<string> => (await newAdvertiser(product.graph, {})).name;

  /** By the page's own clock, which is paused: the speed of the machine does not matter. */
  async function isShownFor(message: Locator, ms: number, act: () => Promise<void>): Promise<void> {
    const { clock } = message.page();
    await clock.install();
    await clock.pauseAt((await message.page().evaluate<number>('Date.now()')) + 1000);
    await act();
    await waitFor('the message to be shown', async () => {
      await clock.runFor(STEP_MS);
      return message.isVisible();
    });
    await clock.runFor(ms - 2 * STEP_MS);
    expect(await message.isVisible()).toBe(true);
    await clock.runFor(3 * STEP_MS);
    await message.waitFor({ state: 'hidden' });
    await clock.resume();
  }

  test('[SET-02, SET-05, SET-06] the setup needs an email and the ticked box, and stores the new token', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAtSettingsAs(name);
      const before = await nora.token();
      const submit = nora.button('Complete Account Setup');
      const email = page.getByLabel('Email');
      expect([await email.getAttribute('type'), await email.getAttribute('required')]).toEqual(['email', '']);
      expect(await submit.isDisabled()).toBe(true);
      await page.getByRole('checkbox').check();
      expect(await submit.isEnabled()).toBe(true);
      await email.fill(' ');
      expect(await submit.isDisabled()).toBe(true);
      await linksLegalPages(page.getByRole('form'));
      await email.fill('nora@lind.example');
      await submit.click();
      await nora.sees('Account initialized successfully!');
      await nora.button('Save Settings').waitFor();
      await linksLegalPages(page.getByRole('main').getByText('Terms of Service · Privacy Policy'));
      const after = await nora.token();
      expect(after).not.toBe(before);
      expect((await (await nora.overHttp()).call('GET', '/api/me')).status).toBe(200);
    });
  });

  test('[SET-04] a delay stays within its bounds, also when the unit changes', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.completesSetup({ resume: { delayMinutes: 5 } });
      const saved = async (): Promise<object> => {
        await nora.presses('Save Settings');
        await nora.sees('Settings saved successfully');
        return (await (await nora.overHttp()).get<Saved>('/api/user/status')).status.resumeSettings;
      };
      const delay = page.getByRole('textbox', { name: 'Delay' });
      await delay.fill('75');
      expect(await saved()).toEqual({ mode: 'delay', delay: { value: 60, unit: 'minutes' } });
      await delay.fill('0');
      await page.getByLabel('Unit').selectOption('days');
      expect(await delay.inputValue()).toBe('3');
      expect(await saved()).toEqual({ mode: 'delay', delay: { value: 3, unit: 'days' } });
      await page.getByRole('radio', { name: 'Next day' }).check();
      expect(await saved()).toEqual({ mode: 'next_day' });
    });
  });

  test('[SET-05] the terms and the privacy policy are linked without a subscription, too', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.opens('/settings');
      await linksLegalPages(page.getByRole('main').getByText('Terms of Service · Privacy Policy'));
    });
  });

  test.each(['-3', '0', '-'])(
    '[SET-04] the delay %s is ignored, and the last one is saved',
    async (typed) => {
      const name = await somebodyNew();
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.signsInAs(name);
        await nora.completesSetup({ resume: { delayMinutes: 7 } });
        const delay = page.getByRole('textbox', { name: 'Delay' });
        await delay.selectText();
        await delay.pressSequentially(typed);
        await nora.sees('7 minutes is what counts.');
        await nora.presses('Save Settings');
        await nora.sees('Settings saved successfully');
        expect(await delay.inputValue()).toBe('7');
        const { status } = await (await nora.overHttp()).get<Saved>('/api/user/status');
        expect(status.resumeSettings).toEqual({ mode: 'delay', delay: { value: 7, unit: 'minutes' } });
      });
    },
  );

  test('[SET-03, SET-04, FMT-01] what each choice does, and would mean now, stands beside it', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAtSettingsAs(name);
      // 9:42 PM in New York, an evening in winter.
      await page.clock.setFixedTime('2027-01-09T02:42:10Z');
      await page.reload();
      const wouldResume = (when: string) =>
        page.getByText(`If an outage ended now, campaigns would resume ${when}.`).waitFor();
      await page.getByText('Medium: pause when Meta reports medium or high disruptions.').waitFor();
      const slider = page.getByRole('slider', { name: 'Outage threshold' });
      await slider.press('ArrowRight');
      await page.getByText('High: pause only when Meta reports high disruptions.').waitFor();
      await slider.press('Home');
      await page.getByText('Low: pause when Meta reports low, medium or high disruptions.').waitFor();
      await page.getByRole('radio', { name: 'Immediately' }).check();
      await wouldResume('at once');
      await page.getByRole('radio', { name: 'Next day' }).check();
      await wouldResume('at Jan 9, 2027, 12:01 AM EST, in 2 h 18 min');
      await page.getByRole('radio', { name: 'After a delay' }).check();
      await wouldResume('at 9:47 PM EST, in 5 min');
      await page.getByText('Anything from 1 to 60 minutes.').waitFor();
      const delay = page.getByRole('textbox', { name: 'Delay' });
      await delay.fill('75');
      await page.getByText('60 minutes is the longest delay, so that is what counts.').waitFor();
      await wouldResume('at 10:42 PM EST, in 1 h');
      await delay.fill('');
      await page.getByText('60 minutes is what counts.').waitFor();
      await page.getByLabel('Unit').selectOption('days');
      await page.getByText('3 days is the longest delay, so that is what counts.').waitFor();
      await wouldResume('at Jan 11, 2027, 9:42 PM EST, in 3 days');
    });
  });

  test('[SET-07] saving says how it went, and the words go away by themselves', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.completesSetup({ resume: 'instant' });
      await isShownFor(page.getByText('Settings saved successfully'), 3000, () =>
        nora.presses('Save Settings'),
      );
      // What the browser takes for an address and the server does not.
      await page.getByLabel('Email').fill('nora@lind');
      await isShownFor(page.getByText('Failed to save settings'), 5000, () => nora.presses('Save Settings'));
    });
  });

  test('[SET-03] the threshold is Medium at first and moves with the keyboard; during an outage it is locked, in the server too', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAtSettingsAs(name);
      const slider = page.getByRole('slider', { name: 'Outage threshold' });
      const value = () => slider.getAttribute('aria-valuetext');
      expect(await value()).toBe('Medium (recommended)');
      await nora.completesSetup({ resume: 'instant', threshold: 'LOW' });
      expect(await value()).toBe('Low');
      await product.status.reports('Low disruptions');
      await nora.seesAfterReloading('Threshold adjustments are disabled during Meta outages');
      expect(await slider.getAttribute('aria-disabled')).toBe('true');
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
  });

  test('[SET-12] revoking gives back what is held, says goodbye and ends at the banner', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
    await product.status.reports('High disruptions');
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.arrivesAs(name);
      await nora.turnsSmartPause('on', 'Shoes');
      await waitFor('the pause', async () => (await account.statusOf('Shoes')) === 'PAUSED');
      await nora.opens('/settings');
      await nora.presses('Revoke authorization');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
      await nora.sees('Authorization revoked. Logging you out…');
      expect(await account.statusOf('Shoes')).toBe('ACTIVE');
      await page.waitForURL(`${product.url}/?error=DEAUTH_SUCCESS`);
      await nora.sees('Successfully Deauthorized');
      expect(await nora.token()).toBeNull();
    });
  });

  test('[SET-12, AUTH-04] a call refused because the session is over does not overtake the goodbye', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.completesSetup({ resume: 'instant' });
      await page.route('**/api/account/deauthorize', async (route) => {
        const refused = page.waitForResponse((answer) => answer.status() === 401);
        const answer = await route.fetch();
        await refused;
        await route.fulfill({ response: answer });
      });
      await nora.presses('Revoke authorization');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke authorization' }).click();
      await nora.sees('Authorization revoked. Logging you out…');
      await page.waitForURL(`${product.url}/?error=DEAUTH_SUCCESS`);
    });
  });

  test('[SET-12, SET-13] when Meta does not revoke our access it is told, for 5 s', async () => {
    const tries = async (action: string, failure: string, banner: string): Promise<void> => {
      const name = await somebodyNew();
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.signsInAs(name);
        await nora.completesSetup({ resume: 'instant' });
        await nora.cancelsSubscription();
        await nora.presses(action);
        const dialog = page.getByRole('dialog');
        if (action === 'Delete account') await dialog.getByRole('textbox').fill('DELETE MY ACCOUNT');
        const told = dialog
          .getByRole('alert')
          .filter({ hasText: failure })
          .filter({ hasText: /not finished yet. We keep trying in the background.$/ });
        await isShownFor(told, 5000, () => dialog.getByRole('button', { name: action }).click());
        expect(await dialog.getByRole('button', { name: action }).isEnabled()).toBe(true);
        await nora.opens('/terms');
        await nora.sees(banner);
      });
    };
    await product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
    await Promise.all([
      tries(
        'Revoke authorization',
        'Failed to revoke authorization. Please try again.',
        'Your authorization is being revoked',
      ),
      tries('Delete account', 'Failed to delete account. Please try again.', 'Your account is being deleted'),
    ]);
  });

  test('[SET-10, SET-11, SET-13] deleting waits for the cancellation, needs the exact phrase, ends at / and leaves nothing behind', async () => {
    const name = await somebodyNew();
    await withPage(async (page) => {
      const nora = new Person(page, product);
      await nora.signsInAs(name);
      await nora.completesSetup({ resume: 'instant' });
      await nora.sees(/Account deletion is disabled while you have an active subscription/);
      expect(await nora.button('Delete account').isDisabled()).toBe(true);
      await nora.cancelsSubscription();
      await nora.presses('Delete account');
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: 'Delete account' });
      const phrase = dialog.getByRole('textbox');
      expect(await confirm.isDisabled()).toBe(true);
      await phrase.fill('delete my account');
      expect(await confirm.isDisabled()).toBe(true);
      await phrase.fill('DELETE MY ACCOUNT');
      await confirm.click();
      await nora.sees('Your account is deleted. Logging you out…');
      await page.waitForURL(`${product.url}/`);
      // Everything is forgotten, but for the trial.
      await nora.signsInAs(name);
      await nora.sees('Choose your plan');
    });
  });
});
