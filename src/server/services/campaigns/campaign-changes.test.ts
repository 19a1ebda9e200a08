import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { outageApi } from '../../../contract/outage-api.ts';
import type { CampaignAction, CampaignChange } from '../../../contract/shapes.ts';
import { minutes, seconds } from '../../../core/time.ts';
import { UserOverHttp } from '../../../../scripts/simulator-clients/user.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

const suite = engineSuite();
const { activitiesOf, advertiser, campaignsOf, changesOf, colleagueOf, heldAdvertiser, later } = suite;
const { outage, protectorOf, reasonsOf, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;
const PATH = '/api/campaign-changes';

const change = ({ user }: Pick<Advertiser, 'user'>, action: CampaignAction, campaignIds: readonly string[]) =>
  user.post<CampaignChange>(PATH, { action, campaignIds });
const stateOf = ({ user }: Pick<Advertiser, 'user'>, { id }: CampaignChange) =>
  user.get<CampaignChange>(`${PATH}/${id}`);
const codes = ({ failed }: CampaignChange) => failed.map(({ code }) => code);
const isDone = (who: Advertiser, one: CampaignChange) => async () =>
  (await stateOf(who, one)).endedAt !== null;

describe('[ENG-26] one request for many campaigns', () => {
  test('turns SmartPause on and off at once, with one activity', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'], on: 0 });
    const on = await change(who, 'on', [...who.campaignIds, who.campaignIds[0] ?? '']);
    expect(on).toMatchObject({ total: 3, pending: 0, done: who.campaignIds, failed: [] });
    expect(on.endedAt).toBe(on.startedAt);
    const settings = async () => (await campaignsOf(who)).map((one) => one.smartPauseSetting);
    expect(await settings()).toEqual(['ON', 'ON', 'ON']);
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
    await change(who, 'off', who.campaignIds.slice(0, 2));
    expect((await settings()).toSorted()).toEqual(['OFF', 'OFF', 'ON']);
    const { rows } = await sql<{ facts: object; count: number }>`
      select facts, (select count(*)::int from jsonb_object_keys(campaigns)) as count from activities
      where event = 'smartpause' and account_id = ${who.accountId} order by id`.execute(suite.product.app.db);
    expect(rows).toEqual([
      { facts: { isOn: true }, count: 3 },
      { facts: { isOn: false }, count: 2 },
    ]);
    await suite.turn();
    expect(await reasonsOf(who)).toEqual(['smartpause_off', 'smartpause_off']);
  });

  test('is answered at once, and finished by another process after a crash between its parts', async () => {
    const who = await advertiser({ campaigns: Array.from({ length: 60 }, () => 'ACTIVE' as const), on: 0 });
    // The highest budget is in the first call, the lowest in the second.
    const match = { campaign: who.campaignIds[0], method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'null_entry', times: 0, match });
    const pause = await change(who, 'pause', who.campaignIds);
    expect(pause).toMatchObject({ total: 60, pending: 60, done: [], endedAt: null });
    await suite.until('the first part', async () => (await stateOf(who, pause)).pending < 60);
    expect((await stateOf(who, pause)).pending).toBe(1);
    await suite.restart();
    await suite.mend();
    const again = { ...who, user: new UserOverHttp(suite.product.url, who.user.token) };
    await suite.eventually('the end of the change', who, isDone(again, pause));
    expect(await stateOf(again, pause)).toMatchObject({ pending: 0, failed: [], done: who.campaignIds });
    expect(new Set(await statuses(who))).toEqual(new Set(['PAUSED']));
  });

  test('names what cannot be changed, with the code of the single call, and changes the rest', async () => {
    const who = await advertiser({
      campaigns: ['PAUSED', 'PAUSED', 'PAUSED'],
      on: 1,
      promotionTypes: ['', '', 'SMART_APP_PROMOTION'],
    });
    const foreign = await advertiser({ campaigns: ['PAUSED'], on: 0 });
    const [on = '', off = '', legacy = ''] = who.campaignIds;
    const ids = [on, off, legacy, foreign.campaignIds[0] ?? '', '1'];
    const resume = await change(who, 'resume', ids);
    await suite.eventually('the end of the change', who, isDone(who, resume));
    const state = await stateOf(who, resume);
    expect(state.done).toEqual([off]);
    expect(state.failed.map(({ campaignId, code }) => [campaignId, code])).toEqual([
      [on, 'SMARTPAUSE_ACTIVE'],
      [legacy, 'LEGACY_CAMPAIGN'],
      [ids[3], 'CAMPAIGN_NOT_FOUND'],
      ['1', 'CAMPAIGN_NOT_FOUND'],
    ]);
    expect(await statuses(foreign)).toEqual(['PAUSED']);
    expect((await foreign.user.call('GET', `${PATH}/${resume.id}`)).status).toBe(404);
  });

  test('without a subscription turns nothing on and pauses nothing, and resumes', async () => {
    const who = await advertiser({ campaigns: ['PAUSED', 'ACTIVE', 'ACTIVE'], on: 0 });
    const held = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await sql`delete from subscriptions`.execute(suite.product.app.db);
    for (const action of ['on', 'pause'] as const)
      expect(codes(await change(who, action, who.campaignIds))).toEqual(
        who.campaignIds.map(() => 'SUBSCRIPTION_REQUIRED'),
      );
    for (const [one, action] of [
      [who, 'resume'],
      [held, 'resume_now'],
    ] as const) {
      const resume = await change(one, action, one.campaignIds);
      await suite.eventually('the end of the change', one, isDone(one, resume));
      expect(await stateOf(one, resume)).toMatchObject({ done: one.campaignIds, failed: [] });
    }
    expect(await statuses(held)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('that Meta’s limit stops goes on after it; what fails after that is in the activity log', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 0 });
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 2, match });
    const pause = await change(who, 'pause', who.campaignIds);
    await suite.eventually('the end of the change', who, isDone(who, pause));
    expect(await stateOf(who, pause)).toMatchObject({ done: who.campaignIds });
    await graph().fault({ kind: 'error', code: 100, subcode: 1487000, times: 1, match });
    const resume = await change(who, 'resume', who.campaignIds);
    await suite.eventually('the end of the change', who, isDone(who, resume));
    expect(codes(await stateOf(who, resume))).toEqual(['CAMPAIGN_ACTION_FAILED']);
    const events = [...(await activitiesOf(who)), ...(await activitiesOf(who, 1))].map(({ event }) => event);
    expect(events.filter((event) => event === 'manual_failed')).toHaveLength(1);
  });

  test('refuses no long list, and is forgotten after 30 days', async () => {
    const who = await advertiser({ campaigns: [], on: 0 });
    const many = Array.from({ length: 10_000 }, (_none, index) =>
      `${10 ** 20}${index}`.replaceAll(/\D/g, '1'),
    );
    const all = await change(who, 'off', many);
    expect(all.failed).toHaveLength(new Set(many).size);
    expect((await who.user.call('POST', PATH, { action: 'off', campaignIds: [] })).status).toBe(400);
    await sql`update campaign_changes set started_at = started_at - interval '30 days'`.execute(
      suite.product.app.db,
    );
    await suite.product.app.runTask('tidying up');
    const { rows } = await sql`select from campaign_changes`.execute(suite.product.app.db);
    expect(rows).toEqual([]);
  });
});

describe('[UX-20] Resume now', () => {
  test('resumes a held campaign in the match, keeps SmartPause on, and pauses it again in the next one', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const [first = '', second = ''] = who.campaignIds;
    const resumed = await change(who, 'resume_now', [first]);
    expect(resumed).toMatchObject({ total: 1, pending: 0, done: [first], failed: [] });
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    const row = (await campaignsOf(who)).find(({ id }) => id === first);
    expect(row).toMatchObject({ smartPauseSetting: 'ON', held: false, leftOn: 'resumed_now' });
    expect(row).not.toHaveProperty('pendingStatus');
    expect(await suite.statusOf(who)).not.toHaveProperty('notYetPaused');
    expect(await reasonsOf(who)).toEqual(expect.arrayContaining(['resumed_now', null]));
    expect((await activitiesOf(who)).at(-1)).toEqual({
      event: 'released',
      message: 'Resumed "Campaign 0": you resumed it here; SmartPause stays on for it.',
    });
    await nextMailTo(suite, who.email, /You resumed 1 campaign/);
    expect(await change(who, 'resume_now', [first])).toMatchObject({ done: [first] });
    const { outages } = await who.user.get<ReplyOf<typeof outageApi.outages>>('/api/outages');
    const shown = await who.user.get<ReplyOf<typeof outageApi.outage>>(
      `/api/outages/${outages[0]?.id ?? ''}`,
    );
    const ofOutage = shown.campaigns.find(({ campaignId }) => campaignId === first);
    expect(ofOutage).toMatchObject({ result: 'resumed_by_user', resumedAt: ofOutage?.endedAt });
    expect(ofOutage?.resumedAt).toEqual(expect.any(String));
    await recovery();
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    expect(codes(await change(who, 'resume_now', [second, '1']))).toEqual(['CAMPAIGN_NOT_FOUND']);
  });

  test('[ENG-26] with SmartPause off: one request resumes the held campaign, and turns off the rest', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'PAUSED'] });
    const off = await change(who, 'off_and_resume', who.campaignIds);
    expect(off).toMatchObject({ total: 2, failed: [] });
    await later(seconds(5));
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    const settings = (await campaignsOf(who)).map(({ smartPauseSetting }) => smartPauseSetting);
    expect(settings).toEqual(['OFF', 'OFF']);
  });

  test('ends the hold for every user of a shared ad account, and each keeps SmartPause on', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await protectorOf(who);
    await outage();
    expect(await change(colleague, 'resume_now', who.campaignIds)).toMatchObject({ done: who.campaignIds });
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await reasonsOf(who)).toEqual(['resumed_by_other']);
    for (const one of [who, colleague])
      expect(await campaignsOf({ ...one, accountId: who.accountId })).toMatchObject([
        { smartPauseSetting: 'ON' },
      ]);
    const told = (await activitiesOf(who)).map(({ message }) => message);
    expect(told).toEqual(
      expect.arrayContaining([
        'Resumed "Campaign 0": you resumed it here; SmartPause stays on for it.',
        expect.stringMatching(
          /^Another user of SmartPause resumed "Campaign 0" on .*: SmartPause stays on for it\.$/,
        ),
      ]),
    );
    await nextMailTo(suite, who.email, /Another user resumed 1 campaign/);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test.each(['the user of the hold', 'the other one'])(
    '[SET-12] asked by %s is kept in the match for the other one when that user is deleted',
    async (asker) => {
      const who = await advertiser({ campaigns: ['ACTIVE'] });
      const colleague = await protectorOf(who);
      await outage();
      await change(asker === 'the other one' ? colleague : who, 'resume_now', who.campaignIds);
      expect((await who.user.call('POST', '/api/account/delete')).status).toBe(200);
      await later(minutes(6));
      expect(await statuses(who)).toEqual(['ACTIVE']);
      expect(await suite.statusOf(colleague)).not.toHaveProperty('notYetPaused');
      expect(await suite.lastHold(who)).toMatchObject(
        asker === 'the other one'
          ? { releaseReason: 'resumed_now', outside: null }
          : { releaseReason: 'resumed_by_other', outside: { tool: 'SmartPause' } },
      );
      await recovery();
      await outage();
      expect(await statuses(who)).toEqual(['PAUSED']);
      await recovery();
    },
  );

  test('[SET-12] is forgotten with its user where the match is not one of the other user', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    await protectorOf(who);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await change(who, 'resume_now', who.campaignIds);
    expect((await who.user.call('POST', '/api/account/delete')).status).toBe(200);
    expect(await suite.holdsOf(who.accountId)).toEqual([]);
  });

  test('that is not sent reaches the log of who asked for it, without what Meta said to the other user before', async () => {
    const who = await heldAdvertiser();
    const colleague = await colleagueOf(who);
    const match = { method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 100, subcode: 1487056, times: 1, match });
    await recovery();
    await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 1, match });
    await change(colleague, 'resume_now', who.campaignIds);
    const { rows } = await sql<{ userId: string }>`
      select user_id from activities where event = 'manual_failed'`.execute(suite.product.app.db);
    expect(rows).toEqual([{ userId: (await suite.rowOf(colleague))?.id }]);
    expect((await activitiesOf(who)).at(-1)?.message).toBe(
      'Could not resume "Campaign 0": Meta’s rate limit for the ad account was used up.',
    );
  });

  test('asked while Meta does not answer is carried out later, also by the token of who asked for it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await colleagueOf(who);
    await outage();
    await sql`update platform_tokens set rejected_at = now(), rejected_reason = 'x' where user_id = ${
      (await suite.rowOf(who))?.id
    }`.execute(suite.product.app.db);
    await graph().fault({ kind: 'error', code: 2, times: 0, match: { user: colleague.userId } });
    const asked = await change(colleague, 'resume_now', [...who.campaignIds, '1']);
    expect(asked).toMatchObject({ pending: 1, endedAt: null });
    expect((await campaignsOf(colleague))[0]).toMatchObject({ pendingStatus: 'ACTIVE' });
    await suite.mend();
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await stateOf(colleague, asked)).toMatchObject({ done: who.campaignIds });
    const told = (await activitiesOf(who)).map(({ message }) => message);
    expect(told).toEqual([
      expect.stringContaining('Paused "Campaign 0"'),
      'Another user of SmartPause resumes "Campaign 0": SmartPause stays on for it.',
      'Resumed "Campaign 0": you resumed it here; SmartPause stays on for it.',
    ]);
  });

  test('is taken back by the same user, who turns SmartPause on again or keeps it paused', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const [on = '', off = '', both = ''] = who.campaignIds;
    await graph().fault({ kind: 'error', code: 2, times: 0, match: { user: who.userId } });
    const asked = await change(who, 'off_and_resume', [on, off]);
    expect(asked).toMatchObject({ pending: 2 });
    await change(who, 'resume_now', [both, off]);
    await suite.advance(seconds(1));
    await change(who, 'on', [on]);
    await change(who, 'off', [off]);
    expect(await stateOf(who, asked)).toMatchObject({
      pending: 0,
      failed: [on, off].map((campaignId) => ({
        campaignId,
        message: 'SmartPause was turned on or off for it after that, so it stays paused.',
      })),
    });
    await change(who, 'off_and_resume', [both, '1']);
    await suite.mend();
    await later(minutes(2));
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'ACTIVE']);
    // Also while the write is sent: on again, it is paused again.
    await change(who, 'resume_now', [on]);
    expect((await statuses(who))[0]).toBe('ACTIVE');
    await change(who, 'off', [on]);
    await suite.advance(seconds(1));
    await change(who, 'on', [on]);
    await later(minutes(2));
    expect((await statuses(who))[0]).toBe('PAUSED');
  });

  test('of another user’s hold is refused to who has lost the ad account, but turns SmartPause off', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const former = await protectorOf(who);
    await outage();
    await sql`update ad_accounts set lost_at = now() where user_id = ${(await suite.rowOf(former))?.id}`.execute(
      suite.product.app.db,
    );
    expect(codes(await change(former, 'resume_now', who.campaignIds))).toEqual(['AD_ACCOUNT_NOT_FOUND']);
    expect(codes(await change(former, 'off_and_resume', who.campaignIds))).toEqual(['AD_ACCOUNT_NOT_FOUND']);
    const settingOf = async () => {
      const { rows } = await sql<{ setting: string }>`select setting from smartpause_settings
        where user_id = ${(await suite.rowOf(former))?.id}`.execute(suite.product.app.db);
      return rows.map(({ setting }) => setting);
    };
    expect(await settingOf()).toEqual(['OFF']);
    await sql`update smartpause_settings set setting = 'ON'`.execute(suite.product.app.db);
    await sql`update ad_accounts set removed_at = now() where user_id = ${(await suite.rowOf(former))?.id}`.execute(
      suite.product.app.db,
    );
    expect(codes(await change(former, 'off_and_resume', who.campaignIds))).toEqual(['CAMPAIGN_NOT_FOUND']);
    expect(await settingOf()).toEqual(['OFF']);
    await later(minutes(6));
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('hands no hold to its user for another match', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' });
    const colleague = await protectorOf(who);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await change(who, 'resume_now', who.campaignIds);
    await later(minutes(2));
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED']);
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect((await suite.lastHold(who))?.userId).toBe((await suite.rowOf(colleague))?.id);
  });

  test('that Meta refuses shows its words at once, and is tried again', async () => {
    const who = await heldAdvertiser();
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 100, subcode: 1487056, times: 1, match });
    const asked = await change(who, 'resume_now', who.campaignIds);
    expect(asked.failed).toMatchObject([
      {
        code: 'CAMPAIGN_ACTION_FAILED',
        message: expect.stringContaining('tries again after 1 minute') as string,
      },
    ]);
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await stateOf(who, asked)).toMatchObject({ done: who.campaignIds, failed: [] });
  });

  test('that Meta refuses to the user it is paused for names no words of Meta to another user', async () => {
    const who = await heldAdvertiser();
    const colleague = await colleagueOf(who);
    const match = { method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 100, subcode: 1487056, times: 0, match });
    const { failed } = await change(colleague, 'resume_now', who.campaignIds);
    expect(failed.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Meta refused the change\. SmartPause tries again after 1 minute/),
    ]);
  });

  test('of a campaign that is paused, but not held, or that is busy is refused', async () => {
    const who = await advertiser({ campaigns: ['PAUSED', 'ACTIVE'], on: 0 });
    const [paused = '', tested = ''] = who.campaignIds;
    await who.user.post(`/api/campaigns/${tested}/live-test`, {});
    expect(codes(await change(who, 'resume_now', [paused, tested]))).toEqual([
      'CAMPAIGN_NOT_HELD',
      'CAMPAIGN_BUSY',
    ]);
  });
});
