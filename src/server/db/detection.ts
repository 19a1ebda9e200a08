import { sql } from 'kysely';
import type { CanaryRun } from '#core/detection/canary.ts';
import type { DeliveryEvidence } from '#core/detection/delivery.ts';
import type { CallEvidence, Tests } from '#core/detection/panels.ts';
import { PANELS, PANEL_NAMES, TOKENS, WINDOW_MS } from '#core/detection/parameters.ts';
import type { DetectionState } from '#core/detection/sequential-test.ts';
import type { Panel } from '#core/detection/parameters.ts';
import type { RecordedState } from '#core/detection/warning-words.ts';
import type { CallCounts, CallKind, MinuteVotes, VotesOfMinute } from '#core/detection/votes.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { columnsOf, date, onlyRow, rowsOf, timestamp } from './database.ts';
import { endAt } from './signals.ts';

/** The canary votes under this name, in place of an ad account and a business. */
export const CANARY = 'canary';

/** Of the ad account `a`: one of no business counts as its user's. */
export const BUSINESS = sql`coalesce(max(a.business_id), 'user ' || min(a.user_id))`;

const CALLS = {
  minute: 'timestamptz',
  accountId: 'text',
  kind: 'text',
  good: 'int',
  bad: 'int',
  token: 'int',
};
type Calls = Record<'good' | 'bad' | 'token', number> & { minute: Instant; accountId: string; kind: string };

/**
 * Stores one row for each business, minute and kind of call.
 * @param given.saysNothing other hosts did not answer this process either
 */
export async function addVotes(
  db: Db,
  calls: readonly Calls[],
  given: { saysNothing: boolean },
): Promise<void> {
  if (calls.length === 0) return;
  const business = given.saysNothing
    ? sql`null`
    : sql`case when given.account_id = ${CANARY} then ${CANARY}
        else coalesce(of.business, given.account_id) end`;
  await sql`
    insert into call_votes (minute, business, kind, good, bad, token)
    select minute, ${business}, kind, sum(good), sum(bad), sum(token) from (select ${columnsOf(CALLS)} from ${rowsOf(CALLS, calls)}) given
    left join lateral (
      select ${BUSINESS} as business from ad_accounts a where a.id = given.account_id) of on true
    group by 1, 2, 3`.execute(db);
}

type VoteRow = Record<
  'good' | 'bad' | 'token' | 'goodBefore' | 'badBefore' | 'tokenBefore' | 'tokenLately' | 'calledLately',
  number
> & {
  business: string | null;
  kind: CallKind;
};

/** @param minute when it began */
export async function readVotes(db: Db, minute: Instant): Promise<VotesOfMinute> {
  const isNow = sql`minute = ${timestamp(minute)}`;
  const isLately = sql`minute > ${timestamp(minute - TOKENS.withinMs)}`;
  const { rows } = await sql<VoteRow>`
    select business, kind,
      ${sum(sql`good`, isNow)} as good, ${sum(sql`bad`, isNow)} as bad, ${sum(sql`token`, isNow)} as token,
      sum(good)::int as good_before, sum(bad)::int as bad_before, sum(token)::int as token_before, ${sum(sql`token`, isLately)} as token_lately, ${sum(sql`good + bad + token`, isLately)} as called_lately
    from call_votes where minute > ${timestamp(minute - WINDOW_MS)} and minute <= ${timestamp(minute)}
    group by business, kind`.execute(db);
  const known = rows.filter((row): row is VoteRow & { business: string } => row.business !== null);
  const ofCanary = known.filter(({ business }) => business === CANARY);
  const counted = known.filter(({ business }) => business !== CANARY);
  const names = (has: (row: VoteRow) => boolean) =>
    new Set(counted.filter(has).map(({ business }) => business)).size;
  return {
    businesses: [...Map.groupBy(counted, ({ business }) => business)].map(([business, own]) => ({
      business,
      good: total(own, 'good'),
      bad: total(own, 'bad'),
      token: total(own, 'token'),
    })),
    canary: ofCanary.map(({ kind, good, bad, token }) => ({ business: kind, good, bad, token })),
    window: {
      businesses: names(() => true),
      failing: names(({ badBefore }) => badBefore > 0),
      refused: names(({ badBefore, tokenBefore }) => badBefore + tokenBefore > 0),
      calls: callsOf(counted),
      canaryCalls: callsOf(ofCanary),
    },
    tokens: {
      businesses: names(({ calledLately }) => calledLately > 0),
      refused: names(({ tokenLately }) => tokenLately > 0),
    },
    saysNothing: rows
      .filter(({ business }) => business === null)
      .reduce((all, row) => all + row.bad + row.good, 0),
  };
}

function sum(value: ReturnType<typeof sql>, condition: ReturnType<typeof sql>) {
  return sql`coalesce(sum(${value}) filter (where ${condition}), 0)::int`;
}

function callsOf(rows: readonly VoteRow[]): CallCounts {
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return Object.fromEntries(
    [...byKind].map(([kind, own]) => [
      kind,
      {
        good: total(own, 'goodBefore'),
        bad: total(own, 'badBefore'),
        token: total(own, 'tokenBefore'),
      },
    ]),
  );
}

function total(rows: readonly VoteRow[], column: Exclude<keyof VoteRow, 'business' | 'kind'>): number {
  return rows.reduce((all, row) => all + row[column], 0);
}

/** The first minute from this one to that one with a vote; null: none has. */
export async function findVotes(db: Db, first: Instant, last: Instant): Promise<Instant | null> {
  const { rows } = await sql<{ minute: Instant | null }>`
    select min(minute) as minute from call_votes where minute between ${timestamp(first)} and ${timestamp(last)}`.execute(
    db,
  );
  return rows[0]?.minute ?? null;
}

interface Locked {
  minute: Instant | null;
  tests: Tests;
  canary: CanaryRun | null;
}

/** Locks what the next minute is tested with; null: another process does it. */
export async function lockDetection(tx: Db): Promise<Locked | null> {
  const { rows } = await sql<Locked>`
    select minute, tests, canary from detection for update skip locked`.execute(tx);
  return rows[0] ?? null;
}

export async function saveTests(tx: Db, minute: Instant, tests: Tests): Promise<void> {
  await tx
    .updateTable('detection')
    .set({ minute: date(minute), tests: JSON.stringify(tests) })
    .execute();
}

export async function saveMinute(tx: Db, minute: Instant, { votes, bad }: MinuteVotes): Promise<void> {
  const row = { minute: date(minute), votes, bad };
  await tx
    .insertInto('callMinutes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The median share of bad votes in the minutes since then. */
export async function readMedianShare(db: Db, since: Instant): Promise<number> {
  const result = await sql<{ share: number }>`
    select coalesce(percentile_cont(0.5) within group (order by bad / votes), 0) as share from call_minutes
    where votes > 0 and minute > ${timestamp(since)}`.execute(db);
  return onlyRow(result).share;
}

/** A minute is tested within minutes. */
export async function dropOldVotes(db: Db, now: Instant): Promise<void> {
  await sql`delete from call_votes where minute < ${timestamp(now)} - interval '1 hour'`.execute(db);
}

/** Takes the canary's run that is due, with the one before it; null: none is, or another process has it. */
export async function claimCanary(
  db: Db,
  now: Instant,
  until: Instant,
): Promise<{ before: CanaryRun | null } | null> {
  const { rows } = await sql<{ before: CanaryRun | null }>`
    update detection set canary_at = ${timestamp(until)} where coalesce(canary_at <= ${timestamp(now)}, true) returning canary as before`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function saveCanary(db: Db, run: CanaryRun, nextAt: Instant): Promise<void> {
  await db
    .updateTable('detection')
    .set({ canary: JSON.stringify(run), canaryAt: date(nextAt) })
    .execute();
}

/** What has a test of its own. */
type Source = Panel | 'delivery';

/** A state that one of the tests had, for all users. */
export interface DetectedState {
  state: Exclude<DetectionState, 'NORMAL'>;
  /** Null: no call fails now. */
  evidence: CallEvidence | DeliveryEvidence | null;
}

/** What the source says from now on; null: nothing unusual. The same state as before goes on, with newer evidence. */
export async function saveSignal(
  tx: Db,
  source: Source,
  now: DetectedState | null,
  at: Instant,
): Promise<void> {
  const open = tx
    .updateTable('signals')
    .where('source', '=', source)
    .where('scope', '=', 'everyone')
    .where('until', 'is', null);
  if (now !== null) {
    // That of its worst minute is kept, with when it was found last.
    const last = now.evidence !== null && 'foundAt' in now.evidence ? { foundAt: now.evidence.foundAt } : {};
    const evidence = sql<string>`case when coalesce((evidence ->> 'businesses')::int, 0) <= ${now.evidence?.businesses ?? -1}
      then ${JSON.stringify(now.evidence)}::jsonb else evidence || ${JSON.stringify(last)}::jsonb end`;
    const direction = now.evidence !== null && 'direction' in now.evidence ? now.evidence.direction : null;
    const isSame = sql<boolean>`state = ${now.state} and evidence ->> 'direction' is not distinct from ${direction}`;
    const kept = await open.set({ evidence }).where(isSame).executeTakeFirst();
    if (kept.numUpdatedRows > 0n) return;
  }
  await open.set({ until: date(at) }).execute();
  if (now === null) return;
  await tx
    .insertInto('signals')
    .values({
      source,
      scope: 'everyone',
      state: now.state,
      since: date(at),
      evidence: JSON.stringify(now.evidence ?? {}),
    })
    .execute();
}

/** Since when early warnings act; null: they are only recorded. */
export async function readActing(db: Db): Promise<Instant | null> {
  return (await db.selectFrom('detection').select('actingSince').executeTakeFirstOrThrow()).actingSince;
}

export async function readDetection(
  db: Db,
): Promise<{ canary: CanaryRun | null; tests: Tests; actingSince: Instant | null }> {
  return db.selectFrom('detection').select(['canary', 'tests', 'actingSince']).executeTakeFirstOrThrow();
}

/** No minute has been tested for long: what was found last is not known to have lasted. */
export async function endSignals(tx: Db, at: Instant): Promise<void> {
  await tx
    .updateTable('signals')
    .set({ until: endAt(at) })
    .where('source', 'in', PANEL_NAMES)
    .where('scope', '=', 'everyone')
    .where('until', 'is', null)
    .execute();
}

type Found = RecordedState & { acts: boolean; since: Instant; until: Instant | null };

/** What the sources said, and all together; the latest first. */
export async function findDetectedStates(db: Db, limit: number) {
  const { rows } = await sql<Found>`
    select source, state, acts, since, until, evidence from signals where scope = 'everyone'
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Runs of minutes with a failing share that the test looks for, since then. */
export async function findShortFailures(db: Db, since: Instant) {
  const result = await sql<{ count: number; medianMinutes: number; longestMinutes: number }>`
    with failing as (
      select minute, minute - row_number() over (order by minute) * interval '1 minute' as run from call_minutes
      where votes >= ${PANELS.calls.votesAMinute} and bad >= ${PANELS.calls.failing} * votes and minute > ${timestamp(since)}),
    runs as (select count(*) as minutes from failing group by run)
    select count(*)::int as count, coalesce(percentile_cont(0.5) within group (order by minutes), 0) as median_minutes,
      coalesce(max(minutes), 0)::int as longest_minutes from runs`.execute(db);
  return onlyRow(result);
}
