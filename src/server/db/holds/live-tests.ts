import { sql } from 'kysely';
import type { Hold } from '#core/reconciler/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp } from '../database.ts';

/** A test as its page shows it, from its hold. `until` null: an outage has kept the pause. */
export type StoredLiveTest = NonNullable<Awaited<ReturnType<typeof findLastLiveTest>>>;

/**
 * Stores the wish as a hold whose pause is to be sent; the reconciler does the rest.
 * False: the campaign has a live hold, a pending manual change, or a write that may still arrive.
 */
export async function insertLiveTest(
  db: Db,
  { accountId, campaignId, hold }: { accountId: string; campaignId: string; hold: Hold },
): Promise<boolean> {
  const { userId, state, threshold, level, isOverride, decidedAt, readAt, testUntil } = hold;
  const { rows } = await sql`
    insert into holds (user_id, account_id, campaign_id, state, threshold, level, is_override, decided_at, read_at,
      test_until, began_as_test)
    select ${userId}, ${accountId}, ${campaignId}, ${state}, ${threshold}, ${level}, ${isOverride},
      ${timestamp(decidedAt)}, ${timestamp(readAt)}, ${date(testUntil)}::timestamptz, true
    where not exists (select from manual_changes where campaign_id = ${campaignId} and ended_at is null)
      and not exists (select from campaign_writes where campaign_id = ${campaignId}
        and (state = 'open' or unanswered_until is not null))
      and not exists (select from work_items, json_array_elements(intent) as sent
        where account_id = ${accountId} and sent ->> 'campaignId' = ${campaignId})
    on conflict (campaign_id) where state <> 'ended' do nothing returning id`.execute(db);
  return rows.length > 0;
}

/** Whether a test of the user is not over yet. One whose resume Meta refuses is. Locks the user, so that two requests cannot both start one. */
export async function hasLiveTest(db: Db, userId: string): Promise<boolean> {
  await sql`select from users where id = ${userId} for no key update`.execute(db);
  const { rows } = await sql`
    select from holds where user_id = ${userId} and began_as_test and test_until is not null
      and state <> 'ended' and (state <> 'resuming' or refusal is null)`.execute(db);
  return rows.length > 0;
}

/** Whether a test of the user was paused and resumed. */
export async function hasTested(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from holds where user_id = ${userId} and began_as_test and test_until is not null and outcome = 'resumed'
    limit 1`.execute(db);
  return rows.length > 0;
}

/** The user's newest test; null: none is on record. */
export async function findLastLiveTest(db: Db, userId: string) {
  const row = await db
    .selectFrom('holds')
    .leftJoin('campaigns', 'campaigns.id', 'holds.campaignId')
    .leftJoin('campaignWrites as w', 'w.campaignId', 'holds.campaignId')
    .leftJoin('adAccounts', (join) =>
      join.onRef('adAccounts.id', '=', 'holds.accountId').onRef('adAccounts.userId', '=', 'holds.userId'),
    )
    .select(['holds.id', 'holds.campaignId', 'holds.accountId', 'holds.state'])
    .select((eb) => [
      eb.fn.coalesce('campaigns.name', 'holds.campaignId').as('campaignName'),
      eb.fn.coalesce('adAccounts.name', 'holds.accountId').as('accountName'),
    ])
    .select([
      'holds.outcome',
      'holds.releaseReason',
      'holds.refusal',
      'holds.decidedAt as startedAt',
      'holds.testUntil as until',
    ])
    .select(['holds.pausedAt', 'holds.endedAt'])
    // The next try of a refused resume.
    .select((eb) =>
      eb.fn<Instant | null>('greatest', ['w.retryAt', 'adAccounts.writesBlockedUntil']).as('retryAt'),
    )
    .where('holds.userId', '=', userId)
    .where('beganAsTest', '=', true)
    .orderBy('holds.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the user's running test now: the reconciler resumes the campaign. Returns the ad account; null: none runs. */
export async function endLiveTest(db: Db, userId: string, now: Instant): Promise<string | null> {
  const row = await db
    .updateTable('holds')
    .set({ testUntil: new Date(now) })
    .where('userId', '=', userId)
    .where('beganAsTest', '=', true)
    .where('testUntil', '>', timestamp(now))
    .where('state', '<>', 'ended')
    .returning('accountId')
    .executeTakeFirst();
  return row?.accountId ?? null;
}
