import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { isAlive } from '../support/document.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { PHONE } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { KeyboardUser } from '../support/keyboard-user.ts';
import { focusedName } from '../support/keyboard.ts';
import { asAdvertiser, asNewUser, asVisitor } from '../support/as-user.ts';

/** Continues in the login dialog of Meta. */
async function continuesAs(keys: KeyboardUser, name: string): Promise<void> {
  await keys.page.getByRole('button', { name: `Continue as ${name}` }).waitFor();
  await keys.opens(new RegExp(`^Continue as ${name}`));
}

describe('by keyboard, with a visible focus at every step', () => {
  const product = productOfThisSuite();

  test('[HEAD-02, LAND-04, PRICE-01, PRICE-03, SET-05, DASH-01, DASH-11, DASH-12] from the landing page to a protected campaign', async () => {
    const { name, account } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE', Hats: 'ACTIVE' });
    await asVisitor(product, async (nora, page) => {
      const keys = new KeyboardUser(page);
      await nora.opens('/');
      await keys.opens('Start Free Trial');
      await nora.sees('Get Started - Monthly');
      await keys.goesTo(/^Monthly/);
      await keys.presses('ArrowRight');
      await nora.sees('Billed annually ($278) after trial');
      await keys.opens('Get Started - Yearly');
      await keys.isPutOn('Connect with Facebook');
      await keys.presses('Enter');
      await continuesAs(keys, name);
      await keys.isPutOn('Continue to Payment');
      await keys.presses('Enter');
      await nora.button('Start trial with a card that works').waitFor();
      await keys.opens('Start trial with a card that works');
      await nora.sees('Your free trial has started');
      await keys.opens('Go to Dashboard');
      await nora.sees('Account Setup Required');
      await keys.opens('Complete your setup in Settings');

      await page.getByLabel('Email').waitFor();
      await keys.goesTo(/^Email/);
      await keys.types('nora@lind.example');
      await keys.goesTo('Outage threshold');
      await keys.presses('ArrowLeft');
      await nora.sees(/^Low: pause when/);
      await keys.goesTo(/^After a delay/);
      await keys.presses('ArrowUp');
      await nora.sees(/campaigns would resume immediately/);
      await keys.goesTo(/^I agree to the/);
      await keys.presses('Space');
      await keys.opens('Complete Account Setup');
      await keys.isPutOn('Account initialized successfully!');
      await page.keyboard.press('Shift+Tab');
      await keys.presses('Enter');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await keys.goesTo('SmartPause for Shoes');
      await keys.presses('Space');
      await waitFor('the switch to be on', () => nora.switchOf('Shoes').isChecked());
      await keys.opens('Manual Pause Hats');
      await nora.seesCampaign('Hats', 'PAUSED');
      await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
    });
  });

  test('[DASH-12] the focus stays on a button while another tab turns SmartPause on and off', () =>
    asAdvertiser(product, { campaigns: { Shoes: 'ACTIVE' } }, async ({ nora, page, account }) => {
      const keys = new KeyboardUser(page);
      await nora.turnsSmartPause('on', 'Shoes');
      await nora.turnsSmartPause('off', 'Shoes');
      await keys.goesTo('Manual Pause Shoes');
      const elsewhere = await nora.overHttp();
      const path = `/api/smartpause/${account.id}/${await account.idOf('Shoes')}`;
      for (const enabled of [true, false]) {
        await elsewhere.post(path, { enabled });
        await waitFor(
          'the page to hear of it',
          async () => (await nora.switchOf('Shoes').isChecked()) === enabled,
        );
        await expect.poll(() => focusedName(page)).toBe('Manual Pause Shoes');
      }
    }));

  test('[DASH-12] the focus stays on a pressed button during its action and afterwards', () =>
    asAdvertiser(
      product,
      { campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } },
      async ({ nora, page, account }) => {
        const keys = new KeyboardUser(page);
        const goesOn = Promise.withResolvers<undefined>();
        let pressed = 0;
        await page.route('**/api/campaigns/*/pause', async (route) => {
          pressed += 1;
          await goesOn.promise;
          await route.continue();
        });
        await keys.opens('Manual Pause Hats');
        await keys.isPutOn('Pausing… Hats');
        await expect.poll(() => nora.button('Pausing… Hats').getAttribute('aria-disabled')).toBe('true');
        await keys.presses('Enter');
        goesOn.resolve(undefined);
        await keys.isPutOn('Manual Resume Hats');
        await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
        expect(pressed).toBe(1);
      },
    ));

  test('[SET-09, SET-10, SET-11, SET-13] cancel in the portal, then delete the account', () =>
    asNewUser(product, async (nora, page) => {
      const keys = new KeyboardUser(page);
      await nora.subscribes();
      await nora.completesSetup();
      await nora.button('Manage Billing').waitFor();
      const [portal] = await Promise.all([page.context().waitForEvent('page'), keys.opens('Manage Billing')]);
      await portal.getByRole('button', { name: /^Cancel/ }).waitFor();
      await new KeyboardUser(portal).opens(/^Cancel/);
      await portal
        .getByText(/cancel/i)
        .first()
        .waitFor();
      await portal.close();
      await page.bringToFront();
      await page.reload();
      await waitFor('the deletion to be possible', () => nora.button('Delete account').isEnabled());

      await keys.opens('Delete account');
      const dialog = page.getByRole('dialog');
      await keys.isTakenInto(dialog);
      await keys.presses('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await keys.isPutOn('Delete account');
      await keys.presses('Enter');
      await keys.isTakenInto(dialog);
      await keys.goesTo(/DELETE MY ACCOUNT/);
      await keys.types('DELETE MY ACCOUNT');
      await keys.opens('Delete account');
      await nora.sees('Your account is deleted. Logging you out…');
      await page.waitForURL(`${product.url}/`);
    }));

  test('[SET-10, SET-12] revoke the authorization, then dismiss the banner', () =>
    asNewUser(product, async (nora, page) => {
      const keys = new KeyboardUser(page);
      await nora.subscribes();
      await nora.completesSetup();
      await keys.opens('Revoke authorization');
      const dialog = page.getByRole('dialog');
      await keys.isTakenInto(dialog);
      // The dialog puts the focus on the safe button, never on an action that cannot be undone.
      await keys.goesTo('Revoke authorization');
      await keys.presses('Enter');
      await page.waitForURL(`${product.url}/?error=DEAUTH_SUCCESS`);
      await nora.sees('Successfully Deauthorized');
      await keys.opens('Dismiss');
      await page.waitForURL(`${product.url}/`);
    }));

  test('[HEAD-08, HEAD-07] open and close the menu of small screens', async () => {
    const { name } = await newAdvertiser(product.graph, {});
    await asVisitor(
      product,
      async (nora, page) => {
        const keys = new KeyboardUser(page);
        await nora.opens('/');
        await waitFor('the page to be hydrated', () => isAlive(page));
        const menu = page.getByRole('dialog', { name: 'Menu' });
        await keys.opens('Open menu');
        await keys.isTakenInto(menu);
        await keys.opens('Log In');
        await continuesAs(keys, name);
        await nora.button('Get Started - Monthly').waitFor();
        await keys.opens(/^Open menu/);
        await keys.isTakenInto(menu);
        await keys.presses('Escape');
        await menu.waitFor({ state: 'hidden' });
        await keys.isPutOn('Open menu, Meta ad services: Up');
        await keys.presses('Enter');
        await keys.isTakenInto(menu);
        await keys.opens('Settings');
        await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
        await menu.waitFor({ state: 'hidden' });
        await keys.isPutOn('Settings');
        await keys.opens(/^Open menu/);
        await keys.isTakenInto(menu);
        await keys.opens('Log out');
        await page.getByRole('heading', { name: /^Stop paying/ }).waitFor();
      },
      { viewport: PHONE },
    );
  });
});
