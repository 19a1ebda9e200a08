import { expect } from './support/fixtures.ts';
import type { SpecWorld } from './support/spec-world.ts';
import { ADMIN, NEVER_SUBSCRIBED, newWorld } from './support/spec-world.ts';
import type { Visit } from './support/spec-visit.ts';
import { AT_LOGIN, FAREWELL_MS, isWhole, test } from './support/spec-visit.ts';

async function deleteAccount({ page, presses, confirms }: Visit): Promise<void> {
  await presses('Delete account');
  await page.getByRole('dialog').getByRole('textbox').fill('DELETE MY ACCOUNT');
  await confirms('Delete account');
}

test('[AUTH-07] deleting the account, with a response without a body, logs out and ends at /', async ({
  begin,
}) => {
  const visit = begin(newWorld({ subscription: NEVER_SUBSCRIBED }));
  const { page, calls, opens, sees, isLoggedOut } = visit;
  await page.clock.install();
  await opens(`/settings/account?${AT_LOGIN}`);
  await deleteAccount(visit);
  await sees('Your account is deleted. Logging you out…');
  await page.clock.fastForward(FAREWELL_MS);
  await isLoggedOut();
  expect(calls.filter((call) => call.startsWith('POST /api/account/delete'))).toHaveLength(1);
});

const press = (name: string) => (visit: Visit) => visit.presses(name);
const pressAndConfirm = (name: string) => async (visit: Visit) => {
  await visit.presses(name);
  await visit.confirms(name);
};

type Action = (visit: Visit) => Promise<void>;

const pick =
  (item: string, campaign: string): Action =>
  async ({ presses }) => {
    await presses(`More for ${campaign}`);
    await presses(`${item} ${campaign}`);
  };
const pauseShoes = pick('Manual Pause', 'Shoes');
const forceHigh = pressAndConfirm('Force High');
const turnsOn: Action = ({ page }) => page.getByRole('switch', { name: 'SmartPause for Shoes' }).click();
const savesSettings: Action = async ({ page, presses }) => {
  await page.getByRole('radio', { name: 'Immediately' }).check();
  await presses('Save settings');
};
const completesSetup: Action = async ({ page, presses }) => {
  await page.getByRole('checkbox').check();
  await presses('Complete Account Setup');
};

const BEFORE_SETUP = { user: { name: 'Nora Lind', isInitialized: false, roles: [] } };
const WITHOUT_PLAN = { subscription: NEVER_SUBSCRIBED };

/** Every action for which the specification names a failure message, by page. */
const ACTIONS: [path: string, Partial<SpecWorld>, [call: string, says: string, Action][]][] = [
  [
    '/',
    {},
    [
      ['campaigns/4/pause', 'Failed to pause campaign', pauseShoes],
      ['campaigns/2/resume', 'Failed to resume campaign', pick('Manual Resume', 'Boots')],
      ['smartpause/act_1/4', 'Failed to toggle SmartPause', turnsOn],
    ],
  ],
  [
    '/settings/billing',
    {},
    [['stripe/create-portal-session', 'Failed to open billing portal', press('Manage billing')]],
  ],
  [
    '/settings/account',
    {},
    [
      [
        'account/deauthorize',
        'Failed to revoke authorization. Please try again.',
        pressAndConfirm('Revoke authorization'),
      ],
    ],
  ],
  ['/settings', {}, [['user/settings', 'Failed to save settings', savesSettings]]],
  ['/settings', BEFORE_SETUP, [['user/initialize', 'Failed to initialize account', completesSetup]]],
  [
    '/payment',
    WITHOUT_PLAN,
    [['stripe/create-checkout-session', 'Failed to create checkout session', press('Get Started - Monthly')]],
  ],
  [
    '/settings/account',
    WITHOUT_PLAN,
    [['account/delete', 'Failed to delete account. Please try again.', deleteAccount]],
  ],
  ['/admin', { user: ADMIN }, [['admin/force-high', 'Failed to execute force-high action', forceHigh]]],
];

test('[AUTH-07] the status 500 shows the message of each action @before-release', async ({ begin }) => {
  for (const [path, change, actions] of ACTIONS) {
    const visit = begin(newWorld(change));
    await visit.opens(`${path}?${AT_LOGIN}`);
    for (const [call, says, act] of actions) {
      visit.world.failures[`POST /api/${call}`] = 500;
      await act(visit);
      await visit.sees(says);
    }
    await isWhole(visit.page);
  }
});
