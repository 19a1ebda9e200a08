import type { Area, Visit } from '../state.ts';
import { opensSettings } from './settings.ts';

const SHOES = 'Trail Shoes | Prospecting';

async function opensDialog(visit: Visit, button: string): Promise<void> {
  await opensSettings(visit, await visit.world.advertiser({ on: [SHOES] }));
  await visit.presses(button);
  await visit.page.getByRole('dialog').waitFor();
}

async function starts(visit: Visit, campaign = SHOES): Promise<void> {
  await opensDialog(visit, 'Run a live test');
  await visit.page.getByLabel('Campaign', { exact: true }).selectOption(campaign);
  await visit.presses('Start the test');
}

/** Trying SmartPause without an outage. */
export const trying: Area = {
  name: 'trying',
  states: [
    {
      name: 'dry-run',
      reach: async (visit) => {
        await opensDialog(visit, 'What would happen now?');
        await visit.page.getByText('Would be paused').click();
        await visit.page.getByText('Not paused: SmartPause is off').click();
      },
    },
    {
      name: 'dry-run-loading',
      reach: async (visit) => {
        await visit.holdsBack('**/api/dry-run');
        await opensDialog(visit, 'What would happen now?');
        await visit.sees('Reading your campaigns from Meta…');
      },
    },
    {
      name: 'dry-run-failed',
      reach: async (visit) => {
        await visit.breaks('**/api/dry-run', 403);
        await opensDialog(visit, 'What would happen now?');
        await visit.sees('Your campaigns could not be loaded.');
      },
    },
    {
      name: 'live-test',
      reach: async (visit) => {
        await opensDialog(visit, 'Run a live test');
        await visit.page.getByLabel('Campaign', { exact: true }).selectOption(SHOES);
      },
    },
    {
      name: 'live-test-refused',
      reach: async (visit) => {
        await visit.world.meets('HIGH_DISRUPTION');
        await starts(visit, 'Winter Boots | Lookalike 1%');
        await visit.sees(/There’s an outage now/);
      },
    },
    {
      name: 'live-test-paused',
      reach: async (visit) => {
        await starts(visit);
        await visit.sees(/^Resumes in \d+ s$/);
      },
    },
    {
      name: 'live-test-done',
      reach: async (visit) => {
        await starts(visit);
        await visit.sees(/^Resumes in \d+ s$/);
        await visit.presses('Resume now');
        await visit.sees('It works. In an outage SmartPause does the same.');
      },
    },
  ],
};
