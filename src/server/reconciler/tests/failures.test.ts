import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { hours, minutes } from '../../../core/time.ts';

let log = '';
const logTo = new PassThrough();
logTo.on('data', (chunk: Buffer) => (log += chunk.toString()));

const suite = engineSuite({ logTo, environment: { LOG_LEVEL: 'warn' } });
const { accountsOf, activitiesOf, advertiser, changesOf, colleagueOf, eventsOf, eventually } = suite;
const { hasAccounts, heldAdvertiser, holdsOf, lastHold, later, mend, outage, press } = suite;
const { reasonsOf, recovery, rowOf, setSmartPause, statuses, tries } = suite;
const graph = () => suite.simulators.graph;
const ended = (who: Advertiser) =>
  eventually('the hold to end', who, async () => (await lastHold(who))?.state === 'ended');
const become = (who: Advertiser, expected: string) =>
  eventually(`all campaigns to be ${expected}`, who, async () =>
    (await statuses(who)).every((status) => status === expected),
  );
const refuse = ({ userId: user }: Advertiser, code: number, more: { subcode?: number } = {}) =>
  graph().fault({ kind: 'error', code, ...more, times: 0, match: { user, method: 'POST', op: 'inner' } });
const loseAccounts = (who: Pick<Advertiser, 'userId'>) => hasAccounts(who, []);
const endPermission = ({ userId }: Advertiser) =>
  graph().post('/tokens/invalidate', { userId, subcode: 458 });
const deleteAccount = async (who: Advertiser) => {
  const answered = who.user.call('POST', '/api/account/delete');
  await eventually('the user to be gone', who, async () => (await rowOf(who)) === undefined);
  await answered;
};

describe('a write without a clear response', () => {
  const inner = { op: 'inner', method: 'POST' } as const;

  test.each([
    ['a null entry, not done', { kind: 'null_entry', match: inner, times: 2 }],
    ['a null entry, done all the same', { kind: 'null_entry_applied', match: inner, times: 2 }],
    ['an error although it was done', { kind: 'applied_but_error', code: 1, match: inner, times: 2 }],
    ['the connection cut after it was done', { kind: 'reset_after', match: { method: 'POST' } }],
    ['HTML instead of an answer', { kind: 'html', match: {}, times: 2 }],
    ['half an answer', { kind: 'truncated', match: {}, times: 2 }],
    ['code 2', { kind: 'error', code: 2, match: inner, times: 3 }],
    ['an error for the whole batch', { kind: 'error', code: 1, match: { op: 'outer', method: 'POST' } }],
  ])('[ENG-14] %s: no write is lost or repeated', async (_title, fault) => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const breaks = () => graph().fault({ ...fault, match: { ...fault.match, user: who.userId } });
    const areAll = (expected: string) => async () => {
      const holds = await holdsOf(who.accountId);
      return holds.length === 3 && holds.every(({ state }) => state === expected);
    };
    await breaks();
    await outage();
    await eventually('the pauses to be confirmed', who, areAll('paused'));
    await breaks();
    await recovery();
    await eventually('the holds to end', who, areAll('ended'));
    for (const index of [0, 1, 2]) {
      expect(await changesOf(who, index)).toEqual(['PAUSED', 'ACTIVE']);
      expect(await eventsOf(who, index)).toEqual(['paused', 'resumed']);
    }
  });

  /** Paused without a response, and not readable: the result of the pause is unknown. */
  async function inDoubtAdvertiser(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await graph().fault({ kind: 'applied_but_error', code: 1, match: { ...inner, user: who.userId } });
    await suite.simulators.status.reports('High disruptions');
    const goOn = await suite.stopTurnAt({ user: who.userId, method: 'POST' });
    await graph().fault({ kind: 'html', times: 0, match: { user: who.userId, method: 'GET' } });
    await goOn();
    expect(await statuses(who)).toEqual(['PAUSED']);
    expect(await lastHold(who)).toMatchObject({ state: 'pausing' });
    return who;
  }

  test('[ENG-12, ENG-14, ENG-17] turning SmartPause off undoes the pause', async () => {
    const who = await inDoubtAdvertiser();
    await setSmartPause(who, false);
    expect(await suite.campaignsOf(who)).toMatchObject([{ held: false }]);
    await mend();
    await ended(who);
    expect(await lastHold(who)).toMatchObject({ outcome: 'resumed' });
    expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('[ENG-12] turning SmartPause off ends the hold of a confirmed pause without the ad account', async () => {
    const who = await heldAdvertiser();
    await loseAccounts(who);
    await later(6000);
    await who.user.get('/api/ad-accounts');
    await setSmartPause(who, false);
    await ended(who);
    expect(await reasonsOf(who)).toEqual(['smartpause_off']);
  });
});

describe('a failed read', () => {
  test.each([
    // A list that fails with code 2 is asked for seven times, the log once.
    ['campaigns', 2, 7, ['the campaigns could not be read']],
    ['activities', 2, 1, ['the activity log could not be read']],
    ['activities', 200, 1, []],
  ])('of %s with code %i is logged as such, and the resume follows', async (path, code, times, expected) => {
    const who = await heldAdvertiser();
    log = '';
    const match = { user: who.userId, method: 'GET', path };
    await graph().fault({ kind: 'error', code, times, match });
    await recovery();
    await become(who, 'ACTIVE');
    expect(log.match(/the (campaigns|activity log) could not be read/g) ?? []).toEqual(expected);
  });

  test('[ENG-14] of a held campaign that has left the list is logged, and the hold goes on', async () => {
    const who = await heldAdvertiser();
    await suite.edit(who, { status: 'ARCHIVED' });
    const match = { user: who.userId, method: 'POST', op: 'outer' };
    await graph().fault({ kind: 'error', code: 2, times: 0, match });
    log = '';
    await recovery();
    expect(log).toContain('the campaigns could not be read');
    expect(await reasonsOf(who)).toEqual([null]);
    await mend();
    await ended(who);
    expect(await reasonsOf(who)).toEqual(['archived']);
    expect((await activitiesOf(who)).at(-1)?.message).toContain('"Campaign 0"');
  });

  test('of the activity log at the rate limit of the ad account also stops the pauses', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    const colleague = await advertiser({
      campaigns: [],
      accountId: who.accountId,
      threshold: 'LOW',
      renews: true,
    });
    await outage();
    const match = { method: 'GET', path: 'activities' };
    await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 0, match });
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    await colleague.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await suite.turn();
    expect(await statuses(who)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('of one user at the rate limit of the ad account also stops the calls of the other users', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await suite.protectorOf(who);
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    await graph().fault({ kind: 'error', code: 80004, subcode: 2446079, times: 0, match });
    await outage();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await holdsOf(who.accountId)).toEqual([]);
  });
});

describe('lost access', () => {
  test.each([
    ['removes the app on Meta', removeApp],
    ['loses the permission', endPermission],
    ['loses the ad account', loseAccounts],
    [
      'loses the ad account and deletes the account here',
      async (who: Advertiser) => {
        await loseAccounts(who);
        await deleteAccount(who);
      },
    ],
  ])('after the user %s, a colleague with SmartPause on resumes the campaign', async (_title, lose) => {
    const who = await heldAdvertiser();
    await suite.protectorOf(who);
    await lose(who);
    await recovery();
    await become(who, 'ACTIVE');
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    const events = (await eventsOf(who)).filter((event) => event !== 'handed_over');
    expect(events.slice(-2)).toEqual(['taken_over', 'resumed']);
  });

  async function removeApp(who: Advertiser): Promise<void> {
    // Meta's clock is ahead, so that the request is newer than the login.
    await graph().post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + 2000 });
    const url = `${suite.product.url}/auth/facebook/deauthorize`;
    await graph().post('/callbacks', { userId: who.userId, url, removeApp: true });
    await eventually('the user to have left', who, async () => (await rowOf(who))?.initializedAt === null);
  }

  const denyChanges = (who: Advertiser) => refuse(who, 273);
  /** It is still listed. */
  const loseCampaign = (who: Advertiser) => refuse(who, 100, { subcode: 33 });

  test.each([
    ['permission', endPermission],
    ['access to the ad account', loseAccounts],
    ['right to change campaigns', denyChanges],
    ['access to the campaign', loseCampaign],
  ])('[SET-13] a user whose %s has ended can still delete the account', async (_title, lose) => {
    const who = await heldAdvertiser();
    await lose(who);
    await deleteAccount(who);
  });

  const denyReading = ({ userId: user }: Advertiser) =>
    graph().fault({ kind: 'error', code: 200, times: 0, match: { user, method: 'GET', path: 'campaigns' } });

  test.each([
    ['a sole user who may not read them', denyReading, false],
    ['a user who may not read them, beside one with SmartPause on for another,', denyReading, true],
    ['a sole user who may not change them', denyChanges, false],
  ])(
    '[ENG-13] %s gets one email, and the resume follows when access returns',
    async (_who, deny, hasOther) => {
      const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'PAUSED'] });
      const [, other = ''] = who.campaignIds;
      if (hasOther) await (await colleagueOf(who)).user.setSmartPause(who.accountId, other, true);
      await deny(who);
      await recovery();
      expect(await suite.workItemOf(who.accountId)).not.toMatchObject({ dueAt: null });
      const mail = await nextMailTo(suite, who.email, /lost access to 1 campaign/);
      expect(mail.text).toContain('Campaign 0');
      await later(minutes(12));
      expect(await statuses(who)).toEqual(['PAUSED', 'PAUSED']);
      await mend();
      await later(minutes(6));
      expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
      expect(await eventsOf(who)).toEqual(['paused', 'resumed']);
      const mails = await suite.simulators.mailbox.messagesTo(who.email);
      expect(mails.filter(({ subject }) => subject.includes('lost access to'))).toHaveLength(1);
    },
  );
});

describe('a write that Meta refuses for good', () => {
  const WORDS = 'Campaign has ended. The end date is in the past';

  const refuseEnded = ({ campaignIds: [campaign] }: Advertiser) => {
    const words = { userTitle: 'Campaign has ended', userMessage: 'The end date is in the past.' };
    const error = { kind: 'error', code: 100, subcode: 1487000, times: 0, ...words };
    return graph().fault({ ...error, method: 'POST', ...(campaign !== undefined && { campaign }) });
  };

  test('[FR-01] a resume is tried twice, a minute apart; then the hold ends and the user gets an email', async () => {
    const who = await heldAdvertiser();
    await refuseEnded(who);
    await recovery();
    await later(minutes(1) - 10_000);
    expect(await tries()).toBe(1);
    await later(10_000);
    expect(await tries()).toBe(2);
    expect(await lastHold(who)).toMatchObject({
      outcome: 'released',
      releaseReason: 'resume_refused',
      refusal: WORDS,
    });
    const text = `it stays paused, because Meta refused the change: ${WORDS}`;
    expect((await activitiesOf(who)).slice(1)).toEqual([
      { event: 'refused', message: `Did not resume "Campaign 0": ${text}.` },
    ]);
    expect((await nextMailTo(suite, who.email, /did not resume 1 campaign/)).text).toContain(text);
    await later(minutes(30));
    expect(await tries()).toBe(2);
  });

  test('[FR-01] a pause is tried twice in a match, and twice in the next one', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuseEnded(who);
    await outage();
    for (let minute = 0; minute < 10; minute += 1) await later(minutes(1));
    expect(await tries()).toBe(2);
    expect(await statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    const status = await suite.statusOf(who);
    expect(status).toMatchObject({ heldCampaigns: 1, pauseRefused: 1, protectedRunning: 2 });
    expect(status).not.toHaveProperty('notYetPaused');
    const text = `it keeps running and isn’t protected in this disruption, because Meta refused the change: ${WORDS}`;
    expect(await activitiesOf(who)).toEqual([
      { event: 'refused', message: `Could not pause "Campaign 0": ${text}.` },
    ]);
    expect((await nextMailTo(suite, who.email, /paused 1 campaign/)).text).toContain(
      `SmartPause does not try again in this disruption. Check it in Ads Manager.\n\nMeta says: “${WORDS}”.`,
    );
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE', 'ACTIVE']);
    await outage();
    await later(minutes(1));
    expect(await tries()).toBe(4);
  });

  test.each(['pause', 'resume'] as const)(
    '[FR-01] the %s button answers in Meta’s own words',
    async (button) => {
      const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
      await refuseEnded(who);
      const message = `Meta refused the change: ${WORDS}.`;
      expect((await press(who, button)).body).toMatchObject({ error: { message } });
      expect(await tries()).toBe(1);
      expect(await statuses(who)).toEqual(['ACTIVE']);
      const { db } = suite.product.app;
      const [campaign = ''] = who.campaignIds;
      const row = db.selectFrom('campaigns').select('pausedManuallyAt').where('id', '=', campaign);
      expect(await row.executeTakeFirst()).toEqual({ pausedManuallyAt: null });
    },
  );

  test('[FR-01] a live test of a campaign whose pause is refused says so', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await refuseEnded(who);
    await who.user.post(`/api/campaigns/${who.campaignIds[0] ?? ''}/live-test`, {});
    await ended(who);
    const { test: shown } = await who.user.get<{ test: object }>('/api/live-test');
    expect(shown).toMatchObject({ state: 'ended', reason: expect.stringContaining(WORDS) as string });
  });
});

test('a refused resume does not mark an ad account as lost where nothing is known to be paused by SmartPause', async () => {
  const who = await advertiser({ campaigns: ['PAUSED', 'ACTIVE'], on: 0 });
  await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
  await suite.lose(who);
  await outage();
  expect((await lastHold(who))?.state).toBe('pausing');
  await refuse(who, 200);
  await press(who, 'resume');
  expect((await accountsOf(who))[0]).not.toHaveProperty('notProtected');
});

describe('an ad account that the user must confirm in Ads Manager', () => {
  /** After an hour, at a random moment of the next minute. */
  const A_TRY = minutes(61);
  const CONFIRM = /^Not protected: confirm .+ in Ads Manager$/;

  const refuseAllWrites = (who: Advertiser) => refuse(who, 368);
  const emailsToConfirm = async ({ email }: Advertiser) =>
    (await allMailTo(suite, email)).filter((subject) => CONFIRM.test(subject));

  test('[FR-02] is tried once an hour and not protected, with one email, until Meta accepts a change', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await refuseAllWrites(who);
    await outage();
    expect(await tries()).toBe(1);
    const mail = await nextMailTo(suite, who.email, CONFIRM);
    expect(mail.text).not.toContain('paused until then');
    const unprotected = { protectedCampaigns: 1, notProtected: 'unconfirmed' };
    for (let hour = 1; hour <= 3; hour += 1) {
      await later(A_TRY - minutes(2));
      expect(await tries()).toBe(hour);
      expect((await accountsOf(who))[0]).toMatchObject(unprotected);
      const status = await suite.statusOf(who);
      expect(status).toMatchObject({ heldCampaigns: 0, pauseRefused: 1 });
      expect(status).not.toHaveProperty('notYetPaused');
      await later(minutes(2));
    }
    expect(await who.user.get('/api/me')).toMatchObject({ user: { access: 'ok' } });
    await mend();
    await later(A_TRY);
    expect(await statuses(who)).toEqual(['PAUSED']);
    const account = (await accountsOf(who))[0];
    expect(account).toMatchObject({ protectedCampaigns: 1 });
    expect(account).not.toHaveProperty('notProtected');
    await recovery();
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await emailsToConfirm(who)).toHaveLength(1);
  });

  test('[FR-02] with a campaign to resume: the email names it, and it is resumed when Meta accepts that', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'PAUSED'] });
    await refuseAllWrites(who);
    await recovery();
    await suite.product.app.db.updateTable('campaigns').set({ name: 'Campaign 0' }).execute();
    const { text } = await nextMailTo(suite, who.email, CONFIRM);
    expect(text).toContain('1 campaign stays paused until then.');
    expect(text).toContain(`Campaign 0 (${who.campaignIds[0] ?? ''})`);
    expect((await activitiesOf(who)).at(-1)?.message).toMatch(/until you confirm .+ in Ads Manager: ./);
    await mend();
    await later(A_TRY);
    expect(await changesOf(who)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('[FR-02] without another change it counts as confirmed after a day; the next refusal has its own email', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await refuseAllWrites(who);
    const click = () => press(who, 'pause');
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    await later(hours(24));
    expect((await accountsOf(who))[0]).toMatchObject({ notProtected: 'unconfirmed' });
    expect(await emailsToConfirm(who)).toHaveLength(1);
    await later(hours(1));
    expect((await accountsOf(who))[0]).not.toHaveProperty('notProtected');
    expect((await click()).status).toBeGreaterThanOrEqual(400);
    expect(await tries()).toBe(2);
    expect((await accountsOf(who))[0]).toMatchObject({ notProtected: 'unconfirmed' });
    expect(await emailsToConfirm(who)).toHaveLength(2);
  });
});
