import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';

const MINUTE = 60_000;
const IN_10_MINUTES = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };

/** Changes by the user during a pass, by another user, and by Meta when it revokes its permission. */
describe('the reconciler and external changes', () => {
  const suite = engineSuite();
  const {
    report,
    advertiser,
    statuses,
    become,
    becomeLater,
    atRest,
    eventually,
    workItemOf,
    holdsOf,
    settled,
    colleagueOf,
    heldAdvertiser,
  } = suite;

  async function loseAccounts(userId: string, name = 'Some Body'): Promise<void> {
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name, accounts: [] }] });
  }

  async function isGone(who: Advertiser): Promise<boolean> {
    const rows = await suite.product.app.db
      .selectFrom('app_user')
      .select('id')
      .where('platform_user_id', '=', who.userId)
      .execute();
    return rows.length === 0;
  }

  /** Waits until a read first sees an external change. */
  async function firstRead(who: Advertiser): Promise<void> {
    suite.product.clock.advance(6 * MINUTE);
    await suite.until('the first read', async () =>
      (await holdsOf(who.accountId)).some(({ suspected_since }) => suspected_since !== null),
    );
  }

  const reasonsOf = async (who: Advertiser) => (await holdsOf(who.accountId)).map(({ reason }) => reason);

  /** In steps of ten minutes, each with a status read and all due work done. */
  async function livesThrough(who: Advertiser, tenMinutes: number): Promise<void> {
    for (let i = 0; i < tenMinutes; i += 1) {
      suite.product.clock.advance(10 * MINUTE);
      await atRest(who);
    }
  }

  test('a manual pause during a pass waits, and SmartPause never resumes it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [only = ''] = who.campaignIds;
    await atRest(who);
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    const read = await suite.simulators.graph.fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('High disruptions');
    await suite.amid('the pass to read', async () => (await suite.simulators.graph.parked(read)) === 1);
    const answered = who.user.post(`/api/campaigns/${only}/pause`);
    await suite.amid('the wish to be stored', async () => {
      const wishes = await suite.product.app.db.selectFrom('manual_change').select('campaign_id').execute();
      return wishes.some(({ campaign_id }) => campaign_id === only);
    });
    await suite.simulators.graph.post(`/faults/${read}/release`);
    expect(await answered).toEqual({ success: true, status: 'PAUSED' });
    await report('Resolved', 'UP');
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await reasonsOf(who)).toEqual(['manual_pause']);
  });

  test('a manual pause that Meta refuses keeps the hold: the campaign is resumed', async () => {
    const who = await heldAdvertiser();
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'error', code: 200, match });
    const answer = await who.user.call('POST', `/api/campaigns/${who.campaignIds[0]}/pause`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
  });

  test('[ENG-13] a manual pause of one user ends the hold of another, who is notified', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await colleagueOf(who);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    await colleague.user.post(`/api/campaigns/${who.campaignIds[0]}/pause`);
    const notification = await nextMailTo(suite, who.email, /did not resume 1 campaign/);
    expect(notification.text).toContain('another user with access to the ad account paused it');
    await report('Resolved', 'UP');
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('[ENG-11] an external resume is shown from the first read on', async () => {
    const who = await heldAdvertiser({ resume: IN_10_MINUTES });
    await report('Resolved', 'UP');
    await atRest(who);
    const shown = async () => {
      const { campaigns } = await who.user.get<{ campaigns: { status: string; held: boolean }[] }>(
        `/api/campaigns/${who.accountId}`,
      );
      const { status } = await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status');
      return [campaigns[0]?.status, campaigns[0]?.held, status.resumeAt !== null];
    };
    expect(await shown()).toEqual(['PAUSED', true, true]);
    await suite.simulators.graph.post(`/campaigns/${who.campaignIds[0]}`, { status: 'ACTIVE' });
    // The page refreshes the list long before the reconciler reads it.
    suite.product.clock.advance(31_000);
    await suite.until('the list to be read', async () => (await shown())[0] === 'ACTIVE');
    expect((await holdsOf(who.accountId)).map(({ state }) => state)).toEqual(['paused']);
    expect(await shown()).toEqual(['ACTIVE', false, false]);
    await firstRead(who);
    suite.product.clock.advance(11_000);
    await suite.until('the hold to end', async () => (await reasonsOf(who)).includes('resumed_outside'));
  });

  test('[ENG-04] a campaign whose pause is in progress is not shown as paused by SmartPause', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, method: 'POST' };
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, match });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await suite.until(
      'the pause to have failed',
      async () => ((await holdsOf(who.accountId))[0]?.last_error ?? null) !== null,
    );
    const { campaigns } = await who.user.get<{ campaigns: object[] }>(`/api/campaigns/${who.accountId}`);
    expect(campaigns).toMatchObject([{ status: 'ACTIVE', held: false }]);
    expect((await holdsOf(who.accountId)).map(({ state }) => state)).toEqual(['pausing']);
  });

  test('[ENG-11] resumed on Meta, it is left alone for all users who had SmartPause on', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [only = ''] = who.campaignIds;
    const colleague = await colleagueOf(who);
    await colleague.user.setSmartPause(who.accountId, only, true);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    await suite.simulators.graph.post(`/campaigns/${only}`, { status: 'ACTIVE' });
    await firstRead(who);
    suite.product.clock.advance(11_000);
    await suite.until('the hold to end', async () => (await reasonsOf(who)).includes('resumed_outside'));
    await livesThrough(who, 1);
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await changesOf(suite.simulators, only)).toEqual(['PAUSED', 'ACTIVE']);
    for (const { user } of [who, colleague]) {
      const { campaigns } = await user.get<{ campaigns: { smartPauseSetting: string }[] }>(
        `/api/campaigns/${who.accountId}`,
      );
      expect(campaigns.map(({ smartPauseSetting }) => smartPauseSetting)).toEqual(['DEACTIVATED']);
    }
  });

  test('[ENG-11] a user who turns SmartPause on afterwards gets a new hold', async () => {
    const who = await heldAdvertiser();
    const [only = ''] = who.campaignIds;
    const colleague = await colleagueOf(who);
    await suite.simulators.graph.post(`/campaigns/${only}`, { status: 'ACTIVE' });
    await firstRead(who);
    suite.product.clock.advance(1000);
    await colleague.user.setSmartPause(who.accountId, only, true);
    suite.product.clock.advance(10_000);
    await suite.until('a hold for them', async () => (await holdsOf(who.accountId)).length === 2);
    await become(who, ['PAUSED']);
    expect(await reasonsOf(who)).toEqual(['resumed_outside', null]);
    const settings = await suite.product.app.db
      .selectFrom('smart_pause')
      .select('setting')
      .where('campaign_id', '=', only)
      .orderBy('user_id')
      .execute();
    expect(settings.map(({ setting }) => setting)).toEqual(['DEACTIVATED', 'ON']);
  });

  test('when the permission of the holding user ends, a colleague resumes the campaign', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const [only = ''] = who.campaignIds;
    const colleague = await colleagueOf(who);
    await colleague.user.setSmartPause(who.accountId, only, true);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    const [hold] = await holdsOf(who.accountId);
    const holder = await suite.product.app.db
      .selectFrom('app_user')
      .select('platform_user_id')
      .where('id', '=', hold?.user_id ?? '')
      .executeTakeFirstOrThrow();
    const lost = { userId: holder.platform_user_id, subcode: 458 };
    await suite.simulators.graph.post('/tokens/invalidate', lost);
    await report('Resolved', 'UP');
    await becomeLater(who, ['ACTIVE']);
    expect(await changesOf(suite.simulators, only)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test.each([
    [
      'whose permission has ended',
      async (who: Advertiser) => {
        await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId, subcode: 458 });
      },
    ],
    ['whose access to the ad account has ended', (who: Advertiser) => loseAccounts(who.userId)],
  ])('[SET-13] a user %s can still delete the account', async (_title, loses) => {
    const who = await heldAdvertiser();
    await loses(who);
    const answered = who.user.call('POST', '/api/account/delete');
    await eventually('the user to be gone', who, () => isGone(who));
    await answered;
  });

  test('a token that cannot be decrypted does not stop other users from leaving', async () => {
    const [first, second] = [
      await advertiser({ campaigns: ['PAUSED'], on: 0 }),
      await advertiser({ campaigns: ['PAUSED'], on: 0 }),
    ];
    const { db } = suite.product.app;
    const userIds = db.selectFrom('app_user').select('id');
    await db
      .updateTable('platform_token')
      .set({ key_id: 'lost' })
      .where('user_id', 'in', userIds.where('platform_user_id', '=', first.userId))
      .execute();
    const leaving = { leaving: 'delete', leaving_at: new Date(), leaving_by: 'user' } as const;
    await db
      .updateTable('app_user')
      .set(leaving)
      .where('platform_user_id', 'in', [first.userId, second.userId])
      .execute();
    await eventually('the first to be gone', first, () => isGone(first));
    await eventually('the second to be gone', second, () => isGone(second));
  });

  /** Paused without a response, and not readable: the result of the pause is unknown. */
  async function inDoubtAdvertiser(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const write = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'applied_but_error', code: 1, match: write });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    const read = { user: who.userId, method: 'GET' };
    await suite.simulators.graph.fault({ kind: 'html', times: 0, match: read });
    await suite.until('the answer to be lost', async () => {
      const { lease_until, last_error } = await workItemOf(who.accountId);
      return lease_until === null && last_error !== null;
    });
    return who;
  }

  async function ended(who: Advertiser): Promise<void> {
    await eventually('the hold to end', who, async () =>
      (await holdsOf(who.accountId)).every(({ state }) => state === 'ended'),
    );
  }

  test('[ENG-12, ENG-14] turning off reports an unconfirmed pause and ends the hold', async () => {
    const who = await inDoubtAdvertiser();
    const [only = ''] = who.campaignIds;
    await who.user.setSmartPause(who.accountId, only, false);
    expect(await isShownHeld(who)).toBe(false);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await ended(who);
    expect(await reasonsOf(who)).toEqual(['smartpause_off']);
    expect(await eventsOf(who)).toEqual(['paused']);
    expect(await changesOf(suite.simulators, only)).toEqual(['PAUSED']);
  });

  test('[ENG-12] turning off ends an unconfirmed hold without the ad account', async () => {
    const who = await inDoubtAdvertiser();
    await who.user.setSmartPause(who.accountId, who.campaignIds[0] ?? '', false);
    await loseAccounts(who.userId);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await ended(who);
    expect(await reasonsOf(who)).toEqual(['smartpause_off']);
  });

  test('turning off ends the hold if the ad account is no longer listed', async () => {
    const who = await heldAdvertiser();
    await loseAccounts(who.userId);
    suite.product.clock.advance(6_000);
    await who.user.get('/api/ad-accounts');
    await who.user.setSmartPause(who.accountId, who.campaignIds[0] ?? '', false);
    await ended(who);
    expect(await reasonsOf(who)).toEqual(['smartpause_off']);
  });

  test('a user who lost the ad account sees no data read there for others', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await colleagueOf(who);
    await loseAccounts(colleague.userId, 'Colleague');
    await suite.simulators.graph.post(`/campaigns/${who.campaignIds[0]}`, { name: 'SECRET LAUNCH' });
    suite.product.clock.advance(2 * MINUTE);
    const path = `/api/campaigns/${who.accountId}`;
    await suite.until('the new name to be read', async () =>
      JSON.stringify(await who.user.get(path)).includes('SECRET LAUNCH'),
    );
    suite.product.clock.advance(2 * MINUTE);
    const seen = await colleague.user.call('GET', path);
    expect(JSON.stringify(seen.body)).not.toContain('SECRET LAUNCH');
    expect(seen.status).toBe(404);
  });

  test('[ENG-07] a threshold edit keeps a scheduled resume', async () => {
    const who = await heldAdvertiser({ threshold: 'LOW', resume: IN_10_MINUTES });
    await report('Resolved', 'UP');
    const scheduled = await resumeAtOf(who);
    const body = { resumeSettings: IN_10_MINUTES, outageThreshold: 'HIGH', email: who.email };
    await who.user.post('/api/user/settings', body);
    expect(await resumeAtOf(who)).toBe(scheduled);
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('[ENG-09] a match during the retries of a resume restarts the delay', async () => {
    const who = await heldAdvertiser({ resume: IN_10_MINUTES });
    await report('Resolved', 'UP');
    await atRest(who);
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'error', code: 80004, subcode: 2446079, match });
    suite.product.clock.advance(11 * MINUTE);
    await suite.until('Meta to refuse for its limit', async () => {
      const { blocked_until, lease_until } = await workItemOf(who.accountId);
      return blocked_until !== null && lease_until === null;
    });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await report('Resolved', 'UP');
    expect(Date.parse(await resumeAtOf(who)) - suite.product.clock.now()).toBeGreaterThan(9 * MINUTE);
    suite.product.clock.advance(6 * MINUTE);
    await atRest(who);
    expect(await statuses(who)).toEqual(['PAUSED']);
    suite.product.clock.advance(6 * MINUTE);
    await become(who, ['ACTIVE']);
  });

  test('after a click meets the rate limit, the next click does not call Meta', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const [only = ''] = who.campaignIds;
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind: 'error', code: 80004, subcode: 2446079, times: 0, match });
    const click = () => who.user.call('POST', `/api/campaigns/${only}/pause`);
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    await suite.until('the limit to be stored', async () => {
      const { blocked_until, lease_until } = await workItemOf(who.accountId);
      return blocked_until !== null && lease_until === null;
    });
    await suite.simulators.graph.ask('DELETE', '/requests');
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    const asked = (await suite.simulators.graph.requests()).flatMap(({ batch }) => batch ?? []);
    expect(asked.filter(({ relative_url }) => relative_url.startsWith(only))).toEqual([]);
  });

  async function isShownHeld(who: Advertiser): Promise<boolean> {
    const path = `/api/campaigns/${who.accountId}`;
    const { campaigns } = await who.user.get<{ campaigns: { held: boolean }[] }>(path);
    return campaigns.some(({ held }) => held);
  }

  /** Hold activities in chronological order. */
  async function eventsOf(who: Advertiser): Promise<string[]> {
    const rows = await suite.product.app.db
      .selectFrom('activity')
      .select('event')
      .where('account_id', '=', who.accountId)
      .where('hold_id', 'is not', null)
      .orderBy('id')
      .execute();
    return rows.map(({ event }) => event);
  }

  async function resumeAtOf(who: Advertiser): Promise<string> {
    const { status } = await who.user.get<{ status: { resumeAt: string } }>('/api/user/status');
    return status.resumeAt;
  }
});
