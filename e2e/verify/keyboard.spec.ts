import { expect, test } from '../support/fixtures.ts';
import { KeyboardUser } from '../support/keyboard.ts';

test('[HEAD-02, LAND-04, PRICE-01, PRICE-03, SET-05, DASH-01, DASH-11, DASH-12] from the landing page to a protected campaign', async ({
  nora,
  page,
}) => {
  const { name, account } = nora;
  await nora.runs({ Shoes: 'ACTIVE', Hats: 'ACTIVE' });

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
  await expect(nora.button(`Continue as ${name}`)).toBeVisible();
  await keys.opens(`Continue as ${name}`);
  await keys.isPutOn('Continue to Payment');
  await keys.presses('Enter');
  await expect(nora.button('Start trial with a card that works')).toBeVisible();
  await keys.opens('Start trial with a card that works');
  await nora.sees('Your free trial has started');
  await keys.opens('Complete setup');
  await nora.sees('Step 1 of 3');
  await keys.goesTo('Outage threshold');
  await keys.presses('ArrowLeft');
  await nora.sees(/^Low: pause when/);
  await keys.opens('Continue');
  await keys.goesTo(/^After a delay/);
  await keys.presses('ArrowUp');
  await nora.sees(/campaigns would resume immediately/);
  await keys.opens('Continue');
  await keys.goesTo(/^Email/);
  await keys.types('nora@lind.example');
  await keys.goesTo(/^I agree to the/);
  await keys.presses('Space');
  await keys.opens('Complete Account Setup');
  await nora.sees('Account initialized successfully!');
  await nora.seesCampaign('Shoes', 'ACTIVE');
  await keys.goesTo('SmartPause for Shoes');
  await keys.presses('Space');
  await expect(nora.switchOf('Shoes')).toBeChecked();
  await keys.opens('More for Hats');
  await keys.isPutOn('Manual Pause Hats');
  await keys.presses('Enter');
  await nora.seesCampaign('Hats', 'PAUSED');
  await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
});

test('[DASH-12] the focus returns to the menu of the row, also during an action', async ({ nora, page }) => {
  await nora.arrives({ campaigns: { Hats: 'ACTIVE', Shoes: 'ACTIVE' } });
  const { account } = nora;

  const keys = new KeyboardUser(page);
  const goesOn = Promise.withResolvers<undefined>();
  await page.route('**/api/campaigns/*/pause', async (route) => {
    await goesOn.promise;
    await route.continue();
  });
  await keys.opens('More for Hats');
  await keys.isPutOn('Manual Pause Hats');
  await keys.presses('Enter');
  await keys.isPutOn('More for Hats');
  await nora.seesCampaign('Hats', 'Pausing…');
  await keys.presses('Enter');
  await expect(nora.button('Pausing… Hats')).toBeDisabled();
  goesOn.resolve(undefined);
  await expect(nora.button('Manual Resume Hats')).toBeEnabled();
  await expect.poll(() => account.statusOf('Hats')).toBe('PAUSED');
});
