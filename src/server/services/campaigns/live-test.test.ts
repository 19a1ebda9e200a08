import { describe, expect, test } from 'vitest';
import type { LiveTest } from '#contract/try-api.ts';
import { textOf } from '../../../../test/support/activity-words.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';

const MINUTE = 60_000;

describe('[TEST-02] a live test', () => {
  const suite = engineSuite();
  const { advertiser, report, known, become, statuses, holdsOf } = suite;

  const start = (who: Advertiser, index = 0) =>
    who.user.call<{ test: LiveTest; error?: { code: string } }>(
      'POST',
      `/api/campaigns/${who.campaignIds[index] ?? ''}/live-test`,
    );
  const testOf = async (who: Advertiser) =>
    (await who.user.get<{ test: LiveTest | null }>('/api/live-test')).test;
  const reach = (who: Advertiser, state: LiveTest['state']) =>
    suite.until(`the test to be ${state}`, async () => {
      const found = await testOf(who);
      return found?.state === state ? found : null;
    });
  const activitiesOf = async (who: Advertiser) => {
    const rows = await suite.product.app.db
      .selectFrom('activities')
      .select(['event', 'message', 'detail', 'campaigns'])
      .where('accountId', '=', who.accountId)
      .where('event', '<>', 'smartpause')
      .orderBy('id')
      .execute();
    return rows.map((row) => `${row.event}: ${textOf(row)}`);
  };

  test.each([
    ['off', 0],
    ['on', 1],
  ])('pauses and resumes the chosen campaign with SmartPause %s, marked as a test', async (_title, on) => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on });
    await known('UP');
    expect(await start(who)).toMatchObject({
      status: 200,
      body: { test: { campaign: { name: 'Campaign 0' } } },
    });
    await become(who, ['PAUSED', 'ACTIVE']);
    const paused = await reach(who, 'paused');
    expect(Date.parse(paused.until ?? '') - Date.parse(paused.startedAt)).toBe(MINUTE);
    const list = await who.user.get<{ campaigns: object[] }>(`/api/campaigns/${who.accountId}`);
    expect(list.campaigns).toContainEqual(
      expect.objectContaining({ id: who.campaignIds[0], held: false, testUntil: paused.until }),
    );
    expect(await who.user.get('/api/user/status')).toMatchObject({ status: { heldCampaigns: 0 } });
    suite.product.clock.advance(MINUTE);
    await become(who, ['ACTIVE', 'ACTIVE']);
    await reach(who, 'resumed');
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
    expect(await activitiesOf(who)).toEqual([
      'live_test: Test: Some Body started a live test of “Campaign 0”.',
      'test_paused: Test: paused “Campaign 0”.',
      'test_resumed: Test: resumed “Campaign 0”.',
    ]);
    const mail = await nextMailTo(suite, who.email, /^Test: resumed “Campaign 0”$/);
    expect(mail.text).toMatch(/There was no outage\..*- paused “Campaign 0”.*- resumed “Campaign 0”/s);
    const subjects = await allMailTo(suite, who.email);
    expect(subjects.filter((subject) => /paused|resumed/.test(subject))).toEqual([mail.subject]);
    expect(await holdsOf(who.accountId)).toMatchObject([{ beganAsTest: true, outcome: 'resumed' }]);
  });

  test('after an outage is none of its results', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await report('Resolved', 'UP');
    await start(who);
    await reach(who, 'paused');
    const [outage] = (await who.user.get<{ outages: { id: string }[] }>('/api/outages')).outages;
    const { campaigns } = await who.user.get<{ campaigns: { result: string }[] }>(
      `/api/outages/${outage?.id ?? ''}`,
    );
    expect(campaigns.filter(({ result }) => result !== 'not_paused')).toEqual([]);
  });

  test('is resumed at once by "Resume now", and its delay is no reaction time', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await known('UP');
    await start(who);
    await reach(who, 'paused');
    await who.user.call('POST', '/api/live-test/end');
    await become(who, ['ACTIVE']);
    const resumed = await reach(who, 'resumed');
    expect(resumed).toMatchObject({ reason: null });
    expect(await holdsOf(who.accountId)).toMatchObject([
      { outcome: 'resumed', beganAsTest: true, level: 'UP' },
    ]);
    expect(await who.user.call('POST', '/api/live-test/end')).toMatchObject({ status: 200 });
  });

  test('is refused for campaigns that cannot be tested, and while another test runs', async () => {
    const who = await advertiser({
      campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE', 'ACTIVE'],
      promotionTypes: ['', '', 'AUTOMATED_SHOPPING_ADS'],
      on: 0,
    });
    const other = await advertiser({ campaigns: ['ACTIVE'] });
    await known('UP');
    const codeOf = async (index: number) => (await start(who, index)).body.error?.code;
    expect(await codeOf(1)).toBe('CAMPAIGN_NOT_RUNNING');
    expect(await codeOf(2)).toBe('LEGACY_CAMPAIGN');
    const foreign = await who.user.call('POST', `/api/campaigns/${other.campaignIds[0] ?? ''}/live-test`);
    expect(foreign).toMatchObject({ status: 404, body: { error: { code: 'CAMPAIGN_NOT_FOUND' } } });
    const [first, second] = await Promise.all([start(who, 0), start(who, 3)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect(await codeOf(0)).toMatch(/LIVE_TEST_RUNNING|CAMPAIGN_NOT_RUNNING/);
    expect(await holdsOf(other.accountId)).toEqual([]);
    await reach(who, 'paused');
    await who.user.call('POST', '/api/live-test/end');
    await reach(who, 'resumed');
  });

  test('is refused during an outage, for a held campaign and without a usable token', async () => {
    const who = await suite.heldAdvertiser();
    expect((await start(who)).body.error?.code).toBe('OUTAGE_ONGOING');
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
    await report('Low disruptions', 'LOW_DISRUPTION');
    expect((await start(who)).body.error?.code).toBe('OUTAGE_ONGOING');
    await report('Resolved', 'UP');
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await known('UNKNOWN');
    expect((await start(who)).body.error?.code).toBe('OUTAGE_ONGOING');
    await suite.simulators.status.ask('DELETE', '/faults');
    await report('Resolved', 'UP');
    await suite.product.app.db
      .updateTable('platformTokens')
      .set({ rejectedAt: new Date() })
      .where('userId', '=', (await suite.rowOf(who))?.id ?? '')
      .execute();
    expect((await start(who)).body.error?.code).toBe('TOKEN_EXPIRED');
  });

  test('is refused for a campaign that was paused in Ads Manager since its list was read', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await known('UP');
    await suite.edit(who, { status: 'PAUSED' });
    suite.product.clock.advance(MINUTE);
    await suite.turn();
    expect((await start(who)).body.error?.code).toBe('CAMPAIGN_NOT_RUNNING');
  });

  test('is refused while another change of the campaign is under way, and not for one of another campaign', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await known('UP');
    // No pass that began with the choice takes up what follows.
    await suite.turn();
    const { accountId } = who;
    const [campaignId = '', other = ''] = who.campaignIds;
    const { db } = suite.product.app;
    const at = new Date(suite.product.clock.now());
    const soon = new Date(suite.product.clock.now() + MINUTE);
    const about = { accountId, userId: (await suite.rowOf(who))?.id ?? '', requestedAt: at };
    const counts = { refusals: 0, failures: 0 };
    const write = {
      ...about,
      ...counts,
      origin: 'manual',
      target: 'ACTIVE',
      statusBefore: 'PAUSED',
    } as const;
    const writes = (values: { campaignId: string; state: 'open' | 'cancelled'; unansweredUntil?: Date }) =>
      db
        .insertInto('campaignWrites')
        .values({ ...write, ...values })
        .execute();
    const sends = (intent: object[]) =>
      db
        .updateTable('workItems')
        .set({ leaseUntil: soon, fencingToken: 1000, intent: JSON.stringify(intent) })
        .where('accountId', '=', accountId)
        .execute();
    const wants = (id: string) =>
      db
        .insertInto('manualChanges')
        .values({ ...about, campaignId: id, status: 'PAUSED' })
        .execute();
    const BUSY: [what: string, begin: (id: string) => Promise<unknown>][] = [
      ['a wish of the user', wants],
      ['a write without a response', (id) => writes({ campaignId: id, state: 'open' })],
      ['a late write', (id) => writes({ campaignId: id, state: 'cancelled', unansweredUntil: soon })],
      ['a write of another process', (id) => sends([{ campaignId: id, activities: [] }])],
    ];
    const end = async () => {
      await db.deleteFrom('manualChanges').execute();
      await db.deleteFrom('campaignWrites').execute();
      await sends([]);
    };
    for (const [what, begin] of BUSY) {
      await begin(campaignId);
      expect([what, (await start(who)).body.error?.code]).toEqual([what, 'CAMPAIGN_BUSY']);
      await end();
    }
    await sends([{ campaignId: other, activities: [] }]);
    expect(await start(who)).toMatchObject({ status: 200 });
  });

  test('an outage that begins keeps the pause as its own, and says so', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await known('UP');
    await start(who);
    await reach(who, 'paused');
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED']);
    await reach(who, 'kept');
    suite.product.clock.advance(2 * MINUTE);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(await activitiesOf(who)).toContain(
      'paused: Kept “Campaign 0” paused after its test: high disruptions, your threshold is medium.',
    );
    await nextMailTo(suite, who.email, /^SmartPause paused 2 campaigns: Meta reports high disruptions/);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE']);
    for (const id of who.campaignIds)
      expect(await changesOf(suite.simulators, id)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('ends, and SmartPause stays on, if the campaign is resumed in Ads Manager', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await known('UP');
    await start(who);
    await reach(who, 'paused');
    await suite.simulators.graph.post(`/campaigns/${who.campaignIds[0] ?? ''}`, { status: 'ACTIVE' });
    suite.product.clock.advance(MINUTE);
    await suite.eventually('the test to have ended', who, async () => (await testOf(who))?.state === 'ended');
    expect((await testOf(who))?.reason).toBe('it was resumed outside SmartPause');
    const list = await who.user.get(`/api/campaigns/${who.accountId}`);
    expect(list).toMatchObject({ campaigns: [{ smartPauseSetting: 'ON', status: 'ACTIVE' }] });
  });
});
