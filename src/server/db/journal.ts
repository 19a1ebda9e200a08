import { sql } from 'kysely';
import type { MailKind } from '#core/mails.ts';
import { mailThatTells } from '#core/mails.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { inPieces } from './pieces.ts';
import { openMails } from './mails.ts';

export const ACTIVITY_TYPES = ['pause', 'resume', 'login', 'setting', 'other'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** Whose hand it was: the person's own, ours, Meta's by a callback, Stripe's, or whoever runs this installation. */
export type Actor = 'person' | 'smartpause' | 'meta' | 'stripe' | 'operator';

export interface Activity {
  /** Whom it concerns; null: nobody in particular, or somebody whose data is gone. */
  personId: string | null;
  actor: Actor;
  type: ActivityType;
  message: string;
  event: string;
  reason?: string;
  accountId?: string;
  campaignId?: string;
  /** With a hold, an event is written once: however often the act is repeated after a crash. */
  holdId?: string;
}

/**
 * Writes what was done, in the transaction of the deed itself, and puts what has to be told into the outbox:
 * an act that is in the journal is in a mail.
 */
export async function recordActivities(db: Db, activities: readonly Activity[], now: Instant): Promise<void> {
  if (activities.length === 0) return;
  const told = activities.map((activity) => mailOf(activity));
  const mails = await openMails(
    db,
    told.filter((mail) => mail !== null),
    now,
  );
  const mailIds = told.map((mail) =>
    mail === null ? null : (mails.get(`${mail.personId} ${mail.kind}`) ?? null),
  );
  // By arrays: hundreds of rows with a parameter for each of their values are slow to read for the database.
  await sql`
    insert into activity (person_id, actor, type, message, at, account_id, campaign_id, hold_id, event, reason, mail_id)
    select person_id, actor, type, message, ${new Date(now)}::timestamptz, account_id, campaign_id, hold_id, event, reason, mail_id
    from unnest(
      ${activities.map((a) => a.personId)}::bigint[], ${activities.map((a) => a.actor)}::text[],
      ${activities.map((a) => a.type)}::text[], ${activities.map((a) => a.message)}::text[],
      ${activities.map((a) => a.accountId ?? null)}::text[], ${activities.map((a) => a.campaignId ?? null)}::text[],
      ${activities.map((a) => a.holdId ?? null)}::bigint[], ${activities.map((a) => a.event)}::text[],
      ${activities.map((a) => a.reason ?? null)}::text[], ${mailIds}::bigint[]
    ) with ordinality as act(person_id, actor, type, message, account_id, campaign_id, hold_id, event, reason, mail_id, place)
    order by place
    on conflict (hold_id, event) do nothing`.execute(db);
}

function mailOf(activity: Activity): { personId: string; kind: MailKind } | null {
  const kind = mailThatTells(activity.event, activity.reason ?? null);
  return kind === null || activity.personId === null ? null : { personId: activity.personId, kind };
}

/** What was done to a campaign that is still held is told once, however long ago it was. */
export function dropOldActivities(db: Db, before: Instant): Promise<void> {
  return inPieces((limit) =>
    sql`delete from activity where id in (
      select id from activity where at < ${new Date(before)}::timestamptz and not exists (
        select from hold where hold.id = activity.hold_id and hold.state <> 'ended')
      order by at limit ${limit} for update skip locked)`.execute(db),
  );
}
