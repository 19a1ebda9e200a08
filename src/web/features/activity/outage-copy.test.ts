import { describe, expect, test } from 'vitest';
import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import type { UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import {
  byCopy,
  badgeOf,
  clearlyNamed,
  heldCopy,
  untouchedCopy,
  outageHeadline,
  outageNote,
  outageResult,
  stepsOf,
  whyNot,
} from './outage-copy.ts';

const ENDED = '2026-01-09T04:08:00.000Z';
const NONE: OutageSummary['counts'] = {
  ...{ paused: 0, resumed: 0, resumedByUser: 0, resumedOutside: 0, beingChecked: 0 },
  ...{ stillPaused: 0, keptPaused: 0, notResumed: 0, notPaused: 0, keptRunning: 0 },
};
const robin = { at: '2026-01-09T02:47:00Z', tool: 'Ads Manager', person: 'Robin Vale' };

test.each([
  ['not_resumed', 'archived', {}, 'Not resumed'],
  ['kept_paused', 'smartpause_off', {}, 'Kept paused'],
  ['not_paused', 'smartpause_off', {}, 'Kept running'],
  ['not_paused', 'already_paused', {}, 'Already paused'],
  ['not_paused', 'held_by_other_user', {}, 'Already paused'],
  ['not_paused', 'ended', {}, 'Not running'],
  ['not_paused', null, {}, 'Not paused'],
  ['resumed', null, {}, 'Resumed'],
  ['resumed_by_user', 'smartpause_off', {}, 'Resumed by you'],
  ['being_checked', null, {}, 'Running, being checked'],
  ['resumed_outside', 'resumed_outside', {}, 'Resumed outside SmartPause'],
  ['resumed_outside', 'resumed_outside', { outside: robin }, 'Resumed in Ads Manager'],
  [
    'resumed_outside',
    'already_active',
    { outside: { ...robin, tool: 'Night Shift' } },
    'Resumed by Night Shift',
  ],
] as const)('[HIST-02, UX-21] %s for the reason %s with %j is labelled %s', (result, reason, more, label) => {
  expect(badgeOf({ result, reason, ...more }).label).toBe(label);
});

describe('[HIST-01] the result of an outage in one sentence', () => {
  test.each<[Partial<OutageSummary['counts']>, OutageSummary['reason'], number | null, string]>([
    [{ paused: 12, resumed: 12 }, null, 14_000, '12 campaigns paused within 14 s of detection, all resumed.'],
    [{ paused: 1, resumed: 1 }, null, 3000, '1 campaign paused within 3 s of detection and resumed.'],
    [
      { paused: 3, stillPaused: 3 },
      null,
      3000,
      '3 campaigns paused within 3 s of detection, all still paused.',
    ],
    [{ paused: 1, stillPaused: 1 }, null, null, '1 campaign paused and still paused.'],
    [
      { paused: 8, resumed: 2, stillPaused: 1, keptPaused: 3, notResumed: 2 },
      null,
      65_000,
      '8 campaigns paused within 1 min 5 s of detection, 2 resumed, 1 still paused, 3 kept paused, 2 not resumed.',
    ],
    [
      { paused: 5, resumed: 2, resumedByUser: 1, resumedOutside: 1, beingChecked: 1, keptRunning: 6 },
      null,
      3000,
      '5 campaigns paused within 3 s of detection, 2 resumed, 1 resumed by you, 1 resumed outside SmartPause, 1 running again, being checked; 6 kept running.',
    ],
    [{ paused: 2, resumedOutside: 2 }, null, null, '2 campaigns paused, all resumed outside SmartPause.'],
    [{ keptRunning: 2 }, null, null, 'Nothing was paused; 2 kept running.'],
    [{ paused: 1, notResumed: 1 }, null, 3000, '1 campaign paused within 3 s of detection, not resumed.'],
    [{ paused: 1, keptPaused: 1 }, null, 3000, '1 campaign paused within 3 s of detection, kept paused.'],
    [
      { notPaused: 4 },
      'below_threshold',
      null,
      'Nothing was paused: the disruption stayed below your threshold.',
    ],
    [{ notPaused: 4 }, 'no_subscription', null, 'Nothing was paused: you had no active subscription.'],
    [{ notPaused: 4 }, null, null, 'Nothing was paused.'],
  ])('%o %s', (counts, reason, lastPauseAfterMs, expected) => {
    const outage = { counts: { ...NONE, ...counts }, reason, lastPauseAfterMs, endedAt: ENDED };
    expect(outageResult(outage)).toBe(expected);
  });
});

test.each<[Partial<OutageSummary['counts']>, OutageSummary['reason'], string, string]>([
  [
    { paused: 12, resumed: 12, keptRunning: 6 },
    null,
    '12 paused, all resumed; 6 kept running',
    'Paused within 14 s of detection.',
  ],
  [
    { paused: 2, resumed: 2, notPaused: 3, keptRunning: 1 },
    null,
    '2 paused, all resumed; 1 kept running',
    'Paused within 14 s of detection.',
  ],
  [{ notPaused: 1 }, null, 'Nothing was paused', ''],
  [{ notPaused: 4 }, 'no_subscription', 'Nothing was paused', 'You had no active subscription.'],
  [{ keptRunning: 2 }, null, 'Nothing was paused; 2 kept running', ''],
  [
    { paused: 41, stillPaused: 41, keptRunning: 1, keptRefused: 1 },
    null,
    '41 paused, all still paused; 1 kept running: Meta refused',
    'Paused within 14 s of detection.',
  ],
  [
    { keptRunning: 6, keptRefused: 1 },
    null,
    'Nothing was paused; 6 kept running, 1 because Meta refused',
    '',
  ],
  [{}, 'below_threshold', 'Nothing was paused', 'The disruption stayed below your threshold.'],
])('[HIST-02] the headline of an outage: %o %s', (counts, reason, headline, note) => {
  const outage = { counts: { ...NONE, ...counts }, reason, lastPauseAfterMs: 14_000, endedAt: ENDED };
  expect([outageHeadline(outage), outageNote(outage)]).toEqual([headline, note]);
});

test('[HIST-02] an outage that lasts, and one in which most were paused already', () => {
  const base = { reason: null, lastPauseAfterMs: null, endedAt: null };
  const counts = { ...NONE, keptRunning: 5 };
  expect(outageHeadline({ ...base, counts })).toBe('Nothing is paused yet; 5 kept running');
  expect(outageHeadline({ ...base, counts, reason: 'below_threshold' })).toMatch(/^Nothing was paused;/);
  const before = { ...base, counts: { ...counts, heldBefore: 35 }, endedAt: ENDED };
  expect(outageResult(before)).toBe('Nothing was paused; 35 paused since an earlier outage; 5 kept running.');
});

describe('[HIST-02] why a campaign was not paused or not resumed', () => {
  test.each([
    ['not_paused', 'already_paused', null, 'It was already paused before the outage.'],
    ['not_paused', 'smartpause_off', null, 'SmartPause was off for it.'],
    ['kept_paused', 'smartpause_off', null, 'SmartPause was turned off for it; it stays as it is.'],
    ['kept_paused', 'paused_outside', null, 'It was paused outside SmartPause; it stays paused.'],
    ['not_paused', 'refused', 'It is in review.', 'Meta refused the change. It is in review.'],
    ['resumed', null, null, null],
    ['resumed_by_user', 'smartpause_off', null, null],
    ['resumed_outside', 'resumed_outside', null, 'SmartPause was disabled for it.'],
  ] as const)('%s: %s', (result, reason, detail, expected) => {
    expect(whyNot({ result, reason, detail })).toBe(expected);
  });

  test('[FR-29, FR-34] of a pause that goes on, it says what it waits for', () => {
    const open = { detail: 'Two-factor required', endedAt: null };
    expect(whyNot({ ...open, result: 'paused', reason: null })).toBe(
      'Meta refuses to resume it. Two-factor required.',
    );
    expect(whyNot({ ...open, result: 'not_paused', reason: 'refused' })).toBe(
      'Meta refuses to pause it. Two-factor required.',
    );
    const postponedUntil = '2026-01-09T11:15:00Z';
    expect(whyNot({ ...open, detail: null, result: 'paused', reason: null, postponedUntil })).toMatch(
      /^Another tool has it off; it resumes on Jan.9, 2026, 6:15.AM EST .*at the latest\.$/,
    );
  });
});

test.each([
  [null, [], 'It resumes 5 minutes after the outage ends.'],
  ['2026-01-09T02:47:00Z', [], 'It resumes at 9:47 PM EST, in 4 min.'],
  [
    '2026-01-09T02:47:00Z',
    [{ id: 'act_1', name: 'Lind', count: 1, delayedBy: 'no_answer' as const }],
    'It resumes at 9:47 PM EST, in 4 min. Meta isn’t responding for Lind: we keep trying.',
  ],
  [
    '2026-01-09T02:40:00Z',
    [{ id: 'act_1', name: 'Lind', count: 1, delayedBy: 'suspended' as const }],
    'Resuming waits until SmartPause’s connection to Meta is back.',
  ],
])(
  '[HIST-03, UX-05] a paused campaign whose resume is at %s, delayed by %j',
  (resumeAt, heldAccounts, text) => {
    const user: UserStatus = {
      resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
      ...{ outageThreshold: 'MEDIUM', email: null, resumeAt, heldAccounts },
    };
    const now = Date.parse('2026-01-09T02:47:00Z') - minutes(4);
    expect(heldCopy(user, 'act_1', now)).toBe(`Paused by SmartPause. ${text}`);
  },
);

test('[HIST-03, FR-34] a paused campaign that waits for another tool has one time, and no delay of others', () => {
  const user: UserStatus = {
    ...{ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email: null },
    ...{ resumeAt: '2026-01-09T04:00:00Z' },
    heldAccounts: [{ id: 'act_1', name: 'Lind', count: 2, delayedBy: 'refused' }],
  };
  const until = '2026-01-09T11:15:00Z';
  expect(heldCopy(user, 'act_1', Date.parse(until) - minutes(60), { postponedUntil: until })).toBe(
    'Paused by SmartPause. Another tool has it off; it resumes at 6:15 AM EST at the latest, in 1 h.',
  );
});

test('[EARLY-04, EARLY-06, EARLY-08] a paused campaign says whose word or warning it waits for', () => {
  const user: UserStatus = {
    ...{ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email: null, resumeAt: null },
    pausedAll: { since: ENDED, until: null, campaigns: 1 },
  };
  const now = Date.parse(ENDED);
  expect(heldCopy(user, 'act_1', now, { isPausedAll: true })).toBe(
    'Paused by you. It stays paused until you choose “Resume all”.',
  );
  expect(heldCopy(user, 'act_1', now, { isPausedEarly: true })).toBe(
    'Paused on an early warning. It resumes as soon as it’s over.',
  );
});

test.each([
  ['LOW', 'Running. A low disruption or worse pauses it.'],
  ['HIGH', 'Running. A high disruption pauses it.'],
  [null, 'Running. An outage pauses it.'],
] as const)('[HIST-03] what pauses a running campaign at the threshold %s', (threshold, text) => {
  expect(untouchedCopy('Pauses', threshold)).toBe(text);
});

test('[UX-21] who changed it outside SmartPause is named', () => {
  const change = { detail: null, outside: robin };
  expect(whyNot({ ...change, result: 'resumed_outside', reason: 'resumed_outside' })).toBe(
    'By Robin Vale. SmartPause was disabled for it.',
  );
  expect(whyNot({ ...change, result: 'kept_paused', reason: 'paused_outside' })).toBe(
    'It was paused in Ads Manager by Robin Vale; it stays paused.',
  );
});

const DETECTED = '2026-11-25T02:10:00.000Z';
const after = (seconds: number) => new Date(Date.parse(DETECTED) + seconds * 1000).toISOString();
const campaign: OutageCampaign = {
  ...{
    id: 'h1',
    campaignId: '1',
    name: 'Shoes',
    accountId: 'act_1',
    result: 'resumed',
    reason: null,
    detail: null,
  },
  ...{ decidedAt: after(1), sentAt: after(1), pausedAt: after(2) },
  ...{ resumeSentAt: after(600), resumedAt: after(601), endedAt: after(601) },
};

test('[HIST-02] campaigns of one name in one ad account have their ids', () => {
  const inOther = { id: 'h3', campaignId: '3', accountId: 'act_2' };
  const all = [campaign, { ...campaign, id: 'h2', campaignId: '2' }, { ...campaign, ...inOther }];
  expect(clearlyNamed(all).map(({ id, name }) => [id, name])).toEqual([
    ['h1', 'Shoes (1)'],
    ['h2', 'Shoes (2)'],
    ['h3', 'Shoes'],
  ]);
});

test('[HIST-02] each step of the pause has its delay since the detection', () => {
  const steps = stepsOf(campaign, DETECTED);
  expect(steps.map(({ label }) => label).join(', ')).toBe(
    'Detected, Decided, Pause sent, Paused, Resume sent, Resumed',
  );
  expect(steps.map(({ delay }) => delay)).toEqual([null, '+1 s', '+1 s', '+2 s', null, null]);
});

test('[HIST-03] a resume that the user asked for is theirs, although SmartPause carries it out', () => {
  expect(byCopy({ kind: 'resumed_by_user', actor: 'smartpause', user: null })).toBe('By you');
  expect(byCopy({ kind: 'resumed', actor: 'smartpause', user: null })).toBe('By SmartPause');
});
