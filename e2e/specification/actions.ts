import type { World } from './server.ts';
import type { Visit } from './visit.ts';
import { ADMIN, NEVER_SUBSCRIBED } from './worlds.ts';

export interface Action {
  path: string;
  call: string;
  /** Changes that enable the button. */
  change?: Partial<World>;
  act: (visit: Visit) => Promise<void>;
  /** The message for a response with status 500. */
  says: string;
}

const press =
  (name: string) =>
  ({ presses }: Visit) =>
    presses(name);
const pressAndConfirm =
  (name: string) =>
  async ({ presses, confirms }: Visit): Promise<void> => {
    await presses(name);
    await confirms(name);
  };

export async function deleteAccount({ page, presses, confirms }: Visit): Promise<void> {
  await presses('Delete account');
  await page.getByRole('dialog').getByRole('textbox').fill('DELETE MY ACCOUNT');
  await confirms('Delete account');
}

/** Every action for which the specification names a failure message. */
export const ACTIONS: Action[] = [
  {
    path: '/',
    call: 'POST /api/campaigns/4/pause',
    act: press('Manual Pause Shoes'),
    says: 'Failed to pause campaign',
  },
  {
    path: '/',
    call: 'POST /api/campaigns/2/resume',
    act: press('Manual Resume Boots'),
    says: 'Failed to resume campaign',
  },
  {
    path: '/',
    call: 'POST /api/smartpause/act_1/4',
    act: ({ page }) => page.getByRole('switch', { name: 'SmartPause for Shoes' }).click(),
    says: 'Failed to toggle SmartPause',
  },
  {
    path: '/settings',
    call: 'POST /api/user/settings',
    act: async ({ page, presses }) => {
      await page.getByRole('radio', { name: 'Immediately' }).check();
      await presses('Save Settings');
    },
    says: 'Failed to save settings',
  },
  {
    path: '/settings',
    call: 'POST /api/user/initialize',
    change: { user: { name: 'Nora Lind', isInitialized: false, roles: [] } },
    act: async ({ page, presses }) => {
      await page.getByRole('checkbox').check();
      await presses('Complete Account Setup');
    },
    says: 'Failed to initialize account',
  },
  {
    path: '/settings',
    call: 'POST /api/stripe/create-portal-session',
    act: press('Manage Billing'),
    says: 'Failed to open billing portal',
  },
  {
    path: '/payment',
    call: 'POST /api/stripe/create-checkout-session',
    change: { subscription: NEVER_SUBSCRIBED },
    act: press('Get Started - Monthly'),
    says: 'Failed to create checkout session',
  },
  {
    path: '/settings',
    call: 'POST /api/account/deauthorize',
    act: pressAndConfirm('Revoke authorization'),
    says: 'Failed to revoke authorization. Please try again.',
  },
  {
    path: '/settings',
    call: 'POST /api/account/delete',
    change: { subscription: NEVER_SUBSCRIBED },
    act: deleteAccount,
    says: 'Failed to delete account. Please try again.',
  },
  {
    path: '/admin',
    call: 'POST /api/admin/force-high',
    change: { user: ADMIN },
    act: pressAndConfirm('Force High'),
    says: 'Failed to execute force-high action',
  },
];
