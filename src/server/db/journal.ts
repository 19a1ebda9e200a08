import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';

export type ActivityType = 'pause' | 'resume' | 'login' | 'setting' | 'other';

export interface Activity {
  personId: string | null;
  type: ActivityType;
  message: string;
  accountId?: string;
  campaignId?: string;
  /** With a hold, an event is written once: however often the act is repeated after a crash. */
  holdId?: string;
  event: string;
}

/** Writes what was done, in the transaction of the deed itself. */
export async function recordActivities(db: Db, activities: readonly Activity[], now: Instant): Promise<void> {
  if (activities.length === 0) return;
  await db
    .insertInto('activity')
    .values(
      activities.map((activity) => ({
        person_id: activity.personId,
        type: activity.type,
        message: activity.message,
        at: new Date(now),
        account_id: activity.accountId ?? null,
        campaign_id: activity.campaignId ?? null,
        hold_id: activity.holdId ?? null,
        event: activity.event,
      })),
    )
    .onConflict((conflict) => conflict.columns(['hold_id', 'event']).doNothing())
    .execute();
}
