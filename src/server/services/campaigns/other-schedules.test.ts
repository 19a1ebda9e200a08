import { describe, expect, test } from 'vitest';
import { days, hours, minutes, seconds } from '#core/time.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { OPEN_APP, silentLog } from '../../../../test/support/database.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { createTokenCipher } from '../../secrets.ts';
import { readSchedules } from './other-schedules.ts';

const NIGHTS = { off: ['23:00'], on: ['06:00'] };
const NIGHTLY = { text: 'Off 11 PM to 6 AM by another tool', timeZone: 'America/New_York' };

describe('schedules of other tools', () => {
  const suite = engineSuite();
  const db = () => suite.product.app.db;
  const graph = () => suite.simulators.graph;
  const read = () => suite.product.app.runTask('reading schedules of other tools');
  const shown = async (who: Advertiser) =>
    (await suite.campaignsOf(who))
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ otherSchedule }) => otherSchedule);

  /** With two campaigns, of which another tool pauses the first at night. */
  async function advertiser(given: { on?: number } = {}): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], ...given });
    await graph().post(`/campaigns/${who.campaignIds[0] ?? ''}/tool`, NIGHTS);
    return who;
  }

  /** How often the log was read in that time. */
  async function reads(then: () => Promise<unknown>): Promise<number> {
    const count = async () =>
      (await graph().requests()).filter(({ path }) => path.includes('/activities')).length;
    const before = await count();
    await then();
    return (await count()) - before;
  }
  const readsAfter = (ms: number) =>
    reads(async () => {
      await suite.advance(ms);
      await read();
    });

  test('[FR-34, ENG-25] one is recognised soon after SmartPause is turned on, and shown on the campaign', async () => {
    const who = await advertiser();
    expect(await shown(who)).toEqual([undefined, undefined]);
    await read();
    expect(await shown(who)).toEqual([NIGHTLY, undefined]);
    expect(await reads(read)).toBe(0);
  });

  test.each<[string, object, object]>([
    [
      'Asia/Kolkata',
      { off: ['Fri 18:00'], on: ['Mon 08:00'] },
      { text: 'Off Fri 6 PM to Mon 8 AM by another tool', timeZone: 'Asia/Kolkata' },
    ],
    [
      'Pacific/Apia',
      { off: ['12:00', '22:30'], on: ['14:00', '05:00'], days: 20 },
      { text: 'Off 12 PM to 2 PM, 10:30 PM to 5 AM by another tool', timeZone: 'Pacific/Apia' },
    ],
  ])('[FR-34] in the time zone of the ad account: %s, %j', async (timezone_name, tool, schedule) => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await graph().post(`/accounts/${who.accountId}`, { timezone_name });
    await graph().post(`/campaigns/${who.campaignIds[0] ?? ''}/tool`, tool);
    await suite.advance(hours(1));
    await suite.accountsOf(who);
    await read();
    expect(await shown(who)).toEqual([schedule]);
  });

  test('[ENG-25] the log is read weekly, and a schedule that has ended is forgotten', async () => {
    const who = await advertiser();
    await read();
    expect(await readsAfter(days(6))).toBe(0);
    await graph().post(`/campaigns/${who.campaignIds[0] ?? ''}/tool`, { off: [], on: [] });
    expect(await readsAfter(days(1))).toBe(1);
    expect(await shown(who)).toEqual([NIGHTLY, undefined]);
    expect(await readsAfter(days(13))).toBe(1);
    expect(await shown(who)).toEqual([undefined, undefined]);
  });

  test.each([
    ['no permission', { code: 200 }],
    ['a dead token', { code: 190 }],
    ['an account that is gone', { code: 100, subcode: 33 }],
    ['a fault of Meta', { code: 2 }],
    ['the limit of the account', { code: 17 }],
  ])('[FR-34] a log that cannot be read keeps the schedule and the access: %s', async (_what, error) => {
    const who = await advertiser();
    await read();
    await suite.advance(days(7));
    await graph().fault({ kind: 'error', ...error, times: 0, path: '/activities$' });
    expect(await reads(read)).toBeGreaterThan(0);
    await suite.mend();
    expect(await reads(read)).toBe(0);
    expect(await shown(who)).toEqual([NIGHTLY, undefined]);
    const lost = await db()
      .selectFrom('adAccounts')
      .select('lostAt')
      .where('id', '=', who.accountId)
      .execute();
    expect(lost).toEqual([{ lostAt: null }]);
    expect(await readsAfter(days(1)), 'the next day').toBe(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ['stopped', { limitedMs: minutes(5) }],
    ['nearly used up', { usage: 70 }],
  ])('[FR-31, FR-34] while the app is %s no log is read, and it stays due', async (_what, app) => {
    const who = await advertiser();
    await graph().post('/app', app);
    await suite.accountsOf(who);
    await suite.advance(seconds(6));
    await suite.accountsOf(who);
    expect(await reads(read)).toBe(0);
    await graph().post('/app', { limitedMs: 0, usage: 0 });
    await suite.advance(minutes(6));
    await suite.accountsOf(who);
    await suite.advance(minutes(3));
    expect(await reads(read)).toBe(1);
    expect(await shown(who)).toEqual([NIGHTLY, undefined]);
  });

  test('[FR-31, FR-34] the first log that meets the limit of the app is read again after it, as are the others', async () => {
    const all = [await advertiser(), await advertiser()];
    await graph().post('/app', { limitedMs: minutes(1) });
    expect(await reads(read)).toBe(1);
    await graph().post('/app', { limitedMs: 0 });
    await suite.advance(minutes(2));
    await suite.accountsOf(all[0] as Advertiser);
    expect(await readsAfter(minutes(3))).toBe(2);
    for (const who of all) expect(await shown(who)).toEqual([NIGHTLY, undefined]);
  });

  test('[FR-34] a log with gaps changes nothing', async () => {
    const who = await advertiser();
    await read();
    await suite.advance(days(7));
    const gaps = { ok: true as const, value: [], isPartial: true, usage: null };
    const { clock } = suite.product;
    await readSchedules({
      ...{ db: db(), clock, owner: 'me', app: OPEN_APP, isPlatformDown: () => false, log: silentLog },
      cipher: createTokenCipher([KEY_OF_TESTS]),
      platform: { readStatusChanges: () => Promise.resolve(gaps) },
    });
    expect(await shown(who)).toEqual([NIGHTLY, undefined]);
    expect(await reads(read)).toBe(0);
    expect(await readsAfter(days(1))).toBe(1);
  });

  test('[ENG-25] turning SmartPause on reads the log once a day at most, and another user reads it too', async () => {
    const who = await advertiser({ on: 1 });
    await read();
    await suite.advance(hours(1));
    const turnOn = () => who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await turnOn();
    expect(await reads(read), 'within the day').toBe(0);
    expect(await readsAfter(days(1))).toBe(1);
    const colleague = await suite.protectorOf(who);
    await graph().fault({ kind: 'error', code: 200, times: 0, path: '/activities$', user: who.userId });
    expect(await readsAfter(days(2)), 'the first user is refused').toBe(2);
    expect(await shown(colleague)).toEqual([NIGHTLY, undefined]);
  });

  test('[FR-34] without a time zone, and once SmartPause is off, no log is read', async () => {
    const who = await advertiser({ on: 1 });
    await db().updateTable('adAccounts').set({ timeZone: null }).execute();
    expect(await reads(read)).toBe(0);
    await db().updateTable('adAccounts').set({ timeZone: 'UTC' }).execute();
    await suite.setSmartPause(who, false);
    expect(await readsAfter(days(1))).toBe(0);
    expect(await readsAfter(days(8))).toBe(0);
    await suite.setSmartPause(who, true);
    expect(await reads(read)).toBe(1);
  });
});
