import { describe, expect, test } from 'vitest';
import { FUSION, nextWarning } from '../src/core/detection/fusion.ts';
import { countPauses, playDeliveryYear } from '../verify/early-warning/delivery.ts';
import type { Replayed } from '../verify/early-warning/incidents.ts';
import { replayIncidents } from '../verify/early-warning/incidents.ts';
import { playYear } from '../verify/early-warning/year.ts';

describe('[EARLY-05] the replay', () => {
  const ADS_DELIVERY = ['2023-04-23', '2025-09-09', '2026-01-09', '2026-03-17'];
  const incidents = (businesses: number): Map<string, Replayed> =>
    new Map(replayIncidents({ businesses, hasCanary: true }, 'test').map((one) => [one.day, one]));

  test.each([20, 1000])('of incidents with %s businesses', (businesses) => {
    const replayed = incidents(businesses);
    for (const [day, one] of replayed) {
      const isOfDelivery = ADS_DELIVERY.includes(day);
      // Calls work then, and so nothing but the page pauses.
      if (isOfDelivery) expect(one, day).toMatchObject({ suspected: null, paused: null });
      if (isOfDelivery) expect(one.delivery, day).toBeLessThanOrEqual(60);
      if (one.hasSignals && !one.isNarrow) expect(one.suspected, day).toBeLessThanOrEqual(45);
      if (one.paused !== null)
        expect(one.paused).toBeGreaterThanOrEqual(Math.max(one.suspected ?? NaN, one.delivery ?? NaN));
    }
    expect(replayed.get('2024-03-05')?.suspected).toBeLessThan(17);
  });

  test('of many calls that fail and little that is delivered pauses, and with one business nothing does', () => {
    expect(incidents(1000).get('2024-12-11')?.paused).not.toBeNull();
    for (const one of incidents(1).values()) expect(one).toMatchObject({ delivery: null, paused: null });
  });

  test('of a year without an incident pauses nothing', () => {
    const { suspected: delivery } = playDeliveryYear(20, 'test');
    const { suspected: calls } = playYear({ businesses: 20, hasCanary: true }, 'test');
    expect(calls.length).toBeGreaterThan(0);
    // Late reports, and sales that are in no list.
    expect(delivery.low.length).toBeGreaterThan(0);
    expect(delivery.high.length).toBeGreaterThan(0);
    expect(countPauses(calls, delivery.low)).toBe(0);
  });

  test('pauses nothing while the page names reporting alone', () => {
    const both = { page: false, calls: true, delivery: true };
    expect(nextWarning('NORMAL', { ...both, isReportingOnly: true }, FUSION.bothForMs)).toBe('SUSPECTED');
    expect(nextWarning('NORMAL', { ...both, isReportingOnly: false }, FUSION.bothForMs)).toBe('PROBABLE');
    expect(nextWarning('NORMAL', { ...both, isReportingOnly: false }, FUSION.bothForMs - 1)).toBe(
      'SUSPECTED',
    );
    // What the page reports is of its own rule, and prolongs no early warning.
    const page = { page: true, calls: false, delivery: false, isReportingOnly: false };
    expect(nextWarning('PROBABLE', page, 0)).toBe('NORMAL');
  });

  test('counts a pause where both are suspected at the same time', () => {
    const at = (from: number, until: number) => ({ from, until });
    expect(countPauses([at(10, 30)], [at(40, 60)])).toBe(0);
    // Calls may have worked again since.
    expect(countPauses([at(10, 39)], [at(20, 60)])).toBe(0);
    expect(countPauses([at(10, 41)], [at(20, 90)])).toBe(1);
    // It lasts while delivery alone still shows it.
    expect(countPauses([at(10, 41), at(50, 80)], [at(20, 90)])).toBe(1);
    expect(countPauses([at(10, 41), at(100, 190)], [at(20, 60), at(110, 185)])).toBe(2);
  });
});
