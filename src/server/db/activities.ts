import { sql } from 'kysely';
import type { NotificationKind } from '#core/notifications.ts';
import { notificationAbout } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { inPieces, timestamp } from './database.ts';
import { openNotifications } from './notifications.ts';
import type { ActivityType, Actor } from './schema.ts';

export interface Activity {
  /** Null: the activity concerns no user, or the user's data is deleted. */
  userId: string | null;
  actor: Actor;
  type: ActivityType;
  message: string;
  event: string;
  reason?: string;
  accountId?: string;
  campaignId?: string;
  /** Together with a hold it makes the activity unique, so a repeat after a crash writes nothing. */
  holdId?: string;
}

/**
 * Writes activities in the transaction of the change.
 * The same transaction adds those that a user must see to an outbox notification.
 */
export async function recordActivities(db: Db, activities: readonly Activity[], now: Instant): Promise<void> {
  if (activities.length === 0) return;
  const wanted = activities.map((activity) => notificationOf(activity));
  const notifications = await openNotifications(
    db,
    wanted.filter((notification) => notification !== null),
    now,
  );
  const notificationIds = wanted.map((notification) =>
    notification === null ? null : (notifications.get(`${notification.userId} ${notification.kind}`) ?? null),
  );
  // Arrays, because PostgreSQL parses hundreds of rows with one parameter per value slowly.
  await sql`
    insert into activities (user_id, actor, type, message, created_at, account_id, campaign_id, hold_id, event, reason, notification_id)
    select user_id, actor, type, message, ${timestamp(now)}, account_id, campaign_id, hold_id, event, reason, notification_id
    from unnest(
      ${activities.map((a) => a.userId)}::bigint[], ${activities.map((a) => a.actor)}::text[],
      ${activities.map((a) => a.type)}::text[], ${activities.map((a) => a.message)}::text[],
      ${activities.map((a) => a.accountId ?? null)}::text[], ${activities.map((a) => a.campaignId ?? null)}::text[],
      ${activities.map((a) => a.holdId ?? null)}::bigint[], ${activities.map((a) => a.event)}::text[],
      ${activities.map((a) => a.reason ?? null)}::text[], ${notificationIds}::bigint[]
    ) with ordinality as act(user_id, actor, type, message, account_id, campaign_id, hold_id, event, reason, notification_id, place)
    order by place
    on conflict (hold_id, event) do nothing`.execute(db);
}

function notificationOf(activity: Activity): { userId: string; kind: NotificationKind } | null {
  const kind = notificationAbout(activity.event, activity.reason ?? null);
  return kind === null || activity.userId === null ? null : { userId: activity.userId, kind };
}

/** Keeps activities of campaigns with a live hold, because a notification may still need them. */
export function dropOldActivities(db: Db, before: Instant): Promise<void> {
  return inPieces((limit) =>
    sql`delete from activities where id in (
      select id from activities where created_at < ${timestamp(before)} and not exists (
        select from holds where holds.id = activities.hold_id and holds.state <> 'ended')
      order by created_at limit ${limit} for update skip locked)`.execute(db),
  );
}
