import { describe, expect, test } from 'vitest';
import type { StatusChange } from './change-log.ts';
import { LOG_LAG_MS, LOG_TOLERANCE_MS, byOurClock, fateOf, wasPausedByOther } from './change-log.ts';
import type { ActualStatus, Target } from './hold.ts';
import { READ_LAG_MS } from './hold.ts';

const SENT = 1_000_000;
const ours = (at: number, to: Target | null): StatusChange => ({ at: SENT + at, isOurs: true, to });
const theirs = (at: number, to: StatusChange['to']): StatusChange => ({ at: SENT + at, isOurs: false, to });
const pause = { target: 'PAUSED', statusBefore: 'ACTIVE', firstSentAt: SENT } as const;
const resume = { target: 'ACTIVE', statusBefore: 'PAUSED', firstSentAt: SENT } as const;
const UNDISTURBED = { kind: 'undisturbed' };
const UNTOUCHED = { kind: 'untouched' };
const UNCLEAR = { kind: 'unclear' };

test('the entries are brought to our clock', () => {
  expect(byOurClock([ours(12_000, 'PAUSED')], 12_000)).toEqual([ours(0, 'PAUSED')]);
});

describe('[ENG-15] what became of a write without an answer. Entries are newest first', () => {
  test.each<[string, StatusChange[], ActualStatus, object, typeof pause | typeof resume]>([
    ['nothing', [], 'ACTIVE', UNTOUCHED, pause],
    ['it was carried out', [ours(50, 'PAUSED')], 'PAUSED', UNDISTURBED, pause],
    ['it was carried out, and the log is behind', [], 'PAUSED', UNCLEAR, pause],
    ['the read is older than the log', [ours(50, 'PAUSED')], 'ACTIVE', UNCLEAR, pause],
    [
      'someone else paused it',
      [theirs(50, 'PAUSED')],
      'PAUSED',
      { kind: 'external', wasCarriedOut: false },
      pause,
    ],
    [
      'it was carried out, and someone else undid it',
      [theirs(60, 'ACTIVE'), ours(50, 'PAUSED')],
      'ACTIVE',
      { kind: 'external', wasCarriedOut: true },
      pause,
    ],
    [
      'it was carried out, and changed twice since',
      [theirs(70, 'PAUSED'), theirs(60, 'ACTIVE'), ours(50, 'PAUSED')],
      'PAUSED',
      { kind: 'external', wasCarriedOut: true },
      pause,
    ],
    [
      'a second copy came after an external change',
      [ours(70, 'PAUSED'), theirs(60, 'ACTIVE'), ours(50, 'PAUSED')],
      'PAUSED',
      { kind: 'overrode', status: 'ACTIVE' },
      pause,
    ],
    [
      'a late resume came after an external pause',
      [ours(70, 'ACTIVE'), theirs(60, 'PAUSED'), theirs(50, 'ACTIVE')],
      'ACTIVE',
      { kind: 'overrode', status: 'PAUSED' },
      resume,
    ],
    // The first change since then cannot lead to what it was already.
    [
      'someone else had resumed it shortly before',
      [ours(50, 'PAUSED'), theirs(-100, 'ACTIVE')],
      'PAUSED',
      UNDISTURBED,
      pause,
    ],
    [
      'a former resume of ours is the last change, after an external pause',
      [ours(-100, 'ACTIVE'), theirs(-5000, 'PAUSED')],
      'ACTIVE',
      UNTOUCHED,
      pause,
    ],
    [
      'the same with a clock that is behind',
      [ours(1000, 'ACTIVE'), theirs(500, 'PAUSED')],
      'ACTIVE',
      UNTOUCHED,
      pause,
    ],
    ['an external change long before', [theirs(-LOG_TOLERANCE_MS - 1, 'ACTIVE')], 'ACTIVE', UNTOUCHED, pause],
    [
      'a change of unknown wording',
      [theirs(50, null)],
      'ACTIVE',
      { kind: 'external', wasCarriedOut: false },
      pause,
    ],
  ])('%s', (_title, log, actual, expected, write) => {
    expect(fateOf(write, log, actual)).toMatchObject(expected);
  });
});

describe('before a resume: was the campaign paused by someone else', () => {
  const hold = { readAt: SENT, pausedAt: SENT + 500 };
  const later = SENT + LOG_LAG_MS + 500;

  test.each<[string, StatusChange[], boolean | 'unclear', number?]>([
    ['no entry', [], false],
    ['our pause', [ours(400, 'PAUSED')], false],
    [
      'an external pause after ours was undone',
      [theirs(900, 'PAUSED'), theirs(800, 'ACTIVE'), ours(400, 'PAUSED')],
      true,
    ],
    ['an external pause that a stale read did not show', [theirs(-READ_LAG_MS, 'PAUSED')], true],
    ['the same, while later entries may be missing', [theirs(-READ_LAG_MS, 'PAUSED')], 'unclear', later - 1],
    [
      'an external pause after the read, while later entries may be missing',
      [theirs(0, 'PAUSED')],
      true,
      later - 1,
    ],
    ['an external pause long before', [theirs(-READ_LAG_MS - LOG_TOLERANCE_MS - 1, 'PAUSED')], false],
    ['an external resume: the read or the log is behind', [theirs(900, 'ACTIVE')], 'unclear'],
    ['archived since the read', [theirs(900, 'ARCHIVED'), ours(400, 'PAUSED')], 'unclear'],
  ])('%s', (_title, log, expected, now = later) => {
    expect(wasPausedByOther(log, hold, now)).toBe(expected);
  });
});
