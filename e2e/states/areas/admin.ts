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

/** Every part of System health needs attention. */
function allParts(): object {
  const since = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const part = (oldest: string | null, counts: object) => ({ needsAttention: true, oldest, ...counts });
  return {
    statusPage: {
      needsAttention: true,
      readAt: since(7),
      trouble: '/data/orgs.json: no JSON, but "<!DOCTYPE html><html lang=en id=facebook>"',
      missing: ['Ads Delivery', 'Ads Reporting'],
    },
    queue: part(since(3), { due: 12 }),
    accounts: part(null, { failing: 1204 }),
    holds: part(since(60), { pausing: 12, paused: 5000, resuming: 3, notResumable: 128 }),
    writes: part(since(2), { unconfirmed: 3 }),
    emails: part(since(45), { waiting: 31, retried: 30, failed: 2 }),
    tokens: part(since(2 * 24 * 60), { refused: 4, undecryptable: 1 }),
    leaving: part(since(26 * 60), { users: 2, failing: 1 }),
    subscriptions: part(since(11), { failing: 4 }),
    webhooks: part(since(11), { failing: 6 }),
  };
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
      name: 'health-attention',
      reach: async (visit) => {
        await visit.page.route('**/api/admin/system-health', (route) => route.fulfill({ json: allParts() }));
        await opensAdmin(visit);
        await visit.sees(/^10 of 10 parts need attention/);
      },
    },
    {
      name: 'health-failed',
      reach: async (visit) => {
        await visit.breaks('**/api/admin/system-health', 400);
        await opensAdmin(visit);
        await visit.sees('System health could not be loaded.');
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
