import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noDelivery } from '#core/account-delivery.ts';
import { undelivered } from '#core/campaign.ts';
import { pauses } from '#core/detection/fusion.ts';
import { countsAsBlocked } from '#core/platform-access.ts';
import { KNOWN_LEVELS, THRESHOLDS, meetsThreshold } from '#core/smartpause/level.ts';
import { days } from '#core/time.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import { deliversNothing } from './account-delivery.ts';
import { areWritesBlocked } from './blocked-writes.ts';
import { isDelivered } from './campaigns.ts';
import { date } from './database.ts';
import { matched } from './reports/outage-history.ts';
import { PAUSES } from './signals.ts';

const db = useFreshDb();
const NOW = Date.parse('2026-01-09T02:10:00Z');
const TIMES = [null, NOW - days(1) - 1, NOW - days(1), NOW - days(1) + 1, NOW - 1, NOW, NOW + 1];

async function holds(rule: RawBuilder<unknown>, row: RawBuilder<unknown>): Promise<boolean | undefined> {
  const { rows } = await sql<{ value: boolean }>`select ${rule} as value from ${row}`.execute(db());
  return rows[0]?.value;
}

test('a statement and the core agree on the times of a campaign', async () => {
  for (const startTime of TIMES)
    for (const stopTime of TIMES) {
      const row = sql`(select ${date(startTime)}::timestamptz as start_time, ${date(stopTime)}::timestamptz as stop_time) c`;
      expect(await holds(isDelivered(NOW), row)).toBe(undelivered({ startTime, stopTime }, NOW) === null);
    }
});

test('a statement and the core agree on the thresholds that a level meets', async () => {
  for (const level of KNOWN_LEVELS) {
    const row = sql`(select ${JSON.stringify([{ level, at: 1 }])}::text::jsonb as levels) o`;
    const { rows } = await sql<{ met: object | null }>`select ${matched} as met from ${row}`.execute(db());
    const met = THRESHOLDS.filter((threshold) => meetsThreshold(level, threshold));
    expect(Object.keys(rows[0]?.met ?? {}).toSorted()).toEqual(met.toSorted());
  }
});

test('a statement and the core agree on the early warnings that pause campaigns', async () => {
  for (const state of ['SUSPECTED', 'PROBABLE'] as const)
    for (const acts of [true, false]) {
      const row = sql`(select ${state}::text as state, ${acts}::boolean as acts) s`;
      expect(await holds(PAUSES, row)).toBe(pauses({ state, acts }));
    }
});

test('a statement and the core agree on ad accounts: what Meta delivers, and whether it refuses changes', async () => {
  for (const at of TIMES)
    for (const accountStatus of [null, 1, 2, 3, 7, 8, 9, 100, 101]) {
      const row = sql`(select ${accountStatus}::int as account_status, ${date(at ?? 0)}::timestamptz as seen_at,
        ${date(at)}::timestamptz as writes_blocked_until) a`;
      const listed = { accountStatus, disableReason: null, seenAt: at ?? 0 };
      expect(await holds(deliversNothing(NOW), row)).toBe(noDelivery(listed, NOW) !== null);
      expect(await holds(areWritesBlocked(NOW), row)).toBe(countsAsBlocked(at, NOW));
    }
});
