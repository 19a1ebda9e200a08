import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { LeftAlone, SettingSince, UserInAccount } from '#core/reconciler/world.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { timeZoneOf } from './ad-accounts.ts';
import type { Db } from './database.ts';
import { findProtected } from './billing/subscriptions.ts';
import type { Schema } from './schema.ts';
import type { Encrypted } from '../secrets.ts';
import type { User } from './users/users.ts';
import type { HoldRow } from './holds/holds.ts';
import { findLiveHolds, findLeftAlone } from './holds/holds.ts';
import type { ManualChange } from './holds/manual-changes.ts';
import { findManualChanges } from './holds/manual-changes.ts';
import { findRefusedResumes } from './holds/not-resumed.ts';
import type { WriteRow } from './holds/writes.ts';
import { findWrites } from './holds/writes.ts';
import { findActing } from './signals.ts';

/** A user with SmartPause on in the ad account, a live hold or its resume asked for, an unsettled write or a manual change. */
export interface StoredUser extends UserInAccount {
  user: User;
  /** Null: no token, or Meta has refused it. */
  token: Encrypted | null;
  /** Meta has refused the user access to the account. */
  isAccountLost: boolean;
  /** Of the account. */
  timeZone: string | null;
}

/** All stored data that decides what happens in one ad account. Holds, writes and changes by campaign. */
export interface StoredWorld {
  accountId: string;
  users: readonly StoredUser[];
  timeZone: string | null;
  holds: Map<string, HoldRow>;
  writes: Map<string, WriteRow>;
  changes: ReadonlyMap<string, ManualChange>;
  /** Of the campaigns with a hold or a write. */
  names: ReadonlyMap<string, string>;
  /** Of these, those that another tool has off at certain hours. */
  schedules: ReadonlyMap<string, OtherSchedule>;
}

interface Moment {
  now: Instant;
  /** Of the matches that last the first; null: there is none. */
  matchBegan: Instant | null;
}

export async function loadWorlds(
  db: Db,
  accountIds: readonly string[],
  moment: Moment,
): Promise<Map<string, StoredWorld>> {
  if (accountIds.length === 0) return new Map();
  const holds = await findLiveHolds(db, accountIds);
  const changes = await findManualChanges(db, accountIds);
  const decided = [...holds, ...changes].map(({ campaignId }) => campaignId);
  const writes = await findWrites(db, accountIds, decided, moment.now);
  const { names, schedules } = await findCampaigns(db, [
    ...decided,
    ...writes.map(({ campaignId }) => campaignId),
  ]);
  const askers = changes.flatMap(({ status, userId }) => (status === 'ACTIVE' ? userId : []));
  const users = await findUsers(db, accountIds, { ...moment, askers: [...new Set(askers)] });
  return new Map(
    accountIds.map((accountId) => {
      const here = <Row extends { accountId: string; campaignId: string }>(rows: readonly Row[]) =>
        new Map(rows.filter((row) => row.accountId === accountId).map((row) => [row.campaignId, row]));
      const own = users.get(accountId) ?? [];
      const account = { accountId, users: own, timeZone: own[0]?.timeZone ?? null, names, schedules };
      return [accountId, { ...account, holds: here(holds), writes: here(writes), changes: here(changes) }];
    }),
  );
}

async function findCampaigns(db: Db, campaignIds: readonly string[]) {
  const { rows } =
    campaignIds.length === 0
      ? { rows: [] }
      : await sql<{ id: string; name: string; otherSchedule: OtherSchedule | null }>`
          select id, name, other_schedule from campaigns where id = any(${[...new Set(campaignIds)]}::text[])`.execute(
          db,
        );
  return {
    names: new Map(rows.map(({ id, name }) => [id, name])),
    schedules: new Map(
      rows.flatMap(({ id, otherSchedule: one }) => (one === null ? [] : [[id, one] as const])),
    ),
  };
}

type Row = Selectable<Schema['users']> & {
  accountId: string;
  lostAt: Instant | null;
  timeZone: string | null;
  writesBlockedUntil: Instant | null;
  /** By campaign. */
  settings: Record<string, SettingSince> | null;
  ciphertext: Uint8Array | null;
  keyId: string | null;
};

async function findUsers(
  db: Db,
  accountIds: readonly string[],
  { now, matchBegan, askers }: Moment & { askers: readonly string[] },
): Promise<Map<string, StoredUser[]>> {
  const rows = await findRows(db, accountIds);
  const signals = await findActing(db, [...new Set(rows.map(({ id }) => id))], { now, matchBegan });
  const begins = [...signals.values()].flat().map(({ since }) => since);
  const began = Math.min(matchBegan ?? Infinity, ...begins);
  const leftAlone = await findLeftAlone(db, accountIds, began === Infinity ? null : began);
  const refusedResumes = Map.groupBy(await findRefusedResumes(db, askers, now), ({ userId }) => userId);
  const subscribers = await findProtected(
    db,
    rows.map(({ id }) => id),
    now,
  );
  const users = rows.map((row) => ({
    accountId: row.accountId,
    user: row,
    isSubscribed: subscribers.has(row.id),
    token:
      row.ciphertext === null || row.keyId === null ? null : { ciphertext: row.ciphertext, keyId: row.keyId },
    isAccountLost: row.lostAt !== null,
    timeZone: row.timeZone,
    writesBlockedUntil: row.writesBlockedUntil,
    settings: new Map(Object.entries(row.settings ?? {})),
    signals: signals.get(row.id) ?? [],
    leftAlone: leftAlone.get(row.id) ?? new Map<string, LeftAlone>(),
    refusedResumes: new Map((refusedResumes.get(row.id) ?? []).map((one) => [one.campaignId, one])),
  }));
  return Map.groupBy(users, ({ accountId }) => accountId);
}

async function findRows(db: Db, accountIds: readonly string[]): Promise<Row[]> {
  const ids = sql`${[...accountIds]}::text[]`;
  const { rows } = await sql<Row>`
    select users.*, c.account_id, a.lost_at, ${timeZoneOf('c.account_id')} as time_zone, a.writes_blocked_until, sp.settings, t.ciphertext, t.key_id
    from (
      select account_id, user_id from smartpause_settings where setting = 'ON' and account_id = any(${ids})
      union
      select live.account_id, live.user_id from unnest(${ids}) as account(id) cross join lateral (
        select account_id, unnest(array[user_id, resume_asked_by]) as user_id from holds
        where account_id = account.id and state <> 'ended' offset 0) live
      union
      select account_id, user_id from campaign_writes where account_id = any(${ids})
        and (state = 'open' or unanswered_until is not null)
      union
      select account_id, user_id from manual_changes where account_id = any(${ids}) and ended_at is null
    ) c
    cross join lateral (select * from users where id = c.user_id offset 0) users
    left join lateral (
      select json_object_agg(campaign_id, json_build_object(
        'setting', setting, 'changedAt', floor(extract(epoch from changed_at) * 1000))) as settings
      from (
        select campaign_id, setting, changed_at from smartpause_settings
        where account_id = c.account_id and user_id = c.user_id and setting = 'ON'
        union all
        select campaign_id, setting, changed_at from holds join smartpause_settings using (user_id, campaign_id)
        where holds.account_id = c.account_id and holds.user_id = c.user_id and state <> 'ended' and setting <> 'ON'
      ) own) sp on true
    left join lateral (
      select * from ad_accounts where user_id = c.user_id and id = c.account_id offset 0) a on true
    left join lateral (
      select * from platform_tokens where user_id = c.user_id and rejected_at is null offset 0) t on true
    order by c.account_id, users.id`.execute(db);
  return rows;
}
