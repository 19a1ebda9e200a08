import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes } from '../../../core/time.ts';

/** A surprising read is believed after a second one. */
const VERIFIED_MS = 11_000;

const suite = engineSuite();
const { advertiser, colleagueOf, edit, expire, heldAdvertiser, later, lose, outage, recovery } = suite;
const { campaignsOf, changesOf, eventsOf, eventually, lastHold, mend, press, protectorOf } = suite;
const { reasonsOf, setSmartPause, statuses, stopTurnAt } = suite;
const graph = () => suite.simulators.graph;

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
    const colleague = await protectorOf(who);
    await outage();
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(6));
    await later(VERIFIED_MS);
    // The pause of the higher budget is stored first.
    expect(await reasonsOf(who)).toEqual([null, 'resumed_outside']);
    expect(await campaignsOf(who)).toMatchObject([
      { smartPauseSetting: 'DEACTIVATED' },
      { smartPauseSetting: 'ON' },
    ]);
    expect(await campaignsOf(colleague)).toMatchObject([{ smartPauseSetting: 'DEACTIVATED' }, {}]);
    await nextMailTo(suite, who.email, /disabled for 1 campaign/);
    await nextMailTo(suite, colleague.email, /disabled for 1 campaign/);
    await later(minutes(10));
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(new Set(await eventsOf(who))).toEqual(new Set(['paused', 'deactivated']));
  });

  test.each([
    ['is left alone although SmartPause, which was on, was turned on once more', [true], []],
    ['gets a new hold if SmartPause was turned off before and on afterwards', [false], [true]],
  ])('[ENG-11, ENG-12] %s', async (_title, before, after) => {
    const who = await heldAdvertiser();
    // A read that is not newer than our pause proves nothing.
    await suite.advance(VERIFIED_MS);
    for (const isOn of before) await setSmartPause(who, isOn);
    await edit(who, { status: 'ACTIVE' });
    for (const isOn of after) await setSmartPause(who, isOn);
    await suite.turn();
    await later(VERIFIED_MS);
    const isHeldAgain = after.length > 0;
    expect(await statuses(who)).toEqual([isHeldAgain ? 'PAUSED' : 'ACTIVE']);
    expect(await reasonsOf(who)).toEqual(isHeldAgain ? ['smartpause_off', null] : ['resumed_outside']);
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
    expect(await campaignsOf(who)).toMatchObject([{ smartPauseSetting: 'DEACTIVATED' }]);
    expect(await campaignsOf(colleague)).toMatchObject([{ smartPauseSetting: 'ON' }]);
    await setSmartPause(who, true);
    expect(await campaignsOf(who)).toMatchObject([{ smartPauseSetting: 'ON' }]);
  });

  test('[ENG-11] is shown as running from the first read of its list on', async () => {
    const who = await heldAdvertiser({ resume: { mode: 'delay', delay: { value: 10, unit: 'minutes' } } });
    await recovery();
    const resumeAt = async () => (await suite.statusOf(who)).resumeAt;
    expect(await campaignsOf(who)).toMatchObject([{ status: 'PAUSED', held: true }]);
    expect(await resumeAt()).not.toBeNull();
    await edit(who, { status: 'ACTIVE' });
    // The page refreshes the list long before the reconciler reads it.
    await suite.advance(31_000);
    await suite.until('the list to be read', async () =>
      JSON.stringify(await campaignsOf(who)).includes('"status":"ACTIVE"'),
    );
    expect(await lastHold(who)).toMatchObject({ state: 'paused' });
    expect(await campaignsOf(who)).toMatchObject([{ status: 'ACTIVE', held: false }]);
    expect(await resumeAt()).toBeNull();
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
    const advance = (ms: number) => {
      suite.product.clock.advance(ms);
      return graph().post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + aheadMs });
    };
    await advance(0);
    await suite.simulators.status.reports('High disruptions');
    const go = await stopTurnAt({ user: who.userId, method: 'POST' });
    await edit(who, { status: 'PAUSED' });
    await go();
    // The log is read back to then.
    await advance(minutes(3));
    await recovery();
    await advance(VERIFIED_MS);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(new Set(await reasonsOf(who))).toEqual(new Set(['paused_outside', null]));
  });
});

describe('the pause and resume buttons', () => {
  test('a pause during a pass comes before its own, and SmartPause never resumes it', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await suite.simulators.status.reports('High disruptions');
    const go = await stopTurnAt({ user: who.userId, method: 'GET', path: 'campaigns' });
    const { answer } = await pressAmid(who, 'pause');
    await graph().ask('DELETE', '/requests');
    await go();
    expect((await answer).body).toEqual({ success: true, status: 'PAUSED' });
    // Another read may follow: the status change makes the account due during the pass.
    const written = (await graph().requests()).filter(({ method }) => method === 'POST');
    const batches = written.map(({ batch = [] }) => batch.map((one) => one.relative_url));
    expect(batches).toEqual(who.campaignIds.map((id) => [id]));
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await reasonsOf(who)).toEqual([null]);
  });

  test('[ENG-11, ENG-16] a resume of another user before our pause is accepted is not undone', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const { user } = await colleagueOf(who);
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 100, subcode: 1487000, times: 1, match });
    await outage();
    expect((await press({ ...who, user }, 'resume')).status).toBe(200);
    expect(await changesOf(who)).toEqual([]);
    expect(await reasonsOf(who)).toEqual(['resumed_outside']);
  });

  test('[ENG-16] a pause without an answer ends when the campaign is archived', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await lose(who, 'null_entry', 0);
    await pressUnanswered(who, 'pause');
    await edit(who, { status: 'ARCHIVED' });
    await expire();
    expect(await suite.writeOf(who)).toMatchObject({ state: 'failed', unansweredUntil: null });
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
    // Meta carried our pause out without a response, and nothing can be read.
    await lose(who, 'null_entry_applied');
    await suite.simulators.status.reports('High disruptions');
    const go = await stopTurnAt({ user: who.userId, method: 'POST' });
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    await graph().fault({ kind: 'error', code: 2, times: 0, match });
    await go();
    await suite.known('HIGH_DISRUPTION');
    const answer = await pressUnanswered(who, 'pause');
    expect(answer).toMatchObject({ status: 202, body: { status: 'PAUSED', pending: true } });
    await later(minutes(2));
    expect(await wishOf(who)).toMatchObject({ endedAt: null });
    await mend();
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

  test.each([
    ['pause', 'resume', 'PAUSED', 'ACTIVE', suite.resumedTwice, [null], ['paused', 'resumed']],
    [
      'resume',
      'pause',
      'ACTIVE',
      'PAUSED',
      suite.pausedTwice,
      ['resumed_outside'],
      ['paused', 'deactivated'],
    ],
  ] as const)(
    '[ENG-15] an external %s that our late %s undid is restored',
    async (_change, _late, to, lateTo, writtenTwice, reasons, events) => {
      const who = await writtenTwice();
      await editLater(who, to);
      await arrives(who, lateTo);
      await expire();
      expect(await statuses(who)).toEqual([to]);
      expect(await reasonsOf(who)).toEqual(reasons);
      expect(await eventsOf(who)).toEqual([...events, 'taken_back']);
    },
  );

  test('[ENG-11] a restore that has to wait is dropped if someone has changed the campaign again', async () => {
    const who = await suite.pausedTwice();
    await editLater(who, 'ACTIVE');
    await arrives(who, 'PAUSED');
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 1, match });
    await expire();
    expect(await suite.writeOf(who)).toMatchObject({ origin: 'restore', state: 'open', target: 'ACTIVE' });
    await editLater(who, 'ACTIVE');
    await editLater(who, 'PAUSED');
    await later(minutes(10));
    expect(await suite.writeOf(who)).toMatchObject({ origin: 'restore', state: 'cancelled' });
    expect(await statuses(who)).toEqual(['PAUSED']);
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

  test('[ENG-12, ENG-13] turned off and on, a late pause of ours is reported and resumed', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await lose(who, 'null_entry', 0);
    await outage();
    await setSmartPause(who, false);
    await setSmartPause(who, true);
    await suite.turn();
    await arrives(who, 'PAUSED');
    await mend();
    await expire();
    expect(await suite.holdsOf(who.accountId)).toMatchObject([{ state: 'paused' }]);
    expect(await suite.writeOf(who)).toMatchObject({ unansweredUntil: null });
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });
});

describe('a held campaign that is out of reach', () => {
  /** In no list of the account, and unknown by its id. Meta's log has no entry for either change. */
  async function goesAway(who: Advertiser): Promise<void> {
    const [campaign = ''] = who.campaignIds;
    await plant(who, 'DELETED');
    await graph().fault({
      kind: 'error',
      code: 100,
      subcode: 33,
      times: 0,
      match: { campaign, method: 'GET' },
    });
  }

  async function comesBack(who: Advertiser): Promise<void> {
    await plant(who, 'PAUSED');
    await mend();
  }

  const plant = (who: Advertiser, status: string) => {
    const campaign = { id: who.campaignIds[0] ?? '', name: 'Campaign 0', status };
    return suite.hasAccounts(who, [
      { id: who.accountId, name: 'An account', currency: 'USD', campaigns: [campaign] },
    ]);
  };

  test('[FR-08] for two hours is kept, and resumed when it is back', async () => {
    const who = await heldAdvertiser();
    await goesAway(who);
    for (let minute = 0; minute < 120; minute += 10) await later(minutes(10));
    await recovery();
    expect(await lastHold(who)).toMatchObject({ outcome: null, releaseReason: null });
    await comesBack(who);
    await eventually('the resume', who, async () => (await lastHold(who))?.outcome === 'resumed');
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
  });

  test('[FR-08] for three hours counts as deleted, and SmartPause is disabled for it', async () => {
    const who = await heldAdvertiser();
    await goesAway(who);
    for (let minute = 0; minute < 180; minute += 10) await later(minutes(10));
    expect(await reasonsOf(who)).toEqual([null]);
    await later(minutes(10));
    expect(await reasonsOf(who)).toEqual(['deleted']);
    const settings = await suite.product.app.db.selectFrom('smartpauseSettings').select('setting').execute();
    expect(settings).toEqual([{ setting: 'DEACTIVATED' }]);
    expect(await changesOf(who)).toEqual(['PAUSED']);
  });
});
