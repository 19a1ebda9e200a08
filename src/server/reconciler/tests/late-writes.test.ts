import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

/**
 * An unconfirmed write may be carried out up to a minute later; the reconciler must read the campaign then.
 */
describe('a write that may still be carried out', () => {
  const suite = engineSuite();
  const {
    report,
    advertiser,
    become,
    becomeLater,
    holdsOf,
    workItemOf,
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

  /** The platform carries out our unconfirmed write only now. */
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

  const last = async (who: Advertiser) => (await holdsOf(who.accountId)).at(-1);
  const events = async (who: Advertiser) => (await eventsOf(who)).map(({ event }) => event);
  const only = (who: Advertiser) => who.campaignIds[0] ?? '';
  const end = (who: Advertiser) =>
    suite.until('the hold to end', async () => (await last(who))?.state === 'ended');
  /** Until no copy can arrive. */
  const expire = () => suite.product.clock.advance(66_000);

  /** The first resume is unconfirmed, the second is done, and the first may still arrive. */
  async function resumedTwice(): Promise<Advertiser> {
    const who = await heldAdvertiser();
    await lose(who, 'null_entry', 1);
    await report('Resolved', 'UP');
    await becomeLater(who, ['ACTIVE']);
    await atRest(who);
    expect(await last(who)).toMatchObject({ state: 'resumed', resumed_at: expect.any(Date) as Date });
    return who;
  }

  /** The first pause is unconfirmed, the second is done, and the first may still arrive. */
  async function pausedTwice(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry', 1);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await becomeLater(who, ['PAUSED']);
    await atRest(who);
    expect(await last(who)).toMatchObject({ state: 'paused', sent_at: expect.any(Date) as Date });
    return who;
  }

  test('[ENG-13, ENG-15] a new match waits until a lost resume can no longer arrive', async () => {
    const who = await heldAdvertiser();
    await lose(who, 'null_entry');
    await suite.simulators.status.reports('Resolved');
    await suite.until('a resume to be lost', async () => {
      const hold = await last(who);
      return hold?.state === 'resuming' && hold.sent_at !== null && hold.retry_at !== null;
    });
    // While the fault lasts, no repeated resume can succeed before the new match is read.
    await report('High disruptions', 'HIGH_DISRUPTION');
    await atRest(who);
    await suite.simulators.graph.ask('DELETE', '/faults');
    const hold = await last(who);
    expect(hold).toMatchObject({ state: 'resuming', sent_at: expect.any(Date) as Date });
    const until = (hold?.sent_at?.getTime() ?? 0) + 65_000;
    expect((await workItemOf(who.accountId)).next_due_at?.getTime()).toBeLessThanOrEqual(until);
    expire();
    await settled(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await events(who)).toEqual(['paused']);
    expect(await holdsOf(who.accountId)).toHaveLength(1);
  });

  test('[ENG-15] the end of the match waits until a lost pause can no longer arrive', async () => {
    const who = await pausedTwice();
    await report('Resolved', 'UP');
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expire();
    await become(who, ['ACTIVE']);
    await end(who);
    expect(await events(who)).toEqual(['paused', 'resumed']);
  });

  test('[ENG-15] after a resume with a lost copy, a new match begins a new hold once it cannot arrive', async () => {
    const who = await resumedTwice();
    await report('High disruptions', 'HIGH_DISRUPTION');
    await atRest(who);
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expire();
    await become(who, ['PAUSED']);
    await suite.until('the new hold to be settled', async () => (await last(who))?.state === 'paused');
    expect(await holdsOf(who.accountId)).toHaveLength(2);
    expect(await events(who)).toEqual(['paused', 'resumed', 'paused']);
  });

  test('[ENG-15] restores an external pause that a late resume of ours undid', async () => {
    const who = await resumedTwice();
    await suite.simulators.graph.post(`/campaigns/${only(who)}`, { status: 'PAUSED' });
    await arrives(who, 'ACTIVE');
    expire();
    await become(who, ['PAUSED']);
    await end(who);
    expect(await events(who)).toEqual(['paused', 'resumed', 'taken_back']);
    expect((await eventsOf(who)).at(-1)?.message).toMatch(
      /^Paused ".*" again: Meta applied our earlier resume only after it was paused manually\.$/,
    );
  });

  test('[ENG-15] restores an external resume that a late pause of ours undid, and deactivates SmartPause', async () => {
    const who = await pausedTwice();
    await suite.simulators.graph.post(`/campaigns/${only(who)}`, { status: 'ACTIVE' });
    await arrives(who, 'PAUSED');
    expire();
    await become(who, ['ACTIVE']);
    await end(who);
    expect(await events(who)).toEqual(['paused', 'deactivated', 'taken_back']);
    expect(await last(who)).toMatchObject({ outcome: 'released', reason: 'resumed_outside' });
  });

  test('[ENG-15, ENG-16] a manual resume waits until a lost pause can no longer arrive', async () => {
    const who = await pausedTwice();
    await who.user.setSmartPause(who.accountId, only(who), false);
    const answered = who.user.call('POST', `/api/campaigns/${only(who)}/resume`);
    await suite.until('the wish to be stored', async () => {
      const rows = await suite.product.app.db.selectFrom('manual_change').selectAll().execute();
      return rows.some(({ campaign_id }) => campaign_id === only(who));
    });
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    suite.product.clock.advance(26_000);
    expect(await answered).toMatchObject({ status: 202, body: { status: 'ACTIVE', pending: true } });
    expire();
    await become(who, ['ACTIVE']);
    await suite.until('the resume to be recorded', async () => (await events(who)).includes('manual_resume'));
    expect(await events(who)).toEqual(['paused', 'manual_resume']);
    expect(await last(who)).toMatchObject({ outcome: 'released', reason: 'smartpause_off' });
  });

  test('[ENG-16] a manual pause of a paused campaign ends the hold once no copy can arrive', async () => {
    const who = await pausedTwice();
    await who.user.post(`/api/campaigns/${only(who)}/pause`);
    expect(await last(who)).toMatchObject({ state: 'paused', release: 'manual_pause' });
    await report('Resolved', 'UP');
    expire();
    await end(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await events(who)).toEqual(['paused', 'manual_pause']);
  });

  test('[ENG-12] turned off and on around an external resume, it gets a new hold', async () => {
    const who = await heldAdvertiser();
    await who.user.setSmartPause(who.accountId, only(who), false);
    await suite.simulators.graph.post(`/campaigns/${only(who)}`, { status: 'ACTIVE' });
    await who.user.setSmartPause(who.accountId, only(who), true);
    await become(who, ['PAUSED']);
    await suite.until('the new hold to be settled', async () => {
      const holds = await holdsOf(who.accountId);
      return holds.length === 2 && holds.at(-1)?.state === 'paused';
    });
    expect(await events(who)).toEqual(['paused', 'paused']);
    expect(await holdsOf(who.accountId)).toMatchObject([
      { outcome: 'released', reason: 'smartpause_off' },
      { state: 'paused', turned_off: false },
    ]);
  });

  test('[ENG-12, ENG-13] turned off and on, a late pause is reported and resumed', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry');
    await report('High disruptions', 'HIGH_DISRUPTION');
    await suite.until('a pause to be lost', async () => (await last(who))?.retry_at instanceof Date);
    await who.user.setSmartPause(who.accountId, only(who), false);
    await who.user.setSmartPause(who.accountId, only(who), true);
    await arrives(who, 'PAUSED');
    await suite.simulators.graph.ask('DELETE', '/faults');
    expire();
    await settled(who);
    expect(await last(who)).toMatchObject({ state: 'paused', turned_off: false });
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
    await suite.until('the resume to be reported', async () => (await eventsOf(who)).length === 2);
    expect(await events(who)).toEqual(['paused', 'resumed']);
    expect(await holdsOf(who.accountId)).toHaveLength(1);
  });

  test('[ENG-12, ENG-14] reports a pause that was undone externally before any read', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry_applied');
    await suite.simulators.graph.fault({
      kind: 'error',
      code: 2,
      match: { user: who.userId, method: 'GET' },
    });
    await suite.simulators.status.reports('High disruptions');
    await become(who, ['PAUSED']);
    await suite.until('the read to fail', async () => (await workItemOf(who.accountId)).last_error !== null);
    await who.user.setSmartPause(who.accountId, only(who), false);
    await suite.simulators.graph.post(`/campaigns/${only(who)}`, { status: 'ACTIVE' });
    await suite.simulators.graph.ask('DELETE', '/faults');
    expire();
    await end(who);
    expect(await events(who)).toEqual(['paused']);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('[ENG-11] does not undo a manual resume of another user', async () => {
    const who = await resumedTwice();
    const colleague = await colleagueOf(who);
    await suite.simulators.graph.post(`/campaigns/${only(who)}`, { status: 'PAUSED' });
    await colleague.user.post(`/api/campaigns/${only(who)}/resume`);
    expire();
    await end(who);
    await atRest(who);
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await events(who)).toEqual(['paused', 'resumed', 'manual_resume']);
  });
});
