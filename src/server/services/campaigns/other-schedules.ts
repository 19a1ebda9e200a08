import { setImmediate } from 'node:timers/promises';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import { SCHEDULE_LOG_MS, recogniseSchedule } from '#core/smartpause/other-schedule.ts';
import { claimSchedules, findLogReaders, saveSchedules } from '../../db/other-schedules.ts';
import { findToken } from '../../db/users/tokens.ts';
import { describeFailure, mayBeTheToken } from '../../platforms/meta/errors.ts';
import type { ServiceDeps } from '../deps.ts';

/** A process that ends waits for them. */
const AT_ONCE = 10;

/** Finds the schedules of other tools in the activity logs that are due. */
export async function readSchedules(deps: ServiceDeps): Promise<void> {
  for (let reads = 0; reads < AT_ONCE && !deps.isPlatformDown(); reads += 1) {
    const accountId = await claimSchedules(deps.db, deps.clock.now());
    if (accountId === null) return;
    await readSchedulesOf(deps, accountId);
  }
}

/** A log that cannot be read changes neither the schedules nor the access. */
async function readSchedulesOf(deps: ServiceDeps, accountId: string): Promise<void> {
  const { db, cipher, platform, clock, log } = deps;
  for (const { userId, timeZone } of await findLogReaders(db, accountId, clock.now())) {
    const token = await findToken(db, cipher, userId);
    if (token === null) continue;
    const now = clock.now();
    const answer = await platform.readStatusChanges(token, accountId, now - SCHEDULE_LOG_MS);
    if (answer.ok) {
      const schedules: Record<string, OtherSchedule> = {};
      for (const [id, changes] of Map.groupBy(answer.value, ({ campaignId }) => campaignId)) {
        const schedule = recogniseSchedule(changes, timeZone, now);
        if (schedule !== null) schedules[id] = schedule;
        // Thousands of campaigns take seconds.
        await setImmediate();
      }
      return saveSchedules(db, { accountId, schedules }, now);
    }
    const { failure } = answer;
    log.info({ account: accountId, failure: describeFailure(failure) }, 'schedules could not be read');
    // Another user may be able to read it.
    if (failure.kind !== 'permission' && !mayBeTheToken(failure, 'account')) return;
  }
}
