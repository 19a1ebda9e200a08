import { signIn } from '../../../scripts/outside/person.ts';
import type { Area, Visit } from '../state.ts';
import type { Somebody, Wish } from '../somebody.ts';

export async function opensSettings({ opens, page }: Visit, who: Somebody): Promise<void> {
  await opens('/settings', who);
  await page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('listitem').first().waitFor();
}

async function arrives(visit: Visit, wish: Wish = {}): Promise<void> {
  await opensSettings(visit, await visit.world.somebody(wish));
  if (wish.plan !== null) await visit.page.getByLabel('Email').waitFor();
}

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
        await visit.page.getByRole('checkbox').check();
      },
    },
    { name: 'instant', reach: (visit) => arrives(visit) },
    {
      name: 'after-a-delay',
      reach: (visit) => arrives(visit, resuming({ mode: 'delay', delay: { value: 12, unit: 'hours' } })),
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
        await visit.holdsBack('**/api/sessions');
        await visit.opens('/settings', await visit.world.somebody());
        await visit.page.locator('[aria-busy=true]').nth(1).waitFor();
      },
    },
    {
      name: 'saving',
      reach: async (visit) => {
        await arrives(visit);
        await visit.holdsBack('**/api/user/settings');
        await visit.presses('Save Settings');
        await visit.page.locator('button[data-loading]').waitFor();
      },
    },
    {
      name: 'saved',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await arrives(visit);
        await visit.presses('Save Settings');
        await visit.sees('Settings saved successfully');
      },
    },
    {
      name: 'saving-failed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await arrives(visit);
        // What the browser takes for an address and the server does not.
        await visit.page.getByLabel('Email').fill('nora@lind');
        await visit.presses('Save Settings');
        await visit.sees('Failed to save settings');
      },
    },
    {
      name: 'setup-completed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await arrives(visit, { setup: null });
        await visit.page.getByLabel('Email').fill('nora@lind.example');
        await visit.page.getByRole('checkbox').check();
        await visit.presses('Complete Account Setup');
        await visit.sees('Account initialized successfully!');
      },
    },
    {
      name: 'several-sessions',
      reach: async (visit) => {
        const nora = await visit.world.somebody({ plan: null, setup: null });
        for (let more = 0; more < 2; more += 1) await signIn(visit.world.product.url, nora.id);
        await opensSettings(visit, nora);
      },
    },
    {
      name: 'ending-other-sessions',
      reach: async (visit) => {
        const nora = await visit.world.somebody({ plan: null, setup: null });
        await signIn(visit.world.product.url, nora.id);
        await opensSettings(visit, nora);
        await visit.presses('End all other sessions');
        await visit.sees('1 other session will be logged out at once.');
      },
    },
    {
      name: 'sessions-failed',
      reach: async (visit) => {
        await visit.breaks('**/api/sessions', 400);
        await visit.opens('/settings', await visit.world.somebody({ plan: null, setup: null }));
        await visit.sees('Your sessions could not be loaded.');
      },
    },
    {
      name: 'data-saved',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await arrives(visit, { plan: null, setup: null });
        await visit.presses('Download my data');
        await visit.sees(/^Saved as/);
      },
    },
    {
      name: 'data-failed',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await arrives(visit, { plan: null, setup: null });
        await visit.breaks('**/api/account/**', 500);
        await visit.presses('Download my data');
        await visit.sees('Failed to prepare your data');
      },
    },
  ],
};
