import { describe, expect, test } from 'vitest';
import { days, hours, minutes } from '../time.ts';
import { documentedIncidents } from './documented-incidents.ts';
import type { Incident } from './incident.ts';
import { LEVELS } from '../smartpause/level.ts';
import { dailyLevels, incidentOf, mergeIncidents, outagesOfIncidents } from './incident.ts';

const NOW = Date.parse('2026-11-25T18:00Z');
const at = (text: string) => Date.parse(text);

function incident(from: string, to: string | null, rest: Partial<Incident> = {}): Incident {
  const [startedAt, endedAt] = [at(from), to === null ? null : at(to)];
  const peak = rest.peak ?? 'HIGH_DISRUPTION';
  const outage = { startedAt, endedAt, peak, levels: [{ level: peak, at: startedAt }] };
  const of = { source: 'record', certainty: 'high', components: ['Ads Delivery'], isWatched: true } as const;
  return { ...incidentOf(outage, of), ...rest };
}

describe('[HIST-06] incidents of several sources', () => {
  test('one incident is listed once, from the best source, newest first', () => {
    const record = incident('2026-11-20T10:00Z', '2026-11-20T11:00Z');
    const meta = incident('2026-11-20T09:58Z', '2026-11-20T11:01Z', { source: 'meta' });
    const documented = incident('2026-11-20T10:30Z', '2026-11-20T12:00Z', {
      source: 'documented',
      components: ['X'],
    });
    const other = incident('2026-11-20T10:30Z', '2026-11-20T12:00Z', {
      source: 'meta',
      components: ['Ads Reporting'],
    });
    const later = incident('2026-11-21T10:00Z', null);
    expect(mergeIncidents([documented, other, meta, record, later], NOW)).toEqual([later, other, record]);
  });

  test('two incidents of one source that touch are two', () => {
    const first = incident('2026-11-20T10:00Z', '2026-11-20T11:00Z');
    const second = incident('2026-11-20T11:00Z', '2026-11-20T12:00Z', { source: 'meta' });
    expect(mergeIncidents([first, second], NOW)).toHaveLength(2);
  });

  test('documented incidents have known times or none, and name their publications', () => {
    const all = documentedIncidents((name) => name === 'Ads Delivery');
    expect(all).toHaveLength(10);
    for (const { publishedBy, components, startedAt, endedAt, feltAt, dayOf, ...one } of all) {
      expect(LEVELS.slice(1, 4)).toContain(one.peak);
      expect(['low', 'medium', 'high']).toContain(one.certainty);
      expect(publishedBy).toMatch(/\w/);
      expect(components.length).toBeGreaterThan(0);
      for (const time of [startedAt, endedAt, feltAt]) expect(Number.isNaN(time ?? 0)).toBe(false);
      expect(Math.abs((startedAt ?? feltAt ?? dayOf) - dayOf)).toBeLessThan(days(1));
    }
    expect(all.filter(({ isWatched }) => isWatched)).toHaveLength(5);
    expect(outagesOfIncidents(mergeIncidents(all, NOW))).toMatchObject([
      { startedAt: at('2026-01-09T02:10Z'), endedAt: at('2026-01-09T04:08Z'), peak: 'HIGH_DISRUPTION' },
      { startedAt: at('2026-03-17T00:30Z'), endedAt: at('2026-03-17T02:04Z') },
    ]);
  });
});

describe('[HIST-06] the days of the chart', () => {
  const daysOf = (incidents: Incident[], recordedSince: number | null = at('2026-01-01T00:00Z')) =>
    dailyLevels(incidents, { now: NOW, count: 90, recordedSince });

  test('are the last 90 in New York, with 25 hours when summer time ends', () => {
    const found = daysOf([]);
    expect(found).toHaveLength(90);
    expect(found.at(-1)).toMatchObject({ from: at('2026-11-25T05:00Z'), to: at('2026-11-26T05:00Z') });
    expect(found[0]?.from).toBe(at('2026-08-28T04:00Z'));
    expect(found.filter(({ from, to }) => to - from === hours(25))).toHaveLength(1);
    for (const [index, { to }] of found.slice(0, -1).entries()) expect(found[index + 1]?.from).toBe(to);
  });

  test('each has the worst level and the time disrupted, also across midnight', () => {
    const night = incident('2026-11-20T04:00Z', '2026-11-20T06:30Z', { peak: 'LOW_DISRUPTION' });
    const noon = incident('2026-11-20T17:00Z', '2026-11-20T17:20Z');
    const found = daysOf([night, noon]).slice(-7, -5);
    expect(found).toMatchObject([
      { level: 'LOW_DISRUPTION', disruptedMs: hours(1) },
      { level: 'HIGH_DISRUPTION', disruptedMs: hours(1.5) + minutes(20) },
    ]);
  });

  test('an open incident reaches until now; components that are not watched do not count', () => {
    const open = incident('2026-11-25T17:00Z', null);
    expect(daysOf([open]).at(-1)).toMatchObject({ level: 'HIGH_DISRUPTION', disruptedMs: hours(1) });
    expect(daysOf([{ ...open, isWatched: false }]).at(-1)).toMatchObject({ level: 'UP', disruptedMs: 0 });
  });

  test('an incident that ended at an unknown time counts as a minute, and one until midnight as one day', () => {
    const unknown = incident('2026-11-20T17:00Z', null, { isOpen: false });
    const evening = incident('2026-11-22T04:00Z', '2026-11-22T05:00Z');
    const found = daysOf([unknown, evening]).filter(({ level }) => level !== 'UP');
    expect(found.map(({ disruptedMs, isEndUnknown }) => [disruptedMs, isEndUnknown])).toEqual([
      [0, true],
      [hours(1), false],
    ]);
  });

  test('a day before the record is unknown, unless an incident is known', () => {
    const old = incident('2026-11-01T17:00Z', '2026-11-01T18:00Z', { source: 'documented' });
    const found = daysOf([old], at('2026-11-24T12:00Z'));
    expect(found.slice(-3).map(({ level }) => level)).toEqual(['UNKNOWN', 'UP', 'UP']);
    expect(found.filter(({ level }) => level === 'HIGH_DISRUPTION')).toHaveLength(1);
    expect(new Set(daysOf([], null).map(({ level }) => level))).toEqual(new Set(['UNKNOWN']));
  });
});
