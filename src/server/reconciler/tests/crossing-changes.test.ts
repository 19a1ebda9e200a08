import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { advanceToNextPass } from '../../../../test/support/due.ts';
import { changesOf } from '../../../../test/support/product.ts';

/** External changes between a read and a write, or while a write of ours is unconfirmed. */
describe('external changes during a pass', () => {
  const suite = engineSuite();
  const graph = () => suite.simulators.graph;

  async function parkedAt(fault: Promise<number>, what: string): Promise<number> {
    const id = await fault;
    await suite.amid(what, async () => (await graph().parked(id)) === 1);
    return id;
  }

  const release = (id: number) => graph().post(`/faults/${id}/release`);
  const theCampaign = ({ campaignIds }: Advertiser) => campaignIds[0] ?? '';
  const reasons = async (who: Advertiser) =>
    (await suite.holdsOf(who.accountId)).map(({ outcome, reason }) => [outcome, reason]);
  /** A hold is released only after a verification read. */
  async function seenAgain(who: Advertiser): Promise<void> {
    const holds = () => suite.holdsOf(who.accountId);
    await suite.until('the external change to be suspected', async () =>
      (await holds()).some((hold) => hold.suspected_status === 'PAUSED'),
    );
    suite.product.clock.advance(11_000);
    await suite.until('the hold to end', async () => (await holds()).every(({ state }) => state === 'ended'));
  }

  const eventsOf = async (who: Advertiser) => {
    const rows = await suite.product.app.db
      .selectFrom('activity')
      .select('event')
      .where('campaign_id', '=', theCampaign(who))
      .where('event', '<>', 'smartpause')
      .orderBy('id')
      .execute();
    return rows.map(({ event }) => event);
  };

  test('[ENG-12] a pause is not sent again after SmartPause is turned off', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry', times: 1, match: { user, method: 'POST' } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(first, 'the pause to be on its way');
    const second = graph().fault({
      kind: 'hang_before',
      times: 1,
      match: { user, method: 'GET', path: 'campaigns' },
    });
    await release(batch);
    const list = await second;
    await suite.turn();
    await advanceToNextPass(suite.product, who.accountId);
    await suite.amid('the campaigns to be read again', async () => (await graph().parked(list)) === 1);
    await who.user.setSmartPause(who.accountId, theCampaign(who), false);
    await release(list);
    await suite.atRest(who);
    suite.product.clock.advance(66_000);
    await suite.known('HIGH_DISRUPTION');
    await suite.atRest(who);
    expect(await changesOf(suite.simulators, theCampaign(who))).toEqual([]);
    expect(await reasons(who)).toEqual([['released', 'smartpause_off']]);
  });

  test('[ENG-05] a stale ACTIVE read after a manual pause creates no hold', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.atRest(who);
    const match = { op: 'inner', method: 'POST', user: who.userId };
    await graph().fault({ kind: 'stale_read', ms: 3_600_000, match });
    await who.user.post(`/api/campaigns/${theCampaign(who)}/pause`);
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.atRest(who);
    expect(await suite.holdsOf(who.accountId)).toEqual([]);
    await graph().post('/clock', { offsetMs: 2 * 3_600_000 });
    suite.product.clock.advance(6 * 60_000);
    await suite.known('HIGH_DISRUPTION');
    await suite.atRest(who);
    await suite.report('Resolved', 'UP');
    await suite.atRest(who);
    expect(await changesOf(suite.simulators, theCampaign(who))).toEqual(['PAUSED']);
    await graph().post('/clock', { offsetMs: 0 });
  });

  test.each([
    ['our clocks agree', 0],
    ['our clock is ten minutes behind', 600_000],
    ['our clock is ten minutes ahead', -600_000],
  ])('[ENG-05] an external pause between our read and our pause stays, %s', async (_title, aheadMs) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    // The platform's clock decides which change came first.
    await graph().post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + aheadMs });
    const match = { user: who.userId, method: 'POST' };
    const fault = graph().fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(fault, 'the pauses to be on their way');
    await graph().post(`/campaigns/${theCampaign(who)}`, { status: 'PAUSED' });
    await release(batch);
    await suite.settled(who);
    await suite.report('Resolved', 'UP');
    await suite.become(who, ['PAUSED', 'ACTIVE']);
    await seenAgain(who);
    expect(new Set(await reasons(who))).toEqual(
      new Set([
        ['released', 'paused_outside'],
        ['resumed', null],
      ]),
    );
  });

  test('[ENG-05] an external resume and pause between two reads stays', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await graph().post('/clock', { offsetMs: suite.product.clock.now() - Date.now() });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.settled(who);
    await graph().post(`/campaigns/${theCampaign(who)}`, { status: 'ACTIVE' });
    await graph().post(`/campaigns/${theCampaign(who)}`, { status: 'PAUSED' });
    await suite.report('Resolved', 'UP');
    await seenAgain(who);
    expect(await suite.statuses(who)).toEqual(['PAUSED']);
    expect(await reasons(who)).toEqual([['released', 'paused_outside']]);
  });

  test('held campaigns are resumed although the user cannot read the activity log', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.settled(who);
    const match = { user: who.userId, method: 'GET', path: 'activities' };
    await graph().fault({ kind: 'error', code: 200, match });
    await suite.report('Resolved', 'UP');
    await suite.become(who, ['ACTIVE']);
  });

  test('[ENG-13, ENG-14] a manual pause after an unconfirmed pause of ours: both are reported', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry_applied', times: 1, match: { user, method: 'POST' } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(first, 'the pause to be on its way');
    // Prevents the reconciler from finding out by itself.
    await graph().fault({ kind: 'error', code: 2, match: { user, method: 'GET', path: 'campaigns' } });
    await release(batch);
    await suite.until(
      'the pause to be in doubt, and done',
      async () => (await suite.statuses(who))[0] === 'PAUSED',
    );
    const answered = who.user.post(`/api/campaigns/${theCampaign(who)}/pause`);
    await suite.eventually('the pause to be reported', who, async () => (await eventsOf(who)).length === 2);
    await answered;
    expect(await eventsOf(who)).toEqual(['paused', 'manual_pause']);
    suite.product.clock.advance(66_000);
    await suite.until('the hold to end', async () => (await reasons(who))[0]?.[0] === 'released');
    expect(await reasons(who)).toEqual([['released', 'manual_pause']]);
  });

  test('[ENG-14, ENG-16] while nothing can be read, a manual pause waits, and is not sent long after', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry_applied', times: 1, match: { user, method: 'POST' } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(first, 'the pause to be on its way');
    await graph().fault({
      kind: 'error',
      code: 2,
      times: 0,
      match: { user, method: 'GET', path: 'campaigns' },
    });
    await release(batch);
    await suite.until('the pause to be done', async () => (await suite.statuses(who))[0] === 'PAUSED');
    const answered = who.user.call('POST', `/api/campaigns/${theCampaign(who)}/pause`);
    const wish = () =>
      suite.product.app.db
        .selectFrom('manual_change')
        .selectAll()
        .where('campaign_id', '=', theCampaign(who))
        .executeTakeFirst();
    await suite.until('the wish to be stored', async () => (await wish()) !== undefined);
    suite.product.clock.advance(26_000);
    expect(await answered).toMatchObject({ status: 202, body: { status: 'PAUSED', pending: true } });
    suite.product.clock.advance(120_000);
    await suite.until('the wish to be dropped', async () => (await wish())?.refusal === 'CAMPAIGN_BUSY');
    await graph().ask('DELETE', '/faults');
    await suite.until('the pause to be reported', async () => (await eventsOf(who)).length > 1);
    expect(await eventsOf(who)).toEqual(['manual_failed', 'paused']);
  });

  test('[ENG-13, ENG-14] a manual pause after a resume that could not be read says so', async () => {
    const who = await suite.heldAdvertiser();
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry_applied', times: 1, match: { user, method: 'POST' } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('Resolved');
    const batch = await parkedAt(first, 'the resume to be on its way');
    const reads = { user, method: 'GET', path: 'campaigns' };
    await graph().fault({ kind: 'error', code: 2, times: 0, match: reads });
    await release(batch);
    await suite.until('the resume to be done', async () => (await suite.statuses(who))[0] === 'ACTIVE');
    suite.product.clock.advance(70_000);
    await who.user.post(`/api/campaigns/${theCampaign(who)}/pause`);
    const activity = await suite.product.app.db
      .selectFrom('activity')
      .select('message')
      .where('campaign_id', '=', theCampaign(who))
      .where('event', '=', 'manual_pause')
      .executeTakeFirstOrThrow();
    expect(activity.message).toBe(
      'Some Body paused "Campaign 0". Meta did not confirm whether our earlier resume went through.',
    );
    await graph().ask('DELETE', '/faults');
  });
});
