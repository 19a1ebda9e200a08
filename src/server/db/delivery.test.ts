import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FormerHour } from '#core/detection/delivery.ts';
import { days, hours, minutes } from '#core/time.ts';
import { accountIdOf, campaignIdOf, replantRows } from '../../../test/support/population.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import { saveSpend } from './campaign-spend.ts';
import {
  findDeliveryState,
  findDeliveryVotes,
  findFormerDelivery,
  planLooks,
  readDeliverySample,
} from './delivery.ts';
import { saveSignal } from './detection.ts';

const NOW = Date.parse('2026-06-17T15:00:00Z');
const POPULATION = { users: 6, accountsEach: 1, campaignsEach: 2 };
const CAMPAIGNS = Array.from({ length: 12 }, (_, n) => campaignIdOf(n));
const [FIRST = '', SECOND = ''] = CAMPAIGNS;
const dayBefore = (weeks: number) => new Date(NOW - days(7 * weeks)).toISOString().slice(0, 10);

describe('[EARLY-01] looks at what ad accounts deliver', () => {
  const db = useFreshDb();
  beforeEach(() => replantRows(db(), POPULATION, new Date(NOW - days(100))));

  /** Each hour has its number times this. */
  async function plantWeeks(weeks: readonly number[], campaignIds = CAMPAIGNS, value: number | null = 100) {
    const hourly = {
      spend: Array.from({ length: 24 }, (_, hour) => hour * (value ?? 0)),
      impressions: Array.from({ length: 24 }, (_, hour) => hour),
    };
    for (const week of weeks) {
      const spent = new Map(value === null ? [] : campaignIds.map((id) => [id, hourly] as const));
      await saveSpend(db(), { day: dayBefore(week), readAt: NOW, campaignIds }, spent);
    }
  }
  const planned = async () => {
    await planLooks(db(), NOW);
    const rows = db().selectFrom('accountJobs').select('accountId').where('kind', '=', 'delivery');
    return (await rows.orderBy('accountId').execute()).map(({ accountId }) => accountId);
  };
  const accounts = (...numbers: number[]) => numbers.map(accountIdOf);

  test('show another anomaly as such, also in the same state', async () => {
    const saved = async (direction: 'low' | 'high', businesses: number, at: number) => {
      const evidence = { direction, accounts: 9, ofAccounts: 30, businesses, since: NOW, foundAt: at };
      await saveSignal(db(), 'delivery', { state: 'WATCH', evidence }, at);
      return findDeliveryState(db());
    };
    await saved('high', 9, NOW);
    expect(await saved('high', 4, NOW + minutes(5))).toMatchObject({
      since: NOW,
      evidence: { businesses: 9 },
    });
    expect(await saved('low', 4, NOW + minutes(6))).toMatchObject({
      since: NOW + minutes(6),
      evidence: { direction: 'low', businesses: 4 },
    });
  });

  test('are planned where SmartPause is on and four of the weeks have spend', async () => {
    await plantWeeks([1, 2, 3], CAMPAIGNS);
    expect(await planned()).toEqual([]);
    await plantWeeks([7]);
    expect(await planned()).toEqual(accounts(0, 1, 2, 3, 4, 5));
    await sql`update campaign_spend set spend = null, impressions = null
      where campaign_id = any(${CAMPAIGNS.slice(0, 2)}) and day = ${dayBefore(7)}::date`.execute(db());
    await sql`update ad_accounts set lost_at = now() where id = ${accountIdOf(1)}`.execute(db());
    await sql`update ad_accounts set time_zone = null where id = ${accountIdOf(2)}`.execute(db());
    await sql`update smartpause_settings set setting = 'OFF' where account_id = ${accountIdOf(3)}`.execute(
      db(),
    );
    await sql`update subscriptions set access_until = ${new Date(NOW)} where user_id = 5`.execute(db());
    expect(await planned()).toEqual(accounts(5));
  });

  test('three of a business, those with the highest budgets', async () => {
    await plantWeeks([1, 2, 3, 4]);
    await sql`update ad_accounts set business_id = 'one' where id <> ${accountIdOf(5)}`.execute(db());
    await sql`update work_items set priority = case account_id when ${accountIdOf(0)} then 10 when ${accountIdOf(5)} then 1 else 20 end
      where account_id <> ${accountIdOf(4)}`.execute(db());
    await sql`update work_items set priority = 5 where account_id = ${accountIdOf(4)}`.execute(db());
    expect(await planned()).toEqual(accounts(1, 2, 3, 5));
  });

  test('go on as they are when they are planned again', async () => {
    await plantWeeks([1, 2, 3, 4]);
    await planned();
    await sql`update account_jobs set due_at = ${new Date(NOW + hours(1))}, progress = '{"failures": 2}'`.execute(
      db(),
    );
    await planned();
    const jobs = await db().selectFrom('accountJobs').select(['dueAt', 'progress']).execute();
    expect(new Set(jobs.map(({ dueAt }) => dueAt))).toEqual(new Set([NOW + hours(1)]));
    expect(jobs[0]?.progress).toEqual({ failures: 2 });
  });

  test('give a vote of the business, or of the user', async () => {
    await plantWeeks([1, 2, 3, 4]);
    await planned();
    const now = Date.now();
    const vote = (at: number) => ({ failures: 0, vote: { at, from: at - minutes(40), direction: 'low' } });
    const set = (n: number, progress: object) =>
      sql`update account_jobs set progress = ${JSON.stringify(progress)}::jsonb where account_id = ${accountIdOf(n)}`.execute(
        db(),
      );
    await sql`update ad_accounts set business_id = '7' where id = ${accountIdOf(1)}`.execute(db());
    await set(0, vote(now));
    await set(1, vote(now - hours(2)));
    await set(2, { failures: 1, vote: null });
    const votes = (await findDeliveryVotes(db())).toSorted((a, b) => a.accountId.localeCompare(b.accountId));
    expect(votes).toEqual([
      { accountId: accountIdOf(0), business: 'user 1', at: now, from: now - minutes(40), direction: 'low' },
      {
        accountId: accountIdOf(1),
        business: '7',
        at: now - hours(2),
        from: now - minutes(160),
        direction: 'low',
      },
    ]);
    expect(await readDeliverySample(db())).toEqual({ accounts: 6, compared: 1 });
  });

  describe('are compared with', () => {
    /** From 14:30 to 15:10, of some weeks. */
    const hoursOf = (...weeks: number[]): FormerHour[] =>
      weeks.flatMap((week) => {
        const from = NOW - minutes(30) - days(7 * week);
        const period = { from, until: from + minutes(40), week, day: dayBefore(week) };
        return [
          { ...period, hour: 14, part: 0.5 },
          { ...period, hour: 15, part: 1 / 6 },
        ];
      });
    const found = async (wanted: readonly FormerHour[]) => {
      const given = { hours: wanted, heldSince: NOW - days(1) };
      const rows = await findFormerDelivery(db(), accountIdOf(0), given);
      return rows
        .map(({ campaignId, week }) => `${campaignId === FIRST ? 'first' : 'second'} ${week}`)
        .toSorted();
    };
    const hold = (campaignId: string, from: number, until: number | null, userId = 1) =>
      sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, ended_at, outcome)
        values (${userId}, ${accountIdOf(0)}, ${campaignId}, ${until === null ? 'paused' : 'ended'}, 'MEDIUM', 'HIGH', ${new Date(from)}, ${new Date(from)},
          ${until === null ? null : new Date(until)}, ${until === null ? null : 'resumed'})`.execute(db());

    test('the same parts of hours, where the week is known', async () => {
      await plantWeeks([1, 2]);
      await plantWeeks([3], CAMPAIGNS, null);
      await plantWeeks([4], [SECOND]);
      const given = { hours: hoursOf(1, 2, 3, 4, 5), heldSince: NOW - days(1) };
      const rows = await findFormerDelivery(db(), accountIdOf(0), given);
      expect(rows).toHaveLength(7);
      const expected = { spend: 14 * 50 + 1500 / 6, impressions: 14 / 2 + 15 / 6 };
      expect(rows.find(({ campaignId, week }) => campaignId === FIRST && week === 1)).toEqual({
        ...{ campaignId: FIRST, week: 1 },
        spend: expect.closeTo(expected.spend, 6) as number,
        impressions: expect.closeTo(expected.impressions, 6) as number,
      });
      expect(rows.find(({ week }) => week === 3)).toMatchObject({ spend: 0, impressions: 0 });
      expect(await found([])).toEqual([]);
    });

    test('without the weeks in which SmartPause had paused it, and not at all what was paused today', async () => {
      await plantWeeks([1, 2, 3]);
      const all = hoursOf(1, 2, 3);
      const at = (week: number) => NOW - days(7 * week);
      await hold(FIRST, at(2) - hours(3), at(2) - minutes(20));
      await hold(FIRST, at(3) - hours(3), at(3) - minutes(31));
      await hold(SECOND, at(3) + minutes(9), at(3) + hours(1));
      await hold(SECOND, at(1) + minutes(11), at(1) + hours(1));
      expect(await found(all)).toEqual(['first 1', 'first 3', 'second 1', 'second 2']);
      await hold(SECOND, NOW - hours(30), NOW - hours(23));
      expect(await found(all)).toEqual(['first 1', 'first 3']);
      await hold(FIRST, NOW - days(3), null);
      expect(await found(all)).toEqual([]);
    });

    test('only of what runs', async () => {
      await plantWeeks([1]);
      await sql`update campaigns set status = 'PAUSED' where id = ${FIRST}`.execute(db());
      expect(await found(hoursOf(1))).toEqual(['second 1']);
      await sql`update campaigns set is_listed = false, unlisted_at = now() where id = ${SECOND}`.execute(
        db(),
      );
      expect(await found(hoursOf(1))).toEqual([]);
    });
  });
});
