import type { RawBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { CampaignWrite } from '#core/reconciler/hold.ts';
import { DENIED_KINDS } from '#core/outages/why-not-paused.ts';
import { CONFIRMED_COUNTS_MS } from '#core/reconciler/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { columnsOf, rowsOf, timestamp } from '../database.ts';
import type { Schema } from '../schema.ts';

/** The wish is the pending manual change. */
export interface WriteRow extends CampaignWrite {
  accountId: string;
  campaignId: string;
}

/** Writes that still matter: open, unanswered, just confirmed, of a live hold, or before a manual change. */
export async function findWrites(
  db: Db,
  accountIds: readonly string[],
  campaignIds: readonly string[],
  now: Instant,
): Promise<WriteRow[]> {
  const { rows } = await sql<Selectable<Schema['campaignWrites']>>`
    select * from campaign_writes where account_id = any(${[...accountIds]}::text[])
      and (state = 'open' or unanswered_until is not null
        or confirmed_at > ${timestamp(now - CONFIRMED_COUNTS_MS)}
        or campaign_id = any(${[...campaignIds]}::text[]))`.execute(db);
  return rows.map(({ confirmedStatus: status, confirmedAt: at, userId, ...row }) => ({
    ...row,
    requestedBy: userId,
    confirmed: status === null || at === null ? null : { status, at },
    wanted: null,
  }));
}

/**
 * Before a user is deleted: who holds the campaign, or has SmartPause on for it, gets the write. It tells what reads and the
 * log show of our copies.
 */
export async function handOverWrites(tx: Db, userId: string): Promise<void> {
  await sql`
    update campaign_writes w set user_id = heir.id from (
      select own.campaign_id, coalesce(
        (select user_id from holds where campaign_id = own.campaign_id and state <> 'ended'),
        (select min(sp.user_id) from smartpause_settings sp join users u on u.id = sp.user_id and u.leaving is null
          where sp.campaign_id = own.campaign_id and sp.account_id = own.account_id and sp.setting = 'ON'
            and sp.user_id <> own.user_id)) as id
      from campaign_writes own where own.user_id = ${userId}) heir
    where w.campaign_id = heir.campaign_id and heir.id is not null`.execute(tx);
}

const COLUMNS = {
  campaignId: 'text',
  accountId: 'text',
  origin: 'text',
  userId: 'bigint',
  requestedAt: 'timestamptz',
  target: 'text',
  state: 'text',
  statusBefore: 'text',
  firstSentAt: 'timestamptz',
  unansweredUntil: 'timestamptz',
  unclearSince: 'timestamptz',
  retryAt: 'timestamptz',
  plannedRetryAt: 'timestamptz',
  refusals: 'int',
  finalRefusals: 'int',
  failures: 'int',
  refusal: 'text',
  failureKind: 'text',
  failureCode: 'text',
  confirmedStatus: 'text',
  confirmedAt: 'timestamptz',
} as const;

export async function saveWrites(db: Db, writes: readonly WriteRow[]): Promise<void> {
  if (writes.length === 0) return;
  const given = writes.map(({ confirmed, requestedBy: userId, ...write }) => ({
    ...write,
    userId,
    confirmedStatus: confirmed?.status ?? null,
    confirmedAt: confirmed?.at ?? null,
  }));
  const columns = columnsOf(COLUMNS);
  await sql`
    insert into campaign_writes (${columns}) select ${columns} from ${rowsOf(COLUMNS, given)}
      where exists (select from users where users.id = user_id) order by campaign_id
    on conflict (campaign_id) do update set (${columns}) = (${columnsOf(COLUMNS, 'excluded')})`.execute(db);
}

/** `w` is a write: Meta refused it, or all changes of its user until then, and it is tried again. */
export const isRefused = (blockedUntil: RawBuilder<unknown>) =>
  sql<boolean>`(w.state = 'open' and w.origin <> 'manual' and w.unanswered_until is null
    and (w.refusals > 0 or w.failures > 0 and ${blockedUntil} is not null))`;

/**
 * Of a write `w` that is tried now, because a user has asked for it.
 * @param times when it would be tried else
 * @param askedAt in the past
 */
export const triedNow = (times: RawBuilder<unknown>, askedAt: RawBuilder<unknown>, now: Instant) =>
  sql`retry_at = ${askedAt}, planned_retry_at = coalesce(w.planned_retry_at, greatest(${times}, ${timestamp(now)}))`;

/**
 * A user believes that Meta no longer refuses the campaign's write: it may be tried again now. To be called after the work item was woken, whose lock comes first.
 * @returns false: it is not refused
 */
export async function retryRefused(
  db: Db,
  { userId, accountId, campaignId }: { userId: string; accountId: string; campaignId: string },
  now: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    with own as (select writes_blocked_until from ad_accounts where user_id = ${userId} and id = ${accountId}),
    retried as (
      update campaign_writes w set ${triedNow(sql`w.retry_at, own.writes_blocked_until`, timestamp(now), now)} from own
      where w.campaign_id = ${campaignId} and w.user_id = ${userId} and ${isRefused(sql`own.writes_blocked_until`)}
      returning campaign_id)
    update ad_accounts a set writes_blocked_until = case when a.writes_blocked_until is not null
      then least(a.writes_blocked_until, ${timestamp(now)}) end from retried
    where a.user_id = ${userId} and a.id = ${accountId} returning a.id`.execute(db);
  return rows.length > 0;
}

type Retry = 'due' | 'accepted' | 'refused' | 'other';

/** What became of a retry that was asked for then. */
export async function findRetry(db: Db, campaignId: string, askedAt: Instant): Promise<Retry> {
  const { rows } = await sql<{ result: Retry }>`
    select case when state = 'done' then 'accepted'
      when state <> 'open' or unanswered_until is not null then 'other'
      when retry_at <= ${timestamp(askedAt)} then 'due'
      when failure_kind = any(${[...DENIED_KINDS]}::text[]) then 'refused' else 'other' end as result
    from campaign_writes where campaign_id = ${campaignId}`.execute(db);
  return rows[0]?.result ?? 'other';
}
