import { asSomebodyNew } from '../support/somebody-new.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { newAdvertiser } from '../../scripts/browser/advertiser.ts';
import { withPage } from '../../scripts/browser/browser.ts';
import { productOfThisSuite } from '../support/fixture.ts';
import { Person } from '../../scripts/browser/person.ts';

const HOUR_MS = DAY_MS / 24;

describe('from the landing page to the dashboard', () => {
  const product = productOfThisSuite();

  test.each([
    ['monthly', 'Monthly', '$29.00', 'Billed monthly after trial', '$29.00 per month'],
    ['yearly', 'Yearly', '$23.17', 'Billed annually ($278) after trial', '$278.00 per year'],
  ])(
    '[ROUTE-01, ROUTE-03, ROUTE-04, ROUTE-08, PRICE-01, PRICE-03, SUB-01] the %s plan',
    async (cycle, label, perMonth, billed, price) => {
      const { name } = await newAdvertiser(product.graph, { Shoes: 'ACTIVE' });
      await withPage(async (page) => {
        const nora = new Person(page, product);
        await nora.opens('/');
        await page.getByRole('link', { name: 'Start Free Trial' }).first().click();
        await page.waitForURL('**/payment');
        await page.getByText('Save 20%').waitFor();
        await page.getByText(label, { exact: false }).first().click();
        await page.getByText(perMonth, { exact: true }).waitFor();
        await page.getByText(billed, { exact: true }).waitFor();
        await nora.presses(`Get Started - ${label}`);
        const dialog = page.getByRole('dialog');
        expect(await dialog.getByRole('button', { name: 'Continue to Payment' }).isDisabled()).toBe(true);
        expect(new URL(page.url()).searchParams.get('modal')).toBe('open');
        await dialog.getByRole('button', { name: 'Connect with Facebook' }).click();
        await nora.presses(`Continue as ${name}`);
        await dialog.getByText(`Connected as ${name}`).waitFor();
        expect(page.url()).toBe(`${product.url}/payment?modal=open&cycle=${cycle}`);
        await nora.presses('Continue to Payment');
        await nora.presses('Start trial with a card that works');
        await nora.sees('Your free trial has begun');
        const sessionId = new URL(page.url()).searchParams.get('session_id') ?? '';
        expect(sessionId).toMatch(/^cs_/);
        await nora.sees(`Checkout session: ${sessionId}`);
        await page.getByRole('link', { name: 'Go to Dashboard' }).click();
        await nora.seesCampaign('Shoes', 'ACTIVE');

        await nora.opens('/settings');
        const billing = page.getByRole('region', { name: 'Billing & Subscription' });
        await billing.getByText('Trial', { exact: true }).waitFor();
        await billing.getByText(`${label} plan, ${price}`).waitFor();
        await billing.getByText(/^30 days remaining, until .* EST$/).waitFor();
        await nora.opens(`/payment?modal=open&cycle=${cycle}`);
        const again = nora.button('Already Subscribed');
        await again.waitFor();
        expect([await again.isDisabled(), await dialog.count()]).toEqual([true, 0]);
      });
    },
  );

  test('[ROUTE-04] the address says the plan, and what it does not know is monthly', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      await somebody.opens('/payment?cycle=weekly&from=mail');
      await somebody.sees('Get Started - Monthly');
      await page.getByText('Yearly').click();
      await page.waitForURL(`${product.url}/payment?cycle=yearly&from=mail`);
      await somebody.presses('Get Started - Yearly');
      await page.waitForURL(`${product.url}/payment?cycle=yearly&from=mail&modal=open`);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL(`${product.url}/payment?cycle=yearly&from=mail`);
      expect(await page.getByRole('radio', { name: /Yearly/ }).isChecked()).toBe(true);
    });
  });

  test('[PRICE-05] benefits and answers are there, and open with the keyboard', async () => {
    await withPage(async (page) => {
      const somebody = new Person(page, product);
      await somebody.opens('/payment');
      for (const question of ['How does SmartPause work?', 'Can I cancel anytime?', 'Is my data secure?']) {
        await somebody.button(question).waitFor();
      }
      await somebody.button('Can I cancel anytime?').press('Enter');
      await page.getByText(/without writing to anybody/).waitFor();
    });
  });

  test('[ROUTE-02, ROUTE-09] who leaves the checkout is told so, and finds the plans at home', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      await nora.presses('Get Started - Monthly');
      await page.getByRole('link', { name: 'Cancel and go back' }).click();
      await page.waitForURL((url) => url.pathname === '/billing/canceled');
      await nora.sees('Payment canceled');
      await page.getByRole('link', { name: 'Return home' }).click();
      await page.waitForURL(`${product.url}/`);
      await nora.sees('Get Started - Monthly');
    });
  });

  test('[ROUTE-08] without a subscription the success page does not claim one', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      // Alone: by the stream of changes the page would hear of it without being asked.
      await page.route('**/api/events', () => {});
      await page.clock.install();
      await nora.opens('/billing/success?session_id=%3Cb%3Eplanted');
      await nora.sees('Still waiting for our payment provider');
      const given = page.getByRole('heading', { name: 'Not confirmed yet' });
      // The page's time goes on as fast as its calls are answered.
      await waitFor('the page to give up', async () => {
        await page.clock.runFor(1000);
        return given.isVisible();
      });
      expect(await page.getByText(/planted/).count()).toBe(0);
      await nora.subscribesWithoutThePage('yearly');
      await nora.presses('Check again');
      await nora.sees('Your free trial has begun');
    });
  });

  test('[ROUTE-02, ROUTE-03] when the subscription cannot be read, home says so and offers to try again', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      // Alone: once the stream of changes is open, the page asks anew without being told to.
      await page.route('**/api/events', () => {});
      await page.route('**/api/stripe/subscription', (route) => route.fulfill({ status: 404, body: 'no' }));
      await nora.opens('/');
      await nora.sees('Your subscription could not be loaded.');
      expect(await page.getByText('Get Started').count()).toBe(0);
      await page.unroute('**/api/stripe/subscription');
      await nora.presses('Try again');
      await nora.sees('Get Started - Monthly');
    });
  });

  test('[PRICE-06] why a checkout did not begin', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      const message = 'Our payment provider did not answer. Please try again in a moment.';
      const error = { error: { code: 'BILLING_UNAVAILABLE', message } };
      for (const [answer, words] of [
        [{ status: 200, json: {} }, 'No checkout URL returned'],
        [{ status: 502, json: error }, message],
        [{ status: 503, body: 'down' }, 'Failed to create checkout session'],
        [{ status: 200, json: { checkoutUrl: 'javascript:alert(1)' } }, 'Failed to create checkout session'],
      ] as const) {
        await page.route('**/api/stripe/create-checkout-session', (route) => route.fulfill(answer));
        await nora.presses('Get Started - Monthly');
        await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
        await page.unroute('**/api/stripe/create-checkout-session');
      }
    });
  });
});

describe('life with a subscription', () => {
  const product = productOfThisSuite();
  const startsAgo = (daysAgo: number) => product.stripe.setClock(-daysAgo * DAY_MS);
  beforeEach(() => product.stripe.setClock(0));

  test('[SET-08, SET-09, SET-11] cancelled and renewed in the portal, which is a tab of its own', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribes();
      await nora.opens('/settings');
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      const visitsPortal = async (button: string): Promise<void> => {
        const [portal] = await Promise.all([page.waitForEvent('popup'), nora.presses('Manage Billing')]);
        await portal.getByRole('button', { name: button }).click();
        await portal.getByRole('link', { name: 'Return to SmartPause' }).click();
        await portal.getByRole('region', { name: 'Billing & Subscription' }).waitFor();
        await portal.waitForURL(`${product.url}/settings`);
        await portal.close();
        // What the browser does when its window is looked at again.
        await page.evaluate("window.dispatchEvent(new Event('focus'))");
      };
      expect(await nora.button('Delete account').isDisabled()).toBe(true);
      await visitsPortal('Cancel subscription');
      await billing.getByText('Canceled', { exact: true }).waitFor();
      await billing.getByText(/^Ends on .* EST$/).waitFor();
      expect(await nora.button('Delete account').isEnabled()).toBe(true);
      await nora.opens('/');
      await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();

      await nora.opens('/settings');
      await visitsPortal('Don’t cancel subscription');
      await billing.getByText('Trial', { exact: true }).waitFor();
    });
  });

  test('[SET-09] why the portal did not open', async () => {
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribes();
      await nora.opens('/settings');
      const message = 'Our payment provider did not answer. Please try again in a moment.';
      for (const [answer, words] of [
        [{ status: 200, json: {} }, 'No portal URL returned'],
        [{ status: 502, json: { error: { code: 'BILLING_UNAVAILABLE', message } } }, message],
        [{ status: 503, body: 'down' }, 'Failed to open billing portal'],
      ] as const) {
        await page.route('**/api/stripe/create-portal-session', (route) => route.fulfill(answer));
        await nora.presses('Manage Billing');
        await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
        await page.unroute('**/api/stripe/create-portal-session');
      }
      expect(page.context().pages().length).toBe(1);
      await page.evaluate('window.open = () => null');
      await nora.presses('Manage Billing');
      const link = page.getByRole('link', { name: 'Open the billing portal' });
      await link.waitFor();
      expect(await link.getAttribute('target')).toBe('_blank');
    });
  });

  test('[SET-08, SUB-02] a trial that ends soon says so on the dashboard and in Settings', async () => {
    await startsAgo(28);
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribes();
      await nora.sees('Your trial ends soon: 2 days left');
      await page.getByRole('link', { name: 'Go to Billing' }).click();
      await nora.sees(/^2 days remaining, until/);
      await nora.sees(/Then \$29\.00 per month from \w+ \d+, \d{4}, unless you cancel before\./);
    });
  });

  test('[SET-08] a period that is over without news of the next one is unknown', async () => {
    await startsAgo(40);
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribesWithoutThePage();
      await nora.opens('/settings');
      await nora.sees('Renewal not confirmed yet');
      await page.getByText('Unknown', { exact: true }).waitFor();
    });
  });

  test('[SET-01, SET-08, PRICE-02, PRICE-04] a renewal that fails, past due, unpaid, and put right', async () => {
    await startsAgo(40);
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribesWithoutThePage('monthly', 'fails_at_renewal');
      const billing = page.getByRole('region', { name: 'Billing & Subscription' });
      const seesStatus = async (status: string, banner?: string): Promise<void> => {
        await nora.opens('/settings?from=billing');
        await billing.getByText(status, { exact: true }).waitFor();
        if (banner !== undefined) await billing.getByRole('alert').getByText(banner).waitFor();
      };
      const mayNotPayTwice = async (): Promise<void> => {
        await nora.opens('/payment?modal=open');
        await page.getByRole('link', { name: 'Go to Billing Settings' }).waitFor();
        await page.getByRole('link', { name: 'Payment Issue - Go to Settings' }).waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
        const over = await nora.overHttp();
        const refused = await over.call('POST', '/api/stripe/create-checkout-session', {
          planType: 'yearly',
        });
        expect(refused).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_DUE' } } });
      };

      await product.stripe.advance(30 * DAY_MS + 2 * HOUR_MS);
      await seesStatus('Past Due', 'Payment Issue');
      expect(await page.getByRole('heading', { name: 'SmartPause Settings' }).count()).toBe(0);
      await mayNotPayTwice();
      await product.stripe.advance(7 * DAY_MS);
      await seesStatus('Unpaid', 'Payment Failed');
      await mayNotPayTwice();

      await page.getByRole('link', { name: 'Go to Billing Settings' }).click();
      const [portal] = await Promise.all([page.waitForEvent('popup'), nora.presses('Update Payment Method')]);
      await portal.getByRole('button', { name: 'Change to a card that works' }).click();
      await portal.getByText(/^active$/).waitFor();
      await portal.close();
      await seesStatus('Active');
      await billing.getByText(/^Renews on .* EST$/).waitFor();
      await page.getByRole('heading', { name: 'SmartPause Settings' }).waitFor();
    });
  });

  test('[PRICE-01, SUB-03] who comes back after the end pays at once: there is one trial', async () => {
    await startsAgo(40);
    await asSomebodyNew(product, async (nora, page) => {
      await nora.subscribesWithoutThePage();
      await nora.cancelsSubscription();
      await product.stripe.advance(31 * DAY_MS);
      await nora.opens('/settings?from=billing');
      await nora.sees(/^Ended on .* EST$/);
      await page.getByRole('link', { name: 'Subscribe again' }).click();
      await page.waitForURL(`${product.url}/payment?cycle=monthly`);
      await page.getByRole('heading', { name: 'Choose your plan' }).waitFor();
      await page.getByText('Yearly').click();
      await page.getByText('Billed annually ($278)', { exact: true }).waitFor();
      const main = page.getByRole('main');
      await main
        .getByText(/^You have had your free trial, so your plan begins and is charged today\./)
        .waitFor();
      expect(await main.getByText(/after trial|days free|trial is over/i).count()).toBe(0);
      await product.stripe.setClock(0);
      await nora.presses('Get Started - Yearly');
      await nora.presses('Pay with a card that works');
      await nora.sees('Your subscription is active');
      await nora.opens('/settings');
      await page.getByText('Active', { exact: true }).waitFor();
      await nora.sees('Yearly plan, $278.00 per year');
    });
  });
});
