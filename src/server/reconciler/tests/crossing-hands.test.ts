import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';

/** Hands that come in the middle: between a reading and a write, or while a write of ours is in doubt. */
describe('hands that cross what the engine does', () => {
  const suite = engineSuite();
  const graph = () => suite.simulators.graph;

  async function parkedAt(fault: Promise<number>, what: string): Promise<number> {
    const id = await fault;
    await waitFor(what, async () => (await graph().parked(id)) === 1);
    return id;
  }

  const release = (id: number) => graph().post(`/faults/${id}/release`);
  const theCampaign = ({ campaignIds }: Advertiser) => campaignIds[0] ?? '';
  const reasons = async (who: Advertiser) =>
    (await suite.holdsOf(who.accountId)).map(({ outcome, reason }) => [outcome, reason]);
  /** One sight is not enough to give a hold up. */
  async function seenAgain(who: Advertiser): Promise<void> {
    const holds = () => suite.holdsOf(who.accountId);
    await waitFor('the hand to be suspected', async () =>
      (await holds()).some((hold) => hold.suspected_status === 'PAUSED'),
    );
    suite.product.clock.advance(11_000);
    await waitFor('the hold to end', async () => (await holds()).every(({ state }) => state === 'ended'));
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

  test('[ENG-12] turned off before a pause is sent again: it is not sent again', async () => {
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
    const list = await parkedAt(second, 'the campaigns to be read again');
    await who.person.setSmartPause(who.accountId, theCampaign(who), false);
    await release(list);
    await suite.atRest(who);
    suite.product.clock.advance(61_000);
    await suite.known('HIGH_DISRUPTION');
    await suite.atRest(who);
    expect(await changesOf(suite.simulators, theCampaign(who))).toEqual([]);
    expect(await reasons(who)).toEqual([['let_go', 'smartpause_off']]);
  });

  test('[ENG-05] paused by hand here, and a list that is behind still says ACTIVE: it is not held', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.atRest(who);
    const match = { op: 'inner', method: 'POST', user: who.userId };
    await graph().fault({ kind: 'stale_read', ms: 3_600_000, match });
    await who.person.post(`/api/campaigns/${theCampaign(who)}/pause`);
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
  ])('[ENG-05] paused by a hand between our reading and our pause, %s: it stays', async (_title, aheadMs) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    // Who came first is told by the platform's clock.
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
        ['let_go', 'paused_outside'],
        ['resumed', null],
      ]),
    );
  });

  test('[ENG-05] resumed and paused again by a hand between two looks: it is theirs, and stays', async () => {
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
    expect(await reasons(who)).toEqual([['let_go', 'paused_outside']]);
  });

  test('the log of changes cannot be read by this person: what we paused is resumed all the same', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.settled(who);
    const match = { user: who.userId, method: 'GET', path: 'activities' };
    await graph().fault({ kind: 'error', code: 200, match });
    await suite.report('Resolved', 'UP');
    await suite.become(who, ['ACTIVE']);
  });

  test('[ENG-13, ENG-14] a manual pause after a pause of ours that nobody answered: both are told', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry_applied', times: 1, match: { user, method: 'POST' } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(first, 'the pause to be on its way');
    // The engine does not find out by itself.
    await graph().fault({ kind: 'error', code: 2, match: { user, method: 'GET', path: 'campaigns' } });
    await release(batch);
    await waitFor(
      'the pause to be in doubt, and done',
      async () => (await suite.statuses(who))[0] === 'PAUSED',
    );
    await who.person.post(`/api/campaigns/${theCampaign(who)}/pause`);
    expect(await eventsOf(who)).toEqual(['paused', 'manual_pause']);
    expect(await reasons(who)).toEqual([['let_go', 'manual_pause']]);
  });

  test.each([
    ['cannot be read', { kind: 'error', code: 2, match: { op: 'inner', method: 'GET' } }],
    [
      'is read as it was before',
      { kind: 'stale_read', ms: 3_600_000, match: { op: 'inner', method: 'POST' } },
    ],
  ])('[ENG-14] the same when the campaign %s: what nobody can know is said', async (_title, second) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { userId: user } = who;
    await graph().fault({ kind: 'null_entry_applied', times: 1, match: { user, method: 'POST' } });
    await graph().fault({ ...second, times: 0, match: { ...second.match, user } });
    const first = graph().fault({ kind: 'hang_before', times: 1, match: { user, method: 'POST' } });
    await suite.simulators.status.reports('High disruptions');
    const batch = await parkedAt(first, 'the pause to be on its way');
    await graph().fault({ kind: 'error', code: 2, match: { user, method: 'GET', path: 'campaigns' } });
    await release(batch);
    const isDone = async () =>
      (await suite.simulators.graph.writes()).some((one) => one.campaign === theCampaign(who));
    await waitFor('the pause to be in doubt, and done', isDone);
    await who.person.post(`/api/campaigns/${theCampaign(who)}/pause`);
    expect(await eventsOf(who)).toEqual(['manual_pause']);
    const told = await suite.product.app.db
      .selectFrom('activity')
      .select('message')
      .where('campaign_id', '=', theCampaign(who))
      .where('event', '=', 'manual_pause')
      .executeTakeFirstOrThrow();
    expect(told.message).toContain('Meta did not say whether our pause before that was carried out.');
  });
});
