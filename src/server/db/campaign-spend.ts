import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SPEND_MS } from '#core/periods.ts';
import type { HourlySpend } from '#core/platform.ts';
import type { DeliveryOfWeek, HoursOfDay } from '#core/spend/evidence.ts';
import type { DayToRead } from '#core/spend/reading.ts';
import type { Instant } from '#core/time.ts';
import { planJobs } from './account-jobs.ts';
import { isSubscribed } from './billing/subscriptions.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';

const sinceKept = (now: Instant) => timestamp(now - SPEND_MS);

/** The ad accounts of which spend is wanted: with SmartPause on, or paused in the last weeks. Both by user `u`. */
export const isOn = (now: Instant) =>
  sql`sp.setting = 'ON' and ${isSubscribed(sql`sp.user_id`, timestamp(now))}`;
const wasHeld = (now: Instant) => sql`not h.began_as_test and h.decided_at > ${sinceKept(now)}`;

/** Plans the job of each ad account that has none, and needs one. */
export async function planSpendReads(db: Db, now: Instant): Promise<void> {
  const wanted = sql`
    select distinct a.id from ad_accounts a
    where a.lost_at is null and a.removed_at is null and a.time_zone is not null
      and (exists (select from smartpause_settings sp
          where sp.account_id = a.id and sp.user_id = a.user_id and ${isOn(now)})
        or exists (select from holds h
          where h.user_id = a.user_id and h.account_id = a.id and ${wasHeld(now)}))
      and not exists (select from account_jobs j
        where j.account_id = a.id and j.kind = 'spend' and j.due_at is not null)`;
  await planJobs(db, 'spend', wanted);
}

/** Users who can read it, and what stands against that now; null: nothing is wanted of it, or its time zone is not known. */
export async function findSpendAccount(db: Db, accountId: string, now: Instant) {
  const { rows } = await sql<{ userIds: string[]; timeZone: string; currency: string; isBusy: boolean }>`
    select array_agg(a.user_id::text order by a.user_id) as user_ids, min(a.time_zone) as time_zone, min(a.currency) as currency,
      exists (select from holds h where h.account_id = ${accountId} and h.state <> 'ended'
          and not (h.state = 'paused' and h.cause = 'user'))
        or exists (select from work_items w where w.account_id = ${accountId}
          and (w.intent is not null or w.blocked_until > ${timestamp(now)})) as is_busy
    from ad_accounts a join users u on u.id = a.user_id and u.leaving is null
    where a.id = ${accountId} and a.lost_at is null and a.removed_at is null
    having min(a.time_zone) is not null`.execute(db);
  return rows[0] ?? null;
}

/** Of the campaign, or the ad account, with this id on the day `given`. */
const isReadOn = (id: RawBuilder<unknown>) => sql`exists (select from campaign_spend s
  where s.campaign_id = ${id} and s.day = given.day and s.month = extract(month from given.day)::int
    and s.read_at >= given.since)`;

/**
 * The newest day that some campaigns lack, and at most so many of these; null: all is read. The ad account's own id stands
 * for all its campaigns together: it is wanted last, where others run, which tell what an outage costs.
 */
export async function findUnread(
  db: Db,
  accountId: string,
  given: { wanted: readonly DayToRead[]; most: number; now: Instant },
): Promise<{ day: string; campaignIds: string[] } | null> {
  const { wanted, most, now } = given;
  const runsOthers = sql`exists (select from campaigns c where c.account_id = ${accountId}
    and c.is_listed and c.status = 'ACTIVE' and c.id not in (select id from own))`;
  const { rows } = await sql<{ day: string; campaignIds: string[] }>`
    with own as materialized (
      select c.id from campaigns c where c.account_id = ${accountId} and c.is_listed and c.status in ('ACTIVE', 'PAUSED')
        and (exists (select from smartpause_settings sp
            where sp.campaign_id = c.id and sp.account_id = ${accountId} and ${isOn(now)})
          or c.id in (select h.campaign_id from ad_accounts a
            join holds h on h.user_id = a.user_id and h.account_id = a.id
            where a.id = ${accountId} and ${wasHeld(now)})))
    , days as (
      select * from unnest(${wanted.map(({ day }) => day)}::date[], ${wanted.map(({ since }) => new Date(since).toISOString())}::timestamptz[])
        with ordinality as given(day, since, rank))
    select day::text, ids as campaign_ids from (
      select given.day, given.rank, missing.ids from days given, lateral (select array(
        select own.id from own where not ${isReadOn(sql`own.id`)} order by own.id limit ${most}) as ids) missing
      where cardinality(missing.ids) > 0
      union all
      select given.day, given.rank + ${wanted.length}, array[${accountId}] from days given
      where exists (select from own) and ${runsOthers} and not ${isReadOn(sql`${accountId}`)}) unread
    order by rank limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Of these campaigns, also of those that spent nothing. Not of one that was deleted since, nor in place of a newer read. */
export async function saveSpend(
  db: Db,
  read: { day: string; readAt: Instant; campaignIds: readonly string[] },
  spent: ReadonlyMap<string, HourlySpend>,
): Promise<void> {
  const ids = [...read.campaignIds].toSorted();
  const arrays = (of: keyof HourlySpend) => ids.map((id) => arrayOf(spent.get(id)?.[of]));
  await sql`
    insert into campaign_spend (campaign_id, day, month, read_at, spend, impressions)
    select given.id, ${read.day}::date, extract(month from ${read.day}::date)::int, ${timestamp(read.readAt)},
      given.spend::bigint[], given.impressions::int[]
    from unnest(${ids}::text[], ${arrays('spend')}::text[], ${arrays('impressions')}::text[])
      as given(id, spend, impressions)
    where exists (select from campaigns c where c.id = given.id)
      or exists (select from ad_accounts a where a.id = given.id)
    on conflict (campaign_id, day, month) do update
    set read_at = excluded.read_at, spend = excluded.spend, impressions = excluded.impressions
    where campaign_spend.read_at < excluded.read_at`.execute(db);
}

/** An array of arrays would become one list of numbers. */
function arrayOf(values: readonly number[] | undefined): string | null {
  return values === undefined ? null : `{${values.join()}}`;
}

/** A campaign's day as it was read then; null: it spent nothing. A day without a row is not known. */
export interface StoredSpend {
  campaignId: string;
  day: string;
  readAt: Instant;
  spend: number[] | null;
  impressions: number[] | null;
}

/** @param first such as '2026-01-09' @param last also included */
export async function readSpend(
  db: Db,
  campaignIds: readonly string[],
  { first, last }: { first: string; last: string },
): Promise<StoredSpend[]> {
  const { rows } = await sql<StoredSpend>`
    select campaign_id, day::text, read_at, spend::float8[], impressions from campaign_spend
    where campaign_id = any(${[...campaignIds]}::text[]) and day between ${first}::date and ${last}::date
    order by campaign_id, day`.execute(db);
  return rows;
}

/** So that no other month's table is looked at. */
function monthsOf({ first, last }: { first: string; last: string }): number[] {
  const [from, to] = [new Date(first), new Date(last)];
  const count =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() + 1;
  return Array.from({ length: Math.min(count, 12) }, (_, n) => ((from.getUTCMonth() + n) % 12) + 1);
}

/** What these campaigns delivered together by day and hour, on the days on which each of them was read. */
export async function addUpSpend(
  db: Db,
  campaignIds: readonly string[],
  { first, last }: { first: string; last: string },
): Promise<Omit<StoredSpend, 'campaignId' | 'readAt'>[]> {
  const hourly = (of: 'spend' | 'impressions') =>
    sql.join(
      Array.from({ length: 24 }, (_, n) => sql`coalesce(sum(s.${sql.ref(of)}[${sql.lit(n + 1)}]), 0)`),
    );
  const { rows } = await sql<Omit<StoredSpend, 'campaignId' | 'readAt'>>`
    select s.day::text, json_build_array(${hourly('spend')}) as spend, json_build_array(${hourly('impressions')}) as impressions
    from campaign_spend s where s.campaign_id = any(${[...campaignIds]}::text[])
      and s.day between ${first}::date and ${last}::date and s.month = any(${monthsOf({ first, last })}::int[])
    group by s.day having count(*) = ${campaignIds.length} order by s.day`.execute(db);
  return rows;
}

/** What each of these campaigns spent in the hours of each week, as far as it was read. */
export async function sumSpend(
  db: Db,
  campaignIds: readonly string[],
  hours: readonly HoursOfDay[],
): Promise<Map<string, DeliveryOfWeek[]>> {
  if (hours.length === 0) return new Map();
  const column = (of: keyof HoursOfDay) => hours.map((one) => one[of]);
  // Few rows without names, of which thousands of campaigns have many; the plan must not look at each id.
  const { rows } = await sql<{ campaignId: string; days: [number, number, number][] }>`
    select campaign_id, json_agg(json_build_array(week, spend, impressions)) as days from (
      select s.campaign_id, of.week, ${sumOfHours(sql`s.spend`, hours)} as spend, ${sumOfHours(sql`s.impressions`, hours)} as impressions
      from unnest(${column('day')}::date[], ${column('week')}::int[], ${column('first')}::int[], ${column('last')}::int[])
        as of(day, week, first, last)
      join campaign_spend s on s.day = of.day and s.month = extract(month from of.day)::int
        and s.campaign_id = any(array(select unnest(${[...campaignIds]}::text[])))
      offset 0) read
    group by campaign_id`.execute(db);
  return new Map(rows.map(({ campaignId, days }) => [campaignId, byWeek(days)]));
}

function byWeek(read: readonly [week: number, spend: number, impressions: number][]): DeliveryOfWeek[] {
  const weeks = new Map<number, DeliveryOfWeek>();
  for (const [week, spend, impressions] of read) {
    const sum = weeks.get(week) ?? { week, days: 0, spend: 0, impressions: 0 };
    sum.days++;
    sum.spend += spend;
    sum.impressions += impressions;
    weeks.set(week, sum);
  }
  return [...weeks.values()];
}

/** Without a function for each row: of thousands of campaigns, these would take most of the time. */
function sumOfHours(values: RawBuilder<unknown>, hours: readonly HoursOfDay[]) {
  const spans = new Map(hours.map((one) => [`${one.first} ${one.last}`, one])).values();
  const cases = [...spans].map(({ first, last }) => {
    const each = Array.from(
      { length: last - first + 1 },
      (_, n) => sql`${values}[${sql.lit(first + n + 1)}]`,
    );
    return sql`when of.first = ${sql.lit(first)} and of.last = ${sql.lit(last)} then ${sql.join(each, sql` + `)}`;
  });
  return sql`coalesce(case ${sql.join(cases, sql` `)} end, 0)`;
}

/** The months in which no day is kept, at once. */
export async function dropOldSpend(db: Db, now: Instant): Promise<void> {
  // A clock may be a day ahead of UTC, or behind.
  const { rows } = await sql<{ month: number }>`
    select month from generate_series(1, 12) as of_year(month)
    where month not in (select extract(month from at) from generate_series(
        ${timestamp(now - SPEND_MS)} - interval '1 day', ${timestamp(now)} + interval '1 day', '1 day') at)
      and exists (select from campaign_spend s where s.month = of_year.month)`.execute(db);
  for (const { month } of rows) await sql`select drop_spend_of_month(${month}::int)`.execute(db);
}
