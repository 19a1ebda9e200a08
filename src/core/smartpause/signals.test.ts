import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_LEVELS, LEVELS, THRESHOLDS, meetsThreshold } from './level.ts';
import type { Signal } from './signals.ts';
import { isOn, nextChange, statusFor, wordOf } from './signals.ts';
import { holdResumeAt } from './resume-time.ts';
import type { Status } from './status.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';

const NOW = 1_000_000;
const word = (since: number, until: number | null = null): Signal => ({ source: 'user', since, until });
const warning = (since: number, until: number | null = null): Signal => ({
  ...{ source: 'early_warning', since, until },
});

const time = fc.integer({ min: 0, max: 2 * NOW });
const anyStatus = fc
  .array(fc.record({ at: time, trueLevel: fc.constantFrom(...LEVELS) }), { maxLength: 6 })
  .map((news) =>
    news
      .toSorted((a, b) => a.at - b.at)
      .filter(({ at }) => at <= NOW)
      .reduce<Status>((status, { at, trueLevel }) => nextStatus(status, { trueLevel }, at), INITIAL_STATUS),
  );
const anySignal = fc
  .record({ source: fc.constantFrom('user', 'early_warning'), since: time, lasts: fc.option(time) })
  .map(({ source, since, lasts }): Signal => ({ source, since, until: lasts && since + lasts }));

describe('[EARLY-08] a user’s view of the status', () => {
  test('without signals is the status itself', () => {
    fc.assert(
      fc.property(anyStatus, (status) => {
        expect(statusFor(status, [], NOW)).toBe(status);
      }),
    );
  });

  test('meets every threshold while a signal is on, and only the page’s own without one', () => {
    fc.assert(
      fc.property(anyStatus, fc.array(anySignal, { maxLength: 4 }), (status, signals) => {
        const view = statusFor(status, signals, NOW);
        const isActing = signals.some((one) => isOn(one, NOW));
        for (const one of THRESHOLDS) {
          const isMet = isActing || meetsThreshold(status.known, one);
          expect(meetsThreshold(view.known, one)).toBe(isMet);
          const { [one]: since } = view.matchSince;
          if (since !== null) expect(since).toBeLessThanOrEqual(NOW);
          // A match of the view begins no later than that of the page, unless the user has spoken since.
          if (isMet && meetsThreshold(status.known, one) && wordOf(signals, NOW) === null)
            expect(since ?? 0).toBeLessThanOrEqual(status.matchSince[one] ?? Infinity);
        }
        expect(view.directive).toBe(status.directive);
      }),
    );
  });

  const outage = nextStatus(INITIAL_STATUS, { trueLevel: 'HIGH_DISRUPTION' }, NOW - 500);
  const over = nextStatus(outage, { trueLevel: 'UP' }, NOW - 100);
  test.each<[string, Status, Signal[], number | null]>([
    ['begins with the word', over, [word(NOW - 50)], NOW - 50],
    [
      'begins again with the word in an outage: it is newer than a resume before it',
      outage,
      [word(NOW - 50)],
      NOW - 50,
    ],
    ['began with the outage in a word that goes on', outage, [word(NOW - 900)], NOW - 500],
    ['began with the outage in a word that has ended', outage, [word(NOW - 900, NOW - 400)], NOW - 500],
    [
      'began with signals in a row',
      outage,
      [warning(NOW - 900, NOW - 700), warning(NOW - 700, NOW - 500)],
      NOW - 900,
    ],
    ['began with the outage after a gap', outage, [word(NOW - 900, NOW - 600)], NOW - 500],
    ['ended with the outage, not with a later word', over, [word(NOW - 90, NOW - 10)], NOW - 100],
    ['ended with a later warning', over, [warning(NOW - 90, NOW - 10)], NOW - 10],
    [
      'began before our records',
      { ...outage, matchSince: INITIAL_STATUS.matchSince },
      [warning(NOW - 9)],
      null,
    ],
  ])('%s', (_name, status, signals, expected) => {
    expect(statusFor(status, signals, NOW).matchSince.LOW).toBe(expected);
  });

  test('the next change is the chosen end, or a begin by a clock that is ahead', () => {
    expect(nextChange([word(NOW + 3, NOW + 9)], NOW)).toBe(NOW + 3);
    expect(nextChange([word(NOW - 5, NOW + 9), word(NOW - 90, NOW - 50)], NOW)).toBe(NOW + 9);
    expect(nextChange([word(NOW - 5)], NOW)).toBeNull();
  });
});

describe('[EARLY-08] the resume of a hold', () => {
  const began = NOW - 1000;
  const resume = { mode: 'delay', delay: { value: 1, unit: 'hours' } } as const;
  const hold = {
    threshold: 'MEDIUM',
    resume,
    timeZone: null,
    decidedAt: began,
    isWanted: false,
    isLeftAlone: false,
  } as const;
  const said = [word(began, NOW - 10)];
  const up = nextStatus(INITIAL_STATUS, { trueLevel: 'UP' }, began - 1);
  const outage = nextStatus(up, { trueLevel: 'HIGH_DISRUPTION' }, NOW - 500);
  const over = nextStatus(outage, { trueLevel: 'UP' }, NOW - 100);
  const unknown = nextStatus(up, { trueLevel: 'UNKNOWN' }, NOW - 500);
  const restored: Status = { ...unknown, knownIsFromBackup: true };
  test.each<[string, Status, 'user' | 'status', number | null]>([
    ['is at once after the word', up, 'user', NOW],
    ['is at once after the word while the page is UNKNOWN', unknown, 'user', NOW],
    ['is at once after the word and a restore', restored, 'user', NOW],
    ['waits for the page’s own match', outage, 'user', null],
    ['follows the user’s rule after an outage in it', over, 'user', NOW - 100 + 3_600_000],
    ['of an outage is not delayed by the word', over, 'status', NOW - 100 + 3_600_000],
  ])('%s', (_name, status, cause, expected) => {
    expect(holdResumeAt(status, { ...hold, cause, signals: said }, NOW)).toBe(expected);
  });

  test('is at once after the word in an outage that leaves the campaign running', () => {
    const given = { ...hold, signals: said, isLeftAlone: true };
    expect(holdResumeAt(outage, { ...given, cause: 'user' }, NOW)).toBe(NOW);
    expect(holdResumeAt(outage, { ...given, cause: 'status' }, NOW)).toBeNull();
  });

  test('is at once after a word that was heard as the outage ended', () => {
    const given = { ...hold, signals: said, cause: 'user', decidedAt: NOW - 100 } as const;
    expect(holdResumeAt(over, given, NOW)).toBe(NOW);
  });

  test('is not scheduled while the word is on, whatever the page says', () => {
    for (const level of KNOWN_LEVELS) {
      const status = nextStatus(up, { trueLevel: level }, NOW);
      expect(
        holdResumeAt(status, { ...hold, cause: 'status', signals: [word(began)], isWanted: true }, NOW),
      ).toBeNull();
    }
  });
});
