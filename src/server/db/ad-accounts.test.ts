import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { totalOf } from '#core/coverage.ts';
import { days, seconds } from '#core/time.ts';
import { accountRows } from '../../../scripts/recover-holds/records.ts';
import { listedAccount, plantUser, useFreshDb } from '../../../test/support/database.ts';
import { findListing, listAdAccounts, saveAdAccounts } from './ad-accounts.ts';
import { findOwnCampaign, saveCampaigns, saveSmartPause } from './campaigns.ts';
import { dropOldRows } from './retention.ts';
import { findListReaders, lockOnForNew } from './new-campaigns.ts';
import { findHeld } from './reports/notified-activities.ts';
import { readCoverage } from './reports/coverage.ts';
import { readStillRunning } from './reports/still-running.ts';

describe('[FR-25] an ad account that a list of Meta lacks', () => {
  const db = useFreshDb();
  const [ONE, TWO] = ['act_1', 'act_2'];
  const START = Date.parse('2026-03-02T10:00:00Z');
  let userId = '';

  const lists = (ids: readonly string[], afterS: number, isPartial = false) => {
    const value = ids.map((id) => listedAccount(id));
    return saveAdAccounts(db(), userId, { value, isPartial }, START + seconds(afterS));
  };
  const listed = async () => (await listAdAccounts(db(), userId, START)).map(({ id }) => id);
  const campaignId = () => `c${userId}`;
  /** As mails, counts and buttons see the campaign of the second account. */
  const seen = async () => ({
    isListed: (await findListing(db(), userId, TWO)) !== null,
    isOwn: (await findOwnCampaign(db(), userId, campaignId())) !== null,
    running: totalOf(await readCoverage(db(), userId, { now: START, match: null }), ['protected']).count,
    notPaused: (await readStillRunning(db(), userId, { now: START, matchSince: null })).count,
    onForNew: (await lockOnForNew(db(), [TWO])).length,
    readers: (await findListReaders(db(), TWO)).length,
  });
  const SHOWN = { isListed: true, isOwn: true, running: 1, notPaused: 1, onForNew: 1, readers: 1 };
  const stored = async (table: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)}`.execute(db());
    return rows[0]?.count;
  };
  const tidyAfter = (afterDays: number, afterS = 0) =>
    dropOldRows(db(), START + days(afterDays) + seconds(afterS));

  beforeEach(async () => {
    await sql`truncate users, campaigns, campaign_lists, ad_accounts, work_items cascade`.execute(db());
    userId = await plantUser(db(), { onForNewCampaigns: true, initializedAt: new Date(START) });
    await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at)
      values (${userId}, '', 'key', now(), now())`.execute(db());
    await lists([ONE, TWO], 0);
    const campaign = { id: campaignId(), name: 'A', status: 'ACTIVE', objective: '', dailyBudget: 5 };
    const list = { isPartial: false, readAt: START };
    await saveCampaigns(db(), [
      { ...list, accountId: ONE, campaigns: [] },
      { ...list, accountId: TWO, campaigns: [{ ...campaign, isLegacyAdvantage: false }] },
    ]);
    const campaigns = [{ id: campaignId(), accountId: TWO }];
    await saveSmartPause(db(), { userId, campaigns, setting: 'ON' }, START);
  });

  test.each<
    [title: string, reads: [ids: readonly string[], afterS: number, isPartial?: boolean][], left: string[]]
  >([
    ['once', [[[ONE], 10]], [ONE, TWO]],
    [
      'twice within 59 s',
      [
        [[ONE], 10],
        [[ONE], 69],
      ],
      [ONE, TWO],
    ],
    [
      'twice, 60 s apart',
      [
        [[ONE], 10],
        [[ONE], 70],
      ],
      [ONE],
    ],
    [
      'with a third list between',
      [
        [[ONE], 10],
        [[ONE], 40],
        [[ONE], 70],
      ],
      [ONE],
    ],
    [
      'is there between',
      [
        [[ONE], 10],
        [[ONE, TWO], 40],
        [[ONE], 70],
      ],
      [ONE, TWO],
    ],
    [
      'is missing in a partial list 60 s later',
      [
        [[ONE], 10],
        [[ONE], 70, true],
      ],
      [ONE, TWO],
    ],
    ['in an empty list', [[[], 10]], [ONE, TWO]],
    [
      'in two empty lists',
      [
        [[], 10],
        [[], 70],
      ],
      [],
    ],
    [
      'another one each time',
      [
        [[ONE], 10],
        [[TWO], 70],
      ],
      [ONE, TWO],
    ],
    [
      'in a read that began before',
      [
        [[ONE], 70],
        [[ONE], 10],
      ],
      [ONE, TWO],
    ],
    [
      'in two that began before one that has it',
      [
        [[ONE, TWO], 100],
        [[ONE], 10],
        [[ONE], 75],
      ],
      [ONE, TWO],
    ],
    [
      'in two, after which an earlier one that has it is stored',
      [
        [[ONE], 10],
        [[ONE], 80],
        [[ONE, TWO], 5],
      ],
      [ONE],
    ],
    [
      'in two, and one that began between and has it is stored last',
      [
        [[ONE], 10],
        [[ONE], 80],
        [[ONE, TWO], 40],
      ],
      [ONE, TWO],
    ],
    [
      '… and in a third 60 s later',
      [
        [[ONE], 10],
        [[ONE], 80],
        [[ONE, TWO], 40],
        [[ONE], 140],
      ],
      [ONE],
    ],
    [
      'and comes back',
      [
        [[ONE], 10],
        [[ONE], 70],
        [[ONE, TWO], 100],
      ],
      [ONE, TWO],
    ],
    [
      'comes back, and is missing once more',
      [
        [[ONE], 10],
        [[ONE], 70],
        [[ONE, TWO], 100],
        [[ONE], 101],
      ],
      [ONE, TWO],
    ],
  ])('%s', async (_title, reads, left) => {
    for (const read of reads) await lists(...read);
    expect(await listed()).toEqual(left);
  });

  test('is as before after one look, hidden after the second, and back with all that belongs to it', async () => {
    expect(await seen()).toEqual(SHOWN);
    await lists([ONE], 10);
    expect(await seen()).toEqual(SHOWN);
    await lists([ONE], 70);
    expect(await seen()).toEqual({
      isListed: false,
      isOwn: false,
      running: 0,
      notPaused: 0,
      onForNew: 0,
      readers: 0,
    });
    await tidyAfter(30, 70);
    await lists([ONE, TWO], 100);
    expect(await seen()).toEqual(SHOWN);
  });

  test('is dropped with its settings and campaigns after 30 days', async () => {
    for (const afterS of [10, 70]) await lists([ONE], afterS);
    await tidyAfter(30, 70);
    expect([await stored('ad_accounts'), await stored('smartpause_settings')]).toEqual([2, 1]);
    await tidyAfter(30, 71);
    expect([await stored('ad_accounts'), await stored('smartpause_settings')]).toEqual([1, 0]);
    expect(await stored('campaigns')).toBe(0);
  });

  test('stays as long as a campaign is held there, and no email calls it lost', async () => {
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
      values (${userId}, ${TWO}, ${campaignId()}, 'paused', 'LOW', 'LOW_DISRUPTION', now(), now(), now())`.execute(
      db(),
    );
    await sql`update campaigns set status = 'PAUSED'`.execute(db());
    for (const afterS of [10, 70]) await lists([ONE], afterS);
    await tidyAfter(31);
    expect((await findHeld(db(), [userId], START)).get(userId)).toMatchObject([
      { account: TWO, isAccountLost: false, isReachable: true },
    ]);
    expect(await stored('smartpause_settings')).toBe(1);
    expect((await accountRows(db())).map(({ id, isLost }) => [id, isLost])).toContainEqual([TWO, false]);
    await sql`update holds set state = 'ended', outcome = 'resumed', ended_at = ${new Date(START)}`.execute(
      db(),
    );
    await tidyAfter(31);
    expect([await stored('ad_accounts'), await stored('smartpause_settings')]).toEqual([1, 0]);
  });

  test('keeps the rows of other users of the account', async () => {
    const colleague = await plantUser(db());
    await saveAdAccounts(db(), colleague, { value: [listedAccount(TWO)], isPartial: false }, START);
    for (const afterS of [10, 70]) await lists([ONE], afterS);
    await tidyAfter(31);
    expect(await listAdAccounts(db(), colleague, START)).toHaveLength(1);
    expect(await stored('campaigns')).toBe(1);
  });
});
