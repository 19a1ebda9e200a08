import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf } from '../../../../test/support/product.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';

const MINUTE = 60_000;

/** Whoever held a campaign can reach it no longer; somebody else has SmartPause on for it as well. */
describe('lost access', () => {
  const suite = engineSuite();
  const {
    report,
    known,
    advertiser,
    statuses,
    become,
    atRest,
    settled,
    holdsOf,
    colleagueOf,
    rowOf,
    heldAdvertiser,
  } = suite;

  /** Held by the first, and wanted by a colleague who came later. */
  async function sharedHold(): Promise<Advertiser> {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    const colleague = await colleagueOf(who);
    await colleague.person.setSmartPause(who.accountId, who.campaignIds[0] ?? '', true);
    await atRest(who);
    return who;
  }

  const loseAccounts = ({ userId }: Advertiser) =>
    suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [] }] });

  async function expectResumedOnce(who: Advertiser): Promise<void> {
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE']);
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  }

  test('they removed the app on Meta: the colleague gets the campaign back', async () => {
    const who = await sharedHold();
    // Meta's clock is ahead, so that the request is younger than the login.
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() + 2000 });
    const url = `${suite.product.url}/auth/facebook/deauthorize`;
    await suite.simulators.graph.post('/callbacks', { userId: who.userId, url, removeApp: true });
    await waitFor('the holder to have left', async () => (await rowOf(who))?.initialized_at === null);
    await expectResumedOnce(who);
  });

  test('they lost the ad account and delete their own: the colleague gets the campaign back', async () => {
    const who = await sharedHold();
    await loseAccounts(who);
    await who.person.call('POST', '/api/account/delete');
    await waitFor('the holder to be gone', async () => {
      suite.product.clock.advance(MINUTE);
      await known('HIGH_DISRUPTION');
      return (await rowOf(who)) === undefined;
    });
    const told = await suite.product.app.db
      .selectFrom('activity')
      .select(['type', 'reason'])
      .where('campaign_id', '=', who.campaignIds[0] ?? '')
      .where('event', '=', 'taken_over')
      .execute();
    const reason = 'whoever it was paused for has no access to the ad account any more';
    expect(told).toEqual([{ type: 'pause', reason }]);
    await expectResumedOnce(who);
  });

  test('they lost the ad account: the colleague gets the campaign back', async () => {
    const who = await sharedHold();
    await loseAccounts(who);
    await expectResumedOnce(who);
  });

  test('[ENG-13] nobody else can reach it: its person is told once, and what they hold is resumed when they can', async () => {
    const who = await heldAdvertiser();
    const [only = ''] = who.campaignIds;
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 200, times: 0, match });
    await report('Resolved', 'UP');
    const mail = await nextMailTo(suite, who.email, /can no longer reach 1 campaign/);
    expect(mail.text).toContain('Campaign 0');
    expect(await statuses(who)).toEqual(['PAUSED']);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await waitFor('the campaign to run', async () => {
      suite.product.clock.advance(MINUTE);
      return (await statuses(who))[0] === 'ACTIVE';
    });
    await waitFor('the hold to end', async () =>
      (await holdsOf(who.accountId)).every(({ state }) => state === 'ended'),
    );
    expect(await changesOf(suite.simulators, only)).toEqual(['PAUSED', 'ACTIVE']);
    const told = (await suite.simulators.mailbox.messagesTo(who.email)).map(({ subject }) => subject);
    expect(told.filter((subject) => subject.includes('can no longer reach'))).toHaveLength(1);
  });
});
