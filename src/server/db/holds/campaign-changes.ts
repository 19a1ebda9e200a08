import { sql } from 'kysely';
import type { CampaignAction } from '#contract/shapes.ts';
import type { ApiErrorCode } from '#contract/errors.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { onlyRow, timestamp } from '../database.ts';
import type { ManualEnd } from './manual-changes.ts';
import { triedNow } from './writes.ts';

/** What a request does to one campaign, as it was stored. */
export interface ChangePart {
  campaignId: string;
  /** Null: accepted. */
  failure: ApiErrorCode | null;
  message: string | null;
  /** Carries it out; null: it is done. */
  manualChangeId: string | null;
  holdId: string | null;
}

/** With the rows that carry it out, as they are now. */
export interface FollowedPart extends Pick<ChangePart, 'campaignId' | 'failure' | 'message'> {
  manual: (ManualEnd & { endedAt: Instant | null }) | null;
  hold:
    | (Pick<Hold, 'outcome' | 'releaseReason' | 'refusal'> & {
        endedAt: Instant | null;
        isOwn: boolean;
        isAsked: boolean;
      })
    | null;
}

export interface FollowedChange {
  id: string;
  action: CampaignAction;
  startedAt: Instant;
  parts: FollowedPart[];
}

/** Stores one request for several campaigns. @returns its id */
export async function insertCampaignChange(
  db: Db,
  { userId, action, parts }: { userId: string; action: CampaignAction; parts: readonly ChangePart[] },
  now: Instant,
): Promise<string> {
  const result = await sql<{ id: string }>`
    insert into campaign_changes (user_id, action, started_at, campaign_ids, manual_change_ids, hold_ids, failures, messages)
    values (${userId}, ${action}, ${timestamp(now)}, ${parts.map((one) => one.campaignId)}::text[],
      ${parts.map((one) => one.manualChangeId)}::bigint[], ${parts.map((one) => one.holdId)}::bigint[],
      ${parts.map((one) => one.failure)}::text[], ${parts.map((one) => one.message)}::text[])
    returning id`.execute(db);
  return onlyRow(result).id;
}

export async function findCampaignChange(db: Db, userId: string, id: string): Promise<FollowedChange | null> {
  const { rows } = await sql<FollowedPart & Omit<FollowedChange, 'parts'>>`
    select c.id, c.action, c.started_at, part.campaign_id, part.failure, part.message,
      case when m.id is not null then json_build_object('failure', m.failure, 'refusal', m.refusal,
        'endedAt', floor(extract(epoch from m.ended_at) * 1000)) end as manual,
      case when h.id is not null then json_build_object('outcome', h.outcome, 'releaseReason', h.release_reason,
        'refusal', h.refusal, 'isOwn', h.user_id = c.user_id, 'isAsked', h.resume_asked_at is not null,
        'endedAt', floor(extract(epoch from h.ended_at) * 1000)) end as hold
    from campaign_changes c
    cross join lateral unnest(c.campaign_ids, c.manual_change_ids, c.hold_ids, c.failures, c.messages)
      with ordinality as part(campaign_id, manual_change_id, hold_id, failure, message, place)
    left join manual_changes m on m.id = part.manual_change_id
    left join holds h on h.id = part.hold_id
    where c.user_id = ${userId} and c.id = ${id} order by part.place`.execute(db);
  const [first] = rows;
  return first === undefined ? null : { id, action: first.action, startedAt: first.startedAt, parts: rows };
}

/**
 * Asks for the resume of these campaigns' holds, for all users, and for the next try of a resume that Meta has refused.
 * To be called after the work items were woken, whose lock comes first.
 * @returns the ids of the holds, by campaign
 */
export async function askForResume(
  db: Db,
  { userId, campaignIds }: { userId: string; campaignIds: readonly string[] },
  now: Instant,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; campaignId: string }>`
    with asked as (
      update holds set resume_asked_by = coalesce(resume_asked_by, ${userId}), refusal = null,
        resume_asked_at = coalesce(resume_asked_at, ${timestamp(now)})
      where campaign_id = any(${[...campaignIds]}::text[]) and state <> 'ended' and test_until is null
        and not exists (select from manual_changes m where m.campaign_id = holds.campaign_id and m.ended_at is null)
      returning id, campaign_id, resume_asked_at
    ), retried as (
      update campaign_writes w set ${triedNow(sql`w.retry_at`, sql`asked.resume_asked_at`, now)} from asked
      where w.campaign_id = asked.campaign_id and w.state = 'open' and w.target = 'ACTIVE' and w.unanswered_until is null)
    select id, campaign_id from asked`.execute(db);
  return new Map(rows.map(({ id, campaignId }) => [campaignId, id]));
}

/** The user has turned SmartPause on or off since: of two wishes, the later one counts. Work items first, as above. */
export async function dropAskedResumes(
  db: Db,
  userId: string,
  campaignIds: readonly string[],
): Promise<void> {
  await sql`
    update holds set resume_asked_by = null, resume_asked_at = null
    where campaign_id = any(${[...campaignIds]}::text[]) and state <> 'ended' and resume_asked_by = ${userId}`.execute(
    db,
  );
}

/** The ad accounts of those of the campaigns that are held for another user. */
export async function findAccountsHeldForOthers(
  db: Db,
  userId: string,
  campaignIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id from holds
    where campaign_id = any(${[...campaignIds]}::text[]) and state <> 'ended' and user_id <> ${userId}`.execute(
    db,
  );
  return rows.map(({ accountId }) => accountId);
}

/** Those of the campaigns that have a hold, a manual change or a write that is being sent. */
export async function findBusy(
  db: Db,
  { accountIds, campaignIds }: Record<'accountIds' | 'campaignIds', readonly string[]>,
): Promise<Set<string>> {
  const ids = sql`any(${[...campaignIds]}::text[])`;
  const { rows } = await sql<{ id: string }>`
    select campaign_id as id from holds where campaign_id = ${ids} and state <> 'ended'
    union select campaign_id from manual_changes where campaign_id = ${ids} and ended_at is null
    union select sent ->> 'campaignId' from work_items, json_array_elements(intent) as sent
      where account_id = any(${[...accountIds]}::text[]) and sent ->> 'campaignId' = ${ids}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
