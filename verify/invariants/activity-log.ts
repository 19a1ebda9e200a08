import type { HoldRow, Query, UserRow } from './snapshot.ts';

/** An event in the activity log that belongs to a hold or a campaign. */
export interface Activity {
  id: string;
  hold_id: string | null;
  /** Null once the user's account is deleted. */
  user_id: string | null;
  account_id: string;
  campaign_id: string;
  event: string;
  at: Date;
  /** The row of the notification that reports it; null: none does. */
  notification_id: string | null;
  /** Meta never confirmed or denied the write, and the event reports that. */
  is_unknown: boolean;
}

const QUERY = `select id::text, hold_id::text, user_id::text, account_id, campaign_id, event, at, notification_id::text,
    coalesce(message like '%did not confirm whether%', false) as is_unknown
  from activity where campaign_id is not null order by at, activity.id`;

/** Oldest first. */
export function readActivityLog(query: Query): Promise<Activity[]> {
  return query<Activity>(QUERY);
}

interface Given {
  activities: readonly Activity[];
  holds: readonly HoldRow[];
  /** The statuses that SmartPause's writes set on Meta, in order, by hold. */
  changes: ReadonlyMap<number, readonly string[]>;
  /** Users with an account: a deleted account takes its activities with it. */
  users: readonly Pick<UserRow, 'id'>[];
}

/** Every pause and resume of a hold is in the activity log exactly once, and so is its end. */
export function checkActivityLog({ activities, holds, changes, users }: Given): string[] {
  const wrong: string[] = [];
  const ofHolds = Map.groupBy(
    activities.filter(({ hold_id }) => hold_id !== null),
    ({ hold_id }) => hold_id,
  );
  for (const own of ofHolds.values()) {
    const events = Map.groupBy(own, ({ event }) => event);
    for (const [event, same] of events)
      if (same.length > 1)
        wrong.push(`${event} of hold ${same[0]?.hold_id ?? ''} is in the activity log ${same.length} times`);
  }
  for (const hold of holds) {
    const events = new Set((ofHolds.get(String(hold.id)) ?? []).map(({ event }) => event));
    // A late write that was taken back is logged as one event.
    const has = (event: string): boolean =>
      events.has(event) || events.has(`test_${event}`) || events.has('taken_back');
    // Taken over from a user whose activities were deleted with their account.
    const isTakenOver = activities.some(
      (one) =>
        one.event === 'taken_over' &&
        one.campaign_id === hold.campaign_id &&
        one.user_id === String(hold.user_id),
    );
    const hasPaused = has('paused') || isTakenOver;
    if (hold.paused_at !== null && !hasPaused)
      wrong.push(`the pause of hold ${hold.id} is not in the activity log`);
    const written = isUnknown(hold, activities) ? [] : (changes.get(hold.id) ?? []);
    const stays = users.some(({ id }) => id === hold.user_id);
    if (stays && written.includes('PAUSED') && !hasPaused)
      wrong.push(`hold ${hold.id} paused ${hold.campaign_id}, and the activity log does not say so`);
    if (stays && written.at(-1) === 'ACTIVE' && !has('resumed'))
      wrong.push(`hold ${hold.id} resumed ${hold.campaign_id}, and the activity log does not say so`);
    const ends = [...events].filter(
      (event) => !['paused', 'test_paused', 'taken_back', 'not_restored'].includes(event),
    );
    const isOwn = ['smartpause_off', 'manual_pause'].includes(hold.reason ?? hold.release ?? '');
    if (hold.state === 'ended' && ends.length !== 1 && !isOwn)
      wrong.push(`the end of hold ${hold.id} is in the activity log as ${ends.join(', ') || 'nothing'}`);
  }
  return wrong;
}

/** Also reported by the activity of a manual pause or resume, which belongs to no hold. */
function isUnknown(hold: HoldRow, activities: readonly Activity[]): boolean {
  if (hold.outcome !== 'released') return false;
  return activities.some(({ is_unknown, hold_id, campaign_id, at }) => {
    if (!is_unknown) return false;
    if (hold_id !== null) return hold_id === String(hold.id);
    return campaign_id === hold.campaign_id && at.getTime() === Date.parse(hold.resumed_at ?? '');
  });
}
