import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { hours, minutes, seconds } from '../../../core/time.ts';

const suite = engineSuite();
const { activitiesOf, advertiser, campaignsOf, changesOf, heldAdvertiser, lastHold, later, mend } = suite;
const { outage, reasonsOf, recovery, statuses, statusOf, tries } = suite;
const graph = () => suite.simulators.graph;

const repeated = <T>(one: T, times: number): T[] => Array.from({ length: times }, () => one);
const WORDS = 'Two-factor authentication required';
const BLOCKED = { code: 368, userTitle: 'Confirm your identity' };
const TWO_FACTOR = { code: 415, subcode: 2859009, userTitle: WORDS };

/** Meta refuses each change of the user, or of one campaign. */
const refuse = (who: Advertiser, error: object = TWO_FACTOR, campaign?: string) =>
  graph().fault({
    ...{ kind: 'error', times: 0, method: 'POST', op: 'inner', ...error },
    ...(campaign === undefined ? { match: { user: who.userId, method: 'POST', op: 'inner' } } : { campaign }),
  });

const retry = (who: Advertiser, index = 0) =>
  who.user.call('POST', `/api/campaigns/${who.campaignIds[index] ?? ''}/retry`);

describe('[FR-29, ENG-21] a refusal that is not known to be final', () => {
  test.each([
    ['two-factor authentication', TWO_FACTOR],
    ['an unknown subcode', { code: 100, subcode: 1815999, userTitle: WORDS }],
    ['an unknown code', { code: 9001, message: WORDS }],
    ['an invalid operation', { code: 801, message: WORDS }],
  ])(
    'of a resume (%s): an email says so at once; it is tried after 1 and 10 minutes',
    async (_title, error) => {
      const who = await heldAdvertiser();
      await refuse(who, error);
      await recovery();
      expect(await tries()).toBe(1);
      const text = `${WORDS}. SmartPause tries again after 1 minute, after 10 minutes, and then every hour`;
      expect((await activitiesOf(who)).slice(1)).toEqual([
        { event: 'retrying', message: `Meta refused to resume "Campaign 0": ${text}.` },
      ]);
      const mail = await nextMailTo(suite, who.email, /refused to resume 1 campaign/);
      expect(mail.text).toContain(WORDS);
      await later(minutes(1));
      expect(await tries()).toBe(2);
      await later(minutes(9));
      expect(await tries()).toBe(2);
      await mend();
      await later(minutes(1));
      expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
      expect((await activitiesOf(who)).map(({ event }) => event)).toEqual(['paused', 'retrying', 'resumed']);
    },
  );

  test('an email says so at once, also while Meta blocks the resume of another campaign', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, TWO_FACTOR, who.campaignIds[0]);
    await refuse(who, BLOCKED, who.campaignIds[1]);
    await recovery();
    const before = suite.product.clock.now();
    const { text } = await nextMailTo(suite, who.email, /refused to resume 1 campaign/);
    expect(suite.product.clock.now() - before).toBeLessThan(seconds(30));
    expect(text).not.toContain('not resumed yet. SmartPause keeps trying');
  });

  test('[FR-02] says whether Meta refuses it alone, or all changes in the ad account', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, TWO_FACTOR, who.campaignIds[0]);
    await refuse(who, BLOCKED, who.campaignIds[1]);
    await recovery();
    const blocks = (await campaignsOf(who)).map(({ refused }) => [refused?.action, refused?.isBlocked]);
    expect(blocks).toEqual([
      ['resume', undefined],
      ['resume', true],
    ]);
  });

  test('[FR-32] names no next try while Meta has suspended the app', async () => {
    const who = await heldAdvertiser();
    await refuse(who);
    await recovery();
    const refused = async () => (await campaignsOf(who))[0]?.refused;
    expect(await refused()).toMatchObject({ retryAt: expect.stringMatching(/Z$/) as string });
    await graph().post('/app', { blocked: true });
    await later(minutes(1));
    expect(await statusOf(who)).toMatchObject({ isSuspended: true });
    expect(await refused()).toMatchObject({ words: WORDS, retryAt: null });
    await graph().post('/app', { blocked: false });
    await mend();
    for (let minute = 0; minute < 12; minute += 1) await later(minutes(1));
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('of a resume for three hours: it is tried every hour', async () => {
    const who = await heldAdvertiser();
    await refuse(who);
    await recovery();
    for (const after of [minutes(1), minutes(10), hours(1), hours(1)]) await later(after);
    expect(await tries()).toBe(5);
    await later(minutes(30));
    expect(await tries()).toBe(5);
    await mend();
    await later(minutes(30));
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('of a pause: it is tried as long as the match lasts, and shown as refused', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, TWO_FACTOR, who.campaignIds[0]);
    await outage();
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    const status = await statusOf(who);
    expect(status).toMatchObject({ heldCampaigns: 1, pauseRefused: 1, protectedRunning: 2 });
    expect(status).not.toHaveProperty('notYetPaused');
    const { subject, text } = await nextMailTo(suite, who.email, /paused 1 campaign/);
    expect(subject).toMatch(/^SmartPause paused 1 campaign, 1 not paused: Meta reports high disruptions \(/);
    expect(text).toMatch(
      /keeps running and spending until Meta accepts the pause\.\n\nMeta says: “Two-factor.*\n\n1 campaign still runs \(\S+\/day\)\.\n/s,
    );
    expect(text).not.toContain('No action needed');
    for (const after of [minutes(1), minutes(10), hours(1)]) await later(after);
    expect(await tries()).toBe(4);
    await mend();
    await later(hours(1));
    expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  const DENIED = [
    ['a missing permission', { code: 273, userTitle: WORDS }],
    ['a permission of the ad account', { code: 200, message: WORDS }],
    ['a campaign that is listed, as if it were gone', { code: 100, subcode: 33, message: WORDS }],
  ] as const;

  test.each(DENIED)(
    'of pauses (%s): an email says so at once, and one is tried at a time',
    async (_title, error) => {
      const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
      await refuse(who, error);
      await outage();
      expect(await statusOf(who)).toMatchObject({ heldCampaigns: 0, pauseRefused: 2 });
      const { text } = await nextMailTo(suite, who.email, /refused to pause 2 campaigns/);
      expect(text).toContain(WORDS);
      expect(await tries()).toBe(2);
      for (const after of [minutes(1), minutes(10), hours(1)]) await later(after);
      expect(await tries()).toBe(5);
      await mend();
      await later(hours(1));
      expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
    },
  );

  test.each(DENIED)('of one of two resumes (%s): it is shown with the words', async (_title, error) => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who, error, who.campaignIds[0]);
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
    const refused = (await campaignsOf(who)).flatMap((one) => one.refused ?? []);
    expect(refused).toMatchObject([{ action: 'resume', words: WORDS }]);
    await later(minutes(1));
    expect(await tries()).toBe(2);
    await mend();
    await later(minutes(10));
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('of a pause until the match ends: the hold ends as not needed', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await refuse(who);
    await outage();
    await recovery();
    expect(await lastHold(who)).toMatchObject({ outcome: 'not_needed', refusal: WORDS });
    expect(await changesOf(who)).toEqual([]);
  });

  test('of a resume for seven days of tries: the hold ends, with an email', async () => {
    const who = await heldAdvertiser();
    await refuse(who);
    await recovery();
    const { db } = suite.product.app;
    await db
      .updateTable('campaignWrites')
      .set({ refusals: 170 })
      .where('accountId', '=', who.accountId)
      .execute();
    await later(minutes(1));
    expect(await reasonsOf(who)).toEqual(['resume_refused']);
    const text = `it stays paused, because Meta refused the change: ${WORDS}`;
    expect((await activitiesOf(who)).at(-1)?.message).toBe(`Did not resume "Campaign 0": ${text}.`);
    await later(hours(2));
    expect(await tries()).toBe(2);
  });
});

describe('[FR-02, FR-29] of many refused writes of an ad account', () => {
  test('one is tried at a time; once Meta accepts it, the others follow at once', async () => {
    const who = await heldAdvertiser({ campaigns: repeated('ACTIVE' as const, 4) });
    await refuse(who);
    await recovery();
    expect(await tries()).toBe(4);
    for (const after of [minutes(1), minutes(10), hours(1)]) await later(after);
    expect(await tries()).toBe(7);
    await mend();
    await later(hours(1));
    expect(await statuses(who)).toEqual(repeated('ACTIVE', 4));
  });

  test('those of other campaigns are not delayed by one that stays refused', async () => {
    const who = await heldAdvertiser({ campaigns: repeated('ACTIVE' as const, 3) });
    await refuse(who, TWO_FACTOR, who.campaignIds[0]);
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE', 'ACTIVE']);
    await later(minutes(1));
    await outage();
    expect(await statuses(who)).toEqual(repeated('PAUSED', 3));
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE', 'ACTIVE']);
  });

  test('an ad account that must be confirmed gets one write an hour', async () => {
    const who = await heldAdvertiser({ campaigns: repeated('ACTIVE' as const, 3) });
    await refuse(who, { code: 368 });
    await recovery();
    const first = await tries();
    for (let hour = 1; hour <= 3; hour += 1) {
      await later(minutes(61));
      expect(await tries()).toBe(first + hour);
    }
    await mend();
    await later(minutes(61));
    expect(await statuses(who)).toEqual(repeated('ACTIVE', 3));
  });
});

describe('[FR-29, ENG-21] ‘Retry now’', () => {
  test.each([
    ['a refused resume', TWO_FACTOR, WORDS],
    ['an account that must be confirmed', BLOCKED, BLOCKED.userTitle],
  ])('tries %s at once', async (_title, error, words) => {
    const who = await heldAdvertiser();
    await refuse(who, error);
    await recovery();
    expect((await campaignsOf(who))[0]?.refused).toMatchObject({ action: 'resume', words });
    const before = await tries();
    const told = (await activitiesOf(who)).length;
    expect((await retry(who)).status).toBe(200);
    expect(await tries()).toBe(before + 1);
    const message = `Could not resume "Campaign 0": Meta refused the change: ${words}.`;
    expect((await activitiesOf(who)).slice(told)).toEqual([{ event: 'manual_failed', message }]);
    const account = (await suite.accountsOf(who))[0];
    expect(account?.notProtected).toBe(error === BLOCKED ? 'unconfirmed' : undefined);
    expect((await campaignsOf(who))[0]?.refused).toMatchObject({ action: 'resume', words });
    await mend();
    // It may have been carried out.
    await refuse(who, { code: 2 });
    expect((await retry(who)).body).toMatchObject({ isRefused: false, isAccepted: false });
    await mend();
    await later(minutes(2));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect((await campaignsOf(who))[0]).not.toHaveProperty('refused');
    expect((await retry(who)).status).toBe(409);
  });

  test.each([
    ['a refused resume', TWO_FACTOR, [minutes(1), minutes(10)], minutes(45), minutes(15)],
    ['the first retry of it', TWO_FACTOR, [], minutes(0.5), minutes(0.5)],
    ['an account that must be confirmed', { code: 368 }, [], minutes(45), minutes(16)],
  ])('costs no wait: %s', async (_title, error, waits, before, after) => {
    const who = await heldAdvertiser();
    await refuse(who, error);
    await recovery();
    for (const wait of waits) await later(wait);
    await later(before);
    expect((await retry(who)).body).toMatchObject({ isRefused: true });
    const tried = await tries();
    await later(after);
    expect(await tries()).toBe(tried + 1);
    await mend();
    await later(minutes(61));
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('of an account that must be confirmed tries the campaign that it is for, and costs no wait', async () => {
    const who = await heldAdvertiser({ campaigns: repeated('ACTIVE' as const, 3) });
    await refuse(who, { code: 368 });
    await recovery();
    await later(minutes(61));
    await later(minutes(45));
    for (const index of [0, 1, 2]) {
      const told = (await activitiesOf(who, index)).length;
      const before = await tries();
      expect((await retry(who, index)).body).toMatchObject({ isRefused: true });
      expect(await tries()).toBe(before + 1);
      expect((await activitiesOf(who, index)).slice(told)).toMatchObject([{ event: 'manual_failed' }]);
    }
    const tried = await tries();
    await later(minutes(16));
    expect(await tries()).toBe(tried + 1);
  });

  test('lets the other campaigns follow at once when Meta accepts it', async () => {
    const who = await heldAdvertiser({ campaigns: repeated('ACTIVE' as const, 4) });
    await refuse(who);
    await recovery();
    for (const after of [minutes(1), minutes(10)]) await later(after);
    await mend();
    expect((await retry(who, 2)).body).toMatchObject({ isRefused: false, isAccepted: true });
    await suite.turn();
    expect(await statuses(who)).toEqual(repeated('ACTIVE', 4));
  });

  test('is for the user’s own holds only', async () => {
    const who = await heldAdvertiser();
    const colleague = await suite.colleagueOf(who);
    await refuse(who);
    await recovery();
    const path = `/api/campaigns/${who.campaignIds[0] ?? ''}/retry`;
    expect((await colleague.user.call('POST', path)).status).toBe(409);
    expect(await tries()).toBe(1);
  });

  test('after a colleague’s ‘Resume now’ is the act of the hold’s user, and the next press of that one the colleague’s', async () => {
    const who = await heldAdvertiser();
    const colleague = await suite.colleagueOf(who);
    const failedFor = async () => {
      const activities = suite.product.app.db.selectFrom('activities').where('event', '=', 'manual_failed');
      return (await activities.select('userId').orderBy('id').execute()).map(({ userId }) => userId);
    };
    const resumeNow = () =>
      colleague.user.post('/api/campaign-changes', { action: 'resume_now', campaignIds: who.campaignIds });
    await refuse(who);
    await resumeNow();
    await retry(who);
    const own = (await suite.rowOf(who))?.id;
    expect(await failedFor()).toEqual([own]);
    await later(seconds(10));
    await mend();
    await refuse(who, { code: 80004, subcode: 2446079 });
    await resumeNow();
    expect(await failedFor()).toEqual([own, (await suite.rowOf(colleague))?.id]);
  });
});

describe('[FR-29, ENG-21] refusals of one user', () => {
  test('a pause that Meta refuses to one user is tried with the token of another', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    const colleague = await suite.protectorOf(who);
    await refuse(who);
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await suite.statusOf(colleague)).toMatchObject({ heldCampaigns: 1 });
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('leaving waits some tries for the resume, not for days', async () => {
    const who = await heldAdvertiser();
    await refuse(who);
    // Its answer waits for the resume.
    const left = who.user.call('POST', '/api/account/deauthorize');
    await suite.until('the request', async () => (await suite.rowOf(who))?.leaving != null);
    // The request's own first try may end after the first step, and the others then wait from there.
    for (const after of [minutes(1), minutes(10), hours(1), minutes(5), hours(1), hours(1)])
      await later(after);
    expect(await reasonsOf(who)).toEqual(['resume_refused']);
    await left;
    expect((await suite.rowOf(who))?.leaving ?? null).toBeNull();
  });

  test('a live test whose resume Meta refuses is over, and its resume goes on', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 0 });
    await who.user.post(`/api/campaigns/${who.campaignIds[0] ?? ''}/live-test`, {});
    await suite.turn();
    await refuse(who);
    await later(minutes(1));
    const shown = async () => (await who.user.get<{ test: object }>('/api/live-test')).test;
    expect(await shown()).toMatchObject({
      ...{ state: 'ended', reason: expect.stringContaining(WORDS) as string },
      refused: { words: WORDS, retryAt: expect.stringMatching(/Z$/) as string },
    });
    expect((await activitiesOf(who)).at(-1)?.event).toBe('test_retrying');
    expect(await statusOf(who)).not.toHaveProperty('hasTested');
    await mend();
    await later(minutes(1));
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    expect(await statusOf(who)).toHaveProperty('hasTested', true);
    expect(await shown()).toMatchObject({ state: 'resumed' });
  });
});
