import { describe, expect, test } from 'vitest';
import type { ChangeLog } from './change-log.ts';
import type { Answer } from './decide-campaign.ts';
import { afterAnswer, decideCampaign } from './decide-campaign.ts';
import type { ActualStatus, CampaignWrite, Hold } from './hold.ts';
import { AWAY_MS, LATE_WRITE_MS, RESTORE_MS, STALE_READ_MS, UNTRIED, WISH_MS } from './hold.ts';
import { withWish } from './manual-write.ts';
import type { Circumstances, Holder, Report } from './work.ts';

const NOW = 100_000_000;
const OLD = NOW - 3_600_000;

const HOLD: Hold = {
  ...{ userId: 'a', state: 'paused', threshold: 'MEDIUM', level: 'HIGH_DISRUPTION', isOverride: false },
  ...{ decidedAt: OLD, readAt: OLD, pauseSentAt: OLD, pausedAt: OLD, resumeSentAt: null, surprise: null },
  ...{ testUntil: null, beganAsTest: false, outcome: null, releaseReason: null },
  ...{ refusal: null, lastError: null },
};
const HOLDER: Holder = {
  ...{ isOn: true, turnedAt: null, isPauseWanted: true, resumeAt: null, isAbandoned: false },
};
const WRITE: CampaignWrite = {
  ...{ origin: 'hold', requestedBy: 'a', requestedAt: OLD },
  ...{ target: 'PAUSED', state: 'done', statusBefore: 'ACTIVE' },
  ...{ firstSentAt: null, unansweredUntil: null, unclearSince: null, ...UNTRIED },
  ...{ confirmed: { status: 'PAUSED', at: OLD }, wanted: null },
};
const pausing: Hold = { ...HOLD, state: 'pausing', pausedAt: null };
const cancelling: Hold = { ...pausing, state: 'cancelling' };
const resuming: Hold = { ...HOLD, state: 'resuming' };
const DUE = { isPauseWanted: false, resumeAt: NOW };
const OFF = { isOn: false, turnedAt: NOW };
const unanswered = (target: 'ACTIVE' | 'PAUSED'): CampaignWrite => ({
  ...WRITE,
  ...{ target, state: 'open', statusBefore: target === 'PAUSED' ? 'ACTIVE' : 'PAUSED', confirmed: null },
  ...{ firstSentAt: NOW - 1000, unansweredUntil: NOW + LATE_WRITE_MS - 1000 },
});
const expired = (target: 'ACTIVE' | 'PAUSED'): CampaignWrite => ({
  ...unanswered(target),
  ...{ firstSentAt: NOW - LATE_WRITE_MS, unansweredUntil: NOW },
});
const refused = (target: 'ACTIVE' | 'PAUSED', refusals: number): CampaignWrite => ({
  ...WRITE,
  ...{ target, state: 'open', refusals, confirmed: null },
});
const ourPause = { at: NOW - 1000, isOurs: true, to: 'PAUSED' } as const;
const theirPause = { ...ourPause, isOurs: false };
const theirResume = { at: NOW - 500, isOurs: false, to: 'ACTIVE' } as const;
const seen = (status: ActualStatus, forMs: number, hold = HOLD): Hold => ({
  ...hold,
  surprise: { status, since: NOW - forMs },
});

interface Line {
  hold?: Hold | null;
  write?: CampaignWrite | null;
  actual?: ActualStatus | null;
  log?: ChangeLog;
  holder?: Partial<Holder>;
  given?: Partial<Circumstances>;
}

function decide({ hold = null, write = null, actual = 'ACTIVE', log = [], holder, given }: Line) {
  return decideCampaign(
    { hold, write },
    {
      ...{ now: NOW, readAt: NOW, actual, log, hasEnded: false, newHold: null },
      holder: hold === null ? null : { ...HOLDER, ...holder },
      sendFrom: () => NOW,
      isOn: () => false,
      ...given,
    },
  );
}

/** In short: reports, the hold's state or the reason of its end, what is sent. */
function short(line: Line): string {
  const { hold, send, needsLog, reports, write } = decide(line);
  if (needsLog) return 'needs the log';
  const end = hold?.state === 'ended' ? (hold.releaseReason ?? hold.outcome) : hold?.state;
  const open = hold === null && write?.state === 'open' ? [write.origin] : [];
  return [...reports.map(text), end, ...open, send === null ? null : `sends ${send}`]
    .filter((part) => part !== null && part !== undefined)
    .join(', ');
}

function text(report: Report): string {
  return typeof report === 'string' ? report : `manual failed: ${report.manualFailed}`;
}

describe('a pause that is on its way', () => {
  test.each<[string, Line, string]>([
    ['begins for a running campaign', { given: { newHold: pausing } }, 'pausing, sends PAUSED'],
    [
      'does not begin while a resume may arrive',
      { write: unanswered('ACTIVE'), given: { newHold: pausing } },
      'hold',
    ],
    ['is repeated', { hold: pausing, write: unanswered('PAUSED') }, 'pausing, sends PAUSED'],
    [
      'is confirmed by a read',
      { hold: pausing, write: unanswered('PAUSED'), actual: 'PAUSED' },
      'paused, paused',
    ],
    [
      'is of someone else after a refusal, by two reads',
      { hold: seen('PAUSED', STALE_READ_MS, pausing), write: refused('PAUSED', 1), actual: 'PAUSED' },
      'released, paused_outside',
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
      { hold: cancelling, write: expired('PAUSED'), holder: OFF },
      'not_needed, not_needed',
    ],
    [
      '[ENG-11] was carried out, and someone else resumed the campaign',
      { hold: pausing, write: expired('PAUSED'), log: [theirResume, ourPause] },
      'paused, deactivated, resumed_outside',
    ],
    ['is wanted again', { hold: cancelling, write: unanswered('PAUSED') }, 'pausing, sends PAUSED'],
  ])('%s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});

test.each([
  ['keeps the time of the first one while that may arrive', unanswered('PAUSED'), NOW - 1000],
  ['begins again when it cannot', expired('PAUSED'), NOW],
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
    ['[ENG-11] two reads', { hold: seen('ACTIVE', STALE_READ_MS) }, 'deactivated, resumed_outside'],
    [
      'is only released if SmartPause was turned off and on',
      { hold: seen('ACTIVE', STALE_READ_MS), holder: { turnedAt: NOW } },
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
    ['is confirmed by a read', { write: unanswered('ACTIVE') }, 'resumed, resumed'],
    [
      '[ENG-15] waits in a new match',
      { write: unanswered('ACTIVE'), actual: 'PAUSED', holder: HOLDER },
      'resuming',
    ],
    [
      'is stopped by a new match if it was not carried out',
      { write: expired('ACTIVE'), actual: 'PAUSED', holder: HOLDER },
      'paused',
    ],
    ['found running after a refusal', { write: refused('ACTIVE', 1) }, 'released, already_active'],
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

describe('[ENG-16] a manual pause or resume', () => {
  const wish = { userId: 'a', status: 'ACTIVE', requestedAt: NOW } as const;
  const manual: CampaignWrite = { ...expired('ACTIVE'), origin: 'manual', requestedAt: NOW - 60_000 };

  test.each<[string, Line, string]>([
    ['is sent', { write: withWish(null, wish), actual: 'PAUSED' }, 'manual, sends ACTIVE'],
    ['[ENG-15] waits for an unanswered opposite', { write: withWish(unanswered('PAUSED'), wish) }, 'hold'],
    [
      'follows an unanswered write of its own direction',
      { write: withWish(unanswered('ACTIVE'), wish) },
      'manual, sends ACTIVE',
    ],
    [
      'is refused with SmartPause on',
      { write: withWish(null, wish), given: { isOn: () => true } },
      'manual failed: smartpause_active',
    ],
    [
      'fails without access',
      { write: withWish(null, wish), given: { sendFrom: () => null } },
      'manual failed: token',
    ],
    [
      '[FR-02] fails while the account is blocked',
      { write: withWish(null, wish), given: { sendFrom: () => NOW + 1 } },
      'manual failed: blocked',
    ],
    [
      'is not begun long after the click',
      { write: withWish(unanswered('PAUSED'), { ...wish, requestedAt: NOW - WISH_MS }) },
      'manual failed: busy, hold',
    ],
    [
      'is carried out without an answer, and SmartPause turned on since',
      { write: manual, log: [{ ...ourPause, to: 'ACTIVE' }], given: { isOn: () => true } },
      'manual_done',
    ],
    ['fails if the campaign is archived', { write: manual, actual: 'ARCHIVED' }, 'manual failed: refused'],
    [
      'ends the hold of the user',
      { hold: HOLD, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'manual_done, manual_pause',
    ],
    [
      'resumes what SmartPause held for the user',
      { hold: HOLD, write: manual, log: [{ ...ourPause, to: 'ACTIVE' }] },
      'manual_done, smartpause_off',
    ],
    [
      'resumes what SmartPause held for another user',
      { hold: { ...HOLD, userId: 'b' }, write: manual, log: [{ ...ourPause, to: 'ACTIVE' }] },
      'manual_done, deactivated, resumed_outside',
    ],
    [
      'confirms a pause that was on its way',
      { hold: pausing, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'paused, manual_done, manual_pause',
    ],
    [
      'ends the hold of another user',
      { hold: { ...HOLD, userId: 'b' }, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'manual_done, released, paused_by_other',
    ],
    [
      'leaves the hold if it fails',
      { hold: HOLD, write: { ...refused('PAUSED', 1), origin: 'manual' }, actual: 'PAUSED' },
      'manual failed: refused, paused',
    ],
  ])('%s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});

test.each<[string, Partial<CampaignWrite>, object]>([
  ['is looked at when its time is over', { requestedAt: NOW - 1 }, { lookAt: NOW - 1 + RESTORE_MS }],
  ['is refused twice', { requestedAt: NOW - 1, refusals: 2 }, { reports: ['not_restored'] }],
  ['is not written after that', {}, { reports: ['not_restored'] }],
  ['is not written after that, a copy unanswered', { unansweredUntil: NOW }, { reports: ['not_restored'] }],
])('without access an external change that a late copy undid %s', (_title, over, expected) => {
  const write: CampaignWrite = { ...WRITE, origin: 'restore', target: 'ACTIVE', state: 'open', ...over };
  expect(decide({ write, actual: null, given: { sendFrom: () => null } })).toMatchObject(expected);
});

describe('a live test', () => {
  const test1: Hold = { ...HOLD, testUntil: NOW };

  test.each<[string, Line, string]>([
    [
      'keeps SmartPause as it was when it is resumed outside',
      { hold: seen('ACTIVE', STALE_READ_MS, test1), write: WRITE },
      'released, resumed_outside',
    ],
    [
      'ends before the second try of its pause',
      { hold: { ...pausing, testUntil: NOW }, write: refused('PAUSED', 1), holder: DUE },
      'refused, pause_refused',
    ],
  ])('[TEST-02] %s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});

describe('the answer to a copy', () => {
  const write: CampaignWrite = unanswered('PAUSED');
  const after = (answer: Answer, earlierUntil: number | null, hold = pausing) =>
    afterAnswer({ hold, write, earlierUntil }, answer, { now: NOW, holder: HOLDER, retryAt: NOW + 5 });

  test('done: the pause is known', () => {
    expect(after('done', null)).toMatchObject({
      hold: { state: 'paused', pausedAt: NOW },
      write: { state: 'done', unansweredUntil: null, confirmed: { status: 'PAUSED', at: NOW } },
      reports: ['paused'],
    });
  });

  test('[ENG-15] done: an earlier copy may still arrive', () => {
    expect(after('done', NOW + 9).write).toMatchObject({ state: 'done', unansweredUntil: NOW + 9 });
  });

  test('[FR-01] refused for good: it is tried again after a minute', () => {
    const expected = { state: 'open', refusals: 1, unansweredUntil: null, retryAt: NOW + 60_000 };
    expect(after('refused', null).write).toMatchObject(expected);
  });

  test.each(['not_done', 'unanswered'] as const)('%s: it is tried again', (answer) => {
    const unansweredUntil = answer === 'unanswered' ? write.unansweredUntil : null;
    expect(after(answer, null).write).toMatchObject({ state: 'open', unansweredUntil, retryAt: NOW + 5 });
  });
});
