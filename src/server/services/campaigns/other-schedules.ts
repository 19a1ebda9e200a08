import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeFailure, isOfUser, wasSent } from '#core/platform.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import {
  SCHEDULE_TRIED_AGAIN_MS,
  SCHEDULE_LOG_MS,
  recogniseSchedule,
} from '#core/smartpause/other-schedule.ts';
import { days } from '#core/time.ts';
import type { NextJob } from '../../db/account-jobs.ts';
import { AS_BEFORE, planJobs } from '../../db/account-jobs.ts';
import { findLogReaders, isSmartPauseOn, saveSchedules } from '../../db/other-schedules.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { Log } from '../../observability/log.ts';
import type { AdPlatform } from '../../platforms/platform.ts';
import { doDueJobs } from '../../due-jobs.ts';
import type { Needs } from '../deps.ts';

type Deps = Needs<'db' | 'cipher' | 'clock' | 'owner' | 'app' | 'isPlatformDown'> & {
  log: Pick<Log, 'info' | 'error'>;
  platform: Pick<AdPlatform, 'readStatusChanges'>;
};

/** A process that ends waits for them. */
const AT_ONCE = 10;
const READ_EVERY_MS = days(7);

/**
 * Finds the schedules of other tools in the activity logs that are due, one after the other, unless Meta is down or our
 * app's limit is needed.
 */
export async function readSchedules(deps: Deps): Promise<void> {
  let isDown = false;
  const mayRead = (): boolean =>
    !isDown && !deps.isPlatformDown() && deps.app.stopped() === null && !deps.app.isSparing();
  const idle: string[] = [];
  const read = async (accountId: string): Promise<NextJob> => {
    if (!(await isSmartPauseOn(deps.db, accountId))) {
      idle.push(accountId);
      return null;
    }
    const next = await readSchedulesOf(deps, accountId);
    isDown = next === AS_BEFORE;
    return next;
  };
  for (let reads = 0; reads < AT_ONCE && mayRead(); reads += 1)
    if ((await doDueJobs(deps, 'other_schedules', 1, read)) === 0) break;
  // It may have been turned on between the question and the end of the job.
  for (const id of idle)
    if (await isSmartPauseOn(deps.db, id))
      await planJobs(deps.db, 'other_schedules', sql`select ${id}::text`);
}

/** A log that cannot be read, or has gaps, changes neither the schedules nor the access. */
async function readSchedulesOf(deps: Deps, accountId: string): Promise<NextJob> {
  const { db, cipher, platform, clock, log } = deps;
  for (const { userId, timeZone } of await findLogReaders(db, accountId, clock.now())) {
    const token = await findToken(db, cipher, userId);
    if (token === null) continue;
    const now = clock.now();
    const answer = await platform.readStatusChanges(token, accountId, now - SCHEDULE_LOG_MS);
    if (answer.ok) {
      if (answer.isPartial) return SCHEDULE_TRIED_AGAIN_MS;
      const schedules: Record<string, OtherSchedule> = {};
      for (const [id, changes] of Map.groupBy(answer.value, ({ campaignId }) => campaignId)) {
        const schedule = recogniseSchedule(changes, timeZone, now);
        if (schedule !== null) schedules[id] = schedule;
        // Thousands of campaigns take seconds.
        await setImmediate();
      }
      await saveSchedules(db, accountId, schedules);
      return READ_EVERY_MS;
    }
    const { failure } = answer;
    log.info({ account: accountId, failure: describeFailure(failure) }, 'schedules could not be read');
    if (isOfUser(failure)) continue;
    return !wasSent(failure) || failure.nextProbeInMs !== undefined ? AS_BEFORE : SCHEDULE_TRIED_AGAIN_MS;
  }
  return SCHEDULE_TRIED_AGAIN_MS;
}
