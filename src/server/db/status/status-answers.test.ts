import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { days } from '#core/time.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import type { StatusAnswer } from './status-answers.ts';
import { dropOldAnswers, noteAnswer } from './status-answers.ts';

const NOW = Date.parse('2026-01-08T12:00:00Z');
const services = [{ service: 'Ads Delivery', level: 'HIGH_DISRUPTION', said: ['High disruptions'] }] as const;
const high: StatusAnswer = {
  level: 'HIGH_DISRUPTION',
  message: 'Ads Delivery: High disruptions',
  services: services.map(({ said, ...rest }) => ({ ...rest, said: [...said] })),
  trouble: null,
  tookMs: 120,
};

describe('status page responses', () => {
  const db = useFreshDb();
  const rows = async () =>
    (
      await sql<object>`select times, level, trouble, took_ms, longest_ms from status_answers order by id`.execute(
        db(),
      )
    ).rows;

  test('merges equal consecutive responses into one row; another response or a failure is a new row', async () => {
    await noteAnswer(db(), high, NOW);
    await noteAnswer(db(), { ...high, tookMs: 80 }, NOW + 1000);
    const failed: StatusAnswer = {
      ...high,
      level: 'UNKNOWN',
      message: 'x',
      services: [],
      trouble: 'HTTP 503',
    };
    await noteAnswer(db(), failed, NOW + 2000);
    await noteAnswer(db(), { ...failed, trouble: 'HTTP 502' }, NOW + 3000);
    await noteAnswer(db(), high, NOW + 4000);
    expect(await rows()).toEqual([
      { times: 2, level: 'HIGH_DISRUPTION', trouble: null, tookMs: 80, longestMs: 120 },
      { times: 2, level: 'UNKNOWN', trouble: 'HTTP 502', tookMs: 120, longestMs: 120 },
      { times: 1, level: 'HIGH_DISRUPTION', trouble: null, tookMs: 120, longestMs: 120 },
    ]);
  });

  test('drops responses older than 14 days, except the last', async () => {
    await dropOldAnswers(db(), NOW + days(14));
    expect(await rows()).toHaveLength(3);
    await dropOldAnswers(db(), NOW + days(14) + 3500);
    expect(await rows()).toHaveLength(1);
    await dropOldAnswers(db(), NOW + days(100));
    expect(await rows()).toHaveLength(1);
  });
});
