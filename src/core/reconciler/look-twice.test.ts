import { describe, expect, test } from 'vitest';
import type { Line } from '../../../test/support/decision.ts';
import {
  DUE,
  HOLD,
  HOLDER,
  NOW,
  OLD,
  WRITE,
  cancelling,
  decide,
  ourPause,
  pausing,
  seen,
  short,
  theirPause,
  theirResume,
  unanswered,
} from '../../../test/support/decision.ts';
import type { CampaignWrite } from './hold.ts';
import { WISH_MS } from './hold.ts';
import type { Work } from './work.ts';
import { send } from './work.ts';

describe('a held campaign that is read running, or whose resume is due', () => {
  test.each<[string, Line, string]>([
    ['[ENG-19] the log is asked', { hold: seen('ACTIVE', 30_000), log: 'unread' }, 'needs the log'],
    ['[ENG-19] [FR-24] the log names only us', { hold: seen('ACTIVE', 30_000), log: [ourPause] }, 'paused'],
    ['[ENG-19] the log is silent', { hold: seen('ACTIVE', 600_000), log: [] }, 'paused'],
    ['[ENG-19] the log cannot be read', { hold: seen('ACTIVE', 600_000), log: 'unreadable' }, 'paused'],
    [
      '[ENG-19] the log names someone else before our pause',
      {
        hold: seen('ACTIVE', 30_000, { ...HOLD, pausedAt: NOW - 400 }),
        log: [ourPause, { ...theirResume, at: NOW - 2000 }],
      },
      'paused',
    ],
    [
      '[ENG-19] the log lacks our pause, and a resume shortly before may be an older one',
      { hold: seen('ACTIVE', 30_000, { ...HOLD, pausedAt: NOW }), log: [theirResume] },
      'paused',
    ],
    [
      '[ENG-19] a later copy of our pause may have undone a resume between the copies',
      {
        hold: seen('ACTIVE', 30_000),
        write: { ...WRITE, confirmed: { status: 'PAUSED', at: NOW - 5000 } },
        log: [
          { ...theirResume, at: NOW - 9000 },
          { ...ourPause, at: OLD },
        ],
      },
      'paused',
    ],
    [
      '[ENG-19] is resumed when it is due, although a read shows it running',
      { hold: seen('ACTIVE', 30_000), log: [ourPause], holder: DUE },
      'resuming, sends ACTIVE',
    ],
    [
      '[ENG-19] is not resumed if the log names another pause',
      { hold: seen('ACTIVE', 30_000), log: [theirPause, theirResume, ourPause], holder: DUE },
      'released, paused_outside',
    ],
  ])('%s', (_title, line, expected) => {
    expect(short({ hold: HOLD, write: WRITE, ...line })).toBe(expected);
  });
});

test.each([
  ['twice within 90 s, and the log does not say by whom', 89_999, [], 'cancelling'],
  ['for 90 s', 90_000, [], 'released, paused_outside'],
  ['once, and the log names someone else', 0, [theirPause], 'released, paused_outside'],
])(
  '[ENG-19, UX-20] a resume is asked for before our pause, and the campaign is read paused %s',
  (_title, forMs, log, expected) => {
    const asked = { ...cancelling, resumeAsked: { by: 'a', at: NOW - 1000 } };
    const line = { hold: seen('PAUSED', forMs, asked), write: null, actual: 'PAUSED' as const, log };
    expect(short({ ...line, holder: DUE })).toBe(expected);
  },
);

test('[ENG-19] a campaign that is read running is looked at after 10, 30 and 60 s, each minute, then every five', () => {
  const lookAt = (forMs: number) =>
    (decide({ hold: seen('ACTIVE', forMs), write: WRITE, log: [ourPause] }).lookAt ?? 0) - (NOW - forMs);
  const times: number[] = [];
  for (let at = 0; at < 1_500_000; at = times.at(-1) ?? 0) times.push(lookAt(at));
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25];
  expect(times).toEqual([10_000, 30_000, ...minutes.map((minute) => minute * 60_000)]);
});

test('[ENG-15] nothing is sent while the opposite may arrive, whatever a step asks for', () => {
  const work: Work = {
    ...{ now: NOW, readAt: NOW, actual: 'ACTIVE', log: [], schedule: null, hasEnded: false },
    ...{ holder: HOLDER, newHold: null },
    ...{ sendFrom: () => NOW, isOn: () => false, isNotResumed: () => false, wishMs: WISH_MS, reports: [] },
    ...{ hold: pausing, write: unanswered('ACTIVE') },
  };
  expect(send(work, 'PAUSED')).toEqual({ end: work, lookAt: null });
  expect(send({ ...work, write: unanswered('PAUSED') }, 'PAUSED')).toMatchObject({ send: 'PAUSED' });
});

test.each([
  ['the log does not name a resume since', [ourPause], 'hold'],
  ['it does', [theirResume, ourPause], 'pausing, sends PAUSED'],
  ['it cannot be read', 'unreadable', 'hold'],
  ['it was not asked', 'unread', 'needs the log'],
] as const)(
  '[ENG-19] a campaign that we paused just now is read running, and the log: %s',
  (_title, log, expected) => {
    const write: CampaignWrite = {
      ...WRITE,
      origin: 'manual',
      confirmed: { status: 'PAUSED', at: NOW - 30_000 },
    };
    expect(short({ write, log, given: { newHold: pausing } }) || 'hold').toBe(expected);
  },
);
