import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes } from '../../../core/time.ts';
import { addManualChanges, findManualEnd } from '../../db/holds/manual-changes.ts';

const suite = engineSuite();
const { campaignsOf, heldAdvertiser, later, mend, outage, reasonsOf, recovery, statuses, statusOf } = suite;

describe('[FR-29, UX-20] a resume that Meta refuses for good', () => {
  const FAULT = { kind: 'error', times: 0, method: 'POST', op: 'inner' };
  const ENDED = { code: 100, subcode: 1487000, userTitle: 'Campaign has ended' };
  const press = async (who: Advertiser, action: string) => {
    const path = '/api/campaign-changes';
    return who.user.post<{ failed: object[] }>(path, { action, campaignIds: who.campaignIds });
  };
  const refused = async () => {
    const who = await heldAdvertiser();
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ ...FAULT, match, ...ENDED });
    await recovery();
    await later(minutes(1));
    expect(await reasonsOf(who)).toEqual(['resume_refused']);
    return who;
  };

  test('is shown in its words, and resumed with the button, which says at once what Meta answers', async () => {
    const who = await refused();
    const notResumed = { words: expect.stringContaining('Campaign has ended') as string };
    expect((await campaignsOf(who))[0]).toMatchObject({ held: false, notResumed });
    expect(await statusOf(who)).toMatchObject({ refusingAccounts: [who.accountId], notResumed: 1 });
    expect((await press(who, 'resume_now')).failed).toMatchObject([
      { message: expect.stringContaining('Campaign has ended') as string },
    ]);
    expect((await campaignsOf(who))[0]).toMatchObject({ smartPauseSetting: 'ON', notResumed });
    await mend();
    expect((await press(who, 'resume_now')).failed).toEqual([]);
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect((await campaignsOf(who))[0]).not.toHaveProperty('notResumed');
    expect(await statusOf(who)).not.toHaveProperty('refusingAccounts');
    expect(await statusOf(who)).not.toHaveProperty('notResumed');
  });

  test('is not resumed in an outage that would pause it again', async () => {
    const who = await refused();
    await outage();
    await mend();
    expect((await press(who, 'resume_now')).failed).toMatchObject([
      { code: 'SMARTPAUSE_ACTIVE', message: expect.stringContaining('would pause it again') as string },
    ]);
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('[EARLY-08] is not resumed while its user wants all paused, and says what to do', async () => {
    const who = await refused();
    await mend();
    await who.user.post('/api/pause-all', { until: null });
    expect((await press(who, 'resume_now')).failed).toMatchObject([
      { code: 'SMARTPAUSE_ACTIVE', message: expect.stringContaining('choose “Resume all”') as string },
    ]);
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test.each(['off', 'on'])('is no longer shown once its user turns SmartPause %s', async (setting) => {
    const who = await refused();
    await press(who, 'off');
    if (setting === 'on') await press(who, 'on');
    expect((await campaignsOf(who))[0]).not.toHaveProperty('notResumed');
  });

  test('and is pressed before its user turns SmartPause on again stays paused, like any other with SmartPause on', async () => {
    const who = await refused();
    await mend();
    await press(who, 'off');
    await later(minutes(1));
    const { db } = suite.product.app;
    const now = suite.product.clock.now();
    const campaigns = who.campaignIds.map((id) => ({ id, accountId: who.accountId }));
    const userId = (await suite.rowOf(who))?.id ?? '';
    const pressed = await addManualChanges(db, { userId, status: 'ACTIVE', campaigns }, now);
    await press(who, 'on');
    await later(minutes(1));
    const ends = await Promise.all([...pressed.values()].map((id) => findManualEnd(db, id)));
    expect(ends).toEqual([{ failure: 'SMARTPAUSE_ACTIVE', refusal: null }]);
    expect(await statuses(who)).toEqual(['PAUSED']);
  });
});
