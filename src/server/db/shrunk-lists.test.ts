import { beforeEach, describe, expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../test/support/database.ts';
import type { CampaignList } from './campaigns.ts';
import { findEndedReads, listCampaigns, saveCampaigns } from './campaigns.ts';

describe('[FR-25, ENG-20] a list that has lost many campaigns', () => {
  const db = useFreshDb();
  const ALL = ['1', '2', '3', '4', '5', '6', '7', '8'];
  let accountId = '';
  let accounts = 0;
  beforeEach(() => {
    accounts += 1;
    accountId = `act_${accounts}`;
  });

  const idOf = (id: string) => `${accountId} ${id}`;
  const campaign = (id: string, status = 'ACTIVE') => ({
    ...{ id: idOf(id), name: id, status, objective: '' },
    ...{ dailyBudget: null, isLegacyAdvantage: false },
  });
  const listOf = (
    ids: readonly string[],
    seconds: number,
    more: Partial<CampaignList> = {},
  ): CampaignList => ({
    ...{ accountId, campaigns: ids.map((id) => campaign(id)), isPartial: false, readAt: seconds * 1000 },
    ...more,
  });
  const save = (...given: Parameters<typeof listOf>) => saveCampaigns(db(), [listOf(...given)]);
  const listed = async () => (await listCampaigns(db(), '1', accountId)).map(({ name }) => name).toSorted();
  const HALF = ['1', '2', '3', '4'];
  const OTHER_HALF = ['5', '6', '7', '8'];

  test.each<
    [
      title: string,
      stored: readonly string[],
      reads: [ids: readonly string[], at: number][],
      left: readonly string[],
    ]
  >([
    ['empty once', ALL, [[[], 1]], ALL],
    ['half of it and four, once', ALL, [[HALF, 1]], ALL],
    [
      'half of it and four, twice within 5 s',
      ALL,
      [
        [HALF, 1],
        [HALF, 6],
      ],
      ALL,
    ],
    [
      'twice within 9.999 s',
      ALL,
      [
        [HALF, 1],
        [HALF, 10.999],
      ],
      ALL,
    ],
    [
      'at the second look 10 s later',
      ALL,
      [
        [HALF, 1],
        [HALF, 11],
      ],
      HALF,
    ],
    [
      'at a third look 10 s after the first',
      ALL,
      [
        [HALF, 1],
        [HALF, 6],
        [HALF, 11],
      ],
      HALF,
    ],
    [
      'empty, then short',
      ALL,
      [
        [[], 1],
        [['1'], 11],
      ],
      ['1'],
    ],
    [
      'short, then whole, then short',
      ALL,
      [
        [HALF, 1],
        [ALL, 11],
        [HALF, 21],
      ],
      ALL,
    ],
    [
      'short, then almost whole',
      ALL,
      [
        [HALF, 1],
        [ALL.slice(1), 11],
      ],
      ALL.slice(1),
    ],
    [
      'short for good, then once more',
      ALL,
      [
        [HALF, 1],
        [HALF, 11],
        [[], 12],
      ],
      HALF,
    ],
    ['three of eight act at once', ALL, [[ALL.slice(3), 1]], ALL.slice(3)],
    ['half but fewer than four act at once', ALL.slice(0, 6), [[['1', '2', '3'], 1]], ['1', '2', '3']],
    ['two of three act at once', ['1', '2', '3'], [[['1'], 1]], ['1']],
    ['the only one is looked at twice', ['1'], [[[], 1]], ['1']],
    [
      'the only one is gone at the second look',
      ['1'],
      [
        [[], 1],
        [[], 11],
      ],
      [],
    ],
    [
      'a read that began before the first look',
      ALL,
      [
        [HALF, 20],
        [HALF, 5],
      ],
      ALL,
    ],
    [
      'the other half at the second look',
      ALL,
      [
        [HALF, 1],
        [OTHER_HALF, 11],
      ],
      ALL,
    ],
    [
      'the other half twice',
      ALL,
      [
        [HALF, 1],
        [OTHER_HALF, 11],
        [OTHER_HALF, 21],
      ],
      OTHER_HALF,
    ],
    [
      'half, then empty: only what both lack',
      ALL,
      [
        [HALF, 1],
        [[], 11],
      ],
      HALF,
    ],
    [
      'half, then empty twice within 9 s',
      ALL,
      [
        [HALF, 1],
        [[], 11],
        [[], 20],
      ],
      HALF,
    ],
    [
      'half, then empty twice',
      ALL,
      [
        [HALF, 1],
        [[], 11],
        [[], 21],
      ],
      [],
    ],
    [
      'half, then a small loss of the same ones within 10 s',
      ALL,
      [
        [HALF, 1],
        [ALL.slice(0, 5), 6],
      ],
      ALL,
    ],
    [
      'half, then a small loss of the same ones later',
      ALL,
      [
        [HALF, 1],
        [ALL.slice(0, 5), 6],
        [ALL.slice(0, 5), 11],
      ],
      ALL.slice(0, 5),
    ],
    [
      'what is there between is looked at again',
      ALL,
      [
        [HALF, 1],
        [ALL.slice(0, 6), 6],
        [HALF, 11],
      ],
      ALL.slice(0, 6),
    ],
    [
      'two that began before the whole one',
      ALL,
      [
        [ALL, 200],
        [[], 100],
        [[], 111],
      ],
      ALL,
    ],
    [
      'a small loss that began before the whole one',
      ALL,
      [
        [ALL, 200],
        [ALL.slice(1), 100],
      ],
      ALL,
    ],
    [
      'a read that began before does not begin the looks again',
      ALL,
      [
        [HALF, 20],
        [[], 5],
        [HALF, 30],
      ],
      HALF,
    ],
    ['what it has is saved', ALL, [[[...HALF, '9'], 1]], [...ALL, '9']],
  ])('%s', async (_title, stored, reads, left) => {
    await save(stored, 0);
    for (const read of reads) await save(...read);
    expect(await listed()).toEqual(left);
  });

  test('a campaign with a live hold stays, also if lists lack it', async () => {
    await save(ALL, 0);
    const about = { userId: await plantUser(db()), accountId, campaignId: idOf('1') };
    const times = { decidedAt: new Date(0), readAt: new Date(0) };
    const hold = { state: 'paused', threshold: 'LOW', level: 'LOW_DISRUPTION' } as const;
    await db()
      .insertInto('holds')
      .values({ ...about, ...hold, ...times })
      .execute();
    for (const at of [1, 20, 40]) await save([], at);
    expect(await listed()).toEqual(['1']);
  });

  test('a partial list is no second look', async () => {
    await save(ALL, 0);
    await save(HALF, 1);
    await save(HALF, 11, { isPartial: true });
    expect(await listed()).toEqual(ALL);
    await save(HALF, 12);
    expect(await listed()).toEqual(HALF);
  });

  test('archived campaigns count only where they are asked for', async () => {
    const archived = ['a', 'b', 'c', 'd', 'e'].map((id) => campaign(id, 'ARCHIVED'));
    const running = ['1', '2', '3', '4'].map((id) => campaign(id));
    const all = [...running, ...archived].map(({ name }) => name).toSorted();
    await save([], 0, { campaigns: [...running, ...archived], withArchived: true });
    // Without them no campaign is missing, and with them more than half.
    await save([], 1, { campaigns: running });
    await save([], 2, { campaigns: running, withArchived: true });
    expect(await listed()).toEqual(all);
    // Four of nine would be less than half, four of four are not.
    await save([], 3, { campaigns: [campaign('x')] });
    expect(await listed()).toEqual([...all, 'x'].toSorted());
    await save([], 13, { campaigns: [campaign('x')] });
    expect(await listed()).toEqual(['a', 'b', 'c', 'd', 'e', 'x']);
  });

  test('what was read by id stays, and hides neither an empty list nor the loss of the others', async () => {
    await save(ALL, 0);
    const found = HALF.map((id) => campaign(id));
    for (const at of [1, 6]) await save([], at, { found });
    expect(await listed()).toEqual(ALL);
    await save([], 11, { found });
    expect(await listed()).toEqual(HALF);
  });

  test('each list of a statement has its own second look', async () => {
    const other = { accountId: `${accountId}b`, campaigns: [campaign('b')] };
    await saveCampaigns(db(), [listOf(ALL, 0), { ...listOf([], 0), ...other }]);
    await saveCampaigns(db(), [listOf(HALF, 1), { ...listOf([], 1), ...other }]);
    await saveCampaigns(db(), [listOf(HALF, 11), { ...listOf([], 11), ...other, campaigns: [] }]);
    expect(await listed()).toEqual(HALF);
    expect(await listCampaigns(db(), '1', other.accountId)).toHaveLength(1);
  });

  test('reads by id that found a campaign deleted are kept until a list shows it again', async () => {
    await save(ALL, 0);
    const id = idOf('8');
    const reads = async () => (await findEndedReads(db(), [id])).get(id);
    const rest = ALL.slice(0, 7);
    expect(await reads()).toBeUndefined();
    await save(rest, 1, { ended: [id] });
    await save(rest, 12, { ended: [id] });
    expect(await reads()).toEqual({ firstAt: 1000, lastAt: 12_000 });
    await save(rest, 20, { campaigns: [campaign('8', 'ARCHIVED')], withArchived: true, isPartial: true });
    expect(await reads()).toEqual({ firstAt: 1000, lastAt: 12_000 });
    await save(ALL, 30);
    expect(await reads()).toBeUndefined();
  });

  test('reads by id that did not find it end it after 3 h, unless one or a list shows it', async () => {
    await save(ALL, 0);
    const id = idOf('8');
    const rest = ALL.slice(0, 7);
    const readsAfter = async (at: number, more: Partial<CampaignList>) => {
      await save(rest, at, more);
      const reads = (await findEndedReads(db(), [id])).get(id);
      return reads && [reads.firstAt / 1000, reads.lastAt / 1000];
    };
    const away = { away: [id] };
    expect(await readsAfter(1, away)).toEqual([1, 1]);
    expect(await readsAfter(10_800, away)).toEqual([1, 1]);
    expect(await readsAfter(10_801, away)).toEqual([1, 10_801]);
    expect(await readsAfter(10_900, { found: [campaign('8')] })).toBeUndefined();
    expect(await readsAfter(10_901, away)).toEqual([10_901, 10_901]);
  });

  test('outside of such looks nothing more is stored', async () => {
    const stored = async () => {
      const list = db().selectFrom('campaignLists').select(['shrunkAt', 'shrunkIds']);
      return list.where('accountId', '=', accountId).executeTakeFirst();
    };
    await save(ALL, 0);
    expect(await stored()).toEqual({ shrunkAt: null, shrunkIds: null });
    await save(HALF, 1);
    expect(await stored()).toMatchObject({ shrunkAt: 1000 });
    await save(HALF, 11);
    expect(await stored()).toEqual({ shrunkAt: null, shrunkIds: null });
  });
});
