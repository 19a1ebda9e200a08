import { asNewUser, asVisitor } from '../support/as-user.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import type { User } from '../../scripts/browser/user.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';

const product = productOfThisSuite();

const HOUR_MS = DAY_MS / 24;

describe('each subscription status on the pages around the checkout', () => {
  const withNora = (act: (nora: User, page: Page) => Promise<void>) => asNewUser(product, act);
  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

  const plan = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true });
  const asksForCheckout = async (nora: User) =>
    (await nora.overHttp()).call('POST', '/api/stripe/create-checkout-session', { planType: 'yearly' });
  const refusedWith = (code: string) => ({ status: 409, body: { error: { code } } });

  test('[ROUTE-08, ROUTE-09, SET-08, SET-11] trialing, and canceled during the trial', () =>
    withNora(async (nora, page) => {
      await nora.subscribes('yearly');
      await nora.opens('/settings');
      await nora.sees(/^Then \$278\.00 per year from \w+ \d+, \d{4}, unless you cancel before then\.$/);
      await nora.opens('/billing/canceled?cycle=monthly');
      await nora.sees(/Your free trial continues\. Then \$278\.00 per year/);
      await expect.poll(() => page.getByText('no subscription was started').count()).toBe(0);
      await expect.poll(() => link(page, 'See plans').count()).toBe(0);
      await nora.opens('/billing/success');
      await nora.sees(/^You pay nothing today\. Then \$278\.00 per year from/);

      await nora.cancelsSubscription();
      await nora.opens('/billing/success?session_id=You%20have%20won');
      await nora.sees('Your subscription is canceled but still active');
      await nora.sees(/You won’t be charged after that/);
      await expect.poll(() => page.getByText(/You have won|Checkout session/).count()).toBe(0);
      await link(page, 'Go to Billing').click();
      await nora.presses('Delete account');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/ends immediately .* The remaining time isn’t refunded/).waitFor();
    }));

  test('[ROUTE-08, ROUTE-09, PRICE-02, PRICE-04, SET-11] past due', () =>
    withNora(async (nora, page) => {
      await product.stripe.setClock(-40 * DAY_MS);
      await nora.subscribes('yearly', 'fails_at_renewal');
      await product.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
      await nora.opens('/billing/success');
      await page.getByRole('heading', { name: 'Payment Issue' }).waitFor();
      await nora.sees(/didn’t go through. We’ll retry/);
      await nora.opens('/billing/canceled');
      await nora.sees(/^You weren’t charged for this checkout\. Your last payment didn’t go through/);
      await link(page, 'Go to Billing').waitFor();

      for (const path of ['/', '/payment']) {
        await nora.opens(path);
        await page.getByRole('heading', { name: 'Your payment didn’t go through' }).waitFor();
        await page.getByText(/Yearly plan, \$278\.00 per year/).waitFor();
        await link(page, 'Go to Billing Settings').waitFor();
        await plan(page).getByRole('link', { name: 'Payment Issue - Go to Settings', exact: true }).waitFor();
        await expect.poll(() => plan(page).getByRole('radio').count()).toBe(2);
      }
      await link(page, 'Payment Issue - Go to Settings').click();
      await page.waitForURL(`${product.url}/settings#billing`);
      await nora.presses('Delete account');
      await page
        .getByRole('dialog')
        .getByText(/you won’t be charged again/)
        .waitFor();
    }));

  test('[SET-08, PRICE-02, PRICE-04] past due, and canceled in the portal', () =>
    withNora(async (nora, page) => {
      await product.stripe.setClock(-40 * DAY_MS);
      await nora.subscribes('monthly', 'fails_at_renewal');
      await product.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
      await nora.cancelsSubscription();
      await nora.opens('/settings');
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      await billing.getByText('Past Due', { exact: true }).waitFor();
      await billing.getByRole('alert').getByText('Payment Issue').waitFor();
      await billing.getByText(/^Ends on .* EST$/).waitFor();
      await expect.poll(() => link(page, 'Subscribe again').count()).toBe(0);

      await nora.opens('/payment?modal=open');
      await link(page, 'Go to Billing Settings').waitFor();
      await link(page, 'Payment Issue - Go to Settings').waitFor();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await asksForCheckout(nora)).toMatchObject(refusedWith('PAYMENT_DUE'));
    }));

  test('[SET-08, PRICE-02, PRICE-04, SUB-03] an unknown status', () =>
    withNora(async (nora, page) => {
      await nora.subscribes('yearly');
      const { subscriptions } = await product.stripe.ask<{ subscriptions: { id: string }[] }>(
        'GET',
        '/state',
      );
      await product.stripe.setStatus(subscriptions.at(-1)?.id ?? '', 'paused');
      await (await nora.overHttp()).post('/api/stripe/refresh-subscription');
      await nora.opens('/settings');
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      await billing.getByText('Unknown', { exact: true }).waitFor();
      await billing.getByText('Status unknown').waitFor();
      await expect.poll(() => page.getByRole('heading', { name: 'SmartPause Settings' }).count()).toBe(0);

      await nora.opens('/?modal=open');
      await page.getByRole('heading', { name: 'You already have a subscription' }).waitFor();
      await expect.poll(() => nora.button('Already Subscribed').isDisabled()).toBe(true);
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await asksForCheckout(nora)).toMatchObject(refusedWith('ALREADY_SUBSCRIBED'));
    }));

  test('[ROUTE-04, ROUTE-09] the chosen plan stays chosen after the user leaves the checkout', () =>
    withNora(async (nora, page) => {
      for (const [query, plan] of [
        ['?cycle=yearly', 'Yearly'],
        ['?cycle=monthly', 'Monthly'],
        ['', 'Monthly'],
      ] as const) {
        await nora.opens(`/billing/canceled${query}`);
        await nora.sees('You weren’t charged, and no subscription was started.');
        await link(page, 'See plans').click();
        await nora.button(`Get Started - ${plan}`).waitFor();
      }
    }));

  test('[ROUTE-04, PRICE-02] a subscriber sees their own plan chosen and marked', () =>
    withNora(async (nora, page) => {
      await nora.subscribes('yearly');
      await nora.opens('/payment');
      await page.getByRole('heading', { name: 'You’re subscribed' }).waitFor();
      await page.getByText('Your plan', { exact: true }).waitFor();
      await expect.poll(() => page.getByRole('radio', { name: /Yearly/ }).isChecked()).toBe(true);
      await nora.opens('/payment?cycle=monthly');
      await nora.button('Already Subscribed').waitFor();
      await expect.poll(() => page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true);
      await expect.poll(() => page.getByText('Your plan', { exact: true }).count()).toBe(0);
    }));

  test('[SUB-03] a user with a granted subscription is not offered a plan', () =>
    withNora(async (nora, page) => {
      const granted = {
        status: 'active',
        planType: 'yearly',
        currentPeriodEnd: '2036-01-19T02:30:00Z',
        canceledAt: null,
        trialEnd: null,
        renews: false,
      };
      const json = {
        hasActiveSubscription: true,
        subscription: granted,
        isTrialAvailable: true,
        hasPortal: false,
      };
      await page.route('**/api/stripe/subscription', (route) => route.fulfill({ json }));
      await nora.opens('/payment');
      await page.getByRole('heading', { name: 'SmartPause is free for you' }).waitFor();
      await nora.sees('You have a free subscription until Jan 18, 2036, 9:30 PM EST.');
      const said = (await page.getByRole('region', { name: 'Plan', exact: true }).textContent()) ?? '';
      expect(said).not.toMatch(/trial|Change or cancel/i);
    }));

  test('[SET-09] a refusal stays when the button disappears', () =>
    withNora(async (nora, page) => {
      await nora.subscribes();
      await nora.opens('/settings');
      await nora.button('Manage Billing').waitFor();
      const nothing = 'You don’t have a subscription to manage yet.';
      const json = { error: { code: 'NO_BILLING', message: nothing } };
      await page.route('**/api/stripe/create-portal-session', (route) =>
        route.fulfill({ status: 409, json }),
      );
      const gone = {
        hasActiveSubscription: false,
        subscription: null,
        isTrialAvailable: true,
        hasPortal: false,
      };
      await page.route('**/api/stripe/subscription', (route) => route.fulfill({ json: gone }));
      await nora.presses('Manage Billing');
      await nora.button('Manage Billing').waitFor({ state: 'hidden' });
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      await billing.getByRole('alert').getByText(nothing).waitFor();
    }));
});

describe('a subscription that ends while campaigns are paused by SmartPause', () => {
  test('[ROUTE-02, DASH-11, DASH-12] home shows the paused campaigns, and the user can resume them manually', async () => {
    const { name, account } = await newAdvertiser(product.graph, {
      Shoes: 'ACTIVE',
      Hats: 'ACTIVE',
      Coats: 'ACTIVE',
    });
    await product.stripe.setClock(-29 * DAY_MS);
    await asVisitor(product, async (nora, page) => {
      await nora.signsInAs(name);
      await nora.subscribes('monthly', 'fails_at_renewal');
      await nora.completesSetup();
      await nora.opens('/');
      await nora.turnsSmartPause('on', 'Shoes');
      await nora.turnsSmartPause('on', 'Hats');
      await product.status.reports('High disruptions');
      for (const campaign of ['Shoes', 'Hats']) {
        await account.becomes(campaign, 'PAUSED');
      }
      await product.stripe.advance(30.5 * DAY_MS);
      await (await nora.overHttp()).post('/api/stripe/refresh-subscription');

      await nora.opens('/');
      await nora.sees('Your payment didn’t go through');
      await nora.sees('2 campaigns are paused by SmartPause right now');
      await nora.sees(/They still resume when the disruption ends/);
      await page.getByRole('link', { name: 'See them, or resume them yourself' }).click();
      await nora.seesCampaign('Shoes', 'PAUSED');
      await nora.sees('New outages won’t pause your campaigns');
      await expect.poll(() => nora.switchOf('Coats').isDisabled()).toBe(true);
      await expect.poll(() => nora.button('Manual Pause Coats').isDisabled()).toBe(true);
      await expect.poll(() => nora.button('Manual Resume Shoes').isDisabled()).toBe(true);

      await nora.turnsSmartPause('off', 'Shoes', 'Keep paused');
      await nora.sees('1 campaign is paused by SmartPause right now');
      await page.reload();
      await nora.presses('Manual Resume Shoes');
      await nora.seesCampaign('Shoes', 'ACTIVE');
      await expect.poll(() => account.statusOf('Shoes')).toBe('ACTIVE');
      await expect.poll(() => nora.switchOf('Shoes').isDisabled()).toBe(true);

      const { subscriptions } = await product.stripe.ask<{ subscriptions: { id: string }[] }>(
        'GET',
        '/state',
      );
      for (const { id } of subscriptions) await product.stripe.setStatus(id, 'canceled');
      await (await nora.overHttp()).post('/api/stripe/refresh-subscription');
      await nora.opens('/');
      await nora.sees('Choose your plan');
      await nora.sees('1 campaign is paused by SmartPause right now');
      await product.status.reports('Resolved');
      await nora.noLongerSees('1 campaign is paused by SmartPause right now');
      await expect.poll(() => account.statusOf('Hats')).toBe('ACTIVE');
    });
  });
});
