import { describe, expect, test } from 'vitest';
import { minutes } from '../../../core/time.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { advanceToNextPass } from '../../../../test/support/due.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

const ENDED = { code: 100, subcode: 1487000, userTitle: 'Campaign has ended' };
const WORDS = 'Campaign has ended. The end date is in the past';

describe('a write that Meta refuses for good', () => {
  const suite = engineSuite();
  const { advertiser, atRest, become, eventually, heldAdvertiser, holdsOf, report, settled } = suite;

  const only = (who: Advertiser) => who.campaignIds[0] ?? '';
  const last = async (who: Advertiser) => (await holdsOf(who.accountId)).at(-1);
  const end = (who: Advertiser) =>
    eventually('the hold to end', who, async () => (await last(who))?.state === 'ended');

  const isEnded = ({ state }: { state: string }) => state === 'ended';

  const setTimes = (id: string, times: Record<string, number>) =>
    suite.simulators.graph.post(
      `/campaigns/${id}`,
      Object.fromEntries(Object.entries(times).map(([name, at]) => [name, new Date(at).toISOString()])),
    );

  async function refuse(who: Advertiser): Promise<void> {
    const order = { kind: 'error', ...ENDED, userMessage: 'The end date is in the past.', times: 0 };
    await suite.simulators.graph.fault({ ...order, method: 'POST', campaign: only(who) });
  }

  /** How often the ordered faults were met since they were ordered. */
  async function tries(): Promise<number> {
    const { faults } = await suite.simulators.graph.ask<{ faults: { hits: number }[] }>('GET', '/faults');
    return faults.reduce((sum, { hits }) => sum + hits, 0);
  }

  const activitiesOf = async (who: Advertiser) => {
    const rows = await suite.product.app.db
      .selectFrom('activity')
      .select(['event', 'message'])
      .where('campaign_id', '=', only(who))
      .orderBy('id')
      .execute();
    return rows.filter(({ event }) => event !== 'smartpause');
  };

  test('[FR-01] a resume is tried twice, a minute apart; then the hold ends and the user gets an email', async () => {
    const who = await heldAdvertiser();
    await refuse(who);
    await report('Resolved', 'UP');
    await eventually('the first try', who, async () => (await tries()) === 1);
    const firstAt = suite.product.clock.now();
    await end(who);
    expect(suite.product.clock.now() - firstAt).toBeGreaterThanOrEqual(minutes(1) - 5000);
    expect(await last(who)).toMatchObject({ outcome: 'released', reason: 'resume_refused', refusal: WORDS });
    const told = `it stays paused, because Meta refused the change: ${WORDS}`;
    expect((await activitiesOf(who)).slice(1)).toEqual([
      { event: 'refused', message: `Did not resume "Campaign 0": ${told}.` },
    ]);
    const mail = await nextMailTo(suite, who.email, /did not resume 1 campaign/);
    expect(mail.text).toContain(told);
    suite.product.clock.advance(minutes(30));
    await atRest(who);
    expect(await tries()).toBe(2);
  });

  test('[FR-01] a pause is tried twice in a match, and twice in the next one', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await refuse(who);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await eventually('the hold to end', who, async () => (await holdsOf(who.accountId)).some(isEnded));
    expect(await suite.statuses(who)).toEqual(['ACTIVE', 'PAUSED']);
    for (let looks = 0; looks < 3; looks += 1) await advanceToNextPass(suite.product, who.accountId);
    await atRest(who);
    expect(await tries()).toBe(2);
    const { status } = await who.user.get<{ status: object }>('/api/user/status');
    expect(status).toMatchObject({ heldCampaigns: 1, pauseRefused: 1, protectedRunning: 2 });
    expect(status).not.toHaveProperty('notYetPaused');
    const told = `it keeps running and isn’t protected in this disruption, because Meta refused the change: ${WORDS}`;
    expect(await activitiesOf(who)).toEqual([
      { event: 'refused', message: `Could not pause "Campaign 0": ${told}.` },
    ]);
    const mail = await nextMailTo(suite, who.email, /paused 1 campaign/);
    expect(mail.text).toContain(told);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE']);
    await report('High disruptions', 'HIGH_DISRUPTION');
    await eventually('two more tries', who, async () => (await tries()) === 4);
  });

  test('[FR-01] a held campaign that has ended is not resumed, unless its end date was moved', async () => {
    const who = await heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    const now = suite.product.clock.now();
    for (const id of who.campaignIds) await setTimes(id, { stop_time: now - 1000 });
    suite.product.clock.advance(minutes(6));
    await atRest(who);
    await setTimes(who.campaignIds[1] ?? '', { stop_time: now + minutes(90) });
    await report('Resolved', 'UP');
    await become(who, ['PAUSED', 'ACTIVE']);
    await end(who);
    expect(await activitiesOf(who)).toEqual([
      expect.objectContaining({ event: 'paused' }),
      {
        event: 'released',
        message: 'Did not resume "Campaign 0": it ended while it was paused; it stays as it is.',
      },
    ]);
    expect(await suite.simulators.graph.writes()).not.toContainEqual(
      expect.objectContaining({ campaign: only(who), status: 'ACTIVE' }),
    );
  });

  test('[FR-01] ended and scheduled campaigns are not paused, until the start date', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE'] });
    const now = suite.product.clock.now();
    const startsAt = now + minutes(2);
    await setTimes(only(who), { stop_time: now });
    await setTimes(who.campaignIds[1] ?? '', { start_time: startsAt });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['ACTIVE', 'ACTIVE', 'PAUSED']);
    await settled(who);
    expect((await suite.workItemOf(who.accountId)).next_due_at?.getTime()).toBe(startsAt);
    const { adAccounts } = await who.user.get<{ adAccounts: object[] }>('/api/ad-accounts');
    expect(adAccounts[0]).toMatchObject({ protectedCampaigns: 1 });
    const { campaigns } = await who.user.get<{ campaigns: object[] }>(`/api/campaigns/${who.accountId}`);
    expect(campaigns).toMatchObject([
      { name: 'Campaign 0', undelivered: { why: 'ended', at: new Date(now).toISOString() } },
      { name: 'Campaign 1', undelivered: { why: 'scheduled', at: new Date(startsAt).toISOString() } },
      { name: 'Campaign 2' },
    ]);
    const { status } = await who.user.get<{ status: object }>('/api/user/status');
    expect(status).toMatchObject({ heldCampaigns: 1, protectedRunning: 1 });
    expect(status).not.toHaveProperty('notYetPaused');
    await advanceToNextPass(suite.product, who.accountId);
    await become(who, ['ACTIVE', 'PAUSED', 'PAUSED']);
  });

  test('[FR-01] a user who pauses or resumes is answered in Meta’s own words', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await refuse(who);
    for (const act of ['pause', 'resume']) {
      const answer = who.user.post(`/api/campaigns/${only(who)}/${act}`, {});
      await expect(answer).rejects.toThrow(`Meta refused the change: ${WORDS}.`);
    }
    expect(await tries()).toBe(2);
    await become(who, ['ACTIVE']);
  });

  test('[FR-01] the second try of another user, to whom the hold went, is the last one', async () => {
    const who = await heldAdvertiser();
    const colleague = await suite.colleagueOf(who);
    await colleague.user.setSmartPause(who.accountId, only(who), true);
    await refuse(who);
    await report('Resolved', 'UP');
    await eventually('the first try', who, async () => (await tries()) === 1);
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await suite.product.app.db
      .updateTable('platform_token')
      .set({ check_at: new Date(0) })
      .execute();
    await end(who);
    expect(await last(who)).toMatchObject({ reason: 'resume_refused' });
    expect(await tries()).toBe(2);
    expect((await activitiesOf(who)).map(({ event }) => event)).toEqual(['paused', 'taken_over', 'refused']);
  });

  test('[FR-01] a live test of a campaign whose pause is refused says so', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await refuse(who);
    await who.user.post(`/api/campaigns/${only(who)}/live-test`, {});
    await end(who);
    const { test: shown } = await who.user.get<{ test: object }>('/api/live-test');
    expect(shown).toMatchObject({ state: 'ended', reason: expect.stringContaining(WORDS) as string });
  });
});
