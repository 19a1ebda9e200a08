import { sql } from 'kysely';
import type {
  BusinessVote,
  DeliveryState,
  DeliveryVote,
  FormerDelivery,
  FormerHour,
  Look,
} from '#core/detection/delivery.ts';
import { DELIVERY } from '#core/detection/parameters.ts';
import type { Period } from '#core/spend/local-hours.ts';
import type { Instant } from '#core/time.ts';
import { isOn } from './campaign-spend.ts';
import type { Db } from './database.ts';
import { onlyRow, rowsOf, timestamp } from './database.ts';
import { BUSINESS } from './detection.ts';

/** Among the ad accounts with the highest budgets: of many no week may be known. */
const CANDIDATES = 4 * DELIVERY.sample.accounts;

/**
 * Plans looks at the ad accounts with the highest budgets that have spent on this weekday in enough former weeks, at few
 * of each business, and ends those at others.
 */
export async function planLooks(db: Db, now: Instant): Promise<void> {
  await sql`
    with known as (
      select w.account_id, w.priority, ${BUSINESS} as business
      from work_items w join ad_accounts a on a.id = w.account_id
      where a.lost_at is null and a.removed_at is null and a.time_zone is not null
        and exists (select from smartpause_settings sp
          where sp.account_id = a.id and sp.user_id = a.user_id and ${isOn(now)})
      group by w.account_id)
    , candidates as materialized (
      select account_id, business, priority from known order by priority desc, account_id limit ${CANDIDATES})
    , compared as (
      select account_id, priority, row_number() over (partition by business order by priority desc, account_id) as of_business
      from candidates of
      where ${DELIVERY.leastWeeks} <= (
        select count(*) from generate_series(1, ${DELIVERY.weeks}::int) as former(week),
          lateral (select ${timestamp(now)}::date - 7 * week as day) earlier
        where exists (select from campaigns c
          join campaign_spend s on s.campaign_id = c.id and s.day = earlier.day and s.month = extract(month from earlier.day)::int
          where c.account_id = of.account_id and c.is_listed and s.spend is not null)))
    , wanted as materialized (
      select account_id from compared where of_business <= ${DELIVERY.sample.ofBusiness}
      order by priority desc, account_id limit ${DELIVERY.sample.accounts})
    , ended as (
      delete from account_jobs where kind = 'delivery' and account_id not in (select account_id from wanted)
        and (lease_until is null or lease_until <= now()))
    insert into account_jobs (account_id, kind, due_at) select account_id, 'delivery', now() from wanted
    on conflict (account_id, kind) do nothing`.execute(db);
}

export async function saveLook(db: Db, accountId: string, { at, day, campaigns }: Look): Promise<void> {
  const values = { accountId, at: new Date(at), day, campaigns: JSON.stringify(campaigns) };
  await db.insertInto('deliveryLooks').values(values).execute();
}

export async function findLooks(db: Db, accountId: string, since: Instant): Promise<Look[]> {
  const { rows } = await sql<Look>`
    select at, day::text, campaigns from delivery_looks
    where account_id = ${accountId} and at >= ${timestamp(since)} order by at`.execute(db);
  return rows;
}

const HOURS = {
  week: 'int',
  day: 'date',
  hour: 'int',
  part: 'float8',
  from: 'timestamptz',
  until: 'timestamptz',
};

/**
 * What each campaign that runs delivered in these hours of each week, where all of them are known and it was not paused by
 * SmartPause. None of a campaign that was since `heldSince`: it catches up.
 */
export async function findFormerDelivery(
  db: Db,
  accountId: string,
  { hours, heldSince }: { hours: readonly FormerHour[]; heldSince: Instant },
): Promise<FormerDelivery[]> {
  if (hours.length === 0) return [];
  const perWeek = hours.filter(({ week }) => week === hours[0]?.week).length;
  const sum = (of: 'spend' | 'impressions') =>
    sql`sum(given.part * coalesce(s.${sql.ref(of)}[given.hour + 1], 0))::float8 as ${sql.ref(of)}`;
  const { rows } = await sql<FormerDelivery>`
    with held as materialized (
      select h.campaign_id, h.decided_at as since, coalesce(h.ended_at, 'infinity') as until
      from ad_accounts a join holds h on h.user_id = a.user_id and h.account_id = a.id where a.id = ${accountId})
    , running as materialized (
      select c.id from campaigns c where c.account_id = ${accountId} and c.is_listed and c.status = 'ACTIVE'
        and not exists (select from held where held.campaign_id = c.id and held.until > ${timestamp(heldSince)}))
    select s.campaign_id, given.week, ${sum('spend')}, ${sum('impressions')}
    from ${rowsOf(HOURS, hours)}
    join campaign_spend s on s.day = given.day and s.month = extract(month from given.day)::int
      and s.campaign_id = any(array(select id from running))
    where not exists (select from held
      where held.campaign_id = s.campaign_id and held.since < given.until and held.until > given."from")
    group by s.campaign_id, given.week having count(*) = ${perWeek}`.execute(db);
  return rows;
}

/** Takes the test until the end of the transaction; false: another process has it. */
export async function lockDeliveryTest(tx: Db): Promise<boolean> {
  const result = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('delivery', 0)) as is_locked`.execute(tx);
  return onlyRow(result).isLocked;
}

/** What delivery has said since when; null: nothing unusual. */
export async function findDeliveryState(db: Db): Promise<DeliveryState | null> {
  const { rows } = await sql<DeliveryState>`
    select state, since, evidence from signals
    where source = 'delivery' and scope = 'everyone' and until is null`.execute(db);
  return rows[0] ?? null;
}

/** What the last look at each ad account showed. */
export async function findDeliveryVotes(db: Db): Promise<(BusinessVote & { accountId: string })[]> {
  const { rows } = await sql<{ accountId: string; business: string; vote: DeliveryVote }>`
    select j.account_id, j.progress -> 'vote' as vote, ${BUSINESS} as business
    from account_jobs j join ad_accounts a on a.id = j.account_id
    where j.kind = 'delivery' and jsonb_typeof(j.progress -> 'vote') = 'object'
    group by j.account_id, j.kind`.execute(db);
  return rows.map(({ vote, ...one }) => ({ ...one, ...vote }));
}

/** Ad accounts whose delivery is looked at, and those of them that could be compared in the last hour. */
export async function readDeliverySample(db: Db): Promise<{ accounts: number; compared: number }> {
  const result = await sql<{ accounts: number; compared: number }>`
    select count(*)::int as accounts, (count(*) filter (
      where to_timestamp((progress -> 'vote' ->> 'at')::float8 / 1000) > now() - interval '1 hour'))::int as compared
    from account_jobs where kind = 'delivery' and due_at is not null`.execute(db);
  return onlyRow(result);
}

/** Whether many ad accounts delivered far less than usual at some time of this period. */
export async function hadLowDelivery(db: Db, { from, until }: Period): Promise<boolean> {
  const { rows } = await sql`
    select from signals where source = 'delivery' and state = 'SUSPECTED' and evidence ->> 'direction' = 'low'
      and since < ${timestamp(until)} and coalesce(until > ${timestamp(from)}, true) limit 1`.execute(db);
  return rows.length > 0;
}
