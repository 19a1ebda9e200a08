import { expect, test } from 'vitest';
import type { Level } from '#core/smartpause/level.ts';
import { minutes } from '#core/time.ts';
import { OffsetClock } from '../../../../scripts/demo-mode/offset-clock.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import { readIncidents, readPublicStatus } from './public-status.ts';

const NOW = Date.parse('2026-11-25T18:00Z');
const NO_PAGE = { statusServices: [], statusPage: { publishedIn: () => [] } };
const db = useFreshDb();

test('[HIST-06] an incident names the services of its disruption, and not the service named at its end', async () => {
  const row = (minutesAgo: number, trueLevel: Level, message: string) => ({
    ...{ at: new Date(NOW - minutes(minutesAgo)), trueLevel, message },
  });
  const rows = [
    row(60, 'UP', 'Ads Delivery: No known issues'),
    row(30, 'HIGH_DISRUPTION', 'Ads Reporting: High disruptions'),
    row(10, 'UP', 'Ads Delivery: No known issues'),
  ];
  await db().insertInto('statusObservations').values(rows).execute();
  const deps = { db: db(), clock: new OffsetClock(), ...NO_PAGE };
  const { incidents } = await readIncidents(deps, NOW);
  expect(incidents[0]?.components).toEqual(['Ads Reporting']);
});

test('[HIST-06] a first lower reading is quoted; what a reading says that is too old is unknown', async () => {
  const clock = new OffsetClock();
  const one = { product: 'P', name: 'Ads Delivery', level: 'UP', said: ['No known issues'], isWatched: true };
  await db()
    .updateTable('platformStatus')
    .set({
      ...{ checkedAt: new Date(clock.now()), components: JSON.stringify([one]) },
      ...{ trueLevel: 'HIGH_DISRUPTION', lowerReading: JSON.stringify({ quote: 'No known issues' }) },
    })
    .execute();
  const deps = { db: db(), clock, staleMs: minutes(1), statusPollMs: 10_000, ...NO_PAGE };
  expect(await readPublicStatus(deps)).toMatchObject({ components: [one], falling: 'No known issues' });
  clock.advance(minutes(1) + 1000);
  expect(await readPublicStatus(deps)).toMatchObject({
    components: [{ ...one, level: null, said: [] }],
    falling: null,
  });
});
