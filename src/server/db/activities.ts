import { sql } from 'kysely';
import { notificationAbout } from '#core/notifications.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { inPieces, timestamp } from './database.ts';
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
 * Writes activities in the transaction of the change. One that the user must know about names the kind of
 * notification, and the outbox worker writes that. What was recorded before is not recorded again.
 */
export async function recordActivities(db: Db, activities: readonly Activity[], now: Instant): Promise<void> {
  if (activities.length === 0) return;
  // Arrays, because PostgreSQL parses hundreds of rows with one parameter per value slowly.
  await sql`
    insert into activities (user_id, actor, type, message, created_at, account_id, campaign_id, hold_id, event, reason, pending_notification)
    select user_id, actor, type, message, ${timestamp(now)}, account_id, campaign_id, hold_id, event, reason, pending_notification
    from unnest(
      ${activities.map((a) => a.userId)}::bigint[], ${activities.map((a) => a.actor)}::text[],
      ${activities.map((a) => a.type)}::text[], ${activities.map((a) => a.message)}::text[],
      ${activities.map((a) => a.accountId ?? null)}::text[], ${activities.map((a) => a.campaignId ?? null)}::text[],
      ${activities.map((a) => a.holdId ?? null)}::bigint[], ${activities.map((a) => a.event)}::text[],
      ${activities.map((a) => a.reason ?? null)}::text[],
      ${activities.map((a) => (a.userId === null ? null : notificationAbout(a.event, a.reason ?? null)))}::text[]
    ) with ordinality as act(user_id, actor, type, message, account_id, campaign_id, hold_id, event, reason, pending_notification, place)
    order by place
    on conflict do nothing`.execute(db);
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
