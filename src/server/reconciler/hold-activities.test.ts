import { expect, test } from 'vitest';
import { describeEvent } from '#core/events.ts';
import { newHold } from '#core/reconciler/world.ts';
import { ADS_MANAGER, OURS } from '#core/reconciler/hold.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import { activityText } from '#core/outages/activity-text.ts';
import { INITIAL_STATUS, nextStatus } from '#core/smartpause/status.ts';
import type { Activity } from '../db/activities.ts';
import type { ActivityFacts } from './hold-activities.ts';
import * as activities from './hold-activities.ts';

const OF_CAMPAIGN = { accountId: 'act', campaign: { id: 'c', name: 'Shoes' } };
const FACTS: ActivityFacts = {
  ...{
    accountId: 'act',
    campaignId: 'c',
    name: 'Shoes',
    known: 'UP',
    isLeaving: false,
    endsWith: null,
    askerId: 'b',
    requesterName: 'Maya',
  },
};
const refusal = 'Too many ads';
const ROBIN = { at: Date.parse('2026-01-09T06:35:00Z'), tool: ADS_MANAGER, person: 'Robin Vale' };

const inShort = (activity: Activity) =>
  `${activity.actor}, ${describeEvent(activity).type}, ${activity.event}: ${activityText(describeEvent(activity), `"${activity.campaign?.name ?? ''}"`)}`;

test('a hold’s activity names the threshold, and the level, which may differ from Meta’s status', () => {
  const status = nextStatus(INITIAL_STATUS, { trueLevel: 'MEDIUM_DISRUPTION' }, 1);
  const hold = newHold({ status, readAt: 1 }, { id: 'a', threshold: 'LOW' }, 1);
  const ofTest = newHold({ status, readAt: 1 }, { id: 'a', threshold: 'LOW' }, 1, 2);
  const leaving = { ...FACTS, isLeaving: true };
  const of = (report: Parameters<typeof activities.holdActivity>[0], one = hold, facts = FACTS) => {
    const activity = activities.holdActivity(report, one, facts);
    expect(activity).toMatchObject({ ...OF_CAMPAIGN, userId: 'a', isOfHold: true });
    return inShort(activity);
  };
  expect([
    of('paused'),
    of('paused', { ...hold, isOverride: true }),
    of('paused', ofTest),
    of('paused', { ...hold, beganAsTest: true }),
    of('resumed'),
    of('resumed', hold, leaving),
    of('resumed', ofTest),
    of('not_needed'),
    of('not_needed', ofTest),
    of('released', { ...hold, releaseReason: 'manual_pause' }),
    of('released', { ...ofTest, releaseReason: 'archived' }),
    of('deactivated', { ...hold, releaseReason: 'archived' }),
    of('refused', { ...hold, releaseReason: 'resume_refused', refusal }),
    of('refused', { ...hold, releaseReason: 'pause_refused' }),
    of('released', { ...hold, pausedAt: 1, releaseReason: 'resumed_now' }),
    of('released', {
      ...hold,
      pausedAt: 1,
      releaseReason: 'resumed_by_other',
      outside: { at: 1, tool: OURS, person: null },
    }),
    of('released', { ...hold, releaseReason: 'resumed_now' }),
    of('refused', { ...ofTest, releaseReason: 'pause_refused', refusal }),
    of('retrying', { ...hold, state: 'pausing', refusal }),
    of('retrying', { ...hold, state: 'resuming', refusal }),
    of('postponed', { ...hold, postponedUntil: Date.parse('2026-01-09T11:15:00Z') }),
    of('taken_over'),
    of('taken_over', ofTest),
    of('deactivated', { ...hold, releaseReason: 'resumed_outside', outside: ROBIN }),
    of('released', {
      ...hold,
      releaseReason: 'resumed_by_schedule',
      outside: { ...ROBIN, tool: 'Night Shift' },
    }),
    of('released', { ...hold, releaseReason: 'already_active' }),
    of('deactivated', { ...hold, releaseReason: 'resumed_outside', outside: { ...ROBIN, tool: OURS } }),
    of('released', { ...ofTest, releaseReason: 'resumed_outside', outside: ROBIN }),
    of('released', { ...hold, releaseReason: 'paused_outside', outside: ROBIN }),
  ]).toMatchInlineSnapshot(`
    [
      "smartpause, pause, paused: Paused "Shoes": medium disruptions, your threshold is low.",
      "smartpause, pause, paused: Paused "Shoes": medium disruptions, set by the SmartPause team, your threshold is low.",
      "smartpause, pause, test_paused: Test: paused "Shoes".",
      "smartpause, pause, paused: Kept "Shoes" paused after its test: medium disruptions, your threshold is low.",
      "smartpause, resume, resumed: Resumed "Shoes": the outage is over.",
      "smartpause, resume, resumed: Resumed "Shoes": you are leaving SmartPause.",
      "smartpause, resume, test_resumed: Test: resumed "Shoes".",
      "smartpause, other, released: Did not pause "Shoes": the disruption ended before Meta accepted the pause; it kept running.",
      "smartpause, other, test_released: Test: did not pause "Shoes": Meta did not accept the pause in time; it kept running.",
      "smartpause, other, released: Did not resume "Shoes": it was paused manually here; it stays paused.",
      "smartpause, other, test_released: Test: did not resume "Shoes": it was archived.",
      "smartpause, other, deactivated: Did not resume "Shoes": it was archived; SmartPause is now disabled for it.",
      "smartpause, other, refused: Did not resume "Shoes": it stays paused, because Meta refused the change: Too many ads.",
      "smartpause, other, refused: Could not pause "Shoes": it keeps running and isn’t protected in this disruption, because Meta refused the change.",
      "smartpause, resume, released: Resumed "Shoes": you resumed it here; SmartPause stays on for it.",
      "smartpause, other, released: Another user of SmartPause resumed "Shoes" on Dec 31, 1969, 7:00 PM EST (Jan 1, 00:00 UTC): SmartPause stays on for it.",
      "smartpause, other, released: Did not pause "Shoes": you resumed it here; SmartPause stays on for it.",
      "smartpause, other, test_released: Test: could not pause "Shoes": it keeps running, because Meta refused the change: Too many ads.",
      "smartpause, other, retrying: Meta refused to pause "Shoes": Too many ads. SmartPause tries again after 1 minute, after 10 minutes, and then every hour.",
      "smartpause, other, retrying: Meta refused to resume "Shoes": Too many ads. SmartPause tries again after 1 minute, after 10 minutes, and then every hour.",
      "smartpause, other, postponed: Kept "Shoes" paused: another tool has it off at this time, as on other days; SmartPause resumes it on Jan 9, 2026, 6:15 AM EST (11:15 UTC) at the latest.",
      "smartpause, pause, taken_over: Kept "Shoes" paused for you: it is paused for the outage, and SmartPause resumes it for you.",
      "smartpause, pause, taken_over: Test: kept "Shoes" paused for you: it is paused for a live test, and SmartPause resumes it for you.",
      "smartpause, other, deactivated: Robin Vale resumed "Shoes" in Ads Manager on Jan 9, 2026, 1:35 AM EST (06:35 UTC): SmartPause is now disabled for it.",
      "smartpause, other, released: Night Shift resumed "Shoes" for Robin Vale on Jan 9, 2026, 1:35 AM EST (06:35 UTC): as on other days; SmartPause stays on for it.",
      "smartpause, other, released: Someone resumed "Shoes" outside SmartPause: SmartPause did not need to.",
      "smartpause, other, deactivated: Another user of SmartPause resumed "Shoes" on Jan 9, 2026, 1:35 AM EST (06:35 UTC): SmartPause is now disabled for it.",
      "smartpause, other, test_released: Test: Robin Vale resumed "Shoes" in Ads Manager on Jan 9, 2026, 1:35 AM EST (06:35 UTC).",
      "smartpause, other, released: Did not resume "Shoes": it was paused in Ads Manager by Robin Vale on Jan 9, 2026, 1:35 AM EST (06:35 UTC); it stays paused.",
    ]
  `);
});

test('a write’s activity says who changed the campaign, or what Meta did', () => {
  const pause = withWish(null, { userId: 'a', status: 'PAUSED', requestedAt: 1 });
  const resume = { ...pause, target: 'ACTIVE', refusal } as const;
  const unsent = { userId: 'a', target: 'ACTIVE', refusal: null, failureKind: null } as const;
  const failed = { ...unsent, failure: 'CAMPAIGN_ACTION_FAILED' } as const;
  const all = [
    activities.manualActivity(pause, FACTS),
    activities.manualActivity(resume, FACTS),
    activities.manualFailedActivity(failed, FACTS),
    activities.manualFailedActivity({ ...failed, refusal, failureKind: 'rejected' }, FACTS),
    activities.manualFailedActivity({ ...failed, failureKind: 'blocked' }, FACTS),
    activities.manualFailedActivity({ ...failed, failureKind: 'transient' }, FACTS),
    activities.manualFailedActivity({ ...unsent, failure: 'TOKEN_EXPIRED' }, FACTS),
    activities.manualFailedActivity({ ...unsent, failure: 'SMARTPAUSE_ACTIVE' }, FACTS),
    activities.restoreActivity('restored', pause, FACTS),
    activities.restoreActivity('restored', resume, FACTS),
    activities.restoreActivity('not_restored', pause, FACTS),
    activities.restoreActivity('not_restored', resume, FACTS),
    activities.handedOverActivity('a', FACTS),
  ];
  for (const one of all) expect(one).toMatchObject({ ...OF_CAMPAIGN, userId: 'a' });
  const forOther = activities.resumedForOther(FACTS);
  expect(forOther).toMatchObject([{ ...OF_CAMPAIGN, userId: 'b' }]);
  expect([...all, ...forOther].map(inShort)).toMatchInlineSnapshot(`
    [
      "user, pause, manual_pause: Maya paused "Shoes".",
      "user, resume, manual_resume: Maya resumed "Shoes".",
      "user, other, manual_failed: Could not resume "Shoes": Meta did not apply the change.",
      "user, other, manual_failed: Could not resume "Shoes": Meta refused the change: Too many ads.",
      "user, other, manual_failed: Could not resume "Shoes": Meta refuses changes until you confirm your account in Ads Manager.",
      "user, other, manual_failed: Could not resume "Shoes": Meta did not apply the change.",
      "user, other, manual_failed: Could not resume "Shoes": the Meta connection has expired.",
      "user, other, manual_failed: Could not resume "Shoes": SmartPause is on for it.",
      "smartpause, pause, taken_back: Paused "Shoes" again: Meta applied our earlier resume only after it was paused manually.",
      "smartpause, resume, taken_back: Resumed "Shoes" again: Meta applied our earlier pause only after it was resumed manually.",
      "smartpause, other, not_restored: Could not pause "Shoes" again: Meta applied our earlier resume late and it could not be undone.",
      "smartpause, other, not_restored: Could not resume "Shoes" again: Meta applied our earlier pause late and refused to undo it: Too many ads.",
      "smartpause, other, handed_over: Kept "Shoes" paused for another user of the ad account: SmartPause resumes it for them.",
      "user, resume, manual_resume: Resumed "Shoes": you resumed it here; SmartPause stays on for it.",
    ]
  `);
});

test.each([
  ['busy', true, null, 'CAMPAIGN_BUSY'],
  ['smartpause_active', true, null, 'SMARTPAUSE_ACTIVE'],
  ['unconfirmed', true, null, 'CAMPAIGN_ACTION_FAILED'],
  ['busy', false, null, 'TOKEN_EXPIRED'],
  ['refused', true, 'token_invalid', 'TOKEN_EXPIRED'],
  ['refused', true, 'permission', 'CAMPAIGN_ACTION_FAILED'],
] as const)(
  'the API error of a failed manual change: %s, token %s, %s',
  (failure, hasToken, failureKind, code) => {
    expect(activities.apiErrorOf(failure, { hasToken, failureKind })).toBe(code);
  },
);
