import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { minutes, seconds } from '../../../core/time.ts';

const suite = engineSuite();
const { advertiser, campaignsOf, changesOf, edit, heldAdvertiser, lastHold, later, mend, outage } = suite;
const { reasonsOf, recovery, setSmartPause, statuses, tries } = suite;
const graph = () => suite.simulators.graph;

/** The next reads show what was true that long ago. */
const lag = (ms: number, times = 0) => graph().fault({ kind: 'lagging_read', ms, times });
/** The log lacks its entries of that time. */
const delayLog = (ms: number) => graph().fault({ kind: 'late_log', ms, times: 0 });

const settingOf = async (who: Advertiser) => (await campaignsOf(who))[0]?.smartPauseSetting;

describe('[ENG-19] [FR-24] reads of a replica that is behind', () => {
  test.each([15, 30, 90])('show a paused campaign as running for %i s: it stays held', async (lagS) => {
    const who = await heldAdvertiser();
    await lag(seconds(lagS));
    const steps = Math.ceil(lagS / 11);
    for (let step = 0; step < steps; step += 1) {
      await suite.advance(seconds(lagS / steps));
      // A change of the level makes the account due.
      await suite.report(
        step % 2 === 0 ? 'Medium disruptions' : 'High disruptions',
        ['MEDIUM_DISRUPTION', 'HIGH_DISRUPTION'][step % 2] as string,
      );
    }
    expect(await tries()).toBeGreaterThan(0);
    await mend();
    await later(minutes(1));
    expect([await lastHold(who), await settingOf(who)]).toMatchObject([{ state: 'paused' }, 'ON']);
    await recovery();
    await later(minutes(2));
    expect([await statuses(who), await changesOf(who)]).toEqual([['ACTIVE'], ['PAUSED', 'ACTIVE']]);
    expect(await settingOf(who)).toBe('ON');
  });

  test('show a resumed campaign as paused: the next match pauses it as soon as a read shows it', async () => {
    const who = await heldAdvertiser();
    await suite.advance(minutes(5));
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    await suite.advance(seconds(15));
    await lag(seconds(30), 1);
    await outage();
    const began = suite.product.clock.now();
    expect(await statuses(who)).toEqual(['ACTIVE']);
    await suite.eventually('another pause', who, async () => (await statuses(who))[0] === 'PAUSED');
    expect(suite.product.clock.now() - began).toBeLessThan(minutes(1));
    expect(await reasonsOf(who)).toEqual([null, null]);
  });

  test('do not make a hold out of a pause with the button', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await setSmartPause(who, true);
    await suite.press(who, 'pause');
    await suite.advance(seconds(20));
    await lag(seconds(25), 1);
    await outage();
    await later(minutes(2));
    await recovery();
    await later(minutes(2));
    expect([await statuses(who), await reasonsOf(who)]).toEqual([['PAUSED'], []]);
  });

  test('do not make a hold out of a pause by a user who has deleted their account since', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await setSmartPause(who, true);
    const colleague = await advertiser({ campaigns: [], accountId: who.accountId });
    await suite.press({ ...who, user: colleague.user }, 'pause');
    expect((await colleague.user.call('POST', '/api/account/delete')).status).toBe(200);
    await lag(seconds(60), 1);
    await outage();
    await later(minutes(2));
    await recovery();
    await later(minutes(2));
    expect([await statuses(who), await reasonsOf(who)]).toEqual([['PAUSED'], []]);
  });
});

describe('[ENG-19] a held campaign that is resumed in Ads Manager', () => {
  test('is released as soon as the late log names that', async () => {
    const who = await heldAdvertiser();
    await suite.advance(minutes(1));
    await delayLog(minutes(4));
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(2));
    await later(seconds(11));
    expect([await lastHold(who), await settingOf(who)]).toMatchObject([{ state: 'paused' }, 'ON']);
    await later(minutes(3));
    expect([await reasonsOf(who), await settingOf(who)]).toEqual([['resumed_outside'], 'DEACTIVATED']);
  });

  test('is shown as being checked after ten minutes while the log does not name it, and resumed when due', async () => {
    const who = await heldAdvertiser();
    await suite.advance(minutes(1));
    await delayLog(minutes(600));
    await edit(who, { status: 'ACTIVE' });
    await later(minutes(6));
    expect((await campaignsOf(who))[0]).not.toHaveProperty('isBeingChecked');
    await suite.eventually(
      'the words',
      who,
      async () => (await campaignsOf(who))[0]?.isBeingChecked === true,
    );
    expect(await lastHold(who)).toMatchObject({ state: 'paused' });
    await recovery();
    await later(minutes(2));
    expect(await lastHold(who)).toMatchObject({ state: 'ended', outcome: 'resumed' });
    expect([await statuses(who), await settingOf(who)]).toEqual([['ACTIVE'], 'ON']);
  });
});
