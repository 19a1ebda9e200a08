import { describe, expect, test } from 'vitest';
import type { OutageCampaign, OutageSummary } from '#contract/outage-api.ts';
import type { UserStatus } from '#contract/shapes.ts';
import { minutes } from '#core/time.ts';
import { clearlyNamed, heldCopy, outageResult, resultLabel, stepsOf, whyNot } from './outage-copy.ts';

const NONE = { paused: 0, resumed: 0, stillPaused: 0, keptPaused: 0, notResumed: 0, notPaused: 0 };

test.each([
  // The filter calls it the same.
  ['not_resumed', 'archived', 'Not resumed'],
  ['kept_paused', 'smartpause_off', 'Kept paused'],
  ['not_paused', 'smartpause_off', 'Not paused'],
  ['resumed', null, 'Resumed'],
  ['resumed', 'smartpause_off', 'Resumed by you'],
  ['resumed', 'resumed_outside', 'Resumed'],
  ['resumed', 'already_active', 'Resumed'],
] as const)('[HIST-02] %s for the reason %s is labelled %s', (result, reason, label) => {
  expect(resultLabel({ result, reason })).toBe(label);
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
    [{ paused: 1, notResumed: 1 }, null, 3000, '1 campaign paused within 3 s of detection, not resumed.'],
    [{ paused: 1, keptPaused: 1 }, null, 3000, '1 campaign paused within 3 s of detection, kept paused.'],
    [
      { notPaused: 4 },
      'below_threshold',
      null,
      'Nothing was paused: the disruption stayed below your threshold.',
    ],
    [{ notPaused: 4 }, 'smartpause_off', null, 'Nothing was paused: SmartPause was off for all campaigns.'],
    [{ notPaused: 4 }, null, null, 'Nothing was paused.'],
  ])('%o %s', (counts, reason, lastPauseAfterMs, expected) => {
    expect(outageResult({ counts: { ...NONE, ...counts }, reason, lastPauseAfterMs })).toBe(expected);
  });
});

describe('[HIST-02] why a campaign was not paused or not resumed', () => {
  test.each([
    ['not_paused', 'already_paused', null, 'It was already paused before the outage.'],
    ['not_paused', 'smartpause_off', null, 'SmartPause was off for it.'],
    ['kept_paused', 'smartpause_off', null, 'SmartPause was turned off for it; it stays as it is.'],
    ['kept_paused', 'paused_outside', null, 'It was paused in Ads Manager; it stays paused.'],
    ['not_paused', 'refused', 'It is in review.', 'Meta refused the change. It is in review.'],
    ['resumed', null, null, null],
    ['resumed', 'smartpause_off', null, null],
    ['resumed', 'already_active', null, 'It was already running again.'],
  ] as const)('%s: %s', (result, reason, detail, expected) => {
    expect(whyNot({ result, reason, detail })).toBe(expected);
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

test('[HIST-02] each step has its delay since the detection', () => {
  const steps = stepsOf(campaign, DETECTED);
  expect(steps.map(({ label }) => label).join(', ')).toBe(
    'Detected, Decided, Pause sent, Paused, Resume sent, Resumed',
  );
  expect(steps.map(({ delay }) => delay)).toEqual([null, '+1 s', '+1 s', '+2 s', '+10 min', '+10 min 1 s']);
});
