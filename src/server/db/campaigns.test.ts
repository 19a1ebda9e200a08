import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { noDelivery } from '#core/account-delivery.ts';
import type { DeliveryTimes } from '#core/campaign.ts';
import { undelivered } from '#core/campaign.ts';
import { days } from '#core/time.ts';
import { listedAccount, plantUser, useFreshDb } from '../../../test/support/database.ts';
import { countProtected, listAdAccounts, saveAdAccounts } from './ad-accounts.ts';
import { listCampaigns, saveCampaigns, saveSmartPause, saveWrittenStatus } from './campaigns.ts';
import { lockOnForNew } from './new-campaigns.ts';
import { readCoverage } from './reports/coverage.ts';
import { readStillRunning } from './reports/still-running.ts';

describe('saveAdAccounts', () => {
  const db = useFreshDb();

  test('keeps nothing for a user who was deleted during the read from Meta', async () => {
    const account = listedAccount('act_1');
    await saveAdAccounts(db(), '404', { value: [account], isPartial: false }, 0);
    expect(await listAdAccounts(db(), '404', 0)).toEqual([]);
  });
});

describe('SmartPause for new campaigns', () => {
  const db = useFreshDb();

  test('[UX-09, FR-07] is turned on for users who want it, are set up, stay and may change the ad account', async () => {
    const others = ['does not want it', 'not set up', 'leaving', 'without the ad account', 'may only read'];
    for (const name of ['wants it', ...others]) {
      const userId = await plantUser(db(), { platformUserId: name });
      const mayPause = name !== 'may only read';
      const account = listedAccount('act_1', { mayPause });
      await saveAdAccounts(db(), userId, { value: [account], isPartial: false }, 0);
    }
    await sql`update users set on_for_new_campaigns = platform_user_id <> 'does not want it',
      initialized_at = case when platform_user_id <> 'not set up' then now() end,
      leaving = case when platform_user_id = 'leaving' then 'delete' end`.execute(db());
    await sql`update ad_accounts set lost_at = now() from users
      where users.id = user_id and platform_user_id = 'without the ad account'`.execute(db());
    const onForNew = await lockOnForNew(db(), ['act_1']);
    const names = await db().selectFrom('users').select(['id', 'platformUserId']).execute();
    const nameOf = new Map(names.map(({ id, platformUserId }) => [id, platformUserId]));
    expect(onForNew.map(({ userId }) => nameOf.get(userId))).toEqual(['wants it']);
  });
});

describe('a campaign that turns out to be a legacy Advantage+ campaign', () => {
  const db = useFreshDb();

  test('[DASH-11, UX-06] shows SmartPause as off, is not protected and expects no pause, unless a hold exists', async () => {
    const userId = await plantUser(db());
    const account = listedAccount('act_1');
    await saveAdAccounts(db(), userId, { value: [account], isPartial: false }, 0);
    const campaign = { id: '7', name: 'Catalog', status: 'ACTIVE', objective: 'X', dailyBudget: null };
    const isListedAs = async (isLegacyAdvantage: boolean, readAt: number, status = 'ACTIVE') => {
      const campaigns = [{ ...campaign, status, isLegacyAdvantage }];
      await saveCampaigns(db(), [{ accountId: 'act_1', campaigns, isPartial: false, readAt }]);
    };
    const shown = async () => {
      const [first] = await listCampaigns(db(), userId, 'act_1');
      const { count } = await readStillRunning(db(), userId, { now: 0, matchSince: null });
      return [first?.smartPauseSetting, first?.held, count];
    };
    await isListedAs(false, 1);
    const campaigns = [{ id: '7', accountId: 'act_1' }];
    await saveSmartPause(db(), { userId, campaigns, setting: 'ON' }, 1);
    expect(await shown()).toEqual(['ON', false, 1]);
    expect(await countProtected(db(), userId, 0)).toEqual(new Map([['act_1', 1]]));
    await isListedAs(true, 2);
    expect(await shown()).toEqual(['OFF', false, 0]);
    expect(await countProtected(db(), userId, 0)).toEqual(new Map());
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
      values (${userId}, 'act_1', '7', 'paused', 'LOW', 'LOW_DISRUPTION', now(), now())`.execute(db());
    await isListedAs(true, 3, 'PAUSED');
    expect(await shown()).toEqual(['ON', true, 0]);
  });
});

describe('a campaign that SmartPause paused for another user', () => {
  const db = useFreshDb();

  test.each([
    ['paused', 'PAUSED', null, true],
    ['resuming', 'PAUSED', null, true],
    ['paused', 'ACTIVE', null, false],
    ['ended', 'PAUSED', null, false],
    ['paused', 'PAUSED', new Date(1), true],
  ])('[DASH-08] %s, last read %s, test until %s', async (state, status, testUntil, heldByOther) => {
    const id = [state, status, testUntil?.getTime()].join();
    const [holder, other] = [await plantUser(db()), await plantUser(db())];
    const campaign = { id, name: 'A', status, objective: 'X', dailyBudget: null, isLegacyAdvantage: false };
    await saveCampaigns(db(), [{ accountId: id, campaigns: [campaign], isPartial: false, readAt: 1 }]);
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        test_until, began_as_test, ended_at, outcome)
      select ${holder}, ${id}, ${id}, ${state}, 'LOW', 'LOW_DISRUPTION', now(), now(), ${testUntil}::timestamptz,
        ${testUntil !== null}, case when ${state} = 'ended' then now() end,
        case when ${state} = 'ended' then 'resumed' end`.execute(db());
    const fieldOf = async (userId: string) => (await listCampaigns(db(), userId, id))[0]?.heldByOther;
    expect([await fieldOf(holder), await fieldOf(other)]).toEqual([false, heldByOther]);
  });
});

describe('[FR-01] the times between which Meta delivers a campaign', () => {
  const db = useFreshDb();

  test.each<DeliveryTimes>([
    {},
    { stopTime: 1000 },
    { stopTime: 1001 },
    { startTime: 1000 },
    { startTime: 1001 },
    { startTime: 1001, stopTime: 2000 },
    { startTime: 999, stopTime: 1001 },
  ])('with %j the counts obey the rule of the core', async (times) => {
    const userId = await plantUser(db());
    const accountId = `act_${userId}`;
    const account = listedAccount(accountId);
    await saveAdAccounts(db(), userId, { value: [account], isPartial: false }, 0);
    const campaign = { id: userId, name: 'A', status: 'ACTIVE', objective: 'X', dailyBudget: null };
    const list = (more: DeliveryTimes, readAt: number) =>
      saveCampaigns(db(), [
        {
          accountId,
          campaigns: [{ ...campaign, isLegacyAdvantage: false, ...more }],
          readAt,
          isPartial: false,
        },
      ]);
    await list({ startTime: 5, stopTime: 6 }, 1);
    await list(times, 2);
    await saveSmartPause(db(), { userId, campaigns: [{ id: userId, accountId }], setting: 'ON' }, 2);
    const [stored] = await listCampaigns(db(), userId, accountId);
    expect(stored).toMatchObject({ startTime: null, stopTime: null, ...times });
    const expected = undelivered(times, 1000) === null ? 1 : 0;
    expect((await countProtected(db(), userId, 1000)).get(accountId) ?? 0).toBe(expected);
    expect(await readStillRunning(db(), userId, { now: 1000, matchSince: null })).toMatchObject({
      count: expected,
      running: expected,
    });
    const coverage = await readCoverage(db(), userId, { now: 1000, match: null });
    expect(coverage).toMatchObject([{ protected: { count: expected } }]);
  });
});

describe('[FR-30] an ad account in which Meta delivers nothing', () => {
  const db = useFreshDb();

  test.each<[accountStatus: number | null, seenAt: number]>([
    ...[null, 1, 2, 3, 7, 8, 9, 100, 101, 201, 999].map((status): [number | null, number] => [status, 0]),
    [3, 1 - days(1)],
    [3, -days(1)],
  ])('the counts obey the rule of the core: status %s, seen at %s', async (accountStatus, seenAt) => {
    const userId = await plantUser(db());
    const account = listedAccount(`act_${userId}`, { accountStatus });
    await saveAdAccounts(db(), userId, { value: [account], isPartial: false }, seenAt);
    const running = {
      name: 'A',
      status: 'ACTIVE',
      objective: 'X',
      dailyBudget: null,
      isLegacyAdvantage: false,
    };
    const campaigns = [{ ...running, id: userId }];
    await saveCampaigns(db(), [{ accountId: account.id, campaigns, readAt: 1, isPartial: false }]);
    await saveSmartPause(
      db(),
      { userId, campaigns: [{ id: userId, accountId: account.id }], setting: 'ON' },
      2,
    );
    const expected = noDelivery({ accountStatus, disableReason: null, seenAt }, 0) === null ? 1 : 0;
    expect((await countProtected(db(), userId, 0)).get(account.id) ?? 0).toBe(expected);
    expect(await readStillRunning(db(), userId, { now: 0, matchSince: null })).toMatchObject({
      count: expected,
      running: expected,
    });
    const coverage = await readCoverage(db(), userId, { now: 0, match: null });
    expect(coverage).toMatchObject([{ protected: { count: expected } }]);
  });
});

describe('when a campaign was changed in Ads Manager', () => {
  const db = useFreshDb();

  test.each<[title: string, reads: [status: string, afterS: number][], changedAfterS: number | null]>([
    ['a list shows our write', [['PAUSED', 5]], null],
    ['a list that is behind shows what was before', [['ACTIVE', 89]], null],
    [
      '… and then ours',
      [
        ['ACTIVE', 89],
        ['PAUSED', 100],
      ],
      null,
    ],
    ['a list that cannot be behind', [['ACTIVE', 90]], 90],
    [
      '… and is changed back',
      [
        ['ACTIVE', 90],
        ['PAUSED', 100],
      ],
      100,
    ],
  ])('%s', async (title, reads, changedAfterS) => {
    const userId = await plantUser(db());
    const START = Date.parse('2026-03-02T10:00:00Z');
    const save = (status: string, afterS: number) => {
      const campaign = {
        id: title,
        name: '',
        status,
        objective: '',
        dailyBudget: null,
        isLegacyAdvantage: false,
      };
      const list = { accountId: title, campaigns: [campaign], isPartial: false };
      return saveCampaigns(db(), [{ ...list, readAt: START + afterS * 1000 }]);
    };
    await save('ACTIVE', -10);
    const confirmed = { status: 'PAUSED', at: START };
    await saveWrittenStatus(db(), [{ campaignId: title, confirmed }]);
    await sql`insert into campaign_writes (campaign_id, account_id, origin, user_id, requested_at, target, state,
        status_before, refusals, failures, confirmed_status, confirmed_at)
      values (${title}, ${title}, 'hold', ${userId}, now(), 'PAUSED', 'done', 'ACTIVE', 0, 0, 'PAUSED',
        ${new Date(START)})`.execute(db());
    for (const read of reads) await save(...read);
    const stored = db().selectFrom('campaigns').select(['status', 'changedInAdsManagerAt as changedAt']);
    expect(await stored.where('id', '=', title).executeTakeFirst()).toEqual({
      status: reads.at(-1)?.[0],
      changedAt: changedAfterS === null ? null : START + changedAfterS * 1000,
    });
  });
});

describe('archived campaigns', () => {
  const db = useFreshDb();
  const accountId = 'act_1';

  const campaign = (id: string, status: string) => ({
    id,
    name: id,
    status,
    objective: '',
    dailyBudget: null,
    isLegacyAdvantage: false,
  });
  const listed = async () => (await listCampaigns(db(), '1', accountId)).map(({ id }) => id).toSorted();

  test('[DASH-08] a list without archived campaigns removes none of them; a list with them does', async () => {
    const [running, archived] = [campaign('running', 'ACTIVE'), campaign('archived', 'ARCHIVED')];
    const whole = { accountId, isPartial: false };
    const both = { ...whole, campaigns: [running, archived], readAt: 1000, withArchived: true };
    await saveCampaigns(db(), [both]);
    await saveCampaigns(db(), [{ ...whole, campaigns: [running], readAt: 2000 }]);
    expect(await listed()).toEqual(['archived', 'running']);
    // An empty list is looked at twice.
    for (const readAt of [3000, 13_000]) await saveCampaigns(db(), [{ ...whole, campaigns: [], readAt }]);
    expect(await listed()).toEqual(['archived']);
    await saveCampaigns(db(), [{ ...both, campaigns: [running], readAt: 14_000 }]);
    expect(await listed()).toEqual(['running']);
  });

  test('[FR-05] a partial list removes no campaign and no ad account', async () => {
    let now = 0;
    const [kept, added] = [campaign('kept', 'ACTIVE'), campaign('added', 'ACTIVE')];
    const list = { accountId, withArchived: true };
    await saveCampaigns(db(), [{ ...list, campaigns: [kept], isPartial: false, readAt: 15_000 }]);
    await saveCampaigns(db(), [{ ...list, campaigns: [added], isPartial: true, readAt: 16_000 }]);
    expect(await listed()).toEqual(['added', 'kept']);
    const userId = await plantUser(db());
    await saveAdAccounts(db(), userId, { value: [listedAccount('act_1')], isPartial: false }, 0);
    for (const [isPartial, expected] of [
      [true, ['act_1', 'act_2']],
      [false, ['act_1', 'act_2']],
      [true, ['act_1', 'act_2']],
      [false, ['act_2']],
    ] as const) {
      now += 60_000;
      await saveAdAccounts(db(), userId, { value: [listedAccount('act_2')], isPartial }, now);
      expect((await listAdAccounts(db(), userId, 0)).map(({ id }) => id)).toEqual(expected);
    }
  });

  test('[FR-05] what a first partial list lacks is not new; what comes after a whole one is', async () => {
    const list = { accountId: 'act_9', withArchived: true };
    const added = async (ids: readonly string[], isPartial: boolean, readAt: number) => {
      const campaigns = ids.map((id) => campaign(id, 'ACTIVE'));
      return (await saveCampaigns(db(), [{ ...list, campaigns, isPartial, readAt }])).map(({ id }) => id);
    };
    expect(await added(['p1'], true, 1000)).toEqual([]);
    expect(await added(['p1', 'p2'], true, 2000)).toEqual([]);
    expect(await added(['p1', 'p2', 'p3'], false, 3000)).toEqual([]);
    expect(await added(['p1', 'p4'], true, 4000)).toEqual(['p4']);
    expect(await added(['p1', 'p2', 'p3', 'p4', 'p5'], false, 5000)).toEqual(['p5']);
  });
});
