import { beforeEach, describe, expect, test } from 'vitest';
import { useFreshDb } from '../../../test/support/database.ts';
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
    ['what it has is saved', ALL, [[[...HALF, '9'], 1]], [...ALL, '9']],
  ])('%s', async (_title, stored, reads, left) => {
    await save(stored, 0);
    for (const read of reads) await save(...read);
    expect(await listed()).toEqual(left);
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
});
