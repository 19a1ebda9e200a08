import { waitFor } from '../../../scripts/outside/wait-for.ts';
import type { Area, Visit } from '../state.ts';

const ON = ['Trail Shoes | Prospecting', 'Rain Jackets | Retargeting 30d', 'Winter Boots | Lookalike 1%'];
const after = (ms: number) => new Date(Date.now() + ms).toISOString();
const before = (minutes: number) => after(-minutes * 60_000);

/** An outage in which somebody's campaigns are held. */
async function holds(visit: Visit): Promise<void> {
  const { world } = visit;
  const delay = { mode: 'delay', delay: { value: 2, unit: 'hours' } };
  const nora = await world.somebody({ on: ON });
  const maya = await world.somebody({
    name: 'Maya-Alexandrina Papadopoulou-Vandenberghe',
    on: ON.slice(1),
    setup: { outageThreshold: 'HIGH', resumeSettings: delay },
  });
  await world.meets('HIGH_DISRUPTION');
  for (const name of ON) await nora.isHeld(name);
  for (const name of ON.slice(1)) await maya.isHeld(name);
}

const isListed = ({ page }: Visit, name: string) =>
  page.getByRole('region', { name }).getByRole('listitem').first().waitFor();

/** As nothing in a quiet product is: one thing for each kind of trouble. */
async function isStuck({ page }: Visit): Promise<void> {
  const counts = {
    accounts_behind: 1,
    accounts_failing: 12_345,
    accounts_limited: 1,
    holds_in_doubt: 1,
    mail_waiting: 2,
    mail_given_up: 1,
    readings_failing: 1,
    leaving_failing: 1,
  };
  const failing = Object.entries(counts).map(([part, count]) => ({
    part,
    since: null,
    count,
    lastError: null,
  }));
  await page.route('**/api/admin/failing', (route) => route.fulfill({ json: { failing } }));
  const usual = {
    people: [{ id: '12', name: 'Nora Lind' }],
    accountId: null,
    campaign: null,
    kind: null,
    since: before(11),
    failures: 3,
    lastError: 'transient (2)',
    nextAt: after(90_000),
    blockedUntil: null,
    silentWorker: null,
  };
  const account = (n: number) => ({
    ...usual,
    id: `act_81000000${n}`,
    accountId: `act_81000000${n}`,
    since: null,
  });
  const blockedUntil = after(240_000);
  const things: Record<string, object[]> = {
    accounts_behind: [
      { ...account(1), lastError: null, failures: 0, silentWorker: '7e1c9f02-1c1f-4f0e-9d53-0a3f0c1f8a10' },
    ],
    accounts_failing: Array.from({ length: 50 }, (_, n) => account(10 + n)),
    accounts_limited: [{ ...account(2), blockedUntil, lastError: 'rate_limited (613)' }],
    holds_in_doubt: [
      {
        ...usual,
        id: '88',
        accountId: 'act_810000001',
        campaign: { id: '810000001000', name: ON[0] },
        kind: 'pausing',
      },
    ],
    mail_waiting: [
      { ...usual, id: '301', kind: 'paused', lastError: 'ECONNECTION' },
      { ...usual, id: '302', kind: 'resumed', lastError: 'ECONNECTION' },
    ],
    mail_given_up: [
      { ...usual, id: '290', kind: 'token_stale', nextAt: null, lastError: 'EENVELOPE 550', failures: 31 },
    ],
    readings_failing: [{ ...usual, id: '12', lastError: 'unavailable' }],
    leaving_failing: [{ ...usual, id: '13', kind: 'delete', lastError: null }],
  };
  await page.route('**/api/admin/stuck/**', (route) => {
    const part = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const stuck = things[part] ?? [];
    return route.fulfill({ json: { stuck, next: part === 'accounts_failing' ? 'act_8100000059' : null } });
  });
}

export const adminQuestions: Area = {
  name: 'admin-questions',
  states: [
    {
      name: 'nobody-held',
      reach: async ({ opens, sees, world }) => {
        await opens('/admin?view=held&person=Nobody-is-called-so', world.boss);
        await sees('Nothing is held that fits.');
      },
    },
    {
      name: 'held',
      reach: async (visit) => {
        await holds(visit);
        await visit.opens('/admin?view=held', visit.world.boss);
        await isListed(visit, 'Who is held, and why');
      },
    },
    {
      name: 'held-scheduled-and-in-doubt',
      reach: async (visit) => {
        await holds(visit);
        const { held } = await visit.world.boss.over.get<{ held: object[] }>('/api/admin/held');
        const outlooks = [
          { kind: 'scheduled', at: after(7_200_000) },
          { kind: 'limited', at: after(240_000) },
          { kind: 'login', at: null },
          { kind: 'watched', at: after(50_000) },
          { kind: 'unknown', at: null },
        ];
        const json = {
          held: held.map((one, n) => ({
            ...one,
            outlook: outlooks[n % outlooks.length],
            ...(n === 1 && { inDoubt: true, state: 'resuming', lastError: 'rate_limited (613)' }),
            ...(n === 2 && { isProtected: false, campaign: { id: '120210000000000077', name: null } }),
          })),
          next: '1',
          hasMorePeople: true,
        };
        await visit.page.route('**/api/admin/held*', (route) => route.fulfill({ json }));
        await visit.opens('/admin?view=held&person=a&after=999999', visit.world.boss);
        await isListed(visit, 'Who is held, and why');
      },
    },
    {
      name: 'held-loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/admin/held*');
        await opens('/admin?view=held', world.boss);
        await page.getByTestId('held-placeholder').first().waitFor();
      },
    },
    {
      name: 'held-failed',
      reach: async ({ opens, breaks, sees, world }) => {
        await breaks('**/api/admin/held*', 400);
        await opens('/admin?view=held', world.boss);
        await sees('Failed to load admin data');
      },
    },
    {
      name: 'nothing-stuck',
      reach: async ({ opens, sees, page, world }) => {
        await page.route('**/api/admin/failing', (route) => route.fulfill({ json: { failing: [] } }));
        await opens('/admin?view=stuck', world.boss);
        await sees('Nothing that we know of');
      },
    },
    {
      name: 'stuck',
      reach: async (visit) => {
        await isStuck(visit);
        await visit.opens('/admin?view=stuck', visit.world.boss);
        await visit.sees('Deleting the account');
      },
    },
    {
      name: 'stuck-one-part',
      endless: true,
      reach: async (visit) => {
        await isStuck(visit);
        await visit.opens('/admin?view=stuck&part=accounts_failing', visit.world.boss);
        await visit.page.getByRole('link', { name: 'Next page' }).waitFor();
      },
    },
    {
      name: 'retry-asked',
      reach: async (visit) => {
        await isStuck(visit);
        const told = await visit.world.boss.over.get<object>('/api/admin/status');
        const json = { ...told, isProductionLike: true };
        await visit.page.route('**/api/admin/status', (route) => route.fulfill({ json }));
        await visit.opens('/admin?view=stuck', visit.world.boss);
        await visit.presses('Try all 2 again');
        await visit.sees(/Production Environment/);
      },
    },
    {
      name: 'retried',
      reach: async (visit) => {
        await visit.letsWordsStay();
        await isStuck(visit);
        await visit.page.route('**/api/admin/retry', (route) =>
          route.fulfill({ json: { success: true, retried: { count: 2, blocked: 0, blockedUntil: null } } }),
        );
        await visit.opens('/admin?view=stuck', visit.world.boss);
        await waitFor('it to be known where this is', async () => {
          await visit.presses('Try all 2 again');
          const cancel = visit.page.getByRole('button', { name: 'Cancel' });
          if (!(await cancel.isVisible())) return true;
          await cancel.click();
          return false;
        });
        await visit.sees('2 due now.');
      },
    },
    {
      name: 'status-page',
      reach: async (visit) => {
        await visit.world.meets('MEDIUM_DISRUPTION');
        await visit.world.boss.over.post('/api/admin/force-high');
        await visit.world.product.status.fault({ kind: 'http', http: 503, times: 0 });
        await visit.opens('/admin?view=status', visit.world.boss);
        await isListed(visit, 'Last answers of the status page');
      },
    },
    {
      name: 'status-page-loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/admin/status-history');
        await opens('/admin?view=status', world.boss);
        await page.getByTestId('history-placeholder').first().waitFor();
      },
    },
    {
      name: 'queue',
      reach: async (visit) => {
        await holds(visit);
        await visit.opens('/admin?view=queue', visit.world.boss);
        await visit.sees('Next to be looked at');
        await visit.page.getByText('Subscriptions to read at Stripe').waitFor();
      },
    },
    {
      name: 'queue-long',
      reach: async (visit) => {
        const worker = (name: string, count: number) => ({
          name,
          count,
          until: after(25_000),
        });
        const line = (count: number) => ({ count, oldestAt: before(6) });
        await visit.page.route('**/api/admin/queue', (route) =>
          route.fulfill({
            json: {
              due: line(10_001),
              workers: [
                worker('7e1c9f02-1c1f-4f0e-9d53-0a3f0c1f8a10', 196),
                worker('11aa9f02-1c1f-4f0e-9d53-0a3f0c1f8a10', 200),
              ],
              waiting: {
                count: 10_001,
                next: [1, 2, 3, 4, 5].map((n) => ({
                  accountId: `act_12021000000000${n}`,
                  at: after(n * 9000),
                })),
              },
              blocked: { count: 312, until: after(240_000) },
              mails: { open: line(812), due: line(10_001), waiting: line(3), beingSent: line(5) },
              jobs: [
                { job: 'leaving', due: 1, oldestAt: before(3), nextAt: null },
                { job: 'tokens', due: 0, oldestAt: null, nextAt: after(3_600_000) },
                { job: 'readings', due: 24, oldestAt: before(1), nextAt: null },
              ],
            },
          }),
        );
        await visit.opens('/admin?view=queue', visit.world.boss);
        await visit.sees('11aa9f02');
      },
    },
    {
      name: 'queue-loading',
      reach: async ({ opens, holdsBack, page, world }) => {
        await holdsBack('**/api/admin/queue');
        await opens('/admin?view=queue', world.boss);
        await page.getByTestId('queue-placeholder').first().waitFor();
      },
    },
  ],
};
