import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';

/** A user with a hold loses access to the campaign; another user also has SmartPause on for it. */
describe('lost access', () => {
  const suite = engineSuite();
  const {
    report,
    advertiser,
    statuses,
    become,
    becomeLater,
    eventually,
    atRest,
    settled,
    holdsOf,
    colleagueOf,
    rowOf,
    heldAdvertiser,
  } = suite;

  /** Held by the first user; a colleague turned SmartPause on later. */
  async function sharedHold(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    const colleague = await colleagueOf(who);
    await colleague.user.setSmartPause(who.accountId, who.campaignIds[0] ?? '', true);
    await atRest(who);
    return who;
  }

  const loseAccounts = ({ userId }: Advertiser) =>
    suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [] }] });

  async function expectResumedOnce(who: Advertiser): Promise<void> {
    await report('Resolved', 'UP');
    await becomeLater(who, ['ACTIVE']);
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  }

  test('after the app is removed on Meta, a colleague resumes the campaign', async () => {
    const who = await sharedHold();
    // Meta's clock is ahead, so that the request is newer than the login.
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + 2000 });
    const url = `${suite.product.url}/auth/facebook/deauthorize`;
    await suite.simulators.graph.post('/callbacks', { userId: who.userId, url, removeApp: true });
    await eventually('the holder to have left', who, async () => (await rowOf(who))?.initialized_at === null);
    await expectResumedOnce(who);
  });

  test('after a user without the ad account leaves, a colleague resumes the campaign', async () => {
    const who = await sharedHold();
    await loseAccounts(who);
    const answered = who.user.call('POST', '/api/account/delete');
    await eventually('the holder to be gone', who, async () => (await rowOf(who)) === undefined);
    await answered;
    const reported = await suite.product.app.db
      .selectFrom('activity')
      .select(['type', 'reason'])
      .where('campaign_id', '=', who.campaignIds[0] ?? '')
      .where('event', '=', 'taken_over')
      .execute();
    const reason = 'the user that it was paused for no longer has access to the ad account';
    expect(reported).toEqual([{ type: 'pause', reason }]);
    await expectResumedOnce(who);
  });

  test('after the user loses the ad account, a colleague resumes the campaign', async () => {
    const who = await sharedHold();
    await loseAccounts(who);
    await expectResumedOnce(who);
  });

  test('[ENG-13] a sole user is notified once and resumes when access returns', async () => {
    const who = await heldAdvertiser();
    const [only = ''] = who.campaignIds;
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 200, times: 0, match });
    await report('Resolved', 'UP');
    const notification = await nextMailTo(suite, who.email, /lost access to 1 campaign/);
    expect(notification.text).toContain('Campaign 0');
    expect(await statuses(who)).toEqual(['PAUSED']);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await becomeLater(who, ['ACTIVE']);
    await suite.until('the hold to end', async () =>
      (await holdsOf(who.accountId)).every(({ state }) => state === 'ended'),
    );
    expect(await changesOf(suite.simulators, only)).toEqual(['PAUSED', 'ACTIVE']);
    const subjects = (await suite.simulators.mailbox.messagesTo(who.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes('lost access to'))).toHaveLength(1);
  });
});
