import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { DayOfZone } from '#core/spend/by-hour.ts';
import type { Estimate } from '#core/spend/estimate.ts';
import type { PausesOfZone } from '#core/spend/known.ts';
import type { Period } from '#core/spend/local-hours.ts';
import type { Instant } from '#core/time.ts';
import { ESTIMATED_AGAIN_MS, REPORT_STORED_MS } from '#core/spend/when-estimated.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';
import { isOfOutage } from './holds/paused-by-smart-pause.ts';

export interface EndedOutage {
  id: string;
  startedAt: Instant;
  endedAt: Instant;
  /** When the next one began; null: there was none. */
  nextAt: Instant | null;
}

/** Of `outage_estimates e`. A former version stored fewer facts: such an estimate is none, and is made again. */
const isWhole = sql<boolean>`e.estimate ? 'pausedMs'`;

/** Ended ones whose days may still be read again. */
export async function findEndedOutages(db: Db, since: Instant): Promise<EndedOutage[]> {
  const { rows } = await sql<EndedOutage>`
    select o.id, o.started_at, o.ended_at,
      (select min(next.started_at) from outages next where next.id > o.id) as next_at
    from outages o where o.recorded_at is not null and o.ended_at > ${timestamp(since)} order by o.id`.execute(
    db,
  );
  return rows;
}

/** Holds decided in this time, with the ad account `a` of their user. */
const heldBetween = (from: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
  holds h join ad_accounts a on a.user_id = h.user_id and a.id = h.account_id
    join campaigns c on c.id = h.campaign_id and ${isOfOutage('h')} and h.paused_at is not null
    and h.decided_at >= ${from} and h.decided_at < coalesce(${until}, 'infinity')`;

/** Holds that belong to the outage. */
const heldIn = ({ startedAt, nextAt }: EndedOutage) =>
  heldBetween(timestamp(startedAt), sql`${nextAt === null ? null : new Date(nextAt)}::timestamptz`);

/** Users with a hold in the outage that have no estimate, or of whom more is known since. */
export async function findUsersToEstimate(
  db: Db,
  outage: EndedOutage,
  { dates, now }: { dates: readonly string[]; now: Instant },
): Promise<string[]> {
  const since = sql`done.at - ${REPORT_STORED_MS / 1000} * interval '1 second'`;
  const { rows } = await sql<{ userId: string }>`
    select ou.user_id from outage_users ou, lateral (
      select min(e.computed_at) as at from outage_estimates e
      where e.outage_id = ou.outage_id and e.user_id = ou.user_id and ${isWhole}) done
    where ou.outage_id = ${outage.id} and coalesce(done.at < ${timestamp(now - ESTIMATED_AGAIN_MS)}, true)
      and exists (select from ${heldIn(outage)} where h.user_id = ou.user_id
        and (done.at is null or h.ended_at > ${since} or exists (
          select from unnest(${[...dates]}::date[]) of(day) join campaign_spend s on s.campaign_id in (h.campaign_id, h.account_id)
            and s.day = of.day and s.month = extract(month from of.day)::int and s.read_at > ${since})))
    order by ou.user_id`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** The same of an outage with this id. */
function heldInOutage(outageId: string) {
  const startOf = (which: RawBuilder<unknown>) =>
    sql`(select min(started_at) from outages where id ${which} ${outageId})`;
  return heldBetween(startOf(sql`=`), startOf(sql`>`));
}

export interface HeldInOutage {
  accountId: string;
  campaignId: string;
  currency: string;
  /** Null: not known. */
  timeZone: string | null;
  dailyBudget: number | null;
  paused: Period[];
}

/** The user's campaigns that were paused in the outage, and when. A hold that is live lasts until now. */
export async function findHeldInOutage(
  db: Db,
  userId: string,
  outage: EndedOutage,
  now: Instant,
): Promise<HeldInOutage[]> {
  const { rows } = await sql<Omit<HeldInOutage, 'paused'> & Period>`
    select h.account_id, h.campaign_id, a.currency, a.time_zone, c.daily_budget::float8,
      greatest(h.paused_at, h.decided_at) as "from", ${pausedUntil(now)} as until
    from ${heldIn(outage)} where h.user_id = ${userId}
    order by a.currency, a.time_zone, h.campaign_id, h.id`.execute(db);
  const byCampaign = Map.groupBy(rows, ({ campaignId }) => campaignId).values();
  return [...byCampaign].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { accountId, campaignId, currency, timeZone, dailyBudget } = first;
    const paused = [first, ...others].filter(({ from, until }) => from < until);
    return paused.length === 0 ? [] : [{ accountId, campaignId, currency, timeZone, dailyBudget, paused }];
  });
}

/** All campaigns of an ad account that SmartPause paused in the outage, of all its users. */
export async function findAllHeldInOutage(db: Db, accountId: string, outage: EndedOutage): Promise<string[]> {
  const { rows } = await sql<{ campaignId: string }>`
    select distinct h.campaign_id from ${heldIn(outage)} where a.id = ${accountId}`.execute(db);
  return rows.map(({ campaignId }) => campaignId);
}

/** An external change has ended it when Meta's log says so. Null: it goes on. */
const endOfPause = sql`coalesce(to_timestamp((h.outside ->> 'at')::float8 / 1000), h.ended_at)`;
const pausedUntil = (now: Instant) => sql<Instant>`coalesce(${endOfPause}, ${timestamp(now)})`;

/** All pauses of these campaigns by SmartPause since then, of all users. */
export async function findHeldSince(
  db: Db,
  campaignIds: readonly string[],
  { since, now }: { since: Instant; now: Instant },
): Promise<(Period & { campaignId: string })[]> {
  const { rows } = await sql<Period & { campaignId: string }>`
    with own as materialized (select id, account_id from campaigns where id = any(${[...campaignIds]}::text[])),
      reader as materialized (
        select distinct a.user_id from ad_accounts a where a.id in (select account_id from own))
    select h.campaign_id, h.paused_at as "from", ${pausedUntil(now)} as until
    from reader join holds h on h.user_id = reader.user_id and h.decided_at >= ${timestamp(since)}
    join own on own.id = h.campaign_id where h.paused_at is not null`.execute(db);
  return rows;
}

/** In place of former ones. */
export async function saveEstimates(
  db: Db,
  of: { outageId: string; userId: string; computedAt: Instant },
  estimates: ReadonlyMap<string, Estimate>,
): Promise<void> {
  const { outageId, userId, computedAt } = of;
  for (const [currency, estimate] of estimates)
    await sql`
      insert into outage_estimates (outage_id, user_id, currency, estimate, computed_at)
      select o.id, u.id, ${currency}, ${JSON.stringify(estimate)}::jsonb, ${timestamp(computedAt)}
      from outages o, users u where o.id = ${outageId} and u.id = ${userId}
      on conflict (outage_id, user_id, currency) do update
      set estimate = excluded.estimate, computed_at = excluded.computed_at`.execute(db);
}

/** The user's pauses in an outage by currency and time zone. */
export async function findPausesInOutage(
  db: Db,
  userId: string,
  outageId: string,
): Promise<(PausesOfZone & { currency: string })[]> {
  const { rows } = await sql<PausesOfZone & { currency: string }>`
    select a.currency, a.time_zone, case when bool_and(${endOfPause} is not null) then max(${endOfPause}) end as until
    from ${heldInOutage(outageId)}
    where h.user_id = ${userId} and greatest(h.paused_at, h.decided_at) < coalesce(${endOfPause}, 'infinity')
    group by a.currency, a.time_zone order by a.currency`.execute(db);
  return rows;
}

/** What the user's campaigns that were paused in an outage spent on these days, by currency, time zone and hour. */
export async function readHoursOfOutage(
  db: Db,
  { userId, outageId }: { userId: string; outageId: string },
  { first, last }: { first: string; last: string },
): Promise<DayOfZone[]> {
  const hourly = Array.from({ length: 24 }, (_, n) => sql`coalesce(sum(s.spend[${sql.lit(n + 1)}]), 0)`);
  const { rows } = await sql<DayOfZone>`
    with own as materialized (
      select distinct h.campaign_id, a.currency, a.time_zone from ${heldInOutage(outageId)}
      where h.user_id = ${userId} and a.time_zone is not null),
    zone as (select currency, time_zone, count(*) as campaigns from own group by currency, time_zone)
    select own.currency, own.time_zone, s.day::text, json_build_array(${sql.join(hourly)}) as spend,
      count(*) < min(zone.campaigns) as is_partial
    from own join zone on zone.currency = own.currency and zone.time_zone = own.time_zone
    join campaign_spend s on s.campaign_id = own.campaign_id and s.day between ${first}::date and ${last}::date
    group by own.currency, own.time_zone, s.day order by s.day`.execute(db);
  return rows;
}

/** The user's estimates of outages since then. */
export async function findEstimatesSince(
  db: Db,
  userId: string,
  since: Instant,
): Promise<{ outageId: string; startedAt: Instant; currency: string; estimate: Estimate }[]> {
  return db
    .selectFrom('outageEstimates as e')
    .innerJoin('outages as o', 'o.id', 'e.outageId')
    .select(['e.outageId', 'o.startedAt', 'e.currency', 'e.estimate'])
    .where(isWhole)
    .where('e.userId', '=', userId)
    .where('o.startedAt', '>=', timestamp(since))
    .execute();
}

/** By outage and currency. */
export async function readEstimates(db: Db, outageIds: readonly string[], userId: string) {
  if (outageIds.length === 0) return [];
  return db
    .selectFrom('outageEstimates as e')
    .select(['outageId', 'currency', 'estimate', 'computedAt'])
    .where(isWhole)
    .where('outageId', 'in', outageIds)
    .where('userId', '=', userId)
    .orderBy('currency')
    .execute();
}
