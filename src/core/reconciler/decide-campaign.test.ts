import { describe, expect, test } from 'vitest';
import type { Line } from '../../../test/support/decision.ts';
import {
  NOW,
  OLD,
  HOLD,
  HOLDER,
  WRITE,
  pausing,
  cancelling,
  resuming,
  DUE,
  OFF,
  unanswered,
  expired,
  refused,
  ourPause,
  theirPause,
  theirResume,
  seen,
  decide,
  short,
} from '../../../test/support/decision.ts';
import { LOG_LAG_MS } from './change-log.ts';
import type { Answer } from './decide-campaign.ts';
import { afterAnswer } from './decide-campaign.ts';
import type { CampaignWrite, Hold } from './hold.ts';
import { AWAY_MS, RESTORE_MS, STALE_READ_MS } from './hold.ts';

describe('a pause that is on its way', () => {
  test.each<[string, Line, string]>([
    ['begins for a running campaign', { given: { newHold: pausing } }, 'pausing, sends PAUSED'],
    [
      'does not begin while a resume may arrive',
      { write: unanswered('ACTIVE'), given: { newHold: pausing } },
      'hold',
    ],
    [
      'does not begin while an external pause is to be restored',
      {
        write: { ...refused('PAUSED', 0), origin: 'restore', requestedAt: NOW },
        given: { newHold: pausing },
      },
      'restore, sends PAUSED',
    ],
    ['is repeated', { hold: pausing, write: unanswered('PAUSED') }, 'pausing, sends PAUSED'],
    [
      'is confirmed by a read if the log has it',
      { hold: pausing, write: unanswered('PAUSED'), actual: 'PAUSED', log: [ourPause] },
      'paused, paused',
    ],
    [
      'is repeated if only a read shows it, which may be older',
      { hold: pausing, write: unanswered('PAUSED'), actual: 'PAUSED' },
      'pausing, sends PAUSED',
    ],
    [
      'is of someone else after a refusal, by two reads and the log',
      {
        hold: seen('PAUSED', STALE_READ_MS, pausing),
        write: refused('PAUSED', 1),
        actual: 'PAUSED',
        log: [theirPause],
      },
      'released, paused_outside',
    ],
    [
      '[ENG-19] is still wanted if the log does not name someone else',
      { hold: seen('PAUSED', STALE_READ_MS, pausing), write: refused('PAUSED', 1), actual: 'PAUSED' },
      'pausing',
    ],
    [
      'was not carried out, and someone else paused the campaign',
      { hold: pausing, write: expired('PAUSED'), actual: 'PAUSED', log: [theirPause] },
      'released, paused_outside',
    ],
    ['one read is not enough', { hold: pausing, write: refused('PAUSED', 1), actual: 'PAUSED' }, 'pausing'],
    [
      '[FR-01] ends after two refusals',
      { hold: pausing, write: refused('PAUSED', 2) },
      'refused, pause_refused',
    ],
    [
      '[FR-01] is not wanted for an ended campaign',
      { hold: pausing, given: { hasEnded: true } },
      'released, ended',
    ],
    ['[ENG-17] is dropped if it was not sent', { hold: pausing, holder: OFF }, 'not_needed, not_needed'],
    [
      '[ENG-17] waits while it may have been carried out',
      { hold: pausing, write: unanswered('PAUSED'), holder: OFF, actual: 'PAUSED' },
      'cancelling',
    ],
    [
      '[ENG-17] is undone if it was carried out',
      { hold: cancelling, write: expired('PAUSED'), holder: OFF, actual: 'PAUSED', log: [ourPause] },
      'paused, cancelling, sends ACTIVE',
    ],
    [
      '[ENG-17] is not needed if it was not',
      { hold: cancelling, write: { ...expired('PAUSED'), unclearSince: NOW - LOG_LAG_MS }, holder: OFF },
      'not_needed, not_needed',
    ],
    [
      '[ENG-19] is not taken for not carried out while log and read may be behind',
      { hold: cancelling, write: expired('PAUSED'), holder: OFF },
      'cancelling',
    ],
    [
      '[ENG-15] is not settled by a read that began before its last copy could arrive',
      { hold: cancelling, write: expired('PAUSED'), holder: OFF, given: { readAt: NOW - 1 } },
      'cancelling',
    ],
    [
      'is of a campaign that is archived before',
      { hold: seen('ARCHIVED', STALE_READ_MS, pausing), actual: 'ARCHIVED' },
      'released, archived',
    ],
    [
      '[ENG-11] was carried out, and someone else resumed the campaign',
      {
        hold: pausing,
        write: { ...expired('PAUSED'), unclearSince: NOW - LOG_LAG_MS },
        log: [theirResume, ourPause],
      },
      'paused, deactivated, resumed_outside',
    ],
    [
      '[ENG-19] the same while another copy of it may have undone that, and log and read are behind',
      { hold: pausing, write: expired('PAUSED'), log: [theirResume, ourPause] },
      'pausing',
    ],
    ['is wanted again', { hold: cancelling, write: unanswered('PAUSED') }, 'pausing, sends PAUSED'],
  ])('%s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});

test.each([
  ['keeps the time of the first one while that may arrive', unanswered('PAUSED'), NOW - 1000],
  ['begins again when it was not carried out', { ...expired('PAUSED'), unclearSince: NOW - LOG_LAG_MS }, NOW],
])('[ENG-15] another copy of a pause %s', (_title, write, firstSentAt) => {
  expect(decide({ hold: pausing, write }).write).toMatchObject({ firstSentAt, statusBefore: 'ACTIVE' });
});

describe('a paused campaign', () => {
  test.each<[string, Line, string]>([
    ['stays paused in the match', { actual: 'PAUSED' }, 'paused'],
    ['needs the log before its resume', { actual: 'PAUSED', holder: DUE, log: 'unread' }, 'needs the log'],
    [
      '[ENG-06] is resumed when it is due',
      { actual: 'PAUSED', holder: DUE, log: [ourPause] },
      'resuming, sends ACTIVE',
    ],
    [
      'is resumed if the log cannot be read',
      { actual: 'PAUSED', holder: DUE, log: 'unreadable' },
      'resuming, sends ACTIVE',
    ],
    [
      '[ENG-05] is not ours to resume',
      { actual: 'PAUSED', holder: DUE, log: [theirPause] },
      'released, paused_outside',
    ],
    ['waits while the log is behind', { actual: 'PAUSED', holder: DUE, log: [theirResume] }, 'paused'],
    [
      'is resumed if the log stays behind',
      { hold: seen('PAUSED', LOG_LAG_MS), actual: 'PAUSED', holder: DUE, log: [theirResume] },
      'resuming, sends ACTIVE',
    ],
    [
      'waits again when it is behind later',
      { hold: seen('PAUSED', 2 * LOG_LAG_MS), actual: 'PAUSED', holder: DUE, log: [theirResume] },
      'paused',
    ],
    [
      '[ENG-15] is not resumed while a copy of its pause may still arrive',
      { actual: 'PAUSED', holder: DUE, log: [ourPause], write: { ...WRITE, unansweredUntil: NOW + 1 } },
      'paused',
    ],
    ['is not resumed before that', { actual: 'PAUSED', holder: { ...DUE, resumeAt: NOW + 1 } }, 'paused'],
    [
      '[FR-01] is not resumed after its end',
      { actual: 'PAUSED', holder: DUE, given: { hasEnded: true } },
      'released, ended',
    ],
    [
      '[ENG-17] is resumed if SmartPause was turned off before the pause was known',
      { actual: 'PAUSED', holder: { ...OFF, turnedAt: OLD - 1 }, log: [ourPause] },
      'cancelling, sends ACTIVE',
    ],
    ['[ENG-12] stays paused with SmartPause off', { actual: 'PAUSED', holder: OFF }, 'smartpause_off'],
    ['[ENG-11] was resumed outside: one read', { actual: 'ACTIVE' }, 'paused'],
    [
      '[ENG-11] two reads and the log',
      { hold: seen('ACTIVE', STALE_READ_MS), log: [theirResume, ourPause] },
      'deactivated, resumed_outside',
    ],
    [
      '[ENG-11] a log without our pause, but with a later resume',
      { hold: seen('ACTIVE', STALE_READ_MS), log: [theirResume] },
      'deactivated, resumed_outside',
    ],
    [
      'our own resume is in the log',
      { hold: seen('ACTIVE', 30_000), log: [{ ...theirResume, isOurs: true }, ourPause] },
      'resumed, resumed',
    ],
    [
      'is only released if SmartPause was turned off and on',
      {
        hold: seen('ACTIVE', STALE_READ_MS),
        holder: { turnedAt: NOW },
        log: [theirResume, ourPause],
      },
      'smartpause_off',
    ],
    [
      'was touched: the log gets time',
      { hold: seen('ACTIVE', 5000), actual: 'PAUSED', holder: DUE },
      'paused',
    ],
    ['is archived', { hold: seen('ARCHIVED', STALE_READ_MS), actual: 'ARCHIVED' }, 'deactivated, archived'],
    ['[FR-08] is out of reach, and kept', { hold: seen('AWAY', 2 * 3_600_000), actual: 'AWAY' }, 'paused'],
    [
      '[FR-08] is back after two hours',
      { hold: seen('AWAY', 2 * 3_600_000), actual: 'PAUSED', holder: DUE, log: [ourPause] },
      'resuming, sends ACTIVE',
    ],
    ['[FR-08] is deleted', { hold: seen('AWAY', AWAY_MS), actual: 'AWAY' }, 'deactivated, deleted'],
    ['cannot be read', { actual: null, holder: DUE }, 'paused'],
  ])('%s', (_title, line, expected) => {
    expect(short({ hold: HOLD, write: WRITE, ...line })).toBe(expected);
  });
});

describe('a resume that is on its way', () => {
  test.each<[string, Line, string]>([
    [
      'is confirmed by a read if the log has it',
      { write: unanswered('ACTIVE'), log: [{ ...theirResume, isOurs: true }, ourPause] },
      'resumed, resumed',
    ],
    [
      '[ENG-19] is repeated if only a read shows it, which may be older than the pause',
      { write: unanswered('ACTIVE'), log: [ourPause] },
      'resuming, sends ACTIVE',
    ],
    [
      '[ENG-15] waits in a new match',
      { write: unanswered('ACTIVE'), actual: 'PAUSED', holder: HOLDER },
      'resuming',
    ],
    [
      '[ENG-12] goes on with SmartPause off',
      { write: unanswered('ACTIVE'), actual: 'PAUSED', holder: OFF },
      'resuming',
    ],
    [
      'is stopped by a new match if it was not carried out',
      { write: expired('ACTIVE'), actual: 'PAUSED', holder: HOLDER },
      'paused',
    ],
    [
      'found running after a refusal',
      { write: refused('ACTIVE', 1), log: [theirResume, ourPause] },
      'released, already_active',
    ],
    [
      '[ENG-19] is tried again if only a read shows it running',
      { write: refused('ACTIVE', 1), log: [ourPause] },
      'resuming, sends ACTIVE',
    ],
    [
      '[FR-01] ends after two refusals',
      { write: refused('ACTIVE', 2), actual: 'PAUSED' },
      'refused, resume_refused',
    ],
    [
      'was carried out, and someone else paused the campaign',
      {
        write: expired('ACTIVE'),
        actual: 'PAUSED',
        log: [theirPause, { ...ourPause, at: NOW - 2000, to: 'ACTIVE' }],
      },
      'resumed, resumed',
    ],
    [
      '[ENG-15] a late copy of it undid an external pause, which is restored',
      {
        write: expired('ACTIVE'),
        log: [
          { at: NOW - 10, isOurs: true, to: 'ACTIVE' },
          { at: NOW - 20, isOurs: false, to: 'PAUSED' },
          { at: NOW - 30, isOurs: true, to: 'ACTIVE' },
        ],
      },
      'released, paused_outside, sends PAUSED',
    ],
  ])('%s', (_title, line, expected) => {
    expect(short({ hold: resuming, holder: DUE, ...line })).toBe(expected);
  });
});

test.each<[string, Partial<CampaignWrite>, object]>([
  ['is looked at when its time is over', { requestedAt: NOW - 1 }, { lookAt: NOW - 1 + RESTORE_MS }],
  ['is refused twice', { requestedAt: NOW - 1, finalRefusals: 2 }, { reports: ['not_restored'] }],
  ['is not written after that', {}, { reports: ['not_restored'] }],
  ['is not written after that, a copy unanswered', { unansweredUntil: NOW }, { reports: ['not_restored'] }],
])('without access an external change that a late copy undid %s', (_title, over, expected) => {
  const write: CampaignWrite = { ...WRITE, origin: 'restore', target: 'ACTIVE', state: 'open', ...over };
  expect(decide({ write, actual: null, given: { sendFrom: () => null } })).toMatchObject(expected);
});

test('[ENG-05] a resume keeps what was confirmed before it, because reads may be older', () => {
  const line = { hold: HOLD, write: WRITE, actual: 'PAUSED', holder: DUE, log: [ourPause] } as const;
  expect(decide(line).write).toMatchObject({ target: 'ACTIVE', confirmed: WRITE.confirmed });
});

describe('a live test', () => {
  const test1: Hold = { ...HOLD, testUntil: NOW };

  test.each<[string, Line, string]>([
    [
      'keeps SmartPause as it was when it is resumed outside',
      { hold: seen('ACTIVE', STALE_READ_MS, test1), write: WRITE, log: [theirResume, ourPause] },
      'released, resumed_outside',
    ],
    [
      'ends before the second try of its pause, whatever the reason of the refusal',
      {
        hold: { ...pausing, testUntil: NOW },
        write: { ...refused('PAUSED', 1), finalRefusals: 0 },
        holder: DUE,
      },
      'refused, pause_refused',
    ],
    [
      'ends before the second try of its pause, refused for good',
      { hold: { ...pausing, testUntil: NOW }, write: refused('PAUSED', 1), holder: DUE },
      'refused, pause_refused',
    ],
  ])('[TEST-02] %s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});

describe('the answer to a copy', () => {
  const write: CampaignWrite = unanswered('PAUSED');
  const after = (answer: Answer, earlierUntil: number | null, over: Partial<CampaignWrite> = {}) =>
    afterAnswer({ hold: pausing, write: { ...write, ...over }, earlierUntil }, answer, {
      ...{ now: NOW, holder: HOLDER, retryAt: NOW + 5 },
    });

  test('done: the pause is known', () => {
    expect(after('done', null)).toMatchObject({
      hold: { state: 'paused', pausedAt: NOW },
      write: {
        ...{ state: 'done', firstSentAt: null, unansweredUntil: null },
        confirmed: { status: 'PAUSED', at: NOW },
      },
      reports: ['paused'],
    });
  });

  test('[ENG-15] done: an earlier copy may still arrive', () => {
    expect(after('done', NOW + 9).write).toMatchObject({ state: 'done', unansweredUntil: NOW + 9 });
  });

  test('[FR-01] refused for good: it is tried again after a minute', () => {
    const expected = { state: 'open', refusals: 1, unansweredUntil: null, retryAt: NOW + 60_000 };
    expect(after('refused_for_good', null)).toMatchObject({ write: expected, reports: [] });
  });

  test.each([
    ['failed', null, [{ manualFailed: 'refused' }]],
    ['open while an earlier copy may arrive', NOW + 9, []],
  ])('[ENG-16] refused: a click is %s', (state, earlierUntil, reports) => {
    for (const answer of ['refused', 'refused_for_good'] as const) {
      const { write: after1, reports: told } = after(answer, earlierUntil, { origin: 'manual' });
      expect([after1?.state, told]).toEqual([state.split(' ')[0], reports]);
    }
  });

  test.each(['not_done', 'unanswered'] as const)('%s: it is tried again', (answer) => {
    const unansweredUntil = answer === 'unanswered' ? write.unansweredUntil : null;
    expect(after(answer, null).write).toMatchObject({ state: 'open', unansweredUntil, retryAt: NOW + 5 });
  });
});
