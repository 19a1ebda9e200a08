import { expect, test } from 'vitest';
import { hours, minutes } from '#core/time.ts';
import { OffsetClock } from '../../../../scripts/demo-mode/offset-clock.ts';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { noteLongUnknown } from './long-unknown.ts';

const db = useFreshDb();

test('after an hour of UNKNOWN, one activity of each user whose campaigns stay paused by the known level', async () => {
  const clock = new OffsetClock();
  const at = new Date(clock.now());
  const hold = async (threshold: 'LOW' | 'HIGH', user: Parameters<typeof plantUser>[1] = {}) => {
    const userId = await plantUser(db(), user);
    const about = { userId, campaignId: userId, accountId: 'act_1' };
    const setting = { ...about, setting: 'ON', changedAt: at } as const;
    await db().insertInto('smartpauseSettings').values(setting).execute();
    const state = { state: 'paused', threshold, level: 'MEDIUM_DISRUPTION' } as const;
    const times = { decidedAt: at, readAt: at, pausedAt: at };
    await db()
      .insertInto('holds')
      .values({ ...about, ...state, ...times })
      .execute();
    return userId;
  };
  const stays = await hold('LOW');
  await hold('HIGH');
  await hold('LOW', { leaving: 'delete', leavingAt: at, leavingBy: 'user' });
  const level = { trueLevel: 'UNKNOWN', effectiveLevel: 'UNKNOWN', knownLevel: 'MEDIUM_DISRUPTION' } as const;
  await db()
    .updateTable('platformStatus')
    .set({ ...level, since: at })
    .execute();
  const noted = async () => {
    await noteLongUnknown({ db: db(), clock, staleMs: minutes(1) }, 0);
    const activities = db().selectFrom('activities').select(['userId', 'event']);
    return (await activities.execute()).map(({ userId, event }) => [userId, event]);
  };
  clock.advance(hours(1) - minutes(1));
  expect(await noted()).toEqual([]);
  clock.advance(minutes(2));
  for (let turn = 0; turn < 2; turn += 1) expect(await noted()).toEqual([[stays, 'status_unknown']]);
});
