import { dayOf, localHourOf } from '#core/spend/local-hours.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../src/server/db/database.ts';
import { saveSpend } from '../../src/server/db/campaign-spend.ts';

const WEEKS = 4;
const DAY_HOURS = 24;

/** Hourly spend of the day and of the same weekday in the weeks before, as if it had been read: the day is the worst one. */
export async function plantSpend(
  { db, clock }: { db: Db; clock: { now(): Instant } },
  { campaignIds, at, timeZone }: { campaignIds: readonly string[]; at: Instant; timeZone: string },
): Promise<void> {
  const hour = localHourOf(timeZone, at);
  for (let week = 0; week <= WEEKS; week++) {
    const value = campaignIds.map((id, index) => {
      const each = (index + 1) * (week === 0 ? 1870 : 2400 + 310 * week);
      const spend = Array.from({ length: DAY_HOURS }, () => each);
      const impressions = spend.map(() => (week === 0 ? 140 : 420 + 15 * index));
      return [id, { spend, impressions }] as const;
    });
    const day = dayOf(hour - week * 7 * DAY_HOURS);
    await saveSpend(db, { day, readAt: clock.now(), campaignIds }, new Map(value));
  }
}
