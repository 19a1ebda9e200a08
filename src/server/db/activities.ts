import { sql } from 'kysely';
import type { ActivityEvent } from '#core/events.ts';
import { describeEvent } from '#core/events.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';
import type { Actor } from './column-types.ts';

export type Activity = ActivityEvent & {
  /** Null: the activity concerns no user, or the user's data is deleted. */
  userId: string | null;
  actor: Actor;
  accountId?: string;
  campaign?: CampaignOfActivity;
};

interface CampaignOfActivity {
  id: string;
  /** At that time. */
  name: string;
  /** The hold that it is about. */
  holdId?: string;
}

/** The facts of the campaign `c.about` in the activity `act`. */
export const factsOfCampaign = sql`coalesce(c.about -> 'facts', act.facts)`;
export const detailOfCampaign = sql`case when c.about ? 'facts' then c.about ->> 'detail' else act.detail end`;

/**
 * Writes activities in the transaction of the change. Those of different campaigns that read the same are one row. One
 * that the user must know about names the kind of notification, and the outbox worker writes that.
 */
export async function recordActivities(db: Db, activities: readonly Activity[], now: Instant): Promise<void> {
  if (activities.length === 0) return;
  const rows = batchesOf(activities.map((activity) => ({ ...activity, ...describeEvent(activity) }))).map(
    (own) => ({ ...(own[0] as Described), campaigns: campaignsOf(own) }),
  );
  // Arrays, because PostgreSQL parses hundreds of rows with one parameter per value slowly.
  await sql`
    insert into activities (user_id, actor, message, detail, created_at, account_id, campaigns, event, facts, dedupe_key, pending_notification)
    select user_id, actor, message, detail, ${timestamp(now)}, account_id, campaigns, event, facts, dedupe_key, pending_notification
    from unnest(
      ${rows.map((a) => a.userId)}::bigint[], ${rows.map((a) => a.actor)}::text[],
      ${rows.map((a) => a.message)}::text[], ${rows.map((a) => a.detail)}::text[],
      ${rows.map((a) => a.accountId ?? null)}::text[], ${rows.map((a) => a.campaigns)}::jsonb[],
      ${rows.map((a) => a.event)}::text[], ${rows.map((a) => toJson(a.facts))}::jsonb[],
      ${rows.map((a) => a.dedupeKey)}::text[], ${rows.map((a) => (a.userId === null ? null : a.notification))}::text[]
    ) with ordinality as act(user_id, actor, message, detail, account_id, campaigns, event, facts, dedupe_key, pending_notification, place)
    order by place
    on conflict do nothing`.execute(db);
}

type Described = Activity & ReturnType<typeof describeEvent>;

/** Activities that become one row. The order of what happened to one campaign stays. */
function batchesOf(activities: readonly Described[]): Described[][] {
  const counts = new Map<string, number>();
  const numbered = activities.map((activity) => {
    const { campaign, userId, actor, accountId, event, message, detail, sharesDetail } = activity;
    // An object equals no other: it stays a row of its own.
    if (campaign === undefined) return { activity, number: 0, key: {} };
    const about = `${userId ?? ''} ${campaign.id}`;
    const number = counts.get(about) ?? 0;
    counts.set(about, number + 1);
    const { notification, dedupeKey, endReason } = activity;
    const words = [event, message, sharesDetail ? detail : null, notification, dedupeKey, endReason];
    return { activity, number, key: JSON.stringify([number, userId, actor, accountId, ...words]) };
  });
  const batches = [...Map.groupBy(numbered, ({ key }) => key).values()];
  const inOrder = batches.toSorted(([a], [b]) => (a?.number ?? 0) - (b?.number ?? 0));
  return inOrder.map((batch) => batch.map(({ activity }) => activity));
}

/** By the ids of the campaigns; null: the activity is about none. What is not as for the first one stands with a campaign. */
function campaignsOf(batch: readonly Described[]): string | null {
  const shared = JSON.stringify(batch[0]?.facts);
  const own = batch.flatMap(({ campaign, facts, detail }) => {
    if (campaign === undefined) return [];
    const { id, ...about } = campaign;
    return [[id, JSON.stringify(facts) === shared ? about : { ...about, facts, detail }] as const];
  });
  return own.length === 0 ? null : toJson(Object.fromEntries(own));
}

/** PostgreSQL refuses JSON with a text that was cut within a character. */
function toJson(value: object): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}
