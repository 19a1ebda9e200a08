import { sql } from 'kysely';
import { z } from 'zod';
import type { EndReason } from '#core/smartpause/release-labels.ts';
import { END_REASONS } from '#core/smartpause/release-labels.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { THRESHOLDS } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isPausedBySmartPause, pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** An activity with the names of its campaign and ad account. */
export interface NamedActivity {
  campaignId: string;
  name: string;
  account: string;
  event: string;
  reason: EndReason | null;
  at: Instant;
  /** When the campaign was paused; null if irrelevant. */
  pausedAt: Instant | null;
  /** When SmartPause decided the pause; null if irrelevant. */
  decidedAt: Instant | null;
  /** The user's threshold when the pause was decided; null: not recorded, or irrelevant. */
  threshold: Threshold | null;
  /** Meta's own words when it refused the write for good; null: it did not. */
  refusal: string | null;
}

/** `a` is the user's row of the ad account, from a left join. */
const isAccountLost = sql<boolean>`(a.id is null or a.lost_at is not null)`;
/** Meta accepts the user's token and allows access to the ad account `a`. */
const isReachable = sql<boolean>`(not ${isAccountLost} and exists (
  select from platform_tokens t where t.user_id = a.user_id and t.rejected_at is null))`;

const releaseReason = z.enum(END_REASONS).nullable().catch(null);

/** An activity in an email, with the state of its campaign when the email is rendered. */
export interface NotifiedActivity extends NamedActivity {
  /** "Paused by SmartPause" applies. */
  isHeld: boolean;
  /** Meta accepts the user's token and allows access to the ad account. */
  isReachable: boolean;
  /** SmartPause is on for the campaign. */
  isOn: boolean;
  /** The end of this activity's hold; `reason` null: resumed. Null: the hold is live. */
  end: { reason: EndReason | null; at: Instant } | null;
}

/** The activities of a notification, oldest first. */
export async function findNotifiedActivities(db: Db, notificationId: string): Promise<NotifiedActivity[]> {
  type Row = Omit<NotifiedActivity, 'pausedAt' | 'end'> & {
    endAt: Instant | null;
    endReason: string | null;
  };
  const { rows } = await sql<Row>`
    select act.campaign_id, coalesce(c.name, act.campaign_id) as name,
      coalesce(a.name, act.account_id) as account, act.event, act.reason, act.created_at as at, h.decided_at,
      h.threshold, h.refusal,
      h.ended_at as "endAt",
      coalesce(h.release_reason, case h.outcome when 'not_needed' then h.outcome end) as "endReason",
      exists (select from smartpause_settings own where own.user_id = act.user_id
        and own.campaign_id = act.campaign_id and own.setting = 'ON') as "isOn",
      exists (select ${pausedHolds} and holds.user_id = act.user_id
        and holds.campaign_id = act.campaign_id) as "isHeld",
      ${isReachable} as "isReachable"
    from activities act
    left join holds h on h.id = act.hold_id
    left join campaigns c on c.id = act.campaign_id
    left join ad_accounts a on a.user_id = act.user_id and a.id = act.account_id
    where act.notification_id = ${notificationId} and act.campaign_id is not null
    order by act.created_at, act.id`.execute(db);
  return rows.map(({ endAt, endReason, ...row }) => ({
    ...row,
    reason: releaseReason.parse(row.reason),
    pausedAt: null,
    end: endAt === null ? null : { reason: releaseReason.parse(endReason), at: endAt },
  }));
}

/** The user's campaigns with a hold released since then and without a new hold. */
export async function findReleased(db: Db, userId: string, since: Instant): Promise<NamedActivity[]> {
  const { rows } = await sql<NamedActivity>`
    select h.campaign_id, coalesce(c.name, h.campaign_id) as name,
      coalesce(a.name, h.account_id) as account, 'released' as event,
      coalesce(h.release_reason, h.outcome) as reason, h.ended_at as at, h.paused_at, null as "decidedAt",
      null as threshold, h.refusal
    from holds h
    left join campaigns c on c.id = h.campaign_id
    left join ad_accounts a on a.user_id = h.user_id and a.id = h.account_id
    where h.user_id = ${userId} and h.outcome in ('released', 'not_needed') and h.ended_at >= ${timestamp(since)}
      and h.test_until is null and h.release_reason is distinct from 'pause_refused'
      and not exists (select ${pausedHolds} and holds.user_id = h.user_id
        and holds.campaign_id = h.campaign_id)
    order by h.ended_at, h.id`.execute(db);
  return rows;
}

export interface HeldCampaign extends NamedActivity {
  accountId: string;
  isAccountLost: boolean;
  /** Meta accepts the user's token and allows access to the ad account. */
  isReachable: boolean;
}

/** The user's campaigns that SmartPause has paused, in the order of the pauses. */
export async function findHeld(db: Db, userId: string): Promise<HeldCampaign[]> {
  const { rows } = await sql<HeldCampaign>`
    select holds.campaign_id, holds.account_id, coalesce(campaigns.name, holds.campaign_id) as name,
      coalesce(a.name, holds.account_id) as account, 'paused' as event, null as reason, holds.paused_at as at,
      null as "pausedAt", null as "decidedAt", holds.threshold, null as refusal, ${isAccountLost} as "isAccountLost", ${isReachable} as "isReachable"
    from holds
    join smartpause_settings on smartpause_settings.user_id = holds.user_id and smartpause_settings.campaign_id = holds.campaign_id
    left join campaigns on campaigns.id = holds.campaign_id
    left join ad_accounts a on a.user_id = holds.user_id and a.id = holds.account_id
    where holds.user_id = ${userId} and holds.paused_at is not null and ${isPausedBySmartPause}
    order by holds.paused_at, holds.id`.execute(db);
  return rows;
}

/** Users with such campaigns whose holds began with one of these thresholds, except those who are leaving. */
export async function findHolders(db: Db, thresholds: readonly Threshold[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users
    where users.leaving is null and exists (select ${pausedHolds} and holds.user_id = users.id
      and holds.paused_at is not null and holds.threshold = any(${[...thresholds]}::text[]))
    order by users.id`.execute(db);
  return rows.map((row) => row.id);
}

/** The user's campaigns with a hold in this state, and one of these thresholds; a live test does not count. */
export async function findInState(
  db: Db,
  userId: string,
  state: Hold['state'],
  thresholds: readonly Threshold[] = THRESHOLDS,
): Promise<string[]> {
  const rows = await db
    .selectFrom('holds')
    .select('campaignId')
    .where('userId', '=', userId)
    .where('state', '=', state)
    .where(sql<boolean>`threshold = any(${[...thresholds]}::text[])`)
    .where('testUntil', 'is', null)
    .execute();
  return rows.map((row) => row.campaignId);
}

/** The user's campaigns in a live test. */
export async function findTested(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('holds')
    .select('campaignId')
    .where('userId', '=', userId)
    .where('state', '<>', 'ended')
    .where('testUntil', 'is not', null)
    .execute();
  return rows.map((row) => row.campaignId);
}

/** Moves the activities of one notification to another. */
export async function moveReports(tx: Db, from: string, to: string): Promise<void> {
  await tx.updateTable('activities').set({ notificationId: to }).where('notificationId', '=', from).execute();
  await tx.deleteFrom('notifications').where('id', '=', from).execute();
}
