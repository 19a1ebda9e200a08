import type { Area, Visit } from '../state.ts';

async function opensQuickSearch({ opens, page, presses, world }: Visit): Promise<void> {
  await opens('/settings', await world.advertiser());
  await presses('Quick search');
  await page.getByRole('listbox').getByRole('option').first().waitFor();
}

/** Quick search and the list of keyboard shortcuts. */
export const shortcuts: Area = {
  name: 'shortcuts',
  states: [
    {
      name: 'quick-search',
      reach: async (visit) => {
        await opensQuickSearch(visit);
        await visit.page.getByRole('group', { name: 'Ad accounts' }).waitFor();
      },
    },
    {
      name: 'quick-search-results',
      reach: async (visit) => {
        await opensQuickSearch(visit);
        await visit.page.keyboard.type('s');
        await visit.page.getByRole('group', { name: 'Campaigns' }).waitFor();
      },
    },
    {
      name: 'quick-search-nothing',
      reach: async (visit) => {
        await opensQuickSearch(visit);
        await visit.page.keyboard.type('sandals');
        await visit.sees('Nothing matches “sandals”.');
      },
    },
    {
      name: 'quick-search-without-subscription',
      reach: async (visit) => {
        await visit.opens('/terms', await visit.world.advertiser({ plan: null, setup: null }));
        await visit.presses('Quick search');
        await visit.page.getByRole('listbox').getByRole('option').first().waitFor();
      },
    },
    {
      name: 'keyboard-shortcuts',
      reach: async ({ opens, page, presses, world }) => {
        await opens('/settings', await world.advertiser());
        await presses('Keyboard shortcuts');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      },
    },
  ],
};
