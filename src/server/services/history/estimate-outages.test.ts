import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { OutageSummary, outageApi } from '#contract/outage-api.ts';
import { hours, minutes } from '#core/time.ts';
import { timeIn, dayOf } from '#core/spend/local-hours.ts';
import { deliveredOn } from '../../../../simulators/meta-graph/delivery.ts';
import type { GraphState } from '../../../../simulators/meta-graph/state.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { readEstimates } from '../../db/outage-estimates.ts';

describe('[SPEND-02] estimates of an outage', () => {
  const suite = engineSuite();
  const db = () => suite.product.app.db;
  const run = (task: string) => suite.product.app.runTask(task);
  const CAMPAIGNS = 8;

  /** The ad account's clock shows a time at noon. */
  const zone = () => {
    const behind = new Date(suite.product.clock.now()).getUTCHours() - 12;
    return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
  };

  /** An advertiser whose spend of 28 days is stored. */
  async function advertiser(timeZone: string, others = 0): Promise<Advertiser> {
    const who = await suite.advertiser({
      campaigns: Array.from({ length: CAMPAIGNS + others }, () => 'ACTIVE' as const),
      on: CAMPAIGNS,
    });
    await suite.simulators.graph.post(`/accounts/${who.accountId}`, { timezone_name: timeZone });
    await sql`update ad_accounts set time_zone = ${timeZone} where id = ${who.accountId}`.execute(db());
    await run('planning reads of spend');
    await readSpend(others > 0 ? 57 : 29);
    return who;
  }

  async function readSpend(steps: number): Promise<void> {
    for (let n = 0; n < steps; n++) {
      await run('reading spend');
      await suite.advance(minutes(2));
    }
  }

  async function estimates(who: Advertiser) {
    await run('estimating outages');
    const { rows } = await sql<{ id: string }>`select max(id) as id from outages`.execute(db());
    return readEstimates(db(), [rows[0]?.id ?? ''], (await suite.rowOf(who))?.id ?? '');
  }

  /** Of the newest outage, as its page gets them. */
  async function shownTo({ user }: Pick<Advertiser, 'user'>) {
    const [outage] = (await user.get<ReplyOf<typeof outageApi.outages>>('/api/outages')).outages;
    const page = await user.get<ReplyOf<typeof outageApi.outage>>(`/api/outages/${outage?.id ?? ''}`);
    return page.outage.estimates ?? [];
  }

  /** Nothing was spent in the hours within the pause, and something in those outside it. */
  async function showsHours({ user }: Advertiser, outage: OutageSummary | undefined): Promise<void> {
    const path = `/api/outages/${outage?.id ?? ''}`;
    const { currencies } = await user.get<ReplyOf<typeof outageApi.outageSpend>>(`${path}/spend`);
    expect(currencies.map(({ currency }) => currency)).toEqual(['USD']);
    const { campaigns } = await user.get<ReplyOf<typeof outageApi.outage>>(path);
    const times = (of: 'pausedAt' | 'resumedAt') => campaigns.map((one) => Date.parse(one[of] ?? ''));
    const [start, end] = [times('pausedAt'), times('resumedAt')];
    const hourly = (currencies[0]?.hours ?? []).map(({ at, spend }) => ({ from: Date.parse(at), spend }));
    const paused = hourly.filter(
      ({ from }) => from > Math.max(...start) && from + hours(1) < Math.min(...end),
    );
    const others = hourly.filter(
      ({ from }) => from > Math.max(...end) || from + hours(1) < Math.min(...start),
    );
    expect(paused.length).toBeGreaterThanOrEqual(2);
    expect(others.length).toBeGreaterThan(15);
    expect(paused.filter(({ spend }) => spend > 0)).toEqual([]);
    expect(others.filter(({ spend }) => spend === 0)).toEqual([]);
  }

  /** What Meta would have delivered in the pauses, had there been none. */
  async function truth(who: Advertiser, timeZone: string): Promise<number> {
    const accounts = new Map([[who.accountId, { currency: 'USD', timezone_name: timeZone }]]);
    const state = {
      accounts,
      activities: [],
      disturbances: [],
      clockOffsetMs: hours(1000),
    } as unknown as GraphState;
    const { rows } = await sql<{ id: string; budget: string; from: number; until: number }>`
      select c.id, c.daily_budget as budget, h.paused_at as "from", h.ended_at as until
      from holds h join campaigns c on c.id = h.campaign_id where h.account_id = ${who.accountId}`.execute(
      db(),
    );
    let sum = 0;
    for (const { id, budget, ...period } of rows)
      for (const [hour, time] of timeIn(timeZone, [period])) {
        const campaign = { id, account: who.accountId, daily_budget: budget, status: 'ACTIVE' };
        const day = deliveredOn(state, campaign as Parameters<typeof deliveredOn>[1], dayOf(hour));
        sum += time * 100 * (day[hour % 24]?.spend ?? NaN);
      }
    expect(rows).toHaveLength(CAMPAIGNS);
    return sum;
  }

  test('what was not spent is known at once, what was kept after the night, and both hold what Meta would have spent', async () => {
    const timeZone = zone();
    const who = await advertiser(timeZone);
    await suite.outage();
    await suite.become(
      who,
      who.campaignIds.map(() => 'PAUSED'),
    );
    await suite.advance(hours(3));
    expect(await estimates(who)).toEqual([]);
    expect(await shownTo(who)).toMatchObject([{ notSpent: null, unknown: 'not_over', inputs: null }]);
    await suite.recovery();
    await suite.become(
      who,
      who.campaignIds.map(() => 'ACTIVE'),
    );
    await suite.turn();
    const [atOnce, ...others] = await estimates(who);
    expect(others).toEqual([]);
    expect(atOnce).toMatchObject({ currency: 'USD', estimate: { basis: 'hours', later: null, kept: null } });
    const meant = await truth(who, timeZone);
    const holds = (range: { low: number; high: number } | null | undefined, value: number) => {
      // The range leaves out a fifth of what happens.
      expect(range?.low).toBeLessThan(value * 1.15);
      expect(range?.high).toBeGreaterThan(value * 0.85);
      expect(range?.high).toBeLessThan(value * 2);
    };
    holds(atOnce?.estimate.notSpent, meant);
    const { outages } = await who.user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
    expect(outages[0]?.kept).toBeUndefined();
    const [shown, ...none] = await shownTo(who);
    expect(none).toEqual([]);
    expect(shown).toMatchObject({
      ...{ currency: 'USD', notSpent: atOnce?.estimate.notSpent, kept: null, unknown: 'not_read_yet' },
      inputs: { basis: 'hours', campaigns: CAMPAIGNS, withoutBudget: 0 },
    });
    // It is about 4 PM there.
    expect(Date.parse(shown?.knownAt ?? '') - suite.product.clock.now()).toBeLessThan(hours(15));
    expect(Date.parse(shown?.knownAt ?? '') - suite.product.clock.now()).toBeGreaterThan(hours(12));

    // A former version stored fewer facts.
    await sql`update outage_estimates set estimate = estimate - 'pausedMs'`.execute(db());
    expect(await shownTo(who)).toMatchObject([{ notSpent: null, unknown: 'being_estimated' }]);
    expect(await who.user.get('/api/spend/months')).toEqual({ months: [] });
    const [again] = await estimates(who);
    expect(again?.estimate).toEqual(atOnce?.estimate);

    await suite.advance(hours(2));
    const [before] = await estimates(who);
    await suite.advance(minutes(70));
    expect(await estimates(who)).toEqual([before]);
    await suite.advance(hours(16));
    await readSpend(8);
    const [next] = await estimates(who);
    holds(next?.estimate.notSpent, meant);
    const { later, kept, protected: wasted } = next?.estimate ?? {};
    expect(later?.likely).toBeGreaterThan(0);
    expect(later?.high).toBeLessThan(meant * 1.15);
    expect(kept?.likely).toBeLessThan(meant);
    expect(wasted?.high).toBe(kept?.high);
    expect(await shownTo(who)).toMatchObject([{ later, kept, protected: wasted, unknown: null }]);
    const list = async (query = '') =>
      (await who.user.get<ReplyOf<typeof outageApi.outages>>(`/api/outages${query}`)).outages[0];
    const months = await who.user.get<ReplyOf<typeof outageApi.spendMonths>>('/api/spend/months');
    expect(months.months).toMatchObject([
      { currency: 'USD', outages: 1, unknown: 0, kept, protected: wasted },
    ]);
    await showsHours(who, await list());
    expect((await list())?.kept).toEqual([{ currency: 'USD', ...kept }]);
    expect((await list(`?adAccountId=${who.accountId}`))?.kept).toBeUndefined();
  });

  test.each([
    ['cost twice as much', { spend: 1, cpm: 2 }, { low: 0.4, high: 0.6 }],
    ['were not delivered', { spend: 0, cpm: 1 }, null],
    ['were not delivered, as those of many others', { spend: 0, cpm: 1 }, { low: 0, high: 0 }],
  ])('campaigns that ran on and %s tell what an outage wastes', async (_, disturbed, waste) => {
    const isBlackout = waste?.high === 0;
    // Those of the other tests would be on the day before.
    await sql`delete from outages`.execute(db());
    const who = await advertiser(zone(), 12);
    await suite.outage();
    const states = (held: 'PAUSED' | 'ACTIVE') =>
      who.campaignIds.map((__, n) => (n < CAMPAIGNS ? held : 'ACTIVE'));
    await suite.become(who, states('PAUSED'));
    const from = suite.product.clock.now();
    await suite.advance(hours(5));
    await suite.recovery();
    await suite.become(who, states('ACTIVE'));
    const until = suite.product.clock.now();
    await suite.simulators.graph.post('/disturbances', { from, until, ...disturbed });
    const seen = { source: 'delivery', scope: 'everyone', state: 'SUSPECTED' } as const;
    const evidence = JSON.stringify({ direction: 'low' });
    const period = { since: new Date(from), until: new Date(until), evidence };
    if (isBlackout)
      await db()
        .insertInto('signals')
        .values({ ...seen, ...period })
        .execute();
    await suite.turn();
    expect((await estimates(who))[0]?.estimate.waste).toMatchObject({ isMeasured: false });
    // The reports of two nights.
    for (let night = 0; night < 2; night++) {
      await suite.advance(hours(24));
      await readSpend(20);
    }
    const [known] = await estimates(who);
    const { notSpent, waste: found } = known?.estimate ?? {};
    expect(found?.isMeasured).toBe(waste !== null);
    expect(found?.low).toBeGreaterThanOrEqual(waste?.low ?? 0);
    expect(found?.high).toBeLessThanOrEqual(waste?.high ?? 1);
    expect(notSpent?.low === 0).toBe(waste === null || isBlackout);
    expect(notSpent?.likely === 0).toBe(isBlackout);
  });

  test('a user sees only the estimates of their own pauses, and none without a pause', async () => {
    const who = await advertiser('Etc/GMT');
    const other = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await suite.outage();
    await suite.become(
      who,
      who.campaignIds.map(() => 'PAUSED'),
    );
    expect(await shownTo(who)).toHaveLength(1);
    expect(await shownTo(other)).toEqual([]);
  });
});
