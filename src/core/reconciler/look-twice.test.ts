import { expect, test } from 'vitest';
import {
  HOLDER,
  NOW,
  WRITE,
  decide,
  ourPause,
  pausing,
  seen,
  short,
  theirResume,
  unanswered,
} from '../../../test/support/decision.ts';
import type { CampaignWrite } from './hold.ts';
import type { Work } from './work.ts';
import { send } from './work.ts';

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
    ...{ now: NOW, readAt: NOW, actual: 'ACTIVE', log: [], hasEnded: false, holder: HOLDER, newHold: null },
    ...{ sendFrom: () => NOW, isOn: () => false, reports: [] },
    ...{ hold: pausing, write: unanswered('ACTIVE') },
  };
  expect(send(work, 'PAUSED')).toEqual({ lookAt: null });
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
