import { sql } from 'kysely';
import { z } from 'zod';
import type { HoldState, LetGoReason } from '#core/smartpause/hold.ts';
import { HOLD_STATES, LET_GO_REASONS } from '#core/smartpause/hold.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { isPausedBySmartPause, pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** A campaign by the names its person knows it by, and something that happened to it. */
export interface NamedAct {
  campaignId: string;
  name: string;
  account: string;
  event: string;
  reason: LetGoReason | null;
  at: Instant;
  /** When it had been paused; null where that does not matter. */
  pausedAt: Instant | null;
  /** When it was decided to pause it; null where that does not matter. */
  decidedAt: Instant | null;
  /** The level for which it was paused. */
  pausedFor: string | null;
  /** In which state it was let go, if nobody knows whether the write of then was carried out. */
  unsettled: HoldState | null;
}

/** Meta does not let the user use the ad account. `a` is the user's row of it, from a left join. */
const isAccountLost = sql<boolean>`(a.id is null or a.lost_at is not null)`;
/** Meta accepts the user's token, and lets them use the ad account `a`. */
const isReachable = sql<boolean>`(not ${isAccountLost} and exists (
  select from platform_token t where t.person_id = a.person_id and t.refused_at is null))`;

interface Row {
  campaign_id: string;
  name: string;
  account: string;
  event: string;
  reason: string | null;
  at: Date;
  paused_at?: Date | null;
  decided_at?: Date | null;
  paused_for?: string | null;
  unsettled?: string | null;
}

const holdState = z.enum(HOLD_STATES).nullable().catch(null);
const letGoReason = z.enum(LET_GO_REASONS).nullable().catch(null);

function toNamedAct(row: Row): NamedAct {
  return {
    campaignId: row.campaign_id,
    name: row.name,
    account: row.account,
    event: row.event,
    reason: letGoReason.parse(row.reason),
    at: instant(row.at),
    pausedAt: instant(row.paused_at ?? null),
    decidedAt: instant(row.decided_at ?? null),
    pausedFor: row.paused_for ?? null,
    unsettled: holdState.parse(row.unsettled ?? null),
  };
}

/** An act in an email, and what is true of its campaign when the email is rendered. */
export interface ToldAct extends NamedAct {
  /** It is shown and counted as paused by SmartPause. */
  isHeld: boolean;
  /** Meta accepts the user's token, and lets them use the ad account. */
  isReachable: boolean;
  /** Its live hold found it running, and a second read decides about the hold. */
  isChecked: boolean;
  /** SmartPause is on for it. */
  isOn: boolean;
  /** How the hold of this act has ended; `reason` null: the campaign was resumed. Null: it has not ended. */
  end: { reason: LetGoReason | null; at: Instant } | null;
}

/** The acts that an email tells of, oldest first. */
export async function findToldActs(db: Db, mailId: string): Promise<ToldAct[]> {
  interface ToldRow extends Row {
    is_held: boolean;
    is_reachable: boolean;
    is_checked: boolean;
    is_on: boolean;
    end_at: Date | null;
    end_reason: string | null;
  }
  const { rows } = await sql<ToldRow>`
    select act.campaign_id, coalesce(c.name, act.campaign_id) as name, coalesce(a.name, act.account_id) as account,
      act.event, act.reason, act.at, h.created_at as decided_at, h.paused_for, h.unsettled,
      coalesce(h.resumed_at, h.ended_at) as end_at, coalesce(h.given_up, h.reason) as end_reason,
      exists (select from smart_pause own where own.person_id = act.person_id
        and own.campaign_id = act.campaign_id and own.setting = 'ON') as is_on,
      exists (select ${pausedHolds} and hold.person_id = act.person_id
        and hold.campaign_id = act.campaign_id) as is_held,
      ${isReachable} as is_reachable,
      coalesce(h.state <> 'ended' and h.resumed_at is null and h.given_up is null
        and c.status = 'ACTIVE', false) as is_checked
    from activity act
    left join hold h on h.id = act.hold_id
    left join campaign c on c.id = act.campaign_id
    left join ad_account a on a.person_id = act.person_id and a.id = act.account_id
    where act.mail_id = ${mailId} and act.campaign_id is not null
    order by act.at, act.id`.execute(db);
  return rows.map((row) => ({
    ...toNamedAct(row),
    isHeld: row.is_held,
    isReachable: row.is_reachable,
    isChecked: row.is_checked && row.is_on,
    isOn: row.is_on,
    end: row.end_at === null ? null : { reason: letGoReason.parse(row.end_reason), at: instant(row.end_at) },
  }));
}

/** Campaigns of one person whose holds ended since then without a resume, and that are not held again. */
export async function findLetGo(db: Db, personId: string, since: Instant): Promise<NamedAct[]> {
  const { rows } = await sql<Row>`
    select h.campaign_id, coalesce(c.name, h.campaign_id) as name, coalesce(a.name, h.account_id) as account,
      'let_go' as event, h.reason, h.ended_at as at, h.paused_at, h.unsettled
    from hold h
    left join campaign c on c.id = h.campaign_id
    left join ad_account a on a.person_id = h.person_id and a.id = h.account_id
    where h.person_id = ${personId} and h.outcome = 'let_go' and h.ended_at >= ${new Date(since)}::timestamptz
      and not exists (select ${pausedHolds} and hold.person_id = h.person_id
        and hold.campaign_id = h.campaign_id)
    order by h.ended_at, h.id`.execute(db);
  return rows.map(toNamedAct);
}

export interface HeldCampaign extends NamedAct {
  isAccountLost: boolean;
  /** Meta accepts the user's token, and lets them use the ad account. */
  isReachable: boolean;
}

/** Campaigns of one user that SmartPause has paused and not resumed, in the order of the pauses. */
export async function findHeld(db: Db, personId: string): Promise<HeldCampaign[]> {
  const { rows } = await sql<Row & { is_account_lost: boolean; is_reachable: boolean }>`
    select hold.campaign_id, coalesce(campaign.name, hold.campaign_id) as name,
      coalesce(a.name, hold.account_id) as account, 'paused' as event, null as reason, hold.paused_at as at,
      ${isAccountLost} as is_account_lost, ${isReachable} as is_reachable
    from hold
    join smart_pause on smart_pause.person_id = hold.person_id and smart_pause.campaign_id = hold.campaign_id
    left join campaign on campaign.id = hold.campaign_id
    left join ad_account a on a.person_id = hold.person_id and a.id = hold.account_id
    where hold.person_id = ${personId} and hold.paused_at is not null and ${isPausedBySmartPause}
    order by hold.paused_at, hold.id`.execute(db);
  return rows.map((row) => ({
    ...toNamedAct(row),
    isAccountLost: row.is_account_lost,
    isReachable: row.is_reachable,
  }));
}

/** The users with one of these thresholds who have such campaigns, and are not leaving. */
export async function findHolders(db: Db, thresholds: readonly Threshold[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select person.id from person
    where person.leaving is null and person.threshold = any(${[...thresholds]}::text[]) and exists (
      select ${pausedHolds} and hold.person_id = person.id and hold.paused_at is not null)
    order by person.id`.execute(db);
  return rows.map((row) => row.id);
}

/** Campaigns of one person whose live holds are in one of these states. */
export async function findInState(
  db: Db,
  personId: string,
  states: readonly ('pausing' | 'paused' | 'resuming')[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('hold')
    .select('campaign_id')
    .where('person_id', '=', personId)
    .where('state', 'in', states)
    .where('resumed_at', 'is', null)
    .execute();
  return rows.map((row) => row.campaign_id);
}

/** What one mail was to tell is told by another. */
export async function retell(tx: Db, from: string, to: string): Promise<void> {
  await tx.updateTable('activity').set({ mail_id: to }).where('mail_id', '=', from).execute();
  await tx.deleteFrom('mail').where('id', '=', from).execute();
}
