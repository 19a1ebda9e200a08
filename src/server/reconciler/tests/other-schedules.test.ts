import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { wallTime } from '../../../core/time-zone.ts';
import { days, hours, minutes } from '../../../core/time.ts';

const suite = engineSuite();
const { activitiesOf, advertiser, campaignsOf, later, outage, reasonsOf, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;

const NIGHTS = { off: ['23:00'], on: ['06:00'] };
const tool = (who: Advertiser, times: object) =>
  graph().post(`/campaigns/${who.campaignIds[0] ?? ''}/tool`, times);

const NEW_YORK = 'America/New_York';

/** Moves to the next time of day in New York. */
async function at(hour: number, minute: number): Promise<void> {
  const wait = hours(hour) + minutes(minute) - (wallTime(NEW_YORK, suite.product.clock.now()) % days(1));
  await later(wait > 0 ? wait : wait + days(1));
}

/** Another tool has the campaign off from 11 PM to 6 AM, and an outage began at 9:30 PM. */
async function heldAtNight(): Promise<Advertiser> {
  await at(12, 0);
  const who = await advertiser({ campaigns: ['ACTIVE'] });
  await tool(who, NIGHTS);
  await suite.product.app.runTask('reading schedules of other tools');
  await at(21, 30);
  await outage();
  expect(await statuses(who)).toEqual(['PAUSED']);
  return who;
}

const shown = async (who: Advertiser) => (await campaignsOf(who))[0];

describe('[FR-34, ENG-25] a campaign that another tool has off at night', () => {
  test('is not resumed in these hours; the tool’s activation ends the hold, and SmartPause stays on', async () => {
    const who = await heldAtNight();
    await at(23, 40);
    await recovery();
    expect(await statuses(who)).toEqual(['PAUSED']);
    const row = await shown(who);
    expect(row).toMatchObject({ held: true, otherSchedule: { text: 'Off 11 PM to 6 AM by another tool' } });
    const postponedUntil = wallTime(NEW_YORK, Date.parse(row?.postponedUntil ?? ''));
    expect(postponedUntil % days(1)).toBe(hours(6) + minutes(15));
    expect((await suite.statusOf(who)).heldAccounts).toMatchObject([
      { delayedBy: 'other_tool', postponed: { count: 1, until: row?.postponedUntil } },
    ]);
    const told = (await activitiesOf(who)).at(-1);
    expect(told).toMatchObject({ event: 'postponed', message: expect.stringContaining('6:15 AM') as string });
    const mail = await nextMailTo(suite, who.email, /resumes 1 campaign later/);
    expect(mail.text).toContain('another tool has it off at this time');
    await at(5, 59);
    expect(await statuses(who)).toEqual(['PAUSED']);
    await at(6, 2);
    await later(minutes(1));
    expect(await reasonsOf(who)).toEqual(['resumed_by_schedule']);
    expect(await shown(who)).toMatchObject({ smartPauseSetting: 'ON', held: false });
  });

  test('is resumed 15 minutes later if the tool does not activate it', async () => {
    const who = await heldAtNight();
    await at(23, 40);
    await recovery();
    await tool(who, { off: [], on: [] });
    await at(6, 14);
    expect(await statuses(who)).toEqual(['PAUSED']);
    await at(6, 15);
    await later(minutes(1));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect((await activitiesOf(who)).map(({ event }) => event)).toEqual(['paused', 'postponed', 'resumed']);
  });

  test('that the tool activates in the match runs until the next match', async () => {
    const who = await heldAtNight();
    await at(6, 2);
    await later(minutes(1));
    expect(await reasonsOf(who)).toEqual(['resumed_by_schedule']);
    await later(minutes(10));
    expect(await statuses(who)).toEqual(['ACTIVE']);
    expect(await suite.statusOf(who)).not.toHaveProperty('notYetPaused');
    await recovery();
    await outage();
    expect(await statuses(who)).toEqual(['PAUSED']);
  });

  test('is resumed on time in the other hours, and by day', async () => {
    const who = await heldAtNight();
    await at(22, 30);
    await recovery();
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });

  test('is kept off by a user who turns SmartPause off, and resumed when the user leaves', async () => {
    const who = await heldAtNight();
    await at(23, 40);
    await recovery();
    await who.user.post('/api/account/deauthorize', {});
    await suite.turn();
    expect(await statuses(who)).toEqual(['ACTIVE']);
  });
});
