import { asSomebodyNew } from '../support/somebody-new.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import type { Person } from '../../scripts/browser/person.ts';

const HOUR_MS = DAY_MS / 24;

/** Somebody signed in; no other test knows them. */
type Story = (nora: Person, page: Page) => Promise<void>;

describe('each state of a subscription, on the pages around the checkout', () => {
  const product = productOfThisSuite();

  const withNora = async (story: Story): Promise<void> => {
    await asSomebodyNew(product, async (nora, page) => {
      await story(nora, page);
    });
  };
  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

  const plan = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true });
  const asksForCheckout = async (nora: Person) =>
    (await nora.overHttp()).call('POST', '/api/stripe/create-checkout-session', { planType: 'yearly' });
  const refusedWith = (code: string) => ({ status: 409, body: { error: { code } } });

  test('[ROUTE-08, ROUTE-09, SET-08, SET-11] on trial, and cancelled while it runs', () =>
    withNora(async (nora, page) => {
      await nora.subscribesWithoutThePage('yearly');
      await nora.opens('/settings');
      await nora.sees(/^Then \$278\.00 per year from \w+ \d+, \d{4}, unless you cancel before\.$/);
      await nora.opens('/billing/canceled?cycle=monthly');
      await nora.sees(/Your free trial goes on\. Then \$278\.00 per year/);
      expect(await page.getByText('nothing has begun').count()).toBe(0);
      expect(await link(page, 'See plans').count()).toBe(0);
      await nora.opens('/billing/success');
      await nora.sees(/^You pay nothing today\. Then \$278\.00 per year from/);

      await nora.cancelsSubscription();
      await nora.opens('/billing/success?session_id=You%20have%20won');
      await nora.sees('Your subscription is canceled, and still runs');
      await nora.sees(/nothing is charged after that/);
      expect(await page.getByText(/You have won|Checkout session/).count()).toBe(0);
      await link(page, 'Go to Billing').click();
      await nora.presses('Delete account');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/ends at once\. What remains of it is not refunded, and nothing/).waitFor();
    }));

  test('[ROUTE-08, ROUTE-09, PRICE-02, PRICE-04, SET-11] past due', () =>
    withNora(async (nora, page) => {
      await product.stripe.setClock(-40 * DAY_MS);
      await nora.subscribesWithoutThePage('yearly', 'fails_at_renewal');
      await product.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
      await nora.opens('/billing/success');
      await page.getByRole('heading', { name: 'Payment Issue' }).waitFor();
      await nora.sees(/did not go through; it is tried again/);
      await nora.opens('/billing/canceled');
      await nora.sees(/^You were not charged for this checkout\. Your last payment did not go through/);
      await link(page, 'Go to Billing').waitFor();

      for (const path of ['/', '/payment']) {
        await nora.opens(path);
        await page.getByRole('heading', { name: 'Your payment did not go through' }).waitFor();
        await page.getByText(/Yearly plan, \$278\.00 per year/).waitFor();
        await link(page, 'Go to Billing Settings').waitFor();
        await plan(page).getByRole('link', { name: 'Payment Issue - Go to Settings', exact: true }).waitFor();
        expect(await plan(page).getByRole('radio').count()).toBe(2);
      }
      await link(page, 'Payment Issue - Go to Settings').click();
      await page.waitForURL(`${product.url}/settings#billing`);
      await nora.presses('Delete account');
      await page
        .getByRole('dialog')
        .getByText(/nothing will be charged any more/)
        .waitFor();
    }));

  test('[SET-08, PRICE-02, PRICE-04] past due, and cancelled in the portal', () =>
    withNora(async (nora, page) => {
      await product.stripe.setClock(-40 * DAY_MS);
      await nora.subscribesWithoutThePage('monthly', 'fails_at_renewal');
      await product.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
      await nora.cancelsSubscription();
      await nora.opens('/settings');
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      await billing.getByText('Past Due', { exact: true }).waitFor();
      await billing.getByRole('alert').getByText('Payment Issue').waitFor();
      await billing.getByText(/^Ends on .* EST$/).waitFor();
      expect(await link(page, 'Subscribe again').count()).toBe(0);

      await nora.opens('/payment?modal=open');
      await link(page, 'Go to Billing Settings').waitFor();
      await link(page, 'Payment Issue - Go to Settings').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await asksForCheckout(nora)).toMatchObject(refusedWith('PAYMENT_DUE'));
    }));

  test('[SET-08, PRICE-02, PRICE-04, SUB-03] a status that we do not know', () =>
    withNora(async (nora, page) => {
      await nora.subscribesWithoutThePage('yearly');
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
      expect(await page.getByRole('heading', { name: 'SmartPause Settings' }).count()).toBe(0);

      await nora.opens('/?modal=open');
      await page.getByRole('heading', { name: 'You already have a subscription' }).waitFor();
      expect(await nora.button('Already Subscribed').isDisabled()).toBe(true);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await asksForCheckout(nora)).toMatchObject(refusedWith('ALREADY_SUBSCRIBED'));
    }));

  test('[ROUTE-04, ROUTE-09] the plan that was chosen is still chosen after the checkout was left', () =>
    withNora(async (nora, page) => {
      for (const [query, plan] of [
        ['?cycle=yearly', 'Yearly'],
        ['?cycle=monthly', 'Monthly'],
        ['', 'Monthly'],
      ] as const) {
        await nora.opens(`/billing/canceled${query}`);
        await nora.sees('You were not charged, and nothing has begun.');
        await link(page, 'See plans').click();
        await nora.button(`Get Started - ${plan}`).waitFor();
      }
    }));

  test('[ROUTE-04, PRICE-02] a subscriber finds their own plan chosen and marked', () =>
    withNora(async (nora, page) => {
      await nora.subscribesWithoutThePage('yearly');
      await nora.opens('/payment');
      await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
      await page.getByText('Your plan', { exact: true }).waitFor();
      expect(await page.getByRole('radio', { name: /Yearly/ }).isChecked()).toBe(true);
      await nora.opens('/payment?cycle=monthly');
      await nora.button('Already Subscribed').waitFor();
      expect(await page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true);
      expect(await page.getByText('Your plan', { exact: true }).count()).toBe(0);
    }));

  test('[SUB-03] to whom a subscription was granted, nothing is sold', () =>
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
      await page.getByRole('heading', { name: 'SmartPause is yours, free of charge' }).waitFor();
      await nora.sees('Your subscription was granted to you until Jan 18, 2036, 9:30 PM EST.');
      const said = (await page.getByRole('region', { name: 'Plan', exact: true }).textContent()) ?? '';
      expect(said).not.toMatch(/trial|Change or cancel/i);
    }));

  test('[SET-09, PRICE-06] refusals are said where the button was', () =>
    withNora(async (nora, page) => {
      const refuse = async (path: string, status: number, error: { code: string; message: string }) =>
        page.route(`**/api/stripe/${path}`, (route) => route.fulfill({ status, json: { error } }));
      const message = 'Billing is not set up properly. Nothing was charged.';
      await refuse('create-checkout-session', 503, { code: 'BILLING_MISCONFIGURED', message });
      await nora.presses('Get Started - Monthly');
      await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
      await page.unroute('**/api/stripe/create-checkout-session');

      await nora.subscribesWithoutThePage();
      await nora.opens('/settings');
      await nora.button('Manage Billing').waitFor();
      const nothing = 'There is nothing to manage yet: you have not subscribed.';
      await refuse('create-portal-session', 409, { code: 'NO_BILLING', message: nothing });
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
