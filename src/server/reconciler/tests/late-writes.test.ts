import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';

/** What was sent and not answered may be carried out up to a minute later; somebody has to look then. */
describe('a resume that may still be carried out', () => {
  const suite = engineSuite();
  const {
    report,
    known,
    advertiser,
    become,
    holdsOf,
    laneOf,
    settled,
    atRest,
    statuses,
    colleagueOf,
    heldAdvertiser,
  } = suite;

  async function lose(
    who: Advertiser,
    kind: 'null_entry' | 'null_entry_applied',
    times = kind === 'null_entry' ? 0 : 1,
  ): Promise<void> {
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind, times, match });
  }

  /** What we sent and nobody answered is carried out only now. */
  async function arrives(who: Advertiser, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
    const { graph } = suite.simulators;
    const { access_token } = await graph.post<{ access_token: string }>('/tokens', { userId: who.userId });
    const answer = await fetch(`${graph.url}/v25.0/${who.campaignIds[0] ?? ''}`, {
      method: 'POST',
      body: new URLSearchParams({ status, access_token }),
    });
    expect(answer.status).toBe(200);
  }

  const eventsOf = async (who: Advertiser) => {
    const rows = await suite.product.app.db
      .selectFrom('activity')
      .select(['event', 'message'])
      .where('campaign_id', '=', who.campaignIds[0] ?? '')
      .orderBy('id')
      .execute();
    return rows.filter(({ event }) => event !== 'smartpause');
  };

  /** The first resume is lost, the second is done, and the first may yet be carried out. */
  async function resumedTwice(): Promise<Advertiser> {
    const who = await heldAdvertiser();
    await lose(who, 'null_entry', 1);
    await suite.simulators.status.reports('Resolved');
    await become(who, ['ACTIVE']);
    await atRest(who);
    expect(await last(who)).toMatchObject({ state: 'resuming', resumed_at: expect.any(Date) as Date });
    return who;
  }

  /** The first pause is lost, the second is done, and the first may yet be carried out. */
  async function pausedTwice(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry', 1);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    return who;
  }

  const settledAnew = (who: Advertiser) =>
    waitFor('the new hold to be settled', async () => {
      const holds = await holdsOf(who.accountId);
      const hold = holds.at(-1);
      return holds.length === 2 && hold?.state === 'paused' && !hold.in_doubt;
    });

  const last = async (who: Advertiser) => (await holdsOf(who.accountId)).at(-1);

  test('[ENG-13] is looked for when that is over, also after the pause was written again', async () => {
    const who = await heldAdvertiser();
    await lose(who, 'null_entry');
    await suite.simulators.status.reports('Resolved');
    await waitFor('a resume to be lost', async () => {
      const hold = await last(who);
      return hold?.state === 'resuming' && hold.in_doubt;
    });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await waitFor('the pause to be written', async () => (await last(who))?.state === 'pausing');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await settled(who);
    const until = (await last(who))?.late_resume_until?.getTime() ?? 0;
    expect(until).toBeGreaterThan(suite.product.clock.now());
    expect((await laneOf(who.accountId)).next_due_at?.getTime()).toBeLessThanOrEqual(until);
  });

  test.each([
    ['is known to the next hold', 'null_entry_applied', true],
    ['is none if it was answered', null, false],
  ] as const)('%s', async (_title, fault, isKnown) => {
    const who = await heldAdvertiser();
    if (fault !== null) await lose(who, fault);
    await suite.simulators.status.reports('Resolved');
    await become(who, ['ACTIVE']);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    await suite.simulators.status.reports('High disruptions');
    await become(who, ['PAUSED']);
    await known('HIGH_DISRUPTION');
    expect(await holdsOf(who.accountId)).toHaveLength(2);
    expect((await last(who))?.late_resume_until !== null).toBe(isKnown);
  });

  test('[ENG-14] sent twice and carried out after a pause by hand here, it is taken back', async () => {
    const who = await resumedTwice();
    await who.person.post(`/api/campaigns/${who.campaignIds[0] ?? ''}/pause`);
    await arrives(who, 'ACTIVE');
    suite.product.clock.advance(61_000);
    await become(who, ['PAUSED']);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual([
      'paused',
      'resumed',
      'manual_pause',
      'taken_back',
    ]);
    expect((await eventsOf(who)).at(-1)?.message).toMatch(
      /^Paused ".*" again: Meta carried out an earlier resume of ours only after it was paused by hand\.$/,
    );
  });

  test('[ENG-14] or after one in Ads Manager that nobody saw: the log tells', async () => {
    const who = await resumedTwice();
    await suite.simulators.graph.post(`/campaigns/${who.campaignIds[0] ?? ''}`, { status: 'PAUSED' });
    await arrives(who, 'ACTIVE');
    suite.product.clock.advance(61_000);
    await become(who, ['PAUSED']);
    await atRest(who);
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual(['paused', 'resumed', 'taken_back']);
  });

  test('[ENG-14] a pause sent twice and carried out after a resume by hand here is taken back', async () => {
    const who = await pausedTwice();
    const [only = ''] = who.campaignIds;
    await who.person.setSmartPause(who.accountId, only, false);
    await who.person.post(`/api/campaigns/${only}/resume`);
    await become(who, ['ACTIVE']);
    await arrives(who, 'PAUSED');
    suite.product.clock.advance(61_000);
    await become(who, ['ACTIVE']);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual([
      'paused',
      'manual_resume',
      'taken_back',
    ]);
  });

  test('[ENG-12] turned off, resumed in Ads Manager and turned on again: it is held anew', async () => {
    const who = await pausedTwice();
    const [only = ''] = who.campaignIds;
    await who.person.setSmartPause(who.accountId, only, false);
    await suite.simulators.graph.post(`/campaigns/${only}`, { status: 'ACTIVE' });
    await who.person.setSmartPause(who.accountId, only, true);
    await become(who, ['PAUSED']);
    await settledAnew(who);
    const events = (await eventsOf(who)).map(({ event }) => event);
    expect(events).toEqual(['paused', 'let_go', 'paused']);
    expect(await holdsOf(who.accountId)).toMatchObject([
      { outcome: 'let_go', reason: 'smartpause_off' },
      { state: 'paused', in_doubt: false, turned_off: false },
    ]);
  });

  test('[ENG-12, ENG-13] turned off and on again, and a late pause of ours is carried out: it is told, and resumed', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [only = ''] = who.campaignIds;
    await lose(who, 'null_entry');
    await report('High disruptions', 'HIGH_DISRUPTION');
    await waitFor('a pause to be lost', async () => (await last(who))?.in_doubt === true);
    await who.person.setSmartPause(who.accountId, only, false);
    await who.person.setSmartPause(who.accountId, only, true);
    await arrives(who, 'PAUSED');
    await suite.simulators.graph.ask('DELETE', '/faults');
    suite.product.clock.advance(61_000);
    await settled(who);
    expect(await last(who)).toMatchObject({ state: 'paused', turned_off: false });
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
    await waitFor('the resume to be told', async () => (await eventsOf(who)).length === 2);
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual(['paused', 'resumed']);
    expect(await holdsOf(who.accountId)).toHaveLength(1);
  });

  test('[ENG-12, ENG-14] a pause that a hand undid before anybody could look is told', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [only = ''] = who.campaignIds;
    await lose(who, 'null_entry_applied');
    await suite.simulators.graph.fault({
      kind: 'error',
      code: 2,
      match: { user: who.userId, method: 'GET' },
    });
    await suite.simulators.status.reports('High disruptions');
    await become(who, ['PAUSED']);
    await waitFor('nobody to know', async () => (await laneOf(who.accountId)).last_error !== null);
    await who.person.setSmartPause(who.accountId, only, false);
    await suite.simulators.graph.post(`/campaigns/${only}`, { status: 'ACTIVE' });
    await suite.simulators.graph.ask('DELETE', '/faults');
    suite.product.clock.advance(61_000);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual(['paused', 'let_go']);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('[ENG-11] but not over somebody else’s resume here', async () => {
    const who = await resumedTwice();
    const colleague = await colleagueOf(who);
    const [only = ''] = who.campaignIds;
    await suite.simulators.graph.post(`/campaigns/${only}`, { status: 'PAUSED' });
    await colleague.person.post(`/api/campaigns/${only}/resume`);
    suite.product.clock.advance(61_000);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    await atRest(who);
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect((await eventsOf(who)).map(({ event }) => event)).toEqual(['paused', 'resumed', 'manual_resume']);
  });

  test('[ENG-12] whoever turns SmartPause off and resumes by hand has resumed it, and not we', async () => {
    const who = await heldAdvertiser();
    const [only = ''] = who.campaignIds;
    await lose(who, 'null_entry_applied');
    await report('Resolved', 'UP');
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await waitFor('the pause to be settled', async () => (await last(who))?.state === 'paused');
    await atRest(who);
    await who.person.setSmartPause(who.accountId, only, false);
    await who.person.post(`/api/campaigns/${only}/resume`);
    suite.product.clock.advance(61_000);
    await waitFor('the second hold to end', async () => (await last(who))?.state === 'ended');
    const events = (await eventsOf(who)).map(({ event }) => event);
    expect(events.filter((event) => event === 'resumed')).toHaveLength(1);
    expect(await last(who)).toMatchObject({ outcome: 'let_go', reason: 'smartpause_off' });
  });
});
