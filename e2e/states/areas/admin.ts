import type { Area, Visit } from '../state.ts';

async function opensAdmin({ opens, page, world }: Visit): Promise<void> {
  await opens('/admin', world.boss);
  await page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem').first().waitFor();
}

/** Makes the page behave as in an environment with live users. */
async function isInProduction({ page }: Visit): Promise<void> {
  await page.route('**/api/admin/status', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...body, isProductionLike: true } });
  });
}

export const admin: Area = {
  name: 'admin',
  states: [
    { name: 'page', reach: opensAdmin },
    {
      name: 'all-activity',
      reach: async (visit) => {
        const on = ['Trail Shoes | Prospecting', 'Rain Jackets | Retargeting 30d', 'Gift Cards | Broad'];
        for (let more = 0; more < 3; more += 1) await visit.world.advertiser({ on });
        await opensAdmin(visit);
        await visit.presses(/^Show all/);
      },
    },
    {
      name: 'no-activity',
      reach: async ({ opens, sees, page, world }) => {
        await page.route('**/api/admin/recent-activity', (route) =>
          route.fulfill({ json: { activities: [] } }),
        );
        await opens('/admin', world.boss);
        await sees('No recent activity');
      },
    },
    {
      name: 'overridden',
      reach: async (visit) => {
        await visit.world.boss.over.post('/api/admin/force-medium');
        await opensAdmin(visit);
        await visit.page.getByText('Overridden').nth(1).waitFor();
      },
    },
    {
      name: 'granted',
      reach: async (visit) => {
        await visit.world.boss.over.post('/api/admin/grant-subscription');
        await opensAdmin(visit);
        await visit.sees('Yearly plan, granted free of charge');
      },
    },
    {
      name: 'loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/admin/*');
        await opens('/admin', world.boss);
        await page.getByTestId('activity-placeholder').first().waitFor();
      },
    },
    {
      name: 'loading-failed',
      reach: async ({ opens, breaks, sees, world }) => {
        await breaks('**/api/admin/*', 400);
        await opens('/admin', world.boss);
        await sees('Failed to load admin data');
      },
    },
    {
      name: 'asked',
      reach: async (visit) => {
        await isInProduction(visit);
        await opensAdmin(visit);
        await visit.presses('Force High');
        await visit.sees(/Production Environment/);
      },
    },
    {
      name: 'being-done',
      reach: async (visit) => {
        await opensAdmin(visit);
        await visit.holdsBack('**/api/admin/force-high');
        await visit.presses('Force High');
        await visit.page.locator('[aria-busy=true]').waitFor();
      },
    },
    {
      name: 'done',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await opensAdmin(visit);
        await visit.presses('Force Low');
        await visit.sees('The status is Low disruption for all users');
      },
    },
    {
      name: 'failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await opensAdmin(visit);
        await visit.breaks('**/api/admin/force-high', 500);
        await visit.presses('Force High');
        await visit.sees('Failed to execute force-high action');
      },
    },
  ],
};
