import { signIn } from '../../../scripts/outside/user.ts';
import type { Area, Visit } from '../state.ts';
import type { Advertiser, Wish } from '../advertiser.ts';

export async function opensSettings({ opens, page }: Visit, who: Advertiser): Promise<void> {
  await opens('/settings', who);
  await page.getByRole('heading', { name: 'Danger Zone' }).waitFor();
}

async function arrives(visit: Visit, wish: Wish = {}): Promise<void> {
  await opensSettings(visit, await visit.world.advertiser(wish));
  if (wish.plan !== null) await visit.page.getByLabel('Email').waitFor();
}

const changes = ({ page }: Visit) => page.getByRole('radio', { name: 'After a delay' }).check();

const resuming = (resumeSettings: object): Wish => ({ setup: { resumeSettings, outageThreshold: 'LOW' } });

export const settings: Area = {
  name: 'settings',
  states: [
    { name: 'setup', reach: (visit) => arrives(visit, { setup: null }) },
    {
      name: 'setup-ready',
      reach: async (visit) => {
        await arrives(visit, { setup: null });
        await visit.page.getByLabel('Email').fill('nora@lind.example');
        await visit.page.getByRole('radio', { name: 'After a delay' }).check();
        await visit.page.getByRole('switch').check();
        await visit.page.getByRole('checkbox').check();
      },
    },
    { name: 'instant', reach: (visit) => arrives(visit) },
    {
      name: 'after-a-delay',
      reach: (visit) => arrives(visit, resuming({ mode: 'delay', delay: { value: 12, unit: 'hours' } })),
    },
    {
      name: 'what-if',
      reach: async (visit) => {
        await arrives(visit);
        await visit.page.getByLabel('Threshold', { exact: true }).selectOption('Low');
        await visit.sees(/campaigns would have been paused/);
        await visit.page.getByText(/^All \d+ outages$/).click();
      },
    },
    { name: 'next-day', reach: (visit) => arrives(visit, resuming({ mode: 'next_day' })) },
    {
      name: 'during-an-outage',
      reach: async (visit) => {
        await visit.world.meets('HIGH_DISRUPTION');
        await arrives(visit);
        await visit.sees('Threshold adjustments are disabled during Meta outages');
      },
    },
    {
      name: 'loading',
      reach: async (visit) => {
        await visit.holdsBack('**/api/user/status');
        await visit.opens('/settings', await visit.world.advertiser());
        await visit.page.locator('[aria-busy=true]').waitFor();
      },
    },
    {
      name: 'saving',
      reach: async (visit) => {
        await arrives(visit);
        await visit.holdsBack('**/api/user/settings');
        await changes(visit);
        await visit.presses('Save Settings');
        await visit.page.locator('button[data-loading]').waitFor();
      },
    },
    {
      name: 'unsaved',
      reach: async (visit) => {
        await arrives(visit);
        await changes(visit);
        await visit.sees('Unsaved changes');
      },
    },
    {
      name: 'leaving-unsaved',
      reach: async (visit) => {
        await arrives(visit);
        await changes(visit);
        await visit.page.getByRole('link', { name: 'Go to campaigns' }).click();
        await visit.sees('Leave without saving?');
      },
    },
    {
      name: 'saved',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await arrives(visit);
        await changes(visit);
        await visit.presses('Save Settings');
        await visit.sees('Settings saved successfully');
      },
    },
    {
      name: 'saving-failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await arrives(visit);
        // An email address that the browser accepts and the server rejects.
        await visit.page.getByLabel('Email').fill('nora@lind');
        await visit.presses('Save Settings');
        await visit.sees('Failed to save settings');
      },
    },
    {
      name: 'setup-completed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await arrives(visit, { setup: null });
        await visit.page.getByLabel('Email').fill('nora@lind.example');
        await visit.page.getByRole('checkbox').check();
        await visit.presses('Complete Account Setup');
        await visit.sees('Account initialized successfully!');
      },
    },
    {
      name: 'other-sessions-ended',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ plan: null, setup: null });
        await signIn(visit.world.product.url, nora.id);
        await opensSettings(visit, nora);
        await visit.presses('Log out everywhere else');
        await visit.sees('1 other session ended.');
      },
    },
    {
      name: 'other-sessions-failed',
      reach: async (visit) => {
        await arrives(visit, { plan: null, setup: null });
        await visit.breaks('**/api/sessions/end-others', 500);
        await visit.presses('Log out everywhere else');
        await visit.sees('Failed to log out everywhere else');
      },
    },
  ],
};
