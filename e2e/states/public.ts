import { expect } from '../support/fixtures.ts';
import type { States, Visit } from './visit.ts';
import { NEWCOMER, seenBy } from './visit.ts';

const SESSION = 'session_id=cs_test_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';
const SUCCESS = `/billing/success?${SESSION}`;

const banner = (path: string) => async (v: Visit) => {
  await v.opens(path);
  await expect(v.page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
};

const seesLink = (tokenOf: (v: Visit) => Promise<string>, text: string) => async (v: Visit) => {
  await v.opens(`/confirm-email#${await tokenOf(v)}`);
  await v.sees(text);
};

/** As a person sees it who is no user. */
const seesChannelLink = (before: (v: Visit, token: string) => unknown, text: string) => async (v: Visit) => {
  const token = await v.channelToken();
  await before(v, token);
  await v.page.goto(`${v.world.url}/confirm-email#${token}`);
  await v.sees(new RegExp(text));
};

/** Landing page, legal pages, header, pricing and checkout. */
export const PUBLIC: States = {
  'landing/top': (v) => v.opens('/'),
  'landing/questions-open': async (v) => {
    await v.opens('/');
    for (const question of await v.page.locator('#questions summary').all())
      if ((await question.locator('xpath=..').getAttribute('open')) === null) await question.click();
  },
  'landing/menu-open@phone': async (v) => {
    await v.opens('/');
    await v.presses('Menu');
    await expect(v.page.getByRole('navigation')).toBeVisible();
  },

  'public/privacy': (v) => v.opens('/privacy-policy'),
  'public/terms': (v) => v.opens('/terms-of-service'),
  'public/status': (v) => v.opens('/status'),
  'public/status-outage': async (v) => {
    await v.world.reports('High disruptions');
    await v.opens('/status');
    await v.page.getByText('Days with a disruption as a table').click();
    await v.page.locator('.incidents summary').nth(1).click();
  },
  'public/not-found': (v) => v.opens('/no-such-page'),
  'public/banner-error-login': banner('/no-such-page?error=ACCESS_DENIED&missing=ads_management'),
  'public/banner-warning': banner('/no-such-page?error=TOKEN_STALE'),
  'public/page-breaks': async (v) => {
    await v.page.addInitScript(`Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() { throw new Error('a page that breaks'); },
    })`);
    await v.as();
    await v.opens('/settings');
    await v.sees('Something went wrong on this page');
  },
  'public/leaving': async (v) => {
    await v.as(NEWCOMER);
    await v.world.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
    await v.over.call('POST', '/api/account/delete', { confirmation: 'DELETE MY ACCOUNT' });
    await v.opens('/terms');
    await v.sees('Your account is being deleted');
  },
  'public/offline': async (v) => {
    await v.as(NEWCOMER);
    await v.opens('/terms');
    await expect(v.page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible();
    await v.page.context().setOffline(true);
    await v.sees('You’re offline.');
  },
  'public/link-wrong': seesLink(() => Promise.resolve('no-such-token'), 'This link isn’t valid'),
  'public/link-open': seesLink((v) => v.linkToken(), 'Confirm this address'),
  'public/link-used': seesLink(async (v) => {
    const token = await v.linkToken();
    await v.over.post('/api/email-links/confirm', { token });
    return token;
  }, 'Your email address is confirmed'),
  'public/link-of-channel': seesChannelLink(() => undefined, 'wants to send notifications'),
  'public/link-of-channel-used': seesChannelLink(
    (v, token) => v.over.post('/api/email-links/confirm', { token }),
    'Notifications are confirmed',
  ),
  'public/link-of-channel-expired': seesChannelLink(
    (v) => v.world.advance(3 * 24 * 3_600_000),
    'for another link',
  ),
  'public/link-expired': seesLink(async (v) => {
    const token = await v.linkToken();
    await v.world.advance(3 * 24 * 3_600_000);
    return token;
  }, 'This link has expired'),
  'public/evidence-gone': (v) => v.opens('/evidence/no-such-link'),
  'public/unsubscribe-gone': (v) => v.opens('/unsubscribe/no-such-link'),
  'public/deletion-no-such-code': (v) => v.opens(`/data-deletion/${'A'.repeat(20)}`),
  'public/deletion-finished': async (v) => {
    await v.as();
    const url = `${v.world.url}/auth/facebook/data-deletion`;
    const { answer } = await v.world.graph.post<{ answer: { body: string } }>('/callbacks', {
      ...{ userId: v.id, url },
    });
    const deletion = JSON.parse(answer.body) as { url: string };
    await v.opens(new URL(deletion.url).pathname);
    await v.sees('Completed');
  },

  'header/about-open@desktop': async (v) => {
    await v.as(NEWCOMER);
    await v.opens('/terms');
    await v.presses('About');
    await expect(v.page.getByRole('navigation').getByRole('link', { name: 'Privacy Policy' })).toBeVisible();
  },
  'header/menu-of-administrators@phone': async (v) => {
    await v.asBoss();
    await v.opens('/terms');
    await v.presses(/^Menu, Meta/);
    await expect(v.page.getByRole('navigation').getByRole('link', { name: 'Admin' })).toBeVisible();
  },
  'header/status-high@desktop': async (v) => {
    await v.world.reports('High disruptions');
    await v.as(NEWCOMER);
    await v.opens('/terms');
    await v.page.getByRole('link', { name: 'Meta ad services: High disruption' }).hover();
    await expect(v.page.getByRole('tooltip')).toBeVisible();
  },
  'header/menu-long-name@phone': async (v) => {
    await v.as({ ...NEWCOMER, name: 'Maximiliane-Henriette von Hohenstein' });
    await v.opens('/terms');
    await v.presses(/^Menu, Meta/);
    await expect(v.page.getByRole('navigation').getByText(/^Welcome, Max/)).toBeVisible();
  },
  'header/skip-link': async (v) => {
    await v.opens('/terms');
    await v.page.keyboard.press('Tab');
    await v.sees('Skip to content');
  },

  'pricing/visitor-monthly': (v) => v.opens('/payment'),
  'pricing/modal-connect': async (v) => {
    await v.opens('/payment?modal=open');
    await expect(v.page.getByRole('dialog')).toBeVisible();
  },
  'pricing/modal-canceled': async (v) => {
    await v.opens('/payment?modal=open&cycle=yearly&error=ACCESS_DENIED');
    await v.sees(/^Login canceled/);
  },
  'pricing/own-campaigns': seenBy(NEWCOMER, '/', /would have paused your campaigns$/),
  'pricing/modal-pay': seenBy(NEWCOMER, '/payment?modal=open&cycle=yearly', /^Connected as Nora Lind/),
  'pricing/modal-refused': async (v) => {
    await v.world.stripe.fault({ kind: 'error', path: 'checkout', times: 0 });
    await v.as(NEWCOMER);
    await v.opens('/payment?modal=open');
    await v.presses('Continue to Payment');
    await expect(v.page.getByRole('dialog').getByRole('alert')).toBeVisible();
  },
  'pricing/subscription-unknown': async (v) => {
    await v.breaks('**/api/stripe/subscription', 400);
    await v.as(NEWCOMER);
    await v.opens('/payment');
    await expect(v.page.getByRole('main').getByRole('alert')).toBeVisible();
  },
  'pricing/on-trial': seenBy({}, '/payment', 'Already Subscribed'),
  'pricing/past-due': seenBy({}, '/payment', 'Your payment didn’t go through', 'past_due'),

  'checkout/done-logged-out': (v) => v.opens(SUCCESS),
  'checkout/done-before-setup': seenBy({ setup: null }, SUCCESS, 'Your free trial has started'),
  'checkout/done-past-due': seenBy({}, SUCCESS, 'Payment Issue', 'past_due'),
  'checkout/done-not-confirmed': async (v) => {
    await v.as(NEWCOMER);
    await v.page.clock.install();
    await v.opens(SUCCESS);
    await v.sees('Still waiting for Stripe…');
    await v.page.clock.fastForward(30_000);
    await v.sees('Not confirmed yet');
  },
  'checkout/left-logged-out': (v) => v.opens('/billing/canceled'),
  'checkout/left-none': seenBy(NEWCOMER, '/billing/canceled?cycle=yearly', /You weren’t charged/),
};
