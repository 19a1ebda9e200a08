import { describe, expect, test } from 'vitest';
import { days, hours } from '../time.ts';
import type { Estimate } from './estimate.ts';
import { knownSpend } from './known.ts';

const ENDED = Date.parse('2026-01-09T04:08:00Z');
const RANGE = { low: 21_000, likely: 34_000, high: 46_000 };
const WASTE = { low: 0.3, likely: 0.65, high: 1, isMeasured: false };
const UNREAD: Estimate = {
  ...{ basis: 'hours', days: 41, campaigns: 3, withoutBudget: 0, pausedMs: hours(5), waste: WASTE },
  ...{ notSpent: RANGE, later: null, kept: null, protected: null },
};
const READ: Estimate = { ...UNREAD, later: RANGE, kept: RANGE, protected: RANGE };
const BUDGET: Estimate = { ...UNREAD, basis: 'budget', days: 0 };

interface Given {
  endedAt?: number | null;
  estimate?: Estimate | null;
  zones?: Record<string, number | null>;
  now?: number;
}
const known = ({ endedAt = ENDED, estimate = UNREAD, zones = {}, now = ENDED + hours(1) }: Given) => {
  const pauses = Object.entries({ 'America/New_York': ENDED, ...zones });
  return knownSpend(
    { endedAt, pauses: pauses.map(([timeZone, until]) => ({ timeZone, until })) },
    estimate,
    now,
  );
};

describe('[SPEND-02] what is known of an estimate, or why it is not', () => {
  test.each<[string, Given, string | null, boolean]>([
    ['the outage goes on', { endedAt: null, estimate: null }, 'not_over', false],
    ['it has just ended', { estimate: null }, 'being_estimated', false],
    ['it ended long ago', { estimate: null, now: ENDED + days(7) }, 'not_estimated', false],
    ['no campaign has a daily budget', { estimate: { ...BUDGET, withoutBudget: 3 } }, 'no_budget', false],
    ['one has none', { estimate: { ...BUDGET, withoutBudget: 1 } }, 'few_days', true],
    ['the day is not over', {}, 'not_read_yet', true],
    ['one stays paused', { zones: { UTC: null } }, 'still_paused', true],
    ['one stays paused for a week', { zones: { UTC: null }, now: ENDED + days(7) }, 'paused_too_long', true],
    ['the day was not read in a week', { now: ENDED + days(7) }, 'not_read', true],
    ['all is read', { estimate: READ }, null, true],
    ['all is read, also after a year', { estimate: READ, now: ENDED + days(365) }, null, true],
  ])('%s', (_, given, unknown, isNotSpentKnown) => {
    const found = known(given);
    expect(found.unknown).toBe(unknown);
    expect(found.notSpent).toEqual(isNotSpentKnown ? RANGE : null);
    expect(found.kept).toEqual(unknown === null ? RANGE : null);
    expect(found.knownAt !== null).toBe(unknown === 'not_read_yet');
  });

  test('the rest is known six hours after the midnight of the last ad account whose day ends', () => {
    const at = (given: Given) => new Date(known(given).knownAt ?? NaN).toISOString();
    expect(at({})).toBe('2026-01-09T11:00:00.000Z');
    // There it is already the 9th.
    expect(at({ zones: { 'Europe/Berlin': ENDED } })).toBe('2026-01-10T05:00:00.000Z');
    expect(at({ zones: { 'Europe/Berlin': ENDED - hours(6) } })).toBe('2026-01-09T11:00:00.000Z');
  });

  test('a pause until midnight is of the day before', () => {
    const midnight = Date.parse('2026-01-09T05:00:00Z');
    const knownAt = (until: number) => known({ zones: { 'America/New_York': until } }).knownAt;
    expect(knownAt(midnight)).toBe(midnight + hours(6));
    expect(knownAt(midnight + 1)).toBe(midnight + hours(30));
  });

  test('once that time has passed, no other one is promised', () => {
    expect(known({ now: ENDED + hours(12) })).toMatchObject({ unknown: 'not_read_yet', knownAt: null });
  });
});
