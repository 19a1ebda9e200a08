import { describe, expect, test } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { readingOf, recordReading } from '../../../../test/support/reading.ts';
import { wakeNextAccounts } from './account-wakes.ts';
import { findOutagesBetween } from './outages.ts';
import { readStatus } from './status.ts';

const NOW = Date.parse('2026-01-08T12:00:00Z');

describe('a reading of the status', () => {
  const db = useFreshDb();
  const record = (level: 'HIGH_DISRUPTION' | 'UP', at: number, loginDisrupted: boolean | null = false) => {
    return recordReading(db(), { ...readingOf(level, at), loginDisrupted }, at, minutes(1));
  };

  test('makes ad accounts with holds due if the level is new, or the same after a gap', async () => {
    const about = { userId: await plantUser(db()), accountId: 'act_1', campaignId: '1' };
    const times = { decidedAt: new Date(NOW), readAt: new Date(NOW) };
    const hold = { state: 'pausing', threshold: 'LOW', level: 'LOW_DISRUPTION' } as const;
    await db()
      .insertInto('holds')
      .values({ ...about, ...hold, ...times })
      .execute();
    await db().insertInto('workItems').values({ accountId: 'act_1' }).execute();
    const isDue = async () => {
      while (await wakeNextAccounts(db()));
      const { dueAt } = await db().selectFrom('workItems').select('dueAt').executeTakeFirstOrThrow();
      await db().updateTable('workItems').set({ dueAt: null }).execute();
      return dueAt !== null;
    };
    const level = 'HIGH_DISRUPTION';
    expect([await record(level, NOW), await isDue()]).toEqual([level, true]);
    expect([await record(level, NOW + seconds(10)), await isDue()]).toEqual([null, false]);
    expect([await record(level, NOW + seconds(71)), await isDue()]).toEqual([level, true]);
  });

  test('that lacks Meta’s login leaves what is known of it', async () => {
    const readings = [
      [true, true],
      [null, true],
      [false, false],
      [null, false],
    ] as const;
    for (const [index, [said, known]] of readings.entries()) {
      await record('UP', NOW + minutes(2) + seconds(index), said);
      expect((await readStatus(db())).loginDisrupted).toBe(known);
    }
  });

  test('begins and ends an outage, which is found by times in it, not after it', async () => {
    const at = (minute: number) => NOW + minutes(10 + minute);
    await record('HIGH_DISRUPTION', at(0));
    await record('UP', at(0) + seconds(50));
    await record('UP', at(1));
    await record('HIGH_DISRUPTION', at(3));
    const found = async (from: number, to: number) =>
      (await findOutagesBetween(db(), from, to)).map(({ startedAt }) => startedAt);
    expect(await found(NOW - 2, NOW - 1)).toEqual([]);
    expect(await found(at(0), at(1))).toEqual([at(0)]);
    expect(await found(at(1), at(4))).toEqual([at(0), at(3)]);
    expect(await found(at(2), at(2))).toEqual([]);
    expect(await found(at(2), at(3))).toEqual([at(3)]);
    expect(await found(at(4), at(4))).toEqual([at(3)]);
  });
});
