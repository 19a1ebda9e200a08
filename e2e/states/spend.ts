import { passesUntil } from '../support/page-clock.ts';
import type { States, Visit } from './visit.ts';
import { JACKETS, SHOES } from './visit.ts';

const range = (low: number, likely: number, high: number) => ({ low, likely, high });

const BY_HOURS = {
  ...{ basis: 'hours', days: 41, campaigns: 12, withoutBudget: 0, pausedMs: 33_840_000 },
  waste: { ...range(0.3, 0.65, 1), isMeasured: false },
};

const NOTHING = {
  ...{ notSpent: null, later: null, kept: null, protected: null },
  ...{ unknown: null, knownAt: null, inputs: BY_HOURS },
};

const KEPT = {
  ...NOTHING,
  currency: 'EUR',
  notSpent: range(38_200, 52_900, 66_000),
  later: range(11_800, 18_600, 25_100),
  kept: range(21_000, 34_027, 46_000),
  protected: range(6300, 22_000, 46_000),
};

/** The server's estimates, of which a test cannot wait for the days that they compare with. */
const estimates = (v: Visit, given: readonly object[]) =>
  v.changes('**/api/outages/*', ({ outage, ...page }: { outage: object }) => ({
    ...page,
    outage: { ...outage, estimates: given },
  }));

/** What the paused campaigns spent in the hours around the outage of a test, which lasts 47 minutes. */
const spendOfHours = (v: Visit) =>
  v.changes('**/api/outages/*/spend', () => {
    const outage = Math.floor(Date.now() / 3_600_000);
    const hours = Array.from({ length: 26 }, (_, n) => ({
      at: new Date((outage - 12 + n) * 3_600_000).toISOString(),
      spend: n === 12 || n === 13 ? 900 : 5200 + 1400 * Math.sin(n / 3) + (n > 13 ? 900 : 0),
    }));
    return { currencies: [{ currency: 'EUR', hours }] };
  });

const MONTH = { pausedMs: 33_840_000, kept: KEPT.kept, protected: KEPT.protected };

/** What outages kept from being spent. */
export const SPEND: States = {
  'activity/outage-spend': async (v) => {
    const path = await v.hadOutage();
    await estimates(v, [KEPT]);
    await spendOfHours(v);
    await v.opens(`${path}#spend`);
    await v.sees('€210 to €460');
  },
  'activity/outage-blackout': async (v) => {
    const path = await v.hadOutage();
    const none = range(0, 0, 0);
    await estimates(v, [
      {
        ...{ ...NOTHING, currency: 'EUR', notSpent: none, later: none, kept: none, protected: none },
        inputs: { ...BY_HOURS, waste: { ...none, isMeasured: true } },
      },
    ]);
    await v.opens(`${path}#spend`);
    await v.sees(/Meta delivered nothing, here and for many other advertisers/);
  },
  'dashboard/last-outage-kept': async (v) => {
    await v.hadOutage();
    await v.changes('**/api/outages', ({ outages: [last], ...list }: { outages: object[] }) => ({
      ...list,
      outages: [{ ...last, kept: [{ currency: 'EUR', ...KEPT.kept }] }],
    }));
    await v.opensCampaigns();
    const kept = v.page.getByText('About €340 kept (between €210 and €460).');
    await passesUntil(v.page, () => kept.isVisible());
  },
  'activity/months': async (v) => {
    await v.hadOutage();
    await v.changes('**/api/spend/months', () => ({
      months: [
        { ...MONTH, month: '2026-11', currency: 'EUR', outages: 3, unknown: 1 },
        { ...MONTH, month: '2026-11', currency: 'USD', outages: 1, unknown: 1 },
        { ...MONTH, month: '2026-10', currency: 'EUR', outages: 1, unknown: 0 },
      ],
    }));
    await v.opens('/activity');
    await v.sees('Kept by month, estimated');
  },
  'activity/evidence': async (v) => {
    const path = await v.hadOutage();
    const { outages } = await v.over.get<{ outages: { startedAt: string }[] }>('/api/outages');
    const ids = await Promise.all([SHOES, JACKETS].map(async (name) => (await v.campaign(name)).id));
    await v.world.plantSpend(ids, Date.parse(outages[0]?.startedAt ?? ''));
    await v.opens(path);
    await v.presses('Evidence for a refund claim');
    await v.sees('Stored answers of Meta’s status page');
  },
  'activity/outage-spend-unknown': async (v) => {
    const path = await v.hadOutage();
    const knownAt = new Date(Date.now() + 9 * 3_600_000).toISOString();
    const { notSpent } = KEPT;
    await estimates(v, [
      { ...NOTHING, currency: 'EUR', notSpent, unknown: 'not_read_yet', knownAt },
      { ...NOTHING, currency: 'JPY', unknown: 'no_budget' },
    ]);
    await v.opens(path);
    await v.sees('Known from about');
  },
};
