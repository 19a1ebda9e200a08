import { expect, test } from './support/fixtures.ts';
import type { World } from './support/world.ts';
import { DAY_MS } from '../scripts/simulator-clients/stripe.ts';

const HOUR_MS = DAY_MS / 24;

/** Buttons whose letters, with ascenders and descenders, leave the box that hides what is outside. */
const CUT_BUTTONS = `[...document.querySelectorAll('main .mantine-Button-label')].filter((label) => {
  const range = document.createRange();
  range.selectNodeContents(label);
  const [text, box] = [range.getBoundingClientRect(), label.getBoundingClientRect()];
  return text.top < box.top - 0.5 || text.bottom > box.bottom + 0.5;
}).map((label) => innerWidth + ': ' + label.textContent)`;

test('[ROUTE-01, ROUTE-03, ROUTE-04, ROUTE-08, PRICE-01, PRICE-03, PRICE-05, SUB-01, UX-09, UX-24] the yearly plan: a canceled login keeps the checkout, and the setup ends on the dashboard', async ({
  nora,
  page,
  world,
}) => {
  await nora.runs({ Shoes: 'ACTIVE' });

  await nora.opens('/');
  await page.getByRole('link', { name: 'Start Free Trial' }).first().click();
  await page.waitForURL('**/payment');
  for (const title of ['Don’t fund a broken auction', 'How does SmartPause work?', 'Is my data secure?'])
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  const answer = page.getByText(/Yes, in Settings → Billing/);
  await expect(answer).toBeHidden();
  await page.locator('summary', { hasText: 'Can I cancel anytime?' }).press('Enter');
  await expect(answer).toBeVisible();
  await expect(page.getByText('Save 20%')).toBeVisible();
  await page.getByText('Yearly').first().click();
  await expect(page.getByText('$23.17', { exact: true })).toBeVisible();
  await expect(page.getByText('Billed annually ($278) after trial', { exact: true })).toBeVisible();
  await nora.presses('Get Started - Yearly');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Continue to Payment' })).toBeDisabled();
  expect(new URL(page.url()).searchParams.get('modal')).toBe('open');
  await dialog.getByRole('button', { name: 'Connect with Facebook' }).click();
  await nora.presses('Cancel');
  await expect(dialog.getByRole('alert')).toHaveText('Login canceled. Please connect again.');
  await expect(page.getByText('Access Denied')).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get('cycle')).toBe('yearly');
  await dialog.getByRole('button', { name: 'Connect with Facebook' }).click();
  await nora.presses(`Continue as ${nora.name}`);
  await expect(dialog.getByText(`Connected as ${nora.name}`)).toBeVisible();
  await expect(page).toHaveURL(`${world.url}/payment?modal=open&cycle=yearly`);
  await expect(dialog.getByText(/^\$278\.00 per year from /)).toBeVisible();
  await nora.presses('Continue to Payment');
  await nora.presses('Start trial with a card that works');
  await nora.sees('Your free trial has started');
  const sessionId = new URL(page.url()).searchParams.get('session_id') ?? '';
  expect(sessionId).toMatch(/^cs_/);
  await nora.sees(`Reference for support: ${sessionId}`);
  await page.getByRole('link', { name: 'Complete setup' }).click();
  await nora.sees('Step 1 of 3');
  await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toHaveCount(0);
  await page.getByRole('slider', { name: 'Outage threshold' }).press('ArrowLeft');
  await nora.presses('Continue');
  await expect(page.getByRole('heading', { name: 'When to resume' })).toBeFocused();
  await nora.presses('Continue');
  await nora.sees('Step 3 of 3');
  await page.goBack();
  await nora.sees('Step 2 of 3');
  await nora.presses('Back');
  await nora.sees(/^Low: pause when/);
  await nora.presses('Continue');
  await nora.presses('Continue');
  await page.getByLabel('Email').fill('nora@lind.example');
  await page.getByRole('checkbox').check();
  await nora.presses('Complete Account Setup');
  await nora.sees('Account initialized successfully!');
  await page.waitForURL(({ pathname }) => pathname === '/');
  await nora.sees('Choose campaigns to protect');
  await nora.seesCampaign('Shoes', 'ACTIVE');

  await nora.opens('/settings#billing');
  const billing = page.getByRole('region', { name: 'Billing & Subscription' });
  await expect(billing).toBeFocused();
  await expect(billing.getByText('Trial', { exact: true })).toBeVisible();
  await expect(billing.getByText('Yearly plan, $278.00 per year')).toBeVisible();
  await expect(billing.getByText(/^30 days remaining, until .* EST$/)).toBeVisible();
  await nora.opens('/payment?modal=open&cycle=yearly');
  const again = nora.button('Already Subscribed');
  await expect(again).toBeDisabled();
  await expect(dialog).toHaveCount(0);
});

test('[ROUTE-02, ROUTE-09, PRICE-02, UX-24] before a card, home shows the own campaigns and past outages; the checkout starts once, and a user who leaves it finds the plans again', async ({
  nora,
  page,
  world,
}) => {
  await nora.runs({ Shoes: 'ACTIVE', Boots: 'ACTIVE', Hats: 'PAUSED' });
  await world.reports('High disruptions');
  await world.reports('Resolved');
  await nora.signsIn();
  const own = page.getByRole('region', { name: 'Your campaigns' });
  await expect(own.getByRole('heading', { name: /^[1-9]\d* of \d+ outages? .* paused your/ })).toBeVisible();
  await expect(own.getByRole('definition')).toHaveText([/ min$/, /^about \$\d/, '2 campaigns, $100/day']);
  await nora.sees(/^\$29\.00 per month from /);

  let calls = 0;
  const goesOn = Promise.withResolvers<undefined>();
  await page.route('**/api/stripe/create-checkout-session', async (route) => {
    calls += 1;
    await goesOn.promise;
    await route.continue();
  });
  await nora.presses('Get Started - Monthly');
  await expect(nora.button('Processing...')).toBeDisabled();
  expect(calls).toBe(1);
  goesOn.resolve(undefined);
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.waitForURL((url) => url.pathname === '/billing/canceled');
  await nora.sees('Payment canceled');
  const back = page.getByRole('link', { name: 'Continue to Payment' });
  await expect(back).toHaveAttribute('href', '/payment?modal=open&cycle=monthly');
  await page.getByRole('link', { name: 'Return home' }).click();
  await page.waitForURL(`${world.url}/`);
  await nora.sees('Get Started - Monthly');
});

test('[ROUTE-08] without a subscription the success page does not claim one', async ({ nora, page }) => {
  await nora.signsIn();

  // The event stream would make the page read the subscription without a poll.
  await page.route('**/api/events', () => {});
  await page.clock.install();
  await nora.opens('/billing/success?session_id=%3Cb%3Eplanted');
  await nora.sees('Still waiting for Stripe');
  const given = page.getByRole('heading', { name: 'Not confirmed yet' });
  // The clock of the page advances with each answered call.
  await expect(async () => {
    await page.clock.runFor(1000);
    expect(await given.isVisible()).toBe(true);
  }).toPass({ intervals: [25] });
  await expect(page.getByText(/planted/)).toHaveCount(0);
  await nora.subscribes('yearly');
  await page.clock.runFor(30_000);
  await nora.sees('Your free trial has started');
});

test('[ROUTE-02, ROUTE-03] when the subscription cannot be read, home says so and offers a retry', async ({
  nora,
  page,
}) => {
  await nora.signsIn();

  // An open event stream would make the page read the subscription without the retry.
  await page.route('**/api/events', () => {});
  await page.route('**/api/stripe/subscription', (route) => route.fulfill({ status: 404, body: 'no' }));
  await nora.opens('/');
  await nora.sees('Your subscription couldn’t be loaded.');
  await expect(page.getByText('Get Started')).toHaveCount(0);
  // The user may have had a trial.
  await nora.opens('/payment');
  await expect(page.getByRole('heading', { name: 'Your plan couldn’t be loaded' })).toBeVisible();
  await expect(page.getByText(/trial/)).toHaveCount(0);
  await nora.opens('/');
  await nora.sees('Your subscription couldn’t be loaded.');
  await page.unroute('**/api/stripe/subscription');
  await nora.presses('Retry');
  await nora.sees('Get Started - Monthly');
});

const startsAgo = (world: World, daysAgo: number) => world.stripe.setClock(-daysAgo * DAY_MS);

test('[SET-08, SET-09, SET-11] the user cancels and renews in the portal, which opens in its own tab, or the page says why not', async ({
  nora,
  page,
  world,
}) => {
  await nora.signsIn();

  await nora.subscribes();
  const billing = page.getByRole('region', { name: 'Billing & Subscription' });
  const visitsPortal = async (button: string): Promise<void> => {
    const [portal] = await Promise.all([page.waitForEvent('popup'), nora.presses('Manage billing')]);
    await portal.getByRole('button', { name: button }).click();
    await portal.getByRole('link', { name: 'Return to SmartPause' }).click();
    await expect(portal.getByRole('region', { name: 'Billing & Subscription' })).toBeVisible();
    await portal.waitForURL(`${world.url}/settings/billing`);
    await portal.close();
    // The browser fires this event when its window gets the focus again.
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
  };
  await nora.opens('/settings/account');
  await expect(nora.button('Delete account')).toBeDisabled();
  await nora.link('Billing').click();
  await visitsPortal('Cancel subscription');
  await expect(billing.getByText('Canceled', { exact: true })).toBeVisible();
  await expect(billing.getByText(/^Ends on .* EST$/)).toBeVisible();
  await nora.link('Account').click();
  await expect(nora.button('Delete account')).toBeEnabled();
  await nora.opens('/');
  await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();

  await nora.opens('/settings/billing');
  await visitsPortal('Don’t cancel subscription');
  await expect(billing.getByText('Trial', { exact: true })).toBeVisible();

  const message = 'Our payment provider didn’t respond. Please try again in a moment.';
  const json = { error: { code: 'BILLING_UNAVAILABLE', message } };
  await page.route('**/api/stripe/create-portal-session', (route) => route.fulfill({ status: 502, json }), {
    times: 1,
  });
  await nora.presses('Manage billing');
  await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible();
  expect(page.context().pages().length).toBe(1);
  // A browser that refuses the tab shows the portal here.
  await page.evaluate('window.open = () => null');
  await nora.presses('Manage billing');
  await expect(page.getByRole('button', { name: 'Cancel subscription' })).toBeVisible();
});

test('[SET-01, SET-08, PRICE-02, PRICE-04] a failed renewal, past due, unpaid, and paid again', async ({
  nora,
  page,
  world,
}) => {
  await startsAgo(world, 40);
  await nora.signsIn();

  await nora.subscribes('monthly', 'fails_at_renewal');
  const billing = page.getByRole('region', { name: 'Billing & Subscription' });
  const seesStatus = async (status: string, banner?: string): Promise<void> => {
    await nora.opens('/settings?from=billing');
    await expect(billing.getByText(status, { exact: true })).toBeVisible();
    if (banner !== undefined) await expect(billing.getByRole('alert').getByText(banner)).toBeVisible();
  };
  const mayNotPayTwice = async (): Promise<void> => {
    await nora.opens('/payment?modal=open');
    await expect(page.getByRole('link', { name: 'Go to Billing Settings' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Payment Issue - Go to Settings' })).toBeVisible();
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(CUT_BUTTONS)).toEqual([]);
    }
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };

  await world.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
  await seesStatus('Past Due', 'Payment Issue');
  await expect(nora.link('Notifications')).toHaveCount(0);
  await mayNotPayTwice();
  await world.stripe.advance(7 * DAY_MS);
  await seesStatus('Unpaid', 'Payment Failed');
  await mayNotPayTwice();

  await page.getByRole('link', { name: 'Go to Billing Settings' }).click();
  const [portal] = await Promise.all([page.waitForEvent('popup'), nora.presses('Update payment method')]);
  await portal.getByRole('button', { name: 'Change to a card that works' }).click();
  await expect(portal.getByText(/: active, /)).toBeVisible();
  await portal.close();
  await seesStatus('Active');
  await expect(billing.getByText(/^Renews on .* EST$/)).toBeVisible();
  await nora.link('Settings').click();
  await expect(page.getByRole('heading', { name: 'SmartPause Settings' })).toBeVisible();
});

test('[FR-16, SET-08] a payment that needs a confirmation: the banner leads to the invoice', async ({
  nora,
  page,
  world,
}) => {
  await startsAgo(world, 31);
  await nora.signsIn();

  await nora.subscribes('monthly', 'needs_confirmation');
  await world.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
  await nora.opens('/settings?from=billing');
  const banner = page.getByRole('alert').filter({ hasText: 'Payment Issue' });
  const [invoice] = await Promise.all([
    page.waitForEvent('popup'),
    banner.getByRole('link', { name: 'Confirm payment' }).click(),
  ]);
  await invoice.getByRole('button', { name: 'Confirm payment' }).click();
  await expect(invoice.getByText('This invoice is paid or closed')).toBeVisible();
  await invoice.close();
  await nora.opens('/settings?from=billing');
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('[PRICE-01, SUB-03] a returning subscriber pays at once: there is one trial per user @before-release', async ({
  nora,
  page,
  world,
}) => {
  await startsAgo(world, 40);
  await nora.signsIn();

  await nora.subscribes();
  await nora.cancelsSubscription();
  await world.stripe.advance(31 * DAY_MS);
  const isChosen = Promise.withResolvers<undefined>();
  await page.route('**/api/stripe/refresh-subscription', async (route) => {
    await isChosen.promise;
    await route.continue();
  });
  await nora.opens('/settings?from=billing');
  await nora.sees(/^Ended on .* EST$/);
  await page.getByRole('link', { name: 'Subscribe again' }).click();
  await page.waitForURL(`${world.url}/payment?cycle=monthly`);
  await expect(page.getByRole('heading', { name: 'Choose your plan' })).toBeVisible();
  await page.getByText('Yearly').click();
  await expect(page.getByText('Billed annually ($278)', { exact: true })).toBeVisible();
  // A late response to the page before changes nothing here.
  const refreshed = page.waitForResponse('**/api/stripe/refresh-subscription');
  isChosen.resolve(undefined);
  await refreshed;
  const main = page.getByRole('main');
  await expect(
    main.getByText(/^You’ve already used your free trial, so you’re charged today\./),
  ).toBeVisible();
  await expect(main.getByText(/after trial|days free|trial ends/i)).toHaveCount(0);
  await world.stripe.setClock(0);
  await page.waitForURL(`${world.url}/payment?cycle=yearly`);
  await nora.presses('Get Started - Yearly');
  await nora.presses('Pay with a card that works');
  await nora.sees('Your subscription is active');
  await nora.opens('/settings/billing');
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await nora.sees('Yearly plan, $278.00 per year');
});
