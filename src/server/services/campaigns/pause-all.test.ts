import { describe, expect, test } from 'vitest';
import type { UserStatus } from '#contract/shapes.ts';
import { hours, minutes } from '#core/time.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { type Advertiser, KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { exportUser } from '../../../../scripts/export-user.ts';

describe('[EARLY-08] Pause all now', () => {
  const suite = engineSuite();
  const { later, statuses, holdsOf, activitiesOf } = suite;
  const now = () => suite.product.clock.now();

  const pauseAll = (who: Advertiser, until: number | null = null) =>
    who.user.call('POST', '/api/pause-all', { until: until === null ? null : new Date(until).toISOString() });
  const resumeAll = (who: Advertiser) => who.user.call('POST', '/api/resume-all');
  const statusOf = async (who: Advertiser) =>
    (await who.user.get<{ status: UserStatus }>('/api/user/status')).status;

  type Outages = { outages: { id: string; counts: { paused: number } }[] };
  /** The last one, with its page. */
  async function lastOutage({ user }: Advertiser) {
    const [last] = (await user.get<Outages>('/api/outages')).outages;
    return { ...last, ...(await user.get<{ campaigns: object[] }>(`/api/outages/${last?.id ?? ''}`)) };
  }

  async function advertiser(
    given: Partial<Parameters<typeof suite.advertiser>[0]> = {},
  ): Promise<Advertiser> {
    const who = await suite.advertiser({
      campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'],
      on: 3,
      ...given,
    });
    await suite.known('UP');
    await suite.turn();
    return who;
  }

  test('pauses what is protected while Meta’s page says UP, and ends with a click', async () => {
    const who = await advertiser();
    expect(await who.user.get('/api/pause-all')).toMatchObject({
      ...{ word: null, wouldPause: { campaigns: 2, adAccounts: 1 }, paused: 0 },
    });
    expect(await pauseAll(who)).toMatchObject({
      status: 200,
      body: { success: true, word: { until: null } },
    });
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE']);
    expect(await holdsOf(who.accountId)).toMatchObject([
      { cause: 'user', level: 'UP', isOverride: false },
      { cause: 'user', level: 'UP', isOverride: false },
    ]);
    expect(await statusOf(who)).toMatchObject({
      resumeAt: null,
      heldCampaigns: 2,
      pausedAll: { campaigns: 2 },
    });
    expect(await who.user.get('/api/pause-all')).toMatchObject({
      ...{ wouldPause: { campaigns: 0, adAccounts: 0 }, paused: 2 },
    });
    await later(hours(2));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE']);
    expect(await resumeAll(who)).toMatchObject({ status: 200, body: { word: null } });
    await suite.turn();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE']);
    expect(await statusOf(who)).not.toHaveProperty('pausedAll');
    expect((await activitiesOf(who)).map(({ message }) => message)).toEqual([
      'Paused "Campaign 0": you chose “Pause all now”.',
      'Resumed "Campaign 0": “Pause all now” has ended.',
    ]);
    const { activities } = await who.user.get<{ activities: { message: string }[] }>('/api/activities');
    const said = activities
      .map(({ message }) => message)
      .filter((message) => message.startsWith('You chose'));
    expect(said).toEqual(['You chose “Resume all”.', 'You chose “Pause all now”: until “Resume all”.']);
  });

  test('ends at the chosen time, whatever the resume setting; a second press changes the end', async () => {
    const who = await advertiser({ resume: { mode: 'next_day' } });
    const began = now();
    await pauseAll(who, began + hours(4));
    await suite.turn();
    await pauseAll(who, began + hours(1));
    await suite.turn();
    const { rows } = { rows: await suite.product.app.db.selectFrom('signals').selectAll().execute() };
    expect(rows).toHaveLength(1);
    expect(await statusOf(who)).toMatchObject({ resumeAt: new Date(began + hours(1)).toISOString() });
    await later(minutes(59));
    expect((await statuses(who))[0]).toBe('PAUSED');
    await suite.eventually('the chosen end', who, async () => (await statuses(who))[0] === 'ACTIVE');
    expect(now() - began).toBeGreaterThanOrEqual(hours(1));
    expect(now() - began).toBeLessThan(hours(1) + minutes(1));
  });

  test('works while the status is unknown', async () => {
    const who = await advertiser();
    await suite.simulators.status.fault({ kind: 'unknown_phrase', times: 0 });
    await suite.report('Resolved', 'UNKNOWN');
    await pauseAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('PAUSED');
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('ACTIVE');
  });

  test('an outage that goes on keeps the campaigns paused', async () => {
    const who = await advertiser();
    const shown = async () => (await suite.campaignsOf(who)).find(({ id }) => id === who.campaignIds[0]);
    await pauseAll(who);
    await suite.turn();
    await suite.outage();
    expect(await shown()).toMatchObject({ held: true, isPausedAll: true });
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('PAUSED');
    expect(await shown()).toMatchObject({ held: true });
    expect(await shown()).not.toHaveProperty('isPausedAll');
    await suite.recovery();
    await suite.turn();
    expect((await statuses(who))[0]).toBe('ACTIVE');
  });

  test('what was resumed in an outage is resumed with the word, as the word’s doing', async () => {
    const who = await advertiser({ resume: { mode: 'next_day' } });
    await suite.outage();
    await suite.turn();
    const [first = ''] = who.campaignIds;
    await who.user.call('POST', '/api/campaign-changes', { action: 'resume_now', campaignIds: [first] });
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['ACTIVE', 'PAUSED']);
    const began = now();
    await later(minutes(1));
    await pauseAll(who, began + hours(1));
    await suite.turn();
    expect((await holdsOf(who.accountId)).at(-1)).toMatchObject({ campaignId: first, cause: 'user' });
    expect(await statusOf(who)).toMatchObject({
      ...{ resumeAt: new Date(began + hours(1)).toISOString(), pausedAll: { campaigns: 1 } },
    });
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['ACTIVE', 'PAUSED']);
    expect((await activitiesOf(who)).at(-1)?.message).toBe(
      'Resumed "Campaign 0": “Pause all now” has ended.',
    );
  });

  test('refuses a live test, and does not outlast leaving', async () => {
    const who = await advertiser();
    const [, second = ''] = who.campaignIds;
    await pauseAll(who);
    const tried = await who.user.call('POST', `/api/campaigns/${second}/live-test`);
    const message = 'You chose “Pause all now”. Choose “Resume all” first.';
    expect(tried).toMatchObject({ status: 409, body: { error: { message } } });
    await who.user.call('POST', '/api/account/deauthorize');
    const { rows } = { rows: await suite.product.app.db.selectFrom('signals').select('until').execute() };
    expect(rows).toEqual([{ until: expect.any(Number) as number }]);
  });

  test('an outage that begins later pauses what was resumed in the word', async () => {
    const who = await advertiser();
    await pauseAll(who);
    await suite.turn();
    await who.user.call('POST', '/api/campaign-changes', {
      ...{ action: 'resume_now', campaignIds: who.campaignIds.slice(0, 1) },
    });
    await suite.turn();
    await later(minutes(1));
    expect((await statuses(who))[0]).toBe('ACTIVE');
    await suite.outage();
    await suite.turn();
    expect((await statuses(who))[0]).toBe('PAUSED');
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['PAUSED', 'PAUSED']);
  });

  test('keeps paused what an outage has paused, beyond its own resume', async () => {
    const who = await advertiser();
    await suite.outage();
    await suite.turn();
    expect(await who.user.get('/api/pause-all')).toMatchObject({
      ...{ wouldPause: { campaigns: 0 }, alreadyPaused: 2, unread: 0, paused: 0 },
    });
    await pauseAll(who);
    await suite.recovery();
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['PAUSED', 'PAUSED']);
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('a campaign that another user has on is resumed with the word, and not made theirs', async () => {
    const who = await advertiser();
    const colleague = await suite.protectorOf(who);
    await suite.turn();
    await pauseAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('PAUSED');
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('ACTIVE');
    expect(new Set((await holdsOf(who.accountId)).map(({ userId }) => userId)).size).toBe(1);
    expect(await statusOf(colleague)).toMatchObject({ heldCampaigns: 0 });
  });

  test('‘Resume now’ leaves the campaign running until the word ends', async () => {
    const who = await advertiser();
    await pauseAll(who);
    await suite.turn();
    await who.user.call('POST', '/api/campaign-changes', {
      ...{ action: 'resume_now', campaignIds: who.campaignIds.slice(0, 1) },
    });
    await suite.turn();
    await later(minutes(10));
    expect((await statuses(who)).slice(0, 2)).toEqual(['ACTIVE', 'PAUSED']);
    await resumeAll(who);
    await suite.turn();
    await pauseAll(who);
    await suite.turn();
    expect((await statuses(who)).slice(0, 2)).toEqual(['PAUSED', 'PAUSED']);
  });

  test.each([
    ['in the past', -hours(1)],
    ['at once', minutes(4)],
    ['in more than 30 days', hours(24 * 30) + minutes(1)],
  ])('an end %s is refused', async (_name, inMs) => {
    const who = await advertiser();
    expect(await pauseAll(who, now() + inMs)).toMatchObject({ status: 400 });
    await suite.turn();
    expect((await statuses(who))[0]).toBe('ACTIVE');
  });

  test('without a subscription nothing is paused, and all can be resumed', async () => {
    const who = await advertiser();
    await pauseAll(who);
    await suite.turn();
    await suite.product.app.db.deleteFrom('subscriptions').execute();
    expect(await pauseAll(who, now() + hours(1))).toMatchObject({
      ...{ status: 403, body: { error: { code: 'SUBSCRIPTION_REQUIRED' } } },
    });
    await resumeAll(who);
    await suite.turn();
    expect((await statuses(who))[0]).toBe('ACTIVE');
  });

  test('is no outage of Meta, also where one begins in it', async () => {
    const who = await advertiser();
    await suite.outage();
    await suite.recovery();
    await suite.turn();
    const before = await who.user.get<Outages>('/api/outages');
    await pauseAll(who);
    await suite.turn();
    await later(minutes(5));
    expect(await who.user.get<Outages>('/api/outages')).toEqual(before);
    await suite.outage();
    await suite.turn();
    const { counts, campaigns } = await lastOutage(who);
    expect(counts).toMatchObject({ paused: 0 });
    expect(campaigns).toContainEqual(
      expect.objectContaining({ campaignId: who.campaignIds[0], result: 'not_paused', reason: 'paused_all' }),
    );
  });

  test('of one user is why an outage paused nothing for another one', async () => {
    const who = await advertiser();
    const colleague = await suite.protectorOf(who);
    await pauseAll(who);
    await suite.turn();
    await suite.outage();
    await suite.turn();
    expect((await lastOutage(colleague)).campaigns).toContainEqual(
      expect.objectContaining({ campaignId: who.campaignIds[0], reason: 'held_by_other_user' }),
    );
  });

  test('is exported for its user, and goes with them', async () => {
    const who = await advertiser();
    await pauseAll(who);
    await suite.turn();
    const { db } = suite.product.app;
    expect(await exportUser(db, who.userId, [KEY_OF_TESTS])).toMatchObject({
      signals: [{ source: 'user' }],
    });
    await db.deleteFrom('users').execute();
    expect(await db.selectFrom('signals').selectAll().execute()).toEqual([]);
  });
});
