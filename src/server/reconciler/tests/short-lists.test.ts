import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { days, hours, minutes, seconds } from '../../../core/time.ts';

const suite = engineSuite();
const { accountsOf, advertiser, campaignsOf, edit, later, mend, outage, recovery } = suite;
const { reasonsOf, statuses } = suite;
const graph = () => suite.simulators.graph;

const repeated = <T>(one: T, times: number): T[] => Array.from({ length: times }, () => one);

/** The next lists of campaigns of the account lack all of them, or every second one. */
const lacks = (who: Advertiser, kind: 'empty_list' | 'short_list', times = 1) =>
  graph().fault({ kind, times, account: who.accountId, path: 'campaigns' });

/** The calls of a turn for the user's account: lists that Meta did not answer, and campaigns that were read by id. */
async function callsOf(who: Advertiser, turn: () => Promise<unknown>) {
  // The setup of the advertiser is worked through first.
  await suite.turn();
  await graph().ask('DELETE', '/requests');
  await turn();
  const requests = await graph().requests();
  const lists = requests.filter(({ path }) => path.endsWith(`/${who.accountId}/campaigns`));
  const byId = requests.flatMap(({ batch = [] }) =>
    batch.flatMap(({ method, relative_url: url }) => (method === 'GET' ? (url.split('?')[0] ?? '') : [])),
  );
  const own = who.campaignIds.filter((id) => byId.includes(id));
  return { lists: lists.length, failed: lists.filter(({ status }) => status !== 200).length, byId: own };
}

const listedCount = async (who: Advertiser) => {
  const listed = suite.product.app.db.selectFrom('campaigns').select('id').where('isListed', '=', true);
  return (await listed.where('accountId', '=', who.accountId).execute()).length;
};

describe('[FR-25, ENG-20] a list with gaps in the second in which an outage begins', () => {
  test.each([
    ['empty_list', 3],
    ['short_list', 5],
    ['empty_list', 60],
  ] as const)(
    '%s of %i: the campaigns with SmartPause are read by id and paused in the same pass',
    async (kind, count) => {
      const who = await advertiser({
        campaigns: [...repeated('ACTIVE' as const, count), 'ACTIVE'],
        on: count,
      });
      await lacks(who, kind, 0);
      const lacking = who.campaignIds.filter((_id, index) => kind === 'empty_list' || index % 2 === 0);
      expect((await callsOf(who, outage)).byId).toEqual(
        lacking.filter((id) => id !== who.campaignIds[count]),
      );
      expect(await statuses(who)).toEqual([...repeated('PAUSED', count), 'ACTIVE']);
      expect(await listedCount(who)).toBe(count + 1);
      await mend();
      await recovery();
      expect(await statuses(who)).toEqual(repeated('ACTIVE', count + 1));
    },
  );

  test('what Meta does not answer by id is read again after 10 s', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 3) });
    await lacks(who, 'empty_list', 0);
    const about = { campaign: who.campaignIds[1] ?? '', method: 'GET', op: 'inner' };
    const fault = await graph().fault({ kind: 'null_entry', times: 0, ...about });
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE', 'PAUSED']);
    await graph().ask('DELETE', `/faults/${fault}`);
    await later(seconds(10));
    expect(await statuses(who)).toEqual(repeated('PAUSED', 3));
  });

  test.each([
    ['null_entry', {}],
    ['error', { code: 10 }],
    ['error', { code: 200 }],
    ['error', { code: 100 }],
  ])('what has no answer by id for long (%s %j) is read again after 10 s, but once', async (kind, more) => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 3) });
    await lacks(who, 'empty_list', 0);
    const about = { campaign: who.campaignIds[1] ?? '', method: 'GET', op: 'inner' };
    await graph().fault({ kind, ...more, times: 0, ...about });
    await outage();
    const during = (times: number) =>
      callsOf(who, async () => {
        for (let time = 0; time < times; time += 1) await later(seconds(10));
      });
    expect(await during(29)).toMatchObject({ lists: 1 });
    expect(await during(60)).toMatchObject({ lists: 2 });
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE', 'PAUSED']);
  });

  test('of a whole list nothing is read by id', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 3) });
    expect((await callsOf(who, outage)).byId).toEqual([]);
    expect(await statuses(who)).toEqual(repeated('PAUSED', 3));
  });

  test('what it lacks is treated as listed: highest budget first, and no ended or scheduled campaign', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 4) });
    await edit(who, { stop_time: '2020-01-01T00:00:00+0000' }, 1);
    await edit(who, { start_time: '2099-01-01T00:00:00+0000' }, 2);
    await lacks(who, 'empty_list');
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE', 'ACTIVE', 'PAUSED']);
    const writes = (await graph().writes()).filter(({ account }) => account === who.accountId);
    expect(writes.map(({ campaign }) => campaign)).toEqual([who.campaignIds[3], who.campaignIds[0]]);
  });

  test('with SmartPause on for a colleague only, it is paused for them', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await suite.protectorOf(who);
    await lacks(who, 'empty_list');
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('it removes nothing and keeps all settings', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 5), on: 1 });
    await lacks(who, 'empty_list');
    await outage();
    expect(await listedCount(who)).toBe(5);
    const settings = (await campaignsOf(who)).map(({ smartPauseSetting }) => smartPauseSetting);
    expect(settings.filter((one) => one === 'ON')).toHaveLength(1);
    await recovery();
    expect(await statuses(who)).toEqual(repeated('ACTIVE', 5));
  });

  test('the page shows what it knows on an empty list, and drops it 10 s later', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 2), on: 0 });
    await lacks(who, 'empty_list', 0);
    await suite.advance(minutes(6));
    expect(await campaignsOf(who)).toHaveLength(2);
    await suite.advance(minutes(6));
    expect(await campaignsOf(who)).toHaveLength(0);
    await mend();
    await suite.advance(minutes(6));
    expect(await campaignsOf(who)).toHaveLength(2);
  });
});

describe('[FR-25] a campaign with SmartPause on that is gone', () => {
  test.each(['DELETED', 'ARCHIVED'])('%s is read by id twice, 10 s apart, and not again', async (status) => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await edit(who, { status });
    expect((await callsOf(who, outage)).byId).toEqual([who.campaignIds[0]]);
    expect((await callsOf(who, () => later(minutes(6)))).byId).toEqual([who.campaignIds[0]]);
    expect((await callsOf(who, () => later(minutes(6)))).byId).toEqual([]);
    expect(await statuses(who)).toEqual([status, 'PAUSED']);
    // Until a list shows it again.
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await lacks(who, 'empty_list');
    expect((await callsOf(who, () => later(minutes(6)))).byId).toEqual(who.campaignIds);
  });

  test('that Meta does not find is read by id in each pass for 3 h, and paused when it is back', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const id = who.campaignIds[0] ?? '';
    await lacks(who, 'short_list', 0);
    const isAway = { kind: 'error', code: 100, subcode: 33, times: 0, campaign: id, method: 'GET' };
    const fault = await graph().fault(isAway);
    expect((await callsOf(who, outage)).byId).toEqual([id]);
    for (let passes = 0; passes < 3; passes += 1)
      expect((await callsOf(who, () => later(minutes(6)))).byId).toEqual([id]);
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    await graph().ask('DELETE', `/faults/${fault}`);
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
  });

  test('that Meta does not find for 3 h is not read by id any more, and paused when a list shows it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const id = who.campaignIds[0] ?? '';
    await lacks(who, 'short_list', 0);
    await graph().fault({ kind: 'error', code: 100, subcode: 33, times: 0, campaign: id, method: 'GET' });
    await outage();
    expect((await callsOf(who, () => later(hours(3)))).byId).toEqual([id]);
    expect((await callsOf(who, () => later(minutes(6)))).byId).toEqual([]);
    await mend();
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
  });
});

describe('[FR-25] an ad account that Meta’s list lacks while a campaign is held there', () => {
  const noAccount = (who: Advertiser) =>
    graph().fault({ kind: 'empty_list', times: 0, user: who.userId, path: 'adaccounts' });

  test('stays after one look; after two it is hidden, and its campaigns are resumed all the same', async () => {
    const who = await suite.heldAdvertiser();
    const id = await noAccount(who);
    await suite.advance(seconds(61));
    expect(await accountsOf(who)).toHaveLength(1);
    await suite.advance(seconds(59));
    expect(await accountsOf(who)).toHaveLength(1);
    await suite.advance(seconds(6));
    expect(await accountsOf(who)).toHaveLength(0);
    await later(minutes(6));
    expect(await reasonsOf(who)).toEqual([null]);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    await graph().ask('DELETE', `/faults/${id}`);
    await suite.advance(days(10));
    expect(await accountsOf(who)).toMatchObject([{ id: who.accountId, protectedCampaigns: 1 }]);
    expect(await campaignsOf(who)).toMatchObject([{ smartPauseSetting: 'ON' }]);
  });

  test('one short list counts as no loss in counts and emails', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await noAccount(who);
    await suite.advance(seconds(61));
    expect(await accountsOf(who)).toHaveLength(1);
    await graph().fault({ kind: 'error', code: 2, times: 0, match: { user: who.userId, method: 'POST' } });
    await outage();
    expect(await suite.statusOf(who)).toMatchObject({ protectedRunning: 1, heldCampaigns: 0 });
    await mend();
    await later(minutes(6));
    expect(await suite.statusOf(who)).toMatchObject({ protectedRunning: 1, heldCampaigns: 1 });
    const mail = await nextMailTo(suite, who.email, /paused 1 campaign/);
    expect(mail.text).not.toMatch(/access/);
  });
});

describe('[FR-26, FR-27] a list that Meta does not answer as it is asked for', () => {
  test('a large account: halved pages pause its campaigns at once, and show its list', async () => {
    const who = await advertiser({ campaigns: repeated('ACTIVE', 3) });
    await graph().post('/pages', { largest: 100 });
    // 500, again, 250, 125; then 62.
    expect(await callsOf(who, outage)).toMatchObject({ failed: 4 });
    expect(await statuses(who)).toEqual(repeated('PAUSED', 3));
    expect(await callsOf(who, () => later(minutes(6)))).toMatchObject({ failed: 0 });
    await graph().post('/pages', { largest: null });
  });

  test('a filter that is refused: an account never read before is listed, without its archived campaigns', async () => {
    await graph().fault({ kind: 'refused_filter', times: 0 });
    const who = await advertiser({ campaigns: ['ACTIVE', 'ARCHIVED'], on: 1 });
    expect(await campaignsOf(who)).toMatchObject([{ id: who.campaignIds[0] }]);
    await mend();
    await suite.advance(minutes(6));
    expect(await campaignsOf(who)).toHaveLength(2);
    await graph().fault({ kind: 'refused_filter', times: 0 });
    await suite.advance(minutes(6));
    expect(await campaignsOf(who)).toHaveLength(2);
  });
});
