import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import type { Area } from '../state.ts';
import { seenBy } from '../state.ts';

const SESSION = 'session_id=cs_test_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';

/** The success and cancel pages of a checkout. */
export const checkout: Area = {
  name: 'checkout',
  states: [
    { name: 'done-logged-out', reach: ({ opens }) => opens(`/billing/success?${SESSION}`) },
    seenBy('done-before-setup', `/billing/success?${SESSION}`, 'Your free trial has started', {
      setup: null,
    }),
    {
      name: 'done-after-setup',
      reach: async (visit) => {
        await visit.opens(`/billing/success?${SESSION}`, await visit.world.advertiser({ setup: null }));
        await visit.page.getByLabel('Email').fill('nora@lind.example');
        await visit.page.getByRole('checkbox').check();
        await visit.presses('Complete Account Setup');
        await visit.sees('Account initialized successfully!');
      },
    },
    seenBy('done-trial', `/billing/success?${SESSION}`, 'Your free trial has started', { plan: 'yearly' }),
    seenBy('done-active', '/billing/success', 'Your subscription is active', { status: 'active' }),
    seenBy('done-past-due', '/billing/success', 'Payment Issue', { status: 'past_due' }),
    seenBy('done-cancelled', '/billing/success', 'Your subscription is canceled but still active', {
      isCanceled: true,
    }),
    {
      name: 'done-asking',
      reach: async ({ opens, sees, holdsBack, world }) => {
        await holdsBack('**/api/stripe/refresh-subscription');
        await opens(`/billing/success?${SESSION}`, await world.advertiser({ plan: null, setup: null }));
        await sees(/Checking with our payment provider/);
      },
    },
    {
      name: 'done-not-confirmed',
      reach: async ({ opens, sees, hurries, world }) => {
        await hurries();
        await opens(`/billing/success?${SESSION}`, await world.advertiser({ plan: null, setup: null }));
        await sees('Not confirmed yet');
      },
    },
    { name: 'left-logged-out', reach: ({ opens }) => opens('/billing/canceled') },
    seenBy('left-none', '/billing/canceled?cycle=yearly', /no subscription was started/, {
      plan: null,
      setup: null,
    }),
    seenBy('left-trial', '/billing/canceled', /Your free trial continues/),
    seenBy('left-past-due', '/billing/canceled', /didn’t go through/, { status: 'past_due' }),
    {
      name: 'left-over',
      reach: async ({ opens, sees, world }) => {
        await world.product.stripe.setClock(-40 * DAY_MS);
        const nora = await world.advertiser({ setup: null });
        await nora.cancels();
        await opens('/billing/canceled', nora);
        await sees(/Your last subscription ended on/);
      },
    },
  ],
};
