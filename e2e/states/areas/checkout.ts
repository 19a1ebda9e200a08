import { DAY_MS } from '../../../scripts/outside/stripe.ts';
import type { Area } from '../state.ts';

const SESSION = 'session_id=cs_test_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';

/** Where a checkout leads to, and where it leads when it is left. */
export const checkout: Area = {
  name: 'checkout',
  states: [
    { name: 'done-logged-out', reach: ({ opens }) => opens(`/billing/success?${SESSION}`) },
    {
      name: 'done-before-setup',
      reach: async ({ opens, sees, world }) => {
        await opens(`/billing/success?${SESSION}`, await world.somebody({ setup: null }));
        await sees('Your free trial has begun');
      },
    },
    {
      name: 'done-trial',
      reach: async ({ opens, sees, world }) => {
        await opens(`/billing/success?${SESSION}`, await world.somebody({ plan: 'yearly' }));
        await sees('Your free trial has begun');
      },
    },
    {
      name: 'done-active',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.somebody();
        await nora.subscriptionBecomes('active');
        await opens('/billing/success', nora);
        await sees('Your subscription is active');
      },
    },
    {
      name: 'done-past-due',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.somebody();
        await nora.subscriptionBecomes('past_due');
        await opens('/billing/success', nora);
        await sees('Payment Issue');
      },
    },
    {
      name: 'done-cancelled',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.somebody();
        await nora.cancels();
        await opens('/billing/success', nora);
        await sees('Your subscription is canceled, and still runs');
      },
    },
    {
      name: 'done-asking',
      reach: async ({ opens, sees, holdsBack, world }) => {
        await holdsBack('**/api/stripe/refresh-subscription');
        await opens(`/billing/success?${SESSION}`, await world.somebody({ plan: null, setup: null }));
        await sees(/Asking our payment provider/);
      },
    },
    {
      name: 'done-not-confirmed',
      reach: async ({ opens, sees, hurries, world }) => {
        await hurries();
        await opens(`/billing/success?${SESSION}`, await world.somebody({ plan: null, setup: null }));
        await sees('Not confirmed yet');
      },
    },
    { name: 'left-logged-out', reach: ({ opens }) => opens('/billing/canceled') },
    {
      name: 'left-none',
      reach: async ({ opens, sees, world }) => {
        await opens('/billing/canceled?cycle=yearly', await world.somebody({ plan: null, setup: null }));
        await sees(/nothing has begun/);
      },
    },
    {
      name: 'left-trial',
      reach: async ({ opens, sees, world }) => {
        await opens('/billing/canceled', await world.somebody());
        await sees(/Your free trial goes on/);
      },
    },
    {
      name: 'left-past-due',
      reach: async ({ opens, sees, world }) => {
        const nora = await world.somebody();
        await nora.subscriptionBecomes('past_due');
        await opens('/billing/canceled', nora);
        await sees(/did not go through/);
      },
    },
    {
      name: 'left-over',
      reach: async ({ opens, sees, world }) => {
        await world.product.stripe.setClock(-40 * DAY_MS);
        const nora = await world.somebody({ setup: null });
        await nora.cancels();
        await opens('/billing/canceled', nora);
        await sees(/Your last subscription ended on/);
      },
    },
  ],
};
