import { expect, test } from 'vitest';
import type { Campaign, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import {
  budgetLabel,
  canResumeNow,
  countsIn,
  isDelivered,
  isHeld,
  outlookOf,
  showsSmartPauseActive,
  statesOf,
  undeliveredCopy,
} from './campaign-view.ts';

const up: PlatformStatus = { success: true, status: 'UP', message: '', checkedAt: null, since: null };
const high: PlatformStatus = { ...up, status: 'HIGH_DISRUPTION' };
const user: UserStatus = {
  resumeSettings: { mode: 'instant' },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
};
const ended = { why: 'ended', at: '2026-03-16T23:30:00.000Z' } as const;
const scheduled = { ...ended, why: 'scheduled' } as const;
const paused = { smartPauseSetting: 'ON', status: 'PAUSED' } as const;
const NOT_RESUMED = { words: 'Campaign has ended', at: '2026-01-09T02:10:00Z' };
const NIGHTLY = { text: 'Off 11 PM to 6 AM by another tool', timeZone: 'Europe/Berlin' };

test.each([
  ['on, paused, threshold met', paused, high, user, true],
  ['on, paused, resume scheduled', paused, up, { ...user, resumeAt: '2026-01-08T21:47:00Z' }, true],
  ['on, paused, all is well', paused, up, user, false],
  ['on, paused, below the threshold', paused, { ...up, status: 'LOW_DISRUPTION' } as const, user, false],
  ['on, paused, status unknown', paused, { ...up, status: 'UNKNOWN' } as const, user, false],
  [
    'paused by SmartPause, status unknown',
    { ...paused, held: true },
    { ...up, status: 'UNKNOWN' } as const,
    user,
    true,
  ],
  ['off, paused, threshold met', { ...paused, smartPauseSetting: 'OFF' } as const, high, user, false],
  ['on, paused, but ended', { ...paused, undelivered: ended }, high, user, false],
  [
    '[FR-29] on, paused since Meta refused the resume',
    { ...paused, notResumed: NOT_RESUMED },
    high,
    user,
    false,
  ],
  ['on, running, threshold met', { ...paused, status: 'ACTIVE' }, high, user, false],
])('[DASH-09] SmartPause Active: %s', (_, campaign, status, who, shown) => {
  expect(showsSmartPauseActive(campaign, status, who)).toBe(shown);
});

test('[UX-03] without the field of the server a campaign is held as the badge says', () => {
  const campaign = { id: '1', name: 'Hats', objective: '', ...paused };
  expect([true, false].map((held) => isHeld({ ...campaign, held }, high, user))).toEqual([true, false]);
  expect([high, up, null].map((status) => isHeld(campaign, status, user))).toEqual([true, false, false]);
});

test.each<[string, Partial<Campaign>, string[]]>([
  ['paused before', { held: false }, []],
  [
    '[ENG-19] read as running',
    { held: false, status: 'ACTIVE', isBeingChecked: true },
    ['Running on Meta, being checked'],
  ],
  [
    '[FR-29, ENG-21] refused',
    { held: true, refused: { action: 'resume', words: 'Two-factor required', retryAt: null } },
    ['Meta refuses to resume it'],
  ],
  [
    '[FR-29] not resumed',
    { held: false, status: 'PAUSED', notResumed: NOT_RESUMED },
    ['Not resumed: Meta refused (Campaign has ended)'],
  ],
  [
    '[FR-29] not resumed, without words',
    { notResumed: { ...NOT_RESUMED, words: null } },
    ['Not resumed: Meta refused'],
  ],
  [
    '[FR-29] not resumed, and pressed again',
    { notResumed: NOT_RESUMED, pendingStatus: 'ACTIVE' },
    ['Resuming: waiting for Meta'],
  ],
  [
    'refused, in a live test whose end is over, and pending',
    {
      ...{ held: false, testUntil: new Date('2026-01-09T02:10:00Z').toISOString(), pendingStatus: 'ACTIVE' },
      refused: { action: 'resume', words: 'Two-factor required', retryAt: null },
    },
    ['Meta refuses to resume it'],
  ],
  [
    '[FR-02] refused until the account is confirmed',
    { refused: { action: 'pause', words: null, retryAt: new Date('2026-01-09T02:10:00Z').toISOString() } },
    ['Meta refuses to pause it', 'next try on Jan 8, 9:10 PM EST'],
  ],
  [
    '[UX-20] asked to resume, while another tool has it off',
    { held: true, pendingStatus: 'ACTIVE', postponedUntil: '2026-01-09T02:10:00Z' },
    ['Resuming: waiting for Meta'],
  ],
  ['paused for another user', { held: false, heldByOther: true }, ['Paused by another SmartPause user']],
  ['resumed now', { status: 'ACTIVE', held: false, leftOn: 'resumed_now' }, ['Resumed early, stays on']],
  ['that user’s, running', { status: 'ACTIVE', held: false, heldByOther: true }, []],
  ['that user’s, ended', { held: false, heldByOther: true, undelivered: ended }, []],
  ['[FR-34, ENG-25] another tool has it off at night', { otherSchedule: NIGHTLY }, [NIGHTLY.text]],
  ['held by the user’s own word', { held: true, isPausedAll: true }, ['Paused by you']],
  ['held by an early warning', { held: true, isPausedEarly: true }, ['Paused on an early warning']],
  ['the same, held', { held: true, otherSchedule: NIGHTLY }, ['Paused by SmartPause']],
  ['the same, ended', { otherSchedule: NIGHTLY, undelivered: ended }, []],
  ['a server without the fields', {}, []],
])('[DASH-08] the words beside the status: %s', (_, given, words) => {
  expect(statesOf({ id: '1', name: 'Hats', objective: '', ...paused, ...given })).toEqual(words);
});

test.each([
  [5000, 'HUF', 'HUF\u00a05,000/day'],
  [110_000, 'USD', '$1,100/day'],
  [1050, 'USD', '$10.50/day'],
  [null, 'USD', null],
  [5000, '', null],
])('a budget of %s in the minor unit of %s', (amount, currency, label) => {
  expect(budgetLabel(amount, currency)).toBe(label);
});

test.each<[Partial<Campaign>, string | undefined]>([
  [{}, undefined],
  [{ undelivered: ended }, 'Ended Mar 16'],
  [{ undelivered: ended, status: 'PAUSED' }, 'Ended Mar 16'],
  [{ undelivered: ended, status: 'ARCHIVED' }, undefined],
  [{ undelivered: scheduled }, 'Scheduled Mar 16'],
  // It does not start by itself.
  [{ undelivered: scheduled, status: 'PAUSED' }, undefined],
])('[FR-01] the badge of %j: %s', (given, label) => {
  expect(undeliveredCopy({ status: 'ACTIVE', ...given })?.label).toBe(label);
});

test('[FR-01] only a campaign that Meta delivers would be paused, and an ended one is not resumed', () => {
  expect(isDelivered({ status: 'ACTIVE', undelivered: scheduled })).toBe(false);
  expect(isDelivered({ status: 'ACTIVE' })).toBe(true);
  expect(isDelivered({ status: 'PAUSED' })).toBe(false);
  expect(undeliveredCopy({ status: 'ACTIVE', undelivered: ended })?.why).toContain(
    'Mar 16, 2026, 7:30 PM EST',
  );
});

function campaign(given: Partial<Campaign>): Campaign {
  return { id: '1', name: 'Shoes', status: 'ACTIVE', objective: '', smartPauseSetting: 'ON', ...given };
}

test('[UX-06, FR-01] a list counts what SmartPause protects and what it has paused', () => {
  const campaigns = [
    campaign({}),
    campaign({ status: 'PAUSED', held: true }),
    campaign({ status: 'PAUSED', held: false }),
    campaign({ smartPauseSetting: 'OFF' }),
    campaign({ smartPauseSetting: 'DEACTIVATED' }),
    campaign({ status: 'ARCHIVED' }),
    campaign({ isLegacyAdvantage: true }),
    campaign({ undelivered: { why: 'ended', at: '2026-03-16T23:30:00.000Z' } }),
    campaign({ undelivered: { why: 'scheduled', at: '2026-03-16T23:30:00.000Z' } }),
  ];
  expect(countsIn(campaigns)).toEqual({ all: 5, protectedCampaigns: 3, paused: 1 });
});

test.each([
  ['on', {}, {}, {}, 'Pauses'],
  ['on, in an outage', {}, {}, { isMatched: true }, null],
  ['off', { smartPauseSetting: 'OFF' }, {}, { isOn: false }, 'Keeps spending'],
  ['off, in an outage', {}, {}, { isOn: false, isMatched: true }, 'Keeps spending'],
  ['on, without a subscription', {}, {}, { isAble: false }, 'Keeps spending'],
  ['on, where SmartPause cannot pause', {}, { notProtected: 'role' }, {}, 'Keeps spending'],
  ['where Meta delivers nothing', {}, { noDelivery: 'closed' }, {}, 'Pauses'],
  ['off, where Meta delivers nothing', {}, { noDelivery: 'closed' }, { isOn: false }, 'Not delivering'],
  ['paused', { status: 'PAUSED' }, {}, {}, 'Stays paused'],
  ['archived', { status: 'ARCHIVED' }, {}, {}, null],
  ['not started', { undelivered: scheduled }, {}, { isOn: false }, null],
  ['unknown setting', { smartPauseSetting: undefined }, {}, { isOn: false }, null],
] as const)('[UX-18] what an outage does: %s', (_, campaign, account, situation, expected) => {
  const one = {
    id: '1',
    name: 'Shoes',
    objective: '',
    smartPauseSetting: 'ON',
    status: 'ACTIVE',
    ...campaign,
  };
  const usual = { isOn: true, isAble: true, isMatched: false };
  expect(outlookOf(one as Campaign, account, { ...usual, ...situation })).toBe(expected);
});

test.each<[string, Partial<Campaign>, isInOutage: boolean, can: boolean]>([
  ['held, in the outage', { held: true }, true, true],
  ['not resumed', { held: false, notResumed: NOT_RESUMED }, false, true],
  ['not resumed, in another outage, which would pause it again', { notResumed: NOT_RESUMED }, true, false],
  ['not resumed, and pressed', { notResumed: NOT_RESUMED, pendingStatus: 'ACTIVE' }, false, false],
  ['paused before', { held: false }, false, false],
])('[UX-20, FR-29] Resume now: %s', (_, given, isInOutage, can) => {
  expect(canResumeNow({ id: '1', name: 'Hats', status: 'PAUSED', objective: '', ...given }, isInOutage)).toBe(
    can,
  );
});
