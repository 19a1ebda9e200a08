import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Hold, LetGoReason, Unsettled } from '#core/smartpause/hold.ts';
import {
  HOLD_STATES,
  LATE_WRITE_MS,
  LET_GO_REASONS,
  LIVE_STATUSES,
  SECOND_SIGHT_MS,
} from '#core/smartpause/hold.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import { LEVELS } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, instant } from '../database.ts';
import { pausedHolds } from './paused-by-smart-pause.ts';
import { inPieces } from '../pieces.ts';
import type { Schema } from '../schema.ts';

/** A live hold as it is stored: the core's view of it, whose it is, and how often its platform was called. */
export interface StoredHold extends Hold {
  personId: string;
  accountId: string;
  /** When the list was asked for on which it was decided, by the platform's clock. */
  platformReadAt: Instant;
  /** Counts the writes that were begun; an answer to an older one no longer counts. */
  attempt: number;
  failures: number;
  lastError: string | null;
  /** The level for which it was paused, whatever it is by now; null: not noted. */
  pausedFor: KnownLevel | null;
}

const state = z.enum(HOLD_STATES);
const level = z.enum(LEVELS).exclude(['UNKNOWN']).nullable();
const liveStatus = z.enum(LIVE_STATUSES).nullable();
const letGoReason = z.enum(LET_GO_REASONS).nullable();

function toHold(row: Selectable<Schema['hold']>): StoredHold {
  const suspected = liveStatus.parse(row.suspected_status);
  const since = instant(row.suspected_since);
  return {
    id: row.id,
    personId: row.person_id,
    accountId: row.account_id,
    platformReadAt: instant(row.read_at ?? row.created_at),
    campaignId: row.campaign_id,
    state: state.parse(row.state),
    inDoubt: row.in_doubt,
    sentAt: instant(row.sent_at),
    latePauseUntil: instant(row.late_pause_until),
    lateResumeUntil: instant(row.late_resume_until),
    resumedAt: instant(row.resumed_at),
    retryAt: instant(row.retry_at),
    givenUp: letGoReason.parse(row.given_up),
    turnedOff: row.turned_off,
    suspicion: suspected === null || since === null ? null : { status: suspected, since },
    attempt: row.attempt,
    failures: row.failures,
    lastError: row.last_error,
    pausedAt: instant(row.paused_at),
    pausedFor: level.parse(row.paused_for),
  };
}

/**
 * Account by account, each by the index: the database cannot guess how many there are (an outage fills an empty table), and
 * would read all of them.
 */
export async function findLiveHolds(db: Db, accountIds: readonly string[]): Promise<StoredHold[]> {
  const { rows } = await sql<Selectable<Schema['hold']>>`
    select live.* from unnest(${accountIds}::text[]) as account(id) cross join lateral (
      select * from hold where account_id = account.id and state <> 'ended' offset 0) live
    order by live.id`.execute(db);
  return rows.map(toHold);
}

/** Those of these that have not ended. */
export async function findHoldsById(db: Db, ids: readonly string[]): Promise<StoredHold[]> {
  const { rows } = await sql<Selectable<Schema['hold']>>`
    select * from hold where id = any(${[...ids]}::bigint[]) and state <> 'ended'`.execute(db);
  return rows.map(toHold);
}

/** How many campaigns are paused by the person's SmartPause. */
export async function countHeld(db: Db, personId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count ${pausedHolds} and hold.person_id = ${personId}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** All that is not at its end, the watched ones included: after that nothing of ours can happen any more. */
export async function countLiveHolds(db: Db, personId: string): Promise<number> {
  const row = await db
    .selectFrom('hold')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('person_id', '=', personId)
    .where('state', '<>', 'ended')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface NewHold {
  personId: string;
  accountId: string;
  campaignId: string;
  pausedFor: KnownLevel;
  /** When the list was asked for, by our clock and by the platform's. */
  readAt: Instant;
  platformReadAt: Instant;
}

/**
 * Writes the intent to pause campaigns, before the platform is called: in doubt from the first moment. Only for
 * campaigns whose SmartPause is still ON and that nobody holds, of people who are not leaving: once that is written,
 * no more holds of theirs can appear. Not for what a hand has paused here while the list may have been behind. What a former hold has sent may still arrive, and is known for what it is then.
 */
export async function insertHolds(db: Db, holds: readonly NewHold[], now: Instant): Promise<StoredHold[]> {
  if (holds.length === 0) return [];
  const at = new Date(now);
  const lateWrite = sql`${LATE_WRITE_MS} * interval '1 millisecond'`;
  const { rows } = await sql<Selectable<Schema['hold']>>`
    with former as (
      select campaign_id, max(greatest(late_resume_until,
        case when outcome = 'resumed' and in_doubt and resumed_at is null then sent_at + ${lateWrite} end)) as late,
        max(late_pause_until) as late_pause
      from hold where state = 'ended'
        and ended_at between ${at}::timestamptz - ${lateWrite} and ${at}::timestamptz + ${lateWrite}
        and campaign_id = any(${holds.map((h) => h.campaignId)}::text[])
      group by campaign_id
    )
    insert into hold (person_id, account_id, campaign_id, state, attempt, in_doubt, sent_at, created_at, paused_for,
      read_at, late_resume_until, late_pause_until)
    select sp.person_id, wanted.account_id, sp.campaign_id, 'pausing', 1, true, ${at}::timestamptz, ${at}::timestamptz,
      wanted.paused_for, wanted.platform_read_at,
      case when former.late > ${at}::timestamptz
        then least(former.late, ${at}::timestamptz + ${lateWrite}) end,
      case when former.late_pause > ${at}::timestamptz
        then least(former.late_pause, ${at}::timestamptz + ${lateWrite}) end
    from unnest(${holds.map((h) => h.personId)}::bigint[], ${holds.map((h) => h.accountId)}::text[],
      ${holds.map((h) => h.campaignId)}::text[], ${holds.map((h) => h.pausedFor)}::text[],
      ${holds.map((h) => new Date(h.readAt))}::timestamptz[],
      ${holds.map((h) => new Date(h.platformReadAt))}::timestamptz[]
    ) as wanted(person_id, account_id, campaign_id, paused_for, read_at, platform_read_at)
    join smart_pause sp on sp.person_id = wanted.person_id and sp.campaign_id = wanted.campaign_id
    join person on person.id = wanted.person_id
    left join former on former.campaign_id = wanted.campaign_id
    left join campaign on campaign.id = wanted.campaign_id
    where sp.setting = 'ON' and person.leaving is null
      and coalesce(campaign.paused_by_hand_at < wanted.read_at - ${SECOND_SIGHT_MS} * interval '1 millisecond', true)
    for share of sp, person
    on conflict (campaign_id) where state <> 'ended' do nothing
    returning *`.execute(db);
  return rows.map(toHold);
}

/**
 * Of these updates, the holds whose SmartPause is ON and was not turned off since they were decided; it cannot be
 * turned off before the transaction's end.
 */
export async function findStillOn(tx: Db, updates: readonly HoldUpdate[]): Promise<Set<string>> {
  if (updates.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select wanted.id from smart_pause sp
    join unnest(${updates.map((u) => u.hold.id)}::bigint[], ${updates.map((u) => u.hold.personId)}::bigint[],
      ${updates.map((u) => u.hold.campaignId)}::text[], ${updates.map((u) => u.wasTurnedOff ?? false)}::boolean[]
      ) as wanted(id, person_id, campaign_id, was_turned_off)
      on sp.person_id = wanted.person_id and sp.campaign_id = wanted.campaign_id
    join hold on hold.id = wanted.id
    where sp.setting = 'ON' and (hold.turned_off = wanted.was_turned_off or hold.given_up is not null)
    order by sp.person_id, sp.campaign_id for share of sp, hold`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

export type HoldEnd = { outcome: 'resumed' } | { outcome: 'let_go'; reason: LetGoReason };

export interface HoldUpdate {
  hold: StoredHold;
  /** The attempt that the row must still have: somebody else may have gone on in the meantime. */
  expectedAttempt: number;
  end: HoldEnd | null;
  /** Which write nobody can find out about any more; none unless it is said. */
  unsettled?: Unsettled | null;
  /** As it was when this was decided. */
  wasTurnedOff?: boolean;
}

/** Writes holds as they now are. Returns the ids of those that were still live and at the expected attempt. */
export async function updateHolds(
  db: Db,
  updates: readonly HoldUpdate[],
  now: Instant,
): Promise<Set<string>> {
  if (updates.length === 0) return new Set();
  const ends = updates.map(({ end }) => end);
  const { rows } = await sql<{ id: string }>`
    update hold set state = u.state, outcome = u.outcome, reason = u.reason, attempt = u.attempt,
      failures = u.failures, in_doubt = u.in_doubt, sent_at = u.sent_at, late_pause_until = u.late_pause_until,
      late_resume_until = u.late_resume_until, resumed_at = u.resumed_at, given_up = u.given_up, retry_at = u.retry_at,
      suspected_status = u.suspected_status, suspected_since = u.suspected_since, last_error = u.last_error,
      paused_at = u.paused_at, paused_for = u.paused_for,
      turned_off = hold.turned_off and not u.is_held_on, unsettled = coalesce(u.unsettled, hold.unsettled),
      ended_at = case when u.state = 'ended' then ${new Date(now)}::timestamptz end
    from unnest(
      ${updates.map((u) => u.hold.id)}::bigint[], ${updates.map((u) => u.expectedAttempt)}::int[],
      ${updates.map((u) => (u.end === null ? u.hold.state : 'ended'))}::text[],
      ${ends.map((end) => end?.outcome ?? null)}::text[],
      ${ends.map((end) => (end?.outcome === 'let_go' ? end.reason : null))}::text[],
      ${updates.map((u) => u.hold.attempt)}::int[], ${updates.map((u) => u.hold.failures)}::int[],
      ${updates.map((u) => u.hold.inDoubt)}::boolean[], ${updates.map((u) => date(u.hold.sentAt))}::timestamptz[],
      ${updates.map((u) => date(u.hold.latePauseUntil))}::timestamptz[],
      ${updates.map((u) => date(u.hold.lateResumeUntil))}::timestamptz[],
      ${updates.map((u) => date(u.hold.resumedAt))}::timestamptz[],
      ${updates.map((u) => u.hold.givenUp)}::text[],
      ${updates.map((u) => date(u.hold.retryAt))}::timestamptz[],
      ${updates.map((u) => u.hold.suspicion?.status ?? null)}::text[],
      ${updates.map((u) => date(u.hold.suspicion?.since ?? null))}::timestamptz[],
      ${updates.map((u) => u.hold.lastError)}::text[], ${updates.map((u) => date(u.hold.pausedAt))}::timestamptz[],
      ${updates.map((u) => u.hold.pausedFor)}::text[],
      ${updates.map((u) => u.unsettled ?? null)}::text[],
      ${updates.map((u) => u.wasTurnedOff === true && !u.hold.turnedOff)}::boolean[]
    ) as u(id, expected_attempt, state, outcome, reason, attempt, failures, in_doubt, sent_at, late_pause_until,
           late_resume_until, resumed_at, given_up, retry_at, suspected_status, suspected_since, last_error, paused_at, paused_for,
           unsettled, is_held_on)
    where hold.id = u.id and hold.attempt = u.expected_attempt and hold.state <> 'ended'
    returning hold.id`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/**
 * SmartPause was turned off: ends the person's hold on the campaign, if there is one; the campaign stays as it is. A
 * hold of which a write may still be carried out is left to the engine, which waits whether there is something to tell.
 */
export async function turnOffHold(
  db: Db,
  given: { personId: string; campaignId: string },
  now: Instant,
): Promise<void> {
  const at = sql`${new Date(now)}::timestamptz`;
  const reason: LetGoReason = 'smartpause_off';
  await sql`
    update hold set turned_off = resumed_at is null,
      state = case when is_over then 'ended' else state end,
      outcome = case when is_over then 'let_go' end,
      reason = case when is_over then ${reason} end,
      ended_at = case when is_over then ${at} end
    from (
      select id as held,
        not in_doubt and coalesce(greatest(late_pause_until, late_resume_until) <= ${at}, true) as is_over
      from hold where person_id = ${given.personId} and campaign_id = ${given.campaignId} and state <> 'ended'
        and given_up is null
      for update
    ) as found
    where hold.id = held`.execute(db);
}

/**
 * A hand has resumed the campaign, whose person has turned SmartPause off: a hold of theirs of which a pause may still
 * be carried out lives on as given up, and the engine takes such a pause back.
 * @param settled the hold whose write in doubt was found carried out before the hand came
 * @param unsettled the hold of whose write in doubt that cannot be known any more
 */
export async function giveUpByHand(
  db: Db,
  given: { campaignId: string; personId: string; settled: string | null; unsettled: string | null },
  now: Instant,
): Promise<void> {
  const at = sql`${new Date(now)}::timestamptz`;
  const reason: LetGoReason = 'smartpause_off';
  await sql`
    update hold set state = 'resuming', given_up = ${reason}, late_pause_until = late, attempt = attempt + 1,
      resumed_at = ${at}, sent_at = null, in_doubt = false, retry_at = null, suspected_status = null,
      suspected_since = null
    from (
      select id as held, greatest(late_pause_until,
        case when state = 'pausing' and in_doubt and (id is distinct from ${given.settled}::bigint
            or late_pause_until is not null)
          then sent_at + ${LATE_WRITE_MS} * interval '1 millisecond' end) as late
      from hold where campaign_id = ${given.campaignId} and person_id = ${given.personId} and state <> 'ended'
        and given_up is null
    ) as found
    where hold.id = held and late > ${at}`.execute(db);
  // That it runs from now on is their doing, and no late resume of ours is to be suspected in it.
  await sql`
    update hold set late_resume_until = null, attempt = attempt + 1,
      state = case when given_up is null then state else 'paused' end,
      in_doubt = given_up is null and in_doubt and not (person_id = ${given.personId} and state = 'resuming'),
      unsettled = case when id = ${given.unsettled}::bigint then state else unsettled end, sent_at = case when given_up is null then sent_at end
    where campaign_id = ${given.campaignId} and state <> 'ended'
      and not (given_up is not null and state = 'resuming')`.execute(db);
}

/**
 * A hand has paused the campaign: ends whoever's hold there is on it. One of which a resume may still be carried out
 * lives on as given up, and holds nothing: the engine takes such a resume back.
 * @param settled the hold whose write in doubt was found carried out before the hand came
 * @param unsettled the hold of whose write in doubt that cannot be known any more
 */
export async function letGoByHand(
  db: Db,
  given: { campaignId: string; personId: string; settled: string | null; unsettled: string | null },
  now: Instant,
): Promise<{ holdId: string; personId: string }[]> {
  const at = sql`${new Date(now)}::timestamptz`;
  const own: LetGoReason = 'manual_pause';
  const others: LetGoReason = 'paused_by_other';
  const { rows } = await sql<{ id: string; person_id: string }>`
    update hold set
      state = case when late > ${at} then 'paused' else 'ended' end,
      outcome = case when late > ${at} then null else 'let_go' end,
      reason = case when late > ${at} then null else why end,
      ended_at = case when late > ${at} then null else ${at} end,
      given_up = case when late > ${at} then why end,
      late_resume_until = late, attempt = attempt + 1, resumed_at = ${at},
      unsettled = case when held = ${given.unsettled}::bigint then state end,
      in_doubt = false, sent_at = null, retry_at = null, suspected_status = null, suspected_since = null
    from (
      select id as held, case when person_id = ${given.personId} then ${own} else ${others} end as why,
        greatest(late_resume_until, case when state = 'resuming' and in_doubt
            and (id is distinct from ${given.settled}::bigint or late_resume_until is not null)
          then sent_at + ${LATE_WRITE_MS} * interval '1 millisecond' end) as late
      from hold where campaign_id = ${given.campaignId} and state <> 'ended'
    ) as found
    where hold.id = held
    returning hold.id, hold.person_id`.execute(db);
  return rows.map((row) => ({ holdId: row.id, personId: row.person_id }));
}

export interface Deactivated {
  /** Whose hold has met the outside change. */
  personId: string;
  campaignId: string;
  /** When that change was first seen. */
  seenAt: Instant;
}

/**
 * An outside change ends the wish as well, whoever had it when that was seen: SmartPause stays out until they turn it on
 * again. Answers whose wishes ended besides those of the given people.
 */
export async function deactivateSmartPause(
  db: Db,
  campaigns: readonly Deactivated[],
  now: Instant,
): Promise<{ personId: string; campaignId: string }[]> {
  if (campaigns.length === 0) return [];
  const { rows } = await sql<{ person_id: string; campaign_id: string; is_given: boolean }>`
    update smart_pause sp set setting = 'DEACTIVATED', changed_at = ${new Date(now)}::timestamptz
    from unnest(${campaigns.map((c) => c.personId)}::bigint[], ${campaigns.map((c) => c.campaignId)}::text[],
      ${campaigns.map((c) => new Date(c.seenAt))}::timestamptz[]) as given(person_id, campaign_id, seen_at)
    where sp.campaign_id = given.campaign_id and sp.setting = 'ON'
      and (sp.person_id = given.person_id or sp.changed_at <= given.seen_at)
    returning sp.person_id, sp.campaign_id, sp.person_id = given.person_id as is_given`.execute(db);
  return rows
    .filter((row) => !row.is_given)
    .map((row) => ({ personId: row.person_id, campaignId: row.campaign_id }));
}

/** Those that have ended long ago; their activities go as well. */
export function dropOldHolds(db: Db, before: Instant): Promise<void> {
  return inPieces((limit) =>
    sql`delete from hold where id in (
      select id from hold where state = 'ended' and ended_at < ${new Date(before)}::timestamptz order by id limit ${limit}
      for update skip locked)`.execute(db),
  );
}
