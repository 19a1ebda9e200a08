import type { Area, Visit } from '../state.ts';

const ON = ['Trail Shoes | Prospecting', 'Rain Jackets | Retargeting 30d', 'Winter Boots | Lookalike 1%'];
const LONG_ID = `act_${'1'.repeat(32)}`;
const after = (ms: number) => new Date(Date.now() + ms).toISOString();
const before = (minutes: number) => after(-minutes * 60_000);

async function pausesCampaigns(visit: Visit): Promise<void> {
  const { world } = visit;
  const delay = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
  const nora = await world.advertiser({ on: ON });
  const maya = await world.advertiser({
    name: 'Maya-Alexandrina Papadopoulou-Vandenberghe',
    on: ON.slice(1),
    setup: { outageThreshold: 'HIGH', resumeSettings: delay },
  });
  await world.meets('HIGH_DISRUPTION');
  for (const name of ON) await nora.isHeld(name);
  for (const name of ON.slice(1)) await maya.isHeld(name);
}

const opens = ({ opens: open, world }: Visit) => open('/admin', world.boss);
const isListed = ({ page }: Visit, name: string) =>
  page.getByRole('region', { name }).getByRole('listitem').first().waitFor();

/** One problem of each kind. */
function allKinds(): object[] {
  const general = {
    id: null,
    users: [],
    accountId: null,
    campaign: null,
    kind: null,
    since: before(11),
    failures: 0,
    lastError: null,
    nextAt: null,
    blockedUntil: null,
  };
  const one = {
    ...general,
    users: [{ id: '12', name: 'Nora Lind' }],
    failures: 3,
    lastError: 'transient (2)',
    nextAt: after(90_000),
  };
  const account = (n: number) => ({ id: `act_81000000${n}`, accountId: `act_81000000${n}` });
  const problems = [
    { ...general, part: 'database', since: null, lastError: 'slow' },
    { ...general, part: 'meta', lastError: 'HTTP 503 without JSON' },
    { ...general, part: 'status_page', lastError: 'Unable to fetch status' },
    { ...general, part: 'stripe', lastError: 'api_connection_error' },
    { ...general, part: 'tokens_closed', since: null, failures: 2 },
    { part: 'accounts_behind', ...account(1), failures: 0, lastError: null },
    { part: 'accounts_failing', id: LONG_ID, accountId: LONG_ID, since: null },
    {
      part: 'accounts_limited',
      ...account(3),
      blockedUntil: after(240_000),
      lastError: 'rate_limited (613)',
    },
    {
      part: 'holds_unconfirmed',
      id: '88',
      accountId: 'act_810000001',
      campaign: { id: '810000001000', name: ON[0] },
      kind: 'pausing',
    },
    { part: 'notification_waiting', id: '301', kind: 'paused', lastError: 'ECONNECTION' },
    { part: 'notification_failed', id: '290', kind: 'token_stale', nextAt: null, lastError: 'EENVELOPE 550' },
    { part: 'readings_failing', id: '12', lastError: 'unavailable' },
    { part: 'leaving_failing', id: '13', kind: 'delete', lastError: null },
  ];
  return problems.map((problem) => ({ ...one, ...problem }));
}

async function hasProblems({ page }: Visit, problems = allKinds(), hasMore = false): Promise<void> {
  await page.route('**/api/admin/problems', (route) => route.fulfill({ json: { problems, hasMore } }));
}

/** Retries without a confirmation: live users are not affected. */
async function retries(visit: Visit): Promise<void> {
  await visit.keepsTextInPlace();
  await hasProblems(visit);
  await opens(visit);
  await isListed(visit, 'Recent activity');
  await isListed(visit, 'System health');
  await visit.page.getByText('Overridden', { exact: true }).first().waitFor();
  await visit.presses('Show all 13');
  await visit.presses(/^Retry: Email 301/);
}

const PAUSED: Area['states'] = [
  {
    name: 'no-paused-campaigns',
    reach: async (visit) => {
      // Advertisers of other states may still wait for their resume.
      await visit.page.route('**/api/admin/held*', (route) =>
        route.fulfill({ json: { held: [], next: null } }),
      );
      await opens(visit);
      await visit.sees('No paused campaigns');
    },
  },
  {
    name: 'paused-campaigns',
    reach: async (visit) => {
      await pausesCampaigns(visit);
      await opens(visit);
      await isListed(visit, 'Campaigns paused by SmartPause');
    },
  },
  {
    name: 'paused-campaigns-pages',
    reach: async (visit) => {
      await pausesCampaigns(visit);
      const { held } = await visit.world.boss.over.get<{ held: object[] }>('/api/admin/held');
      const outlooks = [
        { kind: 'scheduled', at: after(7_200_000) },
        { kind: 'limited', at: after(240_000) },
        { kind: 'login', at: null },
        { kind: 'verifying', at: after(50_000) },
        { kind: 'unknown', at: null },
      ];
      const entries = held.map((entry, n) => ({
        ...entry,
        outlook: outlooks[n % outlooks.length],
        ...(n === 1 && { isUnconfirmed: true, state: 'resuming', lastError: 'rate_limited (613)' }),
        ...(n === 2 && { campaign: { id: '120210000000000077', name: null } }),
      }));
      const json = { held: entries, next: '1' };
      await visit.page.route('**/api/admin/held*', (route) => route.fulfill({ json }));
      await opens(visit);
      await isListed(visit, 'Campaigns paused by SmartPause');
    },
  },
  {
    name: 'paused-campaigns-loading',
    reach: async (visit) => {
      await visit.holdsBack('**/api/admin/held*');
      await opens(visit);
      await visit.page.getByTestId('held-placeholder').waitFor();
    },
  },
  {
    name: 'paused-campaigns-failed',
    reach: async (visit) => {
      await visit.breaks('**/api/admin/held*', 400);
      await opens(visit);
      await visit.sees('Failed to load admin data');
    },
  },
];

const PROBLEMS: Area['states'] = [
  {
    name: 'no-problems',
    reach: async (visit) => {
      await hasProblems(visit, []);
      await opens(visit);
      await visit.sees('All systems normal');
    },
  },
  {
    name: 'problems',
    reach: async (visit) => {
      await hasProblems(visit);
      await opens(visit);
      await visit.sees('Show all 13');
    },
  },
  {
    name: 'all-problems',
    reach: async (visit) => {
      await hasProblems(visit);
      await opens(visit);
      await visit.presses('Show all 13');
      await visit.sees('Account deletion');
    },
  },
  {
    name: 'more-problems',
    reach: async (visit) => {
      await hasProblems(visit, allKinds(), true);
      await opens(visit);
      await visit.sees(/^This list shows only some/);
    },
  },
  {
    name: 'problems-loading',
    reach: async (visit) => {
      await visit.holdsBack('**/api/admin/problems');
      await opens(visit);
      await visit.page.getByTestId('problems-placeholder').waitFor();
    },
  },
  {
    name: 'problems-failed',
    reach: async (visit) => {
      await visit.breaks('**/api/admin/problems', 400);
      await opens(visit);
      await visit.sees('Failed to load admin data');
    },
  },
  {
    name: 'retry-asked',
    reach: async (visit) => {
      await hasProblems(visit);
      const status = await visit.world.boss.over.get<object>('/api/admin/status');
      const json = { ...status, isProductionLike: true };
      await visit.page.route('**/api/admin/status', (route) => route.fulfill({ json }));
      await opens(visit);
      await visit.presses('Show all 13');
      await visit.presses(/^Retry: Email 301/);
      await visit.sees(/Production Environment/);
    },
  },
  {
    name: 'retry-running',
    reach: async (visit) => {
      await visit.page.route('**/api/admin/retry', () => undefined);
      await retries(visit);
      await visit.page.locator('button[aria-busy=true]').waitFor();
    },
  },
  {
    name: 'retry-done',
    reach: async (visit) => {
      const json = { success: true, retried: { isDue: true, blockedUntil: null } };
      await visit.page.route('**/api/admin/retry', (route) => route.fulfill({ json }));
      await retries(visit);
      await visit.sees('Retrying now.');
    },
  },
  {
    name: 'retry-failed',
    reach: async (visit) => {
      await visit.breaks('**/api/admin/retry', 500);
      await retries(visit);
      await visit.sees('Failed to retry');
    },
  },
];

export const adminProblems: Area = { name: 'admin-problems', states: [...PAUSED, ...PROBLEMS] };
