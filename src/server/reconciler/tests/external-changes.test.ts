import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes } from '../../../core/time.ts';

/** A surprising read is believed after a second one. */
const VERIFIED_MS = 11_000;

const suite = engineSuite();
const { advertiser, colleagueOf, edit, expire, heldAdvertiser, later, lose, outage, recovery } = suite;
const { activitiesOf, changesOf, eventsOf, lastHold, reasonsOf, setSmartPause, statuses, stopTurnAt } = suite;
const graph = () => suite.simulators.graph;
const press = ({ campaignIds, user }: Advertiser, button: 'pause' | 'resume') =>
  user.call('POST', `/api/campaigns/${campaignIds[0] ?? ''}/${button}`);
const campaignsOf = async ({ user }: Pick<Advertiser, 'user'>, { accountId }: Advertiser) =>
  (await user.get<{ campaigns: object[] }>(`/api/campaigns/${accountId}`)).campaigns;

/** A write of ours without a response was carried out, and nothing can be read until the faults are removed. */
async function carriedOutUnseen(who: Advertiser, status: string, level: string): Promise<void> {
  await lose(who, 'null_entry_applied');
  await suite.simulators.status.reports(status);
  const go = await stopTurnAt({ user: who.userId, method: 'POST' });
  const match = { user: who.userId, method: 'GET', path: 'campaigns' };
  await graph().fault({ kind: 'error', code: 2, times: 0, match });
  await go();
  await suite.known(level);
}

const wishOf = ({ campaignIds }: Advertiser) =>
  suite.product.app.db
    .selectFrom('manualChanges')
    .selectAll()
    .where('campaignId', '=', campaignIds[0] ?? '')
    .executeTakeFirst();

/** Presses a button during a turn. @returns the answer, later */
async function pressAmid(
  who: Advertiser,
  button: 'pause' | 'resume',
): Promise<{ answer: ReturnType<typeof press> }> {
  const answer = press(who, button);
  await suite.amid('the wish to be stored', async () => (await wishOf(who)) !== undefined);
  return { answer };
}

/** Presses a button whose result has to wait. */
async function pressUnanswered(who: Advertiser, button: 'pause' | 'resume'): ReturnType<typeof press> {
  const { answer } = await pressAmid(who, button);
  // The turn under way may have read before the press.
  await suite.turn();
  await suite.turn();
  await suite.advance(26_000);
  return answer;
}

describe('a campaign resumed in Ads Manager during a hold', () => {
  test('[ENG-11] is left alone for all users, for whom SmartPause is deactivated', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const colleague = await colleagueOf(who);
    await colleague.user.setSmartPause(who.accountId, who.campaignIds[0] ?? '', true);
    await outage();
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(6));
    await later(VERIFIED_MS);
    // The pause of the higher budget is stored first.
    expect(await reasonsOf(who)).toEqual([null, 'resumed_outside']);
    expect(await campaignsOf(who, who)).toMatchObject([
      { smartPauseSetting: 'DEACTIVATED' },
      { smartPauseSetting: 'ON' },
    ]);
    expect(await campaignsOf(colleague, who)).toMatchObject([{ smartPauseSetting: 'DEACTIVATED' }, {}]);
    await nextMailTo(suite, who.email, /disabled for 1 campaign/);
    await later(minutes(10));
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(new Set(await eventsOf(who))).toEqual(new Set(['paused', 'deactivated']));
  });

  test('[ENG-11] is left alone although SmartPause, which was on, was turned on once more', async () => {
    const who = await heldAdvertiser();
    await suite.advance(VERIFIED_MS);
    await setSmartPause(who, true);
    await edit(who, { status: 'ACTIVE' });
    await suite.turn();
    await later(VERIFIED_MS);
    expect(await reasonsOf(who)).toEqual(['resumed_outside']);
  });

  test('[ENG-11] gets a new hold for a user who turns SmartPause on afterwards', async () => {
    const who = await heldAdvertiser();
    const colleague = await colleagueOf(who);
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(6));
    await suite.advance(1000);
    await colleague.user.setSmartPause(who.accountId, who.campaignIds[0] ?? '', true);
    await later(VERIFIED_MS);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await reasonsOf(who)).toEqual(['resumed_outside', null]);
    expect(await campaignsOf(who, who)).toMatchObject([{ smartPauseSetting: 'DEACTIVATED' }]);
    expect(await campaignsOf(colleague, who)).toMatchObject([{ smartPauseSetting: 'ON' }]);
    await setSmartPause(who, true);
    expect(await campaignsOf(who, who)).toMatchObject([{ smartPauseSetting: 'ON' }]);
  });

  test('[ENG-12] gets a new hold if SmartPause was turned off before and on afterwards', async () => {
    const who = await heldAdvertiser();
    // A read that is not newer than our pause proves nothing.
    await suite.advance(VERIFIED_MS);
    await setSmartPause(who, false);
    await edit(who, { status: 'ACTIVE' });
    await setSmartPause(who, true);
    await suite.turn();
    await later(VERIFIED_MS);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await eventsOf(who)).toEqual(['paused', 'paused']);
    expect(await suite.holdsOf(who.accountId)).toMatchObject([
      { outcome: 'released', releaseReason: 'smartpause_off' },
      { state: 'paused' },
    ]);
  });

  test('[ENG-11] is shown as running from the first read of its list on', async () => {
    const who = await heldAdvertiser({ resume: { mode: 'delay', delay: { value: 10, unit: 'minutes' } } });
    await recovery();
    const resumeAt = async () =>
      (await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status')).status.resumeAt;
    expect(await campaignsOf(who, who)).toMatchObject([{ status: 'PAUSED', held: true }]);
    expect(await resumeAt()).not.toBeNull();
    await edit(who, { status: 'ACTIVE' });
    // The page refreshes the list long before the reconciler reads it.
    await suite.advance(31_000);
    await suite.until('the list to be read', async () =>
      JSON.stringify(await campaignsOf(who, who)).includes('"status":"ACTIVE"'),
    );
    expect(await lastHold(who)).toMatchObject({ state: 'paused' });
    expect(await campaignsOf(who, who)).toMatchObject([{ status: 'ACTIVE', held: false }]);
    expect(await resumeAt()).toBeNull();
  });

  test('[ENG-11] is not believed after one stale read', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { op: 'inner', method: 'POST', user: who.userId };
    await graph().fault({ kind: 'stale_read', ms: minutes(7), match });
    await outage();
    await later(minutes(6));
    expect(await lastHold(who)).toMatchObject({ surpriseStatus: 'ACTIVE' });
    await later(minutes(2));
    expect(await lastHold(who)).toMatchObject({ surpriseStatus: 'PAUSED' });
    await recovery();
    // The activity log gets a minute to tell who touched it.
    await later(minutes(1));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });
});

describe('a campaign paused in Ads Manager', () => {
  test.each([
    ['our clocks agree', 0],
    ['our clock is ten minutes behind', minutes(10)],
    ['our clock is ten minutes ahead', -minutes(10)],
  ])('[ENG-05] between our read and our pause stays paused, %s', async (_title, aheadMs) => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    // Meta's clock decides which change came first.
    await graph().post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + aheadMs });
    await suite.simulators.status.reports('High disruptions');
    const go = await stopTurnAt({ user: who.userId, method: 'POST' });
    await edit(who, { status: 'PAUSED' });
    await go();
    await recovery();
    suite.product.clock.advance(VERIFIED_MS);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(new Set(await reasonsOf(who))).toEqual(new Set(['paused_outside', null]));
  });

  test('[ENG-05] after a resume there, both between two reads of ours, stays paused', async () => {
    const who = await heldAdvertiser();
    await edit(who, { status: 'ACTIVE' });
    await edit(who, { status: 'PAUSED' });
    await recovery();
    await later(VERIFIED_MS);
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await reasonsOf(who)).toEqual(['paused_outside']);
  });
});

describe('the pause and resume buttons', () => {
  test('a pause during a pass comes before its own, and SmartPause never resumes it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    const go = await stopTurnAt({ user: who.userId, method: 'GET', path: 'campaigns' });
    const { answer } = await pressAmid(who, 'pause');
    await go();
    expect((await answer).body).toEqual({ success: true, status: 'PAUSED' });
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await reasonsOf(who)).toEqual([]);
  });

  test('[ENG-05] after a pause, a stale ACTIVE read creates no hold', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { op: 'inner', method: 'POST', user: who.userId };
    await graph().fault({ kind: 'stale_read', ms: minutes(5), match });
    await press(who, 'pause');
    await outage();
    expect(await suite.holdsOf(who.accountId)).toEqual([]);
    await later(minutes(6));
    await recovery();
    expect(await changesOf(who)).toEqual(['PAUSED']);
  });

  test('[ENG-13, ENG-14, ENG-16] a pause while nothing can be read waits until it is known, and is not sent long after the click', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await carriedOutUnseen(who, 'High disruptions', 'HIGH_DISRUPTION');
    const answer = await pressUnanswered(who, 'pause');
    expect(answer).toMatchObject({ status: 202, body: { status: 'PAUSED', pending: true } });
    await later(minutes(2));
    expect(await wishOf(who)).toMatchObject({ endedAt: null });
    await graph().ask('DELETE', '/faults');
    await suite.eventually('the pause to be reported', who, async () => (await eventsOf(who)).length > 1);
    expect(await eventsOf(who)).toEqual(['paused', 'manual_pause']);
    expect(await reasonsOf(who)).toEqual(['manual_pause']);
    // It was not sent so long after the click.
    expect(await changesOf(who)).toEqual(['PAUSED']);
    expect(await suite.writeOf(who)).toMatchObject({ state: 'done' });
  });
});

describe('a change while a copy of a write of ours may still be carried out', () => {
  /** The platform carries out our unconfirmed write only now. */
  async function arrives(who: Advertiser, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
    const { access_token } = await graph().post<{ access_token: string }>('/tokens', { userId: who.userId });
    const body = new URLSearchParams({ status, access_token });
    const url = `${graph().url}/v25.0/${who.campaignIds[0] ?? ''}`;
    expect((await graph().fetch(url, { method: 'POST', body })).status).toBe(200);
  }

  /** Meta's activity log has whole seconds. */
  async function editLater(who: Advertiser, status: 'ACTIVE' | 'PAUSED'): Promise<void> {
    await suite.advance(2000);
    await edit(who, { status });
    await suite.advance(2000);
  }

  test('[ENG-15] an external pause that our late resume undid is restored', async () => {
    const who = await suite.resumedTwice();
    await editLater(who, 'PAUSED');
    await arrives(who, 'ACTIVE');
    await expire();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await lastHold(who)).toMatchObject({ state: 'ended' });
    expect(await eventsOf(who)).toEqual(['paused', 'resumed', 'taken_back']);
    expect((await activitiesOf(who)).at(-1)?.message).toBe(
      'Paused "Campaign 0" again: Meta applied our earlier resume only after it was paused manually.',
    );
  });

  test('[ENG-15] an external resume that our late pause undid is restored, and SmartPause deactivated', async () => {
    const who = await suite.pausedTwice();
    await editLater(who, 'ACTIVE');
    await arrives(who, 'PAUSED');
    await expire();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await reasonsOf(who)).toEqual(['resumed_outside']);
    expect(await eventsOf(who)).toEqual(['paused', 'deactivated', 'taken_back']);
  });

  test('[ENG-11] a manual resume of another user after an external pause is not undone', async () => {
    const who = await suite.resumedTwice();
    const { user } = await colleagueOf(who);
    await editLater(who, 'PAUSED');
    await press({ ...who, user }, 'resume');
    await expire();
    expect(await lastHold(who)).toMatchObject({ state: 'ended' });
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed', 'manual_resume']);
  });

  test('[ENG-15, ENG-16] a manual resume waits until our lost pause can no longer arrive', async () => {
    const who = await suite.pausedTwice();
    await setSmartPause(who, false);
    const answer = await pressUnanswered(who, 'resume');
    expect(answer).toMatchObject({ status: 202, body: { status: 'ACTIVE', pending: true } });
    expect(await statuses(who)).toEqual(['PAUSED']);
    await expire();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'manual_resume']);
    expect(await reasonsOf(who)).toEqual(['smartpause_off']);
  });

  test('[ENG-12, ENG-13] turned off and on, a late pause of ours is reported and resumed', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry', 0);
    await outage();
    await setSmartPause(who, false);
    await setSmartPause(who, true);
    await suite.turn();
    await arrives(who, 'PAUSED');
    await graph().ask('DELETE', '/faults');
    await expire();
    expect(await suite.holdsOf(who.accountId)).toMatchObject([{ state: 'paused' }]);
    expect(await suite.writeOf(who)).toMatchObject({ unansweredUntil: null });
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });

  test('[ENG-12, ENG-14] a pause of ours that was undone in Ads Manager before any read is reported', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await carriedOutUnseen(who, 'High disruptions', 'HIGH_DISRUPTION');
    expect(await statuses(who)).toEqual(['PAUSED']);
    await setSmartPause(who, false);
    await edit(who, { status: 'ACTIVE' });
    await graph().ask('DELETE', '/faults');
    await expire();
    expect(await lastHold(who)).toMatchObject({ state: 'ended' });
    expect(await eventsOf(who)).toEqual(['paused', 'released']);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });
});
