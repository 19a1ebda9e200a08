import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';
import { signIn } from '../../../../scripts/outside/user.ts';

const MINUTE = 60_000;

describe('the reconciler', () => {
  const suite = engineSuite();
  const { report, known, advertiser, statuses, become, becomeLater, eventually, atRest } = suite;

  async function activities(who: Advertiser): Promise<string[]> {
    const rows = await suite.product.app.db
      .selectFrom('activity')
      .innerJoin('app_user', 'app_user.id', 'activity.user_id')
      .select(['event', 'campaign_id'])
      .where('platform_user_id', '=', who.userId)
      .where('hold_id', 'is not', null)
      .orderBy('activity.id')
      .execute();
    return rows.map(({ event, campaign_id }) => `${event} ${who.campaignIds.indexOf(campaign_id ?? '')}`);
  }

  async function held(who: Advertiser): Promise<number> {
    const rows = await suite.product.app.db
      .selectFrom('hold')
      .select('id')
      .where('account_id', '=', who.accountId)
      .where('state', '<>', 'ended')
      .where('resumed_at', 'is', null)
      .execute();
    return rows.length;
  }

  test('[ENG-04, ENG-05, ENG-06] pauses ACTIVE campaigns and resumes exactly those', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'], on: 3 });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE']);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE']);
    expect(await changesOf(suite.simulators, who.campaignIds[2] ?? '')).toEqual([]);
    await suite.until('nothing to be held', async () => (await held(who)) === 0);
    expect((await activities(who)).sort()).toEqual(['paused 0', 'paused 1', 'resumed 0', 'resumed 1']);
  });

  test('[ENG-02] a level below the threshold pauses nothing', async () => {
    const [low, high] = [
      await advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW' }),
      await advertiser({ campaigns: ['ACTIVE'], threshold: 'HIGH' }),
    ];
    await report('Medium disruptions', 'MEDIUM_DISRUPTION');
    await become(low, ['PAUSED']);
    expect(await statuses(high)).toEqual(['ACTIVE']);
  });

  test('50 campaigns of one account cost exactly one read and one batch', async () => {
    const who = await advertiser({ campaigns: Array.from({ length: 50 }, () => 'ACTIVE' as const) });
    await suite.simulators.graph.post('/latency', { ms: 150 });
    await suite.simulators.graph.ask('DELETE', '/requests');
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(
      who,
      who.campaignIds.map(() => 'PAUSED'),
    );
    await suite.simulators.graph.post('/latency', { ms: 0 });
    await suite.until('every pause to be settled', async () => (await activities(who)).length === 50);
    const calls = (await suite.simulators.graph.requests()).filter(
      ({ path, batch }) =>
        path.includes(who.accountId) || (batch?.[0]?.relative_url ?? '') === who.campaignIds[49],
    );
    expect(calls.map(({ method, batch }) => `${method} ${batch?.length ?? ''}`.trim())).toEqual([
      'GET',
      'POST 50',
    ]);
    expect(calls.every(({ secretInQuery }) => !secretInQuery)).toBe(true);
  });

  test('[ENG-07, ENG-09] a delay postpones the resume, and a new match cancels it', async () => {
    const resume = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };
    const who = await suite.heldAdvertiser({ resume });
    await report('Resolved', 'UP');
    const { status } = await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status');
    expect(Date.parse(status.resumeAt ?? '') - suite.product.clock.now()).toBeGreaterThan(9 * MINUTE);
    suite.product.clock.advance(8 * MINUTE);
    await report('Medium disruptions', 'MEDIUM_DISRUPTION');
    const again = await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status');
    expect(again.status.resumeAt).toBeNull();
    suite.product.clock.advance(5 * MINUTE);
    await report('Resolved', 'UP');
    suite.product.clock.advance(9 * MINUTE);
    await known('UP');
    expect(await statuses(who)).toEqual(['PAUSED']);
    suite.product.clock.advance(2 * MINUTE);
    await become(who, ['ACTIVE']);
  });

  test('[ENG-08] next_day resumes at 12:01 AM New York', async () => {
    const who = await suite.heldAdvertiser({ resume: { mode: 'next-day' } });
    await report('Resolved', 'UP');
    const { status } = await who.user.get<{ status: { resumeAt: string; resumeSettings: object } }>(
      '/api/user/status',
    );
    expect(status.resumeSettings).toEqual({ mode: 'next_day' });
    const clock = new Date(status.resumeAt).toLocaleTimeString('en-US', { timeZone: 'America/New_York' });
    expect(clock).toBe('12:01:00 AM');
    suite.product.clock.advance(Date.parse(status.resumeAt) - suite.product.clock.now() + 1000);
    await become(who, ['ACTIVE']);
  });

  test('[ENG-10] a status page that is not understood neither pauses nor resumes', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'ACTIVE']);
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await suite.simulators.status.reports('Resolved');
    await known('UNKNOWN');
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    suite.product.clock.advance(6 * MINUTE);
    await known('UNKNOWN');
    await who.user.get(`/api/campaigns/${who.accountId}`);
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await held(who)).toBe(1);
    await suite.simulators.status.ask('DELETE', '/faults');
    await become(who, ['ACTIVE', 'ACTIVE']);
  });

  test('[ENG-10] a scheduled resume happens on time while the status is UNKNOWN', async () => {
    const resume = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };
    const who = await suite.heldAdvertiser({ resume });
    await report('Resolved', 'UP');
    const scheduled = async () =>
      (await who.user.get<{ status: { resumeAt: string | null } }>('/api/user/status')).status.resumeAt;
    const resumeTime = Date.parse((await scheduled()) ?? '');
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await known('UNKNOWN');
    suite.product.clock.advance(resumeTime - suite.product.clock.now() - MINUTE);
    await atRest(who);
    expect(Date.parse((await scheduled()) ?? '')).toBe(resumeTime);
    expect(await statuses(who)).toEqual(['PAUSED']);
    suite.product.clock.advance(resumeTime - suite.product.clock.now());
    await become(who, ['ACTIVE']);
    await known('UNKNOWN');
  });

  test('[ENG-11] a held campaign resumed in Ads Manager is deactivated and left alone', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const [first = ''] = who.campaignIds;
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED']);
    await suite.until('both holds to be settled', async () => (await activities(who)).length === 2);
    await suite.simulators.graph.post(`/campaigns/${first}`, { status: 'ACTIVE' });
    suite.product.clock.advance(6 * MINUTE);
    await suite.until('the first read', async () => {
      const rows = await suite.product.app.db
        .selectFrom('hold')
        .select('suspected_since')
        .where('campaign_id', '=', first)
        .execute();
      return rows.some((row) => row.suspected_since !== null);
    });
    suite.product.clock.advance(11_000);
    await suite.until('the setting to be DEACTIVATED', async () => {
      const { campaigns } = await who.user.get<{ campaigns: { id: string; smartPauseSetting: string }[] }>(
        `/api/campaigns/${who.accountId}`,
      );
      return campaigns.some(
        ({ id, smartPauseSetting }) => id === first && smartPauseSetting === 'DEACTIVATED',
      );
    });
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE']);
    expect(await changesOf(suite.simulators, first)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await activities(who)).toContain('deactivated 0');
  });

  test('[ENG-11] one stale read is not an external change', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const match = { op: 'inner', method: 'POST', user: who.userId };
    await suite.simulators.graph.fault({ kind: 'stale_read', ms: 3_600_000, match });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await suite.until('the pause to be settled', async () => (await activities(who)).length === 1);
    const suspected = async (): Promise<boolean> => {
      const rows = await suite.product.app.db
        .selectFrom('hold')
        .select('suspected_since')
        .where('account_id', '=', who.accountId)
        .execute();
      return rows.some((row) => row.suspected_since !== null);
    };
    suite.product.clock.advance(6 * MINUTE);
    await suite.until('the stale reading', suspected);
    await suite.simulators.graph.post('/clock', { offsetMs: 2 * 3_600_000 });
    suite.product.clock.advance(11_000);
    await suite.until('the second, true reading', async () => !(await suspected()));
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
    await suite.simulators.graph.post('/clock', { offsetMs: 0 });
    await suite.until('the hold to end', async () => (await held(who)) === 0);
    expect((await activities(who)).sort()).toEqual(['paused 0', 'resumed 0']);
  });

  test('[ENG-12, API-13] turning on pauses during a match; turning off only ends the hold', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const [only = ''] = who.campaignIds;
    await report('High disruptions', 'HIGH_DISRUPTION');
    await who.user.setSmartPause(who.accountId, only, true);
    await become(who, ['PAUSED']);
    await suite.until('the pause to be settled', async () => (await activities(who)).length === 1);
    const refused = await who.user.call<{ error: { code: string } }>('POST', `/api/campaigns/${only}/resume`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SMARTPAUSE_ACTIVE']);
    await who.user.setSmartPause(who.accountId, only, false);
    await suite.until('the hold to end', async () => (await held(who)) === 0);
    expect(await statuses(who)).toEqual(['PAUSED']);
    await who.user.post(`/api/campaigns/${only}/resume`);
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test.each([
    ['a null entry, not done', { kind: 'null_entry', match: { op: 'inner', method: 'POST' }, times: 2 }],
    [
      'a null entry, done all the same',
      { kind: 'null_entry_applied', match: { op: 'inner', method: 'POST' }, times: 2 },
    ],
    [
      'an error although it was done',
      { kind: 'applied_but_error', code: 1, match: { op: 'inner', method: 'POST' }, times: 2 },
    ],
    ['the connection cut after it was done', { kind: 'reset_after', match: { method: 'POST' } }],
    ['HTML instead of an answer', { kind: 'html', times: 2 }],
    ['half an answer', { kind: 'truncated', times: 2 }],
    ['code 2', { kind: 'error', code: 2, match: { op: 'inner', method: 'POST' }, times: 3 }],
    ['an error for the whole batch', { kind: 'error', code: 1, match: { op: 'outer', method: 'POST' } }],
  ])('[ENG-14] %s: no write is lost or repeated', async (_title, fault) => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const match = 'match' in fault ? fault.match : {};
    await suite.simulators.graph.fault({ ...fault, match: { ...match, user: who.userId } });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await eventually('the pauses to be reported', who, async () => (await activities(who)).length === 3);
    await suite.simulators.graph.fault({ ...fault, match: { ...match, user: who.userId } });
    await report('Resolved', 'UP');
    // Until no lost write can arrive, neither the resume is sent nor the hold ended.
    suite.product.clock.advance(MINUTE + 1000);
    await becomeLater(who, ['ACTIVE', 'ACTIVE', 'ACTIVE']);
    await eventually('the resumes to be reported', who, async () => (await activities(who)).length === 6);
    suite.product.clock.advance(MINUTE + 1000);
    await suite.until('nothing to be held', async () => (await held(who)) === 0);
    for (const id of who.campaignIds)
      expect(await changesOf(suite.simulators, id)).toEqual(['PAUSED', 'ACTIVE']);
    const reported = (await activities(who)).sort();
    expect(reported).toEqual(['paused 0', 'paused 1', 'paused 2', 'resumed 0', 'resumed 1', 'resumed 2']);
  });

  test('development tier: highest budgets first, and no calls while blocked', async () => {
    const who = await advertiser({ campaigns: Array.from({ length: 30 }, () => 'ACTIVE' as const) });
    await suite.simulators.graph.post('/limits', { tier: 'development_access' });
    await suite.simulators.graph.ask('DELETE', '/requests');
    await report('High disruptions', 'HIGH_DISRUPTION');
    const paused = async (): Promise<number> =>
      (await statuses(who)).filter((status) => status === 'PAUSED').length;
    await atRest(who);
    const first = await statuses(who);
    const before = first.filter((status) => status === 'PAUSED').length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(30);
    expect(first.slice(-before).every((status) => status === 'PAUSED')).toBe(true);
    for (let minute = 0; (await paused()) < 30; minute += 1) {
      expect(minute).toBeLessThan(12);
      suite.product.clock.advance(MINUTE);
      await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() });
      await atRest(who);
    }
    const batches = (await suite.simulators.graph.requests()).flatMap(({ batch }) => batch ?? []);
    expect(batches.filter(({ relative_url }) => who.campaignIds.includes(relative_url))).toHaveLength(30);
    await suite.simulators.graph.post('/clock', { offsetMs: 0 });
    await suite.simulators.graph.post('/limits', { tier: 'off' });
    await report('Resolved', 'UP');
    suite.product.clock.advance(10 * MINUTE);
    await become(
      who,
      who.campaignIds.map(() => 'ACTIVE'),
    );
  });

  test('a refused token stops the work until the user logs in again', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId, subcode: 460 });
    await report('Resolved', 'UP');
    await suite.until('the token to be refused', async () => {
      await suite.product.app.runTask('checking tokens');
      const rows = await suite.product.app.db
        .selectFrom('platform_token')
        .innerJoin('app_user', 'app_user.id', 'platform_token.user_id')
        .select('refused_at')
        .where('platform_user_id', '=', who.userId)
        .execute();
      return rows.some((row) => row.refused_at !== null);
    });
    expect(await statuses(who)).toEqual(['PAUSED']);
    await signIn(suite.product.url, who.userId);
    await become(who, ['ACTIVE']);
  });

  test('while Facebook Login is disrupted, a refused token is only retried', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.simulators.status.post('/status', {
      org: 'facebook-login',
      service: 'Facebook Login',
      status: 'High disruptions',
    });
    await suite.simulators.graph.fault({
      kind: 'error',
      code: 190,
      times: 2,
      match: { user: who.userId, method: 'GET' },
    });
    await suite.until('the login disruption to be seen', async () => {
      const row = await suite.product.app.db
        .selectFrom('platform_status')
        .select('login_disrupted')
        .executeTakeFirstOrThrow();
      return row.login_disrupted;
    });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await suite.simulators.status.post('/status', {
      org: 'facebook-login',
      service: 'Facebook Login',
      status: 'Resolved',
    });
  });
});
