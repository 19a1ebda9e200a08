import { sql } from 'kysely';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { CampaignFacts } from '#core/outages/why-not-paused.ts';
import type { NotPausedReason } from '#core/outages/reasons.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { Cause } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import { deliversNothing } from '../account-delivery.ts';
import type { Db } from '../database.ts';
import { date, rowsOf, timestamp } from '../database.ts';
import { isOfOutage } from '../holds/paused-by-smart-pause.ts';
import { holdsBeingSent } from '../work-items.ts';

export interface PendingOutage {
  id: string;
  startedAt: Instant;
  endedAt: Instant | null;
  peak: KnownLevel;
}

/** Outages for which not every user has a record: the open one and those that have just ended. */
export function findPendingOutages(db: Db): Promise<PendingOutage[]> {
  return db
    .selectFrom('outages')
    .select(['id', 'startedAt', 'endedAt', 'peak'])
    .where('recordedAt', 'is', null)
    .orderBy('id')
    .execute();
}

/** Whether a pause that was decided until then becomes a hold only with its result. */
export async function isPauseBeingSent(db: Db, until: Instant): Promise<boolean> {
  const { rows } = await sql`
    select from ${holdsBeingSent}
    where hold ->> 'state' = 'pausing' and (hold ->> 'decidedAt')::float8 <= ${until} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Users who were set up in the outage and have no record of it, with the threshold that their first hold of the outage
 * was decided with; null: the user had no hold in it. By id.
 * @param options.after so that one call after the other looks at each user once
 */
export async function findUsersToRecord(
  db: Db,
  outage: PendingOutage,
  { userId = null, after = '0', limit }: { userId?: string | null; after?: string; limit: number },
): Promise<Map<string, Threshold | null>> {
  const { rows } = await sql<{ id: string; threshold: Threshold | null }>`
    select id, (select threshold from holds where user_id = users.id and ${isOfOutage('holds')} and decided_at ${during(outage)}
      order by holds.id limit 1) as threshold
    from users where initialized_at <= coalesce(${date(outage.endedAt)}::timestamptz, 'infinity')
      and (${userId}::bigint is null or id = ${userId}) and id > ${after}
      and not exists (select from outage_users ou where ou.user_id = users.id and ou.outage_id = ${outage.id})
    order by id limit ${limit}`.execute(db);
  return new Map(rows.map(({ id, threshold }) => [id, threshold]));
}

/** Why campaigns of one user were not paused in one outage. */
export interface OutageRecord {
  outageId: string;
  userId: string;
  threshold: Threshold;
  reason: NotPausedReason | null;
  /** By campaign id. */
  notPaused: Record<string, NotPausedReason>;
}

/** In the order of the table's columns. */
const TYPES = {
  outageId: 'bigint',
  userId: 'bigint',
  threshold: 'text',
  reason: 'text',
  notPaused: 'jsonb',
} as const;

/** Another process may have written the same record. */
export async function saveOutageRecords(db: Db, records: readonly OutageRecord[]): Promise<void> {
  await sql`insert into outage_users select * from ${rowsOf(TYPES, records)} on conflict do nothing`.execute(
    db,
  );
}

/** The user's stored records and those of outages that have none yet, as a table of the statement. */
export function recordsOf(userId: string, live: readonly OutageRecord[]) {
  return sql`(select * from outage_users where user_id = ${userId} union all select * from ${rowsOf(TYPES, live)})`;
}

export async function markRecorded(db: Db, outageId: string, at: Instant): Promise<void> {
  await db
    .updateTable('outages')
    .set({ recordedAt: new Date(at) })
    .where('id', '=', outageId)
    .execute();
}

const during = ({ startedAt, endedAt }: PendingOutage) =>
  sql`between ${timestamp(startedAt)} and coalesce(${date(endedAt)}::timestamptz, 'infinity')`;

/** What these caused kept it paused at some time of the outage. */
const isHeldBeside = (hold: string, causes: readonly Cause[], { startedAt, endedAt }: PendingOutage) => {
  const column = (name: string) => sql.ref(`${hold}.${name}`);
  return sql`${column('cause')} = any(${[...causes]}::text[]) and ${column('paused_at')} is not null
    and ${column('decided_at')} <= coalesce(${date(endedAt)}::timestamptz, 'infinity')
    and coalesce(${column('ended_at')}, 'infinity') > ${date(startedAt)}`;
};

/**
 * Users' campaigns without a hold of theirs in the outage, archived ones excepted. Of an ad account that Meta
 * refuses only those with SmartPause on: what became of the others is unknown.
 */
export async function findNotHeld(
  db: Db,
  userIds: readonly string[],
  outage: PendingOutage,
): Promise<(CampaignFacts & { userId: string; campaignId: string })[]> {
  const users = sql`any(${[...userIds]}::bigint[])`;
  type Row = Omit<CampaignFacts, 'setting'> & { userId: string; campaignId: string } & (
      { setting: SmartPauseSetting; changedAt: Instant } | { setting: null; changedAt: null }
    );
  const { rows } = await sql<Row>`
    select a.user_id, c.id as "campaignId", c.status, c.is_legacy_advantage,
      c.start_time, c.stop_time,
      c.paused_manually_at, c.changed_in_ads_manager_at, sp.setting, sp.changed_at,
      coalesce(h.user_ids <> array[a.user_id], false) as "isHeldByOther",
      exists (select from holds earlier where earlier.user_id = a.user_id and earlier.campaign_id = c.id
        and ${isOfOutage('earlier')} and earlier.paused_at is not null and earlier.decided_at < ${date(outage.startedAt)}
        and coalesce(earlier.ended_at, 'infinity') > ${date(outage.startedAt)}) as "isHeldBefore",
      exists (select from holds word where word.user_id = a.user_id and word.campaign_id = c.id
        and ${isHeldBeside('word', ['user'], outage)}) as "isPausedAll",
      coalesce(a.lost_at, a.removed_at) is not null as "isAccountRefused",
      ${deliversNothing(outage.startedAt)} as "isWithoutDelivery"
    from ad_accounts a join campaigns c on c.account_id = a.id
    left join smartpause_settings sp on sp.user_id = a.user_id and sp.campaign_id = c.id
    left join (
      select campaign_id, array_agg(distinct user_id) as user_ids from holds
      where ((paused_at is not null and ${isOfOutage('holds')} and decided_at ${during(outage)}) or (${isHeldBeside('holds', ['user', 'early_warning'], outage)})) and user_id in (
        select b.user_id from ad_accounts b join ad_accounts own on own.id = b.id where own.user_id = ${users})
      group by campaign_id) h on h.campaign_id = c.id
    where a.user_id = ${users} and (coalesce(a.lost_at, a.removed_at) is null or sp.setting = 'ON') and c.is_listed and c.status in ('ACTIVE', 'PAUSED')
      and not exists (select from holds own where own.user_id = a.user_id and own.campaign_id = c.id
        and ${isOfOutage('own')} and own.decided_at ${during(outage)})
    order by a.user_id, c.id`.execute(db);
  return rows.map(({ setting, changedAt, ...row }) => ({
    ...row,
    setting: setting === null ? null : { value: setting, changedAt },
  }));
}
