import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Advertiser } from '../advertiser.ts';
import type { Area, Visit } from '../state.ts';
import { holdsTwo } from './dashboard.ts';

const SHOES = 'Trail Shoes | Prospecting';
const GIFTS = 'Gift Cards | Broad';

interface Outages {
  outages: { id: string; endedAt: string | null; counts: { resumed: number } }[];
}

/** Two campaigns paused and resumed, one already paused, others without SmartPause. */
async function hadOutage(visit: Visit): Promise<Advertiser> {
  const nora = await holdsTwo(visit);
  await visit.world.recovers();
  await waitFor('both to be resumed', async () => {
    const { outages } = await nora.over.get<Outages>('/api/outages');
    return outages[0]?.endedAt != null && outages[0].counts.resumed === 2;
  });
  return nora;
}

async function lastOutage(nora: Advertiser): Promise<string> {
  const { outages } = await nora.over.get<Outages>('/api/outages');
  return `/activity/${outages[0]?.id ?? ''}`;
}

/** The outages of the user, one outage, and the history of one campaign. */
export const activity: Area = {
  name: 'activity',
  states: [
    {
      name: 'empty',
      reach: async ({ page, opens, sees, world }) => {
        // Other states leave outages behind.
        await page.route('**/api/outages', (route) => route.fulfill({ json: { outages: [], next: null } }));
        await opens('/activity', await world.advertiser());
        await sees('No outages yet');
      },
    },
    {
      name: 'list',
      reach: async (visit) => {
        await visit.opens('/activity', await hadOutage(visit));
        await visit.sees('Last pause after');
      },
    },
    {
      name: 'list-loading',
      reach: async ({ holdsBack, opens, world }) => {
        await holdsBack('**/api/outages*');
        await opens('/activity', await world.advertiser());
      },
    },
    {
      name: 'list-failed',
      reach: async ({ breaks, hurries, opens, sees, world }) => {
        await hurries();
        await breaks('**/api/outages*', 500);
        await opens('/activity', await world.advertiser());
        await sees('Your activity couldn’t be loaded.');
      },
    },
    {
      name: 'open-outage',
      reach: async (visit) => {
        await visit.opens('/activity', await holdsTwo(visit));
        await visit.sees('Not over yet');
        await visit.sees('Still paused');
      },
    },
    {
      name: 'below-threshold',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ on: [SHOES] });
        await visit.world.meets('LOW_DISRUPTION');
        await visit.world.recovers();
        await visit.opens(await lastOutage(nora), nora);
        await visit.sees('Nothing was paused: the disruption stayed below your threshold.');
      },
    },
    {
      name: 'outage',
      reach: async (visit) => {
        const nora = await hadOutage(visit);
        await visit.opens(await lastOutage(nora), nora);
        await visit.sees('Level over time');
        await visit.page.locator('.recharts-area-curve').waitFor();
      },
    },
    {
      name: 'outage-filtered',
      reach: async (visit) => {
        const nora = await hadOutage(visit);
        await visit.opens(`${await lastOutage(nora)}?result=not_paused&search=boots`, nora);
        await visit.sees('SmartPause was off for it.');
        await visit.page.locator('.recharts-area-curve').waitFor();
      },
    },
    {
      name: 'outage-not-found',
      reach: async ({ opens, sees, world }) => {
        await opens('/activity/999999999', await world.advertiser());
        await sees('This outage isn’t in your history');
      },
    },
    {
      name: 'why',
      reach: async (visit) => {
        const nora = await hadOutage(visit);
        await visit.opens('/', nora);
        await visit.presses(`Why? History of ${SHOES}`);
        await visit.page.getByRole('link', { name: 'See the outage' }).first().waitFor();
      },
    },
    {
      name: 'why-without-history',
      reach: async (visit) => {
        const nora = await visit.world.advertiser();
        await visit.page.route('**/api/campaigns/*/history', async (route) => {
          const { campaign } = (await (await route.fetch()).json()) as { campaign: object };
          await route.fulfill({ json: { campaign, entries: [], next: null } });
        });
        await visit.opens('/', nora);
        await visit.presses(`Why? History of ${GIFTS}`);
        await visit.sees(/^Nothing has happened to this campaign yet/);
      },
    },
    {
      name: 'why-failed',
      reach: async ({ breaks, hurries, opens, presses, sees, world }) => {
        await hurries();
        await breaks('**/api/campaigns/*/history*', 500);
        await opens('/', await world.advertiser());
        await presses(`Why? History of ${SHOES}`);
        await sees('The history couldn’t be loaded.');
      },
    },
    {
      name: 'last-outage-on-dashboard',
      reach: async (visit) => {
        await visit.opens('/', await hadOutage(visit));
        await visit.sees('Last outage');
      },
    },
  ],
};
