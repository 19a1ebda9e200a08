import { describe, expect, test } from 'vitest';
import type { Hold, LiveStatus } from './hold.ts';
import type { Owner } from './plan.ts';
import { needsReading, plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, statusAfter, steps, world } from './worlds.fixture.ts';

const UP = statusAfter('UP');
const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const now = START;
const RUNNING = now + 30_000;
const OVER = now - 1;

function testOn(live: LiveStatus | undefined, hold: Partial<Hold>, setting: CampaignLine['setting'] = 'OFF') {
  return { id: 'a', live, setting, hold: { testUntil: RUNNING, ...hold } } satisfies CampaignLine;
}

describe('[TEST-02] a live test of one campaign', () => {
  test.each<[string, CampaignLine, Partial<Owner>, string[]]>([
    ['is paused, also with SmartPause off', testOn('ACTIVE', { state: 'pausing' }), {}, ['a pause']],
    ['with SmartPause on', testOn('ACTIVE', { state: 'pausing' }, 'ON'), {}, ['a pause']],
    ['stays paused until its end', testOn('PAUSED', {}), {}, []],
    ['is resumed at its end', testOn('PAUSED', { testUntil: OVER }), {}, ['a resume']],
    ['is resumed at once for a leaving user', testOn('PAUSED', {}), { leaving: true }, ['a resume']],
    [
      'is resumed without a subscription',
      testOn('PAUSED', { testUntil: OVER }),
      { mayHold: false },
      ['a resume'],
    ],
    ['waits for the next login', testOn('PAUSED', { testUntil: OVER }), { tokenUsable: false }, []],
    [
      'is dropped if Meta did not accept the pause in time',
      testOn('ACTIVE', { state: 'pausing', testUntil: OVER }),
      {},
      ['a released released: not_needed'],
    ],
    [
      'leaves a campaign alone that is paused already',
      testOn('PAUSED', { state: 'pausing' }),
      {},
      ['a released released: paused_outside'],
    ],
    [
      'ends, with SmartPause as it was, if the campaign was resumed outside',
      testOn('ACTIVE', { suspicion: { status: 'ACTIVE', since: now - 20_000 } }, 'ON'),
      {},
      ['a released released: resumed_outside'],
    ],
  ])('%s', (_title, campaign, owner, expected) => {
    const one = world({ status: UP, owner, campaigns: [campaign] });
    expect(steps(plan(one, now))).toEqual(expected);
    if (one.owner.tokenUsable) expect(needsReading(one)).toBe(true);
  });

  test('is read again at its end, however late the retry is', () => {
    const campaign = testOn('ACTIVE', { state: 'pausing', retryAt: now + 999_000 });
    expect(plan(world({ status: UP, campaigns: [campaign] }), now).lookAt).toBe(RUNNING);
  });

  test('an outage keeps the pause of a campaign with SmartPause on, and says so', () => {
    const { changes } = plan(world({ status: HIGH, campaigns: [testOn('PAUSED', {}, 'ON')] }), now);
    expect(changes).toMatchObject([{ after: { state: 'paused', testUntil: null }, reports: ['paused'] }]);
    const pausing = testOn('ACTIVE', { state: 'pausing' }, 'ON');
    expect(plan(world({ status: HIGH, campaigns: [pausing] }), now).changes).toMatchObject([
      { after: { state: 'pausing', testUntil: null }, reports: [], send: true },
    ]);
  });

  test('an outage does not keep a campaign with SmartPause off', () => {
    const over = testOn('PAUSED', { testUntil: OVER });
    expect(steps(plan(world({ status: HIGH, campaigns: [over] }), now))).toEqual(['a resume']);
  });

  test('an outage stops a resume that is not confirmed', () => {
    const resuming = { state: 'resuming', testUntil: OVER, sentAt: now - 5000 } as const;
    const one = world({ status: HIGH, campaigns: [testOn('PAUSED', resuming, 'ON')] });
    expect(steps(plan(one, now))).toEqual([]);
    const later = plan({ ...one, readAt: now + 60_000 }, now + 60_000);
    expect(later.changes).toMatchObject([
      { after: { state: 'paused', testUntil: null }, reports: ['paused'] },
    ]);
  });
});
