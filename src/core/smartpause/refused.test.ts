import { describe, expect, test } from 'vitest';
import type { Finding } from './activity-log.ts';
import { NOTHING_FOUND } from './activity-log.ts';
import { LATE_WRITE_MS, REFUSED_TRIES } from './hold.ts';
import { plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, statusAfter, steps, world } from './worlds.fixture.ts';

const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const OVER = statusAfter('HIGH_DISRUPTION', 'UP');
const now = START;
const FRESH = START - 1000;
const EXPIRED = START - LATE_WRITE_MS;
const UNDONE = { undone: true };

interface Line extends Omit<CampaignLine, 'id'> {
  status?: typeof HIGH;
  finding?: Partial<Finding>;
}

/** The only campaign's changes. */
function decided({ status = HIGH, finding, ...line }: Line): string[] {
  const given = world({ status, campaigns: [{ id: 'a', ...line }] });
  const log = new Map([['a', { ...NOTHING_FOUND, ...finding }]]);
  return steps(plan({ ...given, log: finding === undefined ? null : log }, now)).map((step) => step.slice(2));
}

describe('[FR-01] a write that Meta has refused for good', () => {
  const resuming = { state: 'resuming', pausedAt: EXPIRED } as const;
  const pausing = { state: 'pausing' } as const;
  const twice = { refusals: REFUSED_TRIES };

  test.each<[string, Line, string[]]>([
    [
      'once: a resume is tried again',
      { live: 'PAUSED', hold: { ...resuming, refusals: 1 }, status: OVER, finding: {} },
      ['resume'],
    ],
    [
      'but not within a minute',
      { live: 'PAUSED', hold: { ...resuming, refusals: 1, retryAt: now + 1 }, status: OVER },
      [],
    ],
    [
      'twice: the hold ends',
      { live: 'PAUSED', hold: { ...resuming, ...twice }, status: OVER },
      ['refused released: resume_refused'],
    ],
    [
      'also in a new match',
      { live: 'PAUSED', hold: { ...resuming, ...twice } },
      ['refused released: resume_refused'],
    ],
    [
      'not before an earlier copy can no longer arrive',
      { live: 'PAUSED', hold: { ...resuming, ...twice, sentAt: FRESH }, status: OVER },
      [],
    ],
    [
      'which may have arrived',
      { live: 'ACTIVE', hold: { ...resuming, ...twice, sentAt: FRESH }, status: OVER },
      ['resumed'],
    ],
    [
      'resumed by someone else between the tries',
      { live: 'ACTIVE', hold: { ...resuming, ...twice }, status: OVER },
      ['released released: already_active'],
    ],
    [
      'SmartPause was turned off: the hold ends without a report',
      { live: 'PAUSED', hold: { ...resuming, ...twice }, setting: 'OFF' },
      ['released: smartpause_off'],
    ],
    [
      'at the end of a live test',
      { live: 'PAUSED', hold: { ...resuming, ...twice, testUntil: now - 1 }, status: OVER },
      ['refused released: resume_refused'],
    ],
    [
      'a live test ends before the second try of its pause',
      { live: 'ACTIVE', hold: { ...pausing, refusals: 1, testUntil: now }, status: OVER },
      ['refused released: pause_refused'],
    ],
    [
      'a new match keeps the minute',
      { live: 'PAUSED', hold: { ...resuming, refusals: 1, retryAt: now + 1 } },
      ['paused'],
    ],
    ['once: a pause is tried again', { live: 'ACTIVE', hold: { ...pausing, refusals: 1 } }, ['pause']],
    [
      'twice: the hold of a pause ends',
      { live: 'ACTIVE', hold: { ...pausing, ...twice } },
      ['refused released: pause_refused'],
    ],
    [
      'not while a lost pause can arrive',
      { live: 'ACTIVE', hold: { ...pausing, ...twice, sentAt: FRESH } },
      [],
    ],
    ['and it has arrived', { live: 'PAUSED', hold: { ...pausing, ...twice, sentAt: FRESH } }, ['paused']],
    [
      'an external change that cannot be restored: the hold ends',
      {
        live: 'PAUSED',
        hold: { ...resuming, ...twice, release: 'resumed_outside', resumedAt: EXPIRED, sentAt: EXPIRED },
        finding: UNDONE,
      },
      ['refused released: resumed_outside'],
    ],
  ])('%s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });
});

describe('[FR-01] a held campaign whose end date has passed', () => {
  const ended = { live: 'PAUSED', stopTime: now } as const;

  test.each<[string, Line, string[]]>([
    ['is not resumed, and the hold ends', { ...ended, hold: {}, status: OVER }, ['released released: ended']],
    ['stays held until the resume is due', { ...ended, hold: {} }, []],
    [
      'is resumed if it ends later',
      { ...ended, stopTime: now + 1, hold: {}, status: OVER, finding: {} },
      ['resume'],
    ],
    [
      'is not resumed again after a refusal',
      { ...ended, hold: { state: 'resuming', refusals: 1 }, status: OVER },
      ['released released: ended'],
    ],
    [
      'waits while a lost resume can arrive',
      { ...ended, hold: { state: 'resuming', sentAt: FRESH }, status: OVER },
      [],
    ],
    [
      'is not paused any more',
      { live: 'ACTIVE', stopTime: now, hold: { state: 'pausing' } },
      ['released released: ended'],
    ],
    [
      'at the end of a live test',
      { ...ended, hold: { testUntil: now }, status: OVER },
      ['released released: ended'],
    ],
  ])('%s', (_title, line, expected) => {
    expect(decided(line)).toEqual(expected);
  });
});
