import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { DELIVERY_DAYS, HISTORY_DAYS, UNUSED_SESSION_DAYS } from '#core/periods.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { dropRemovedAccounts } from './ad-accounts.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';
import { dropOldVotes } from './detection.ts';
import { IS_ENDED } from './deliveries.ts';
import { dropOldSpend } from './campaign-spend.ts';
import { dropAllOrphanedAccounts } from './orphaned-accounts.ts';
import type { Schema } from './schema.ts';

type Table = keyof Schema;

/** Rows that are deleted, or emptied, a time after the one in this column. */
interface Expiry {
  since: string;
  keptMs: number;
  /** The primary key; `id` by default. */
  key?: string;
  /** Other rows are kept. */
  only?: RawBuilder<unknown>;
  /** The rows are kept without this column. */
  empties?: string;
}

interface Retention {
  why: string;
  /** Absent: rows go with what they belong to, or are never deleted. */
  drop?: readonly Expiry[] | ((db: Db, now: Instant) => Promise<void>);
}

const HISTORY_MS = days(HISTORY_DAYS);
/** Few enough that the statement blocks no other one for long. */
const ROWS_AT_ONCE = 5000;
/** For a status page whose files change with every read. */
const FILES_MOST = 100_000;

const OF_USER = { why: 'deleted with its user' };
const OF_ACCOUNT = { why: 'deleted with the last user of its ad account, as its list' };

/** How long the rows of each table are kept, and why. */
export const RETENTION: Readonly<Record<Table, Retention>> = {
  users: { why: 'until they delete their account' },
  platformTokens: OF_USER,
  subscriptions: OF_USER,
  stripeCustomers: OF_USER,
  usedTrials: { why: 'one trial for each Meta user, also after deletion and return: a keyed hash' },
  deletionRequests: { why: 'Meta may ask for the state of a deletion at any time: a keyed hash' },
  sessions: {
    why: 'an expired session gives no access',
    drop: [
      { since: 'expiresAt', keptMs: 0 },
      { since: 'lastUsedAt', keptMs: days(UNUSED_SESSION_DAYS) },
    ],
  },
  loginAttempts: {
    why: 'the alarm about failing logins looks back a week',
    drop: [{ since: 'expiresAt', keptMs: days(7), key: 'stateHash' }],
  },
  adAccounts: {
    why: 'an ad account that Meta lists again gets its settings back',
    drop: dropRemovedAccounts,
  },
  campaignLists: { why: 'until its ad account has no user', drop: (db) => dropAllOrphanedAccounts(db) },
  workItems: OF_ACCOUNT,
  accountJobs: OF_ACCOUNT,
  campaigns: { why: 'the history names deleted campaigns', drop: dropGoneCampaigns },
  smartpauseSettings: { why: 'deleted with its campaign or its user' },
  campaignSpend: { why: 'estimates compare with eight weeks; whole months go', drop: dropOldSpend },
  accountWakes: { why: 'until all accounts are due' },
  holds: {
    why: 'the history of outages',
    drop: [{ since: 'endedAt', keptMs: HISTORY_MS, only: sql`state = 'ended'` }],
  },
  signals: {
    why: 'the history says what a user chose, and what was suspected',
    drop: [{ since: 'until', keptMs: HISTORY_MS }],
  },
  deliveryLooks: {
    why: 'the next looks at an ad account are compared with it',
    drop: [{ since: 'at', keptMs: days(1) }],
  },
  campaignWrites: {
    why: 'decisions look back at the last write for minutes',
    drop: [
      {
        ...{ since: 'requestedAt', keptMs: days(1), key: 'campaignId' },
        only: sql`state <> 'open' and unanswered_until is null and coalesce(confirmed_at < now() - interval '1 day', true)
          and not exists (select from holds h where h.campaign_id = campaign_writes.campaign_id and h.state <> 'ended')`,
      },
    ],
  },
  campaignChanges: {
    why: 'the page asks for the result of a request for many campaigns',
    drop: [{ since: 'startedAt', keptMs: days(30) }],
  },
  manualChanges: {
    why: 'a request for many campaigns refers to them',
    drop: [{ since: 'endedAt', keptMs: days(31) }],
  },
  activities: {
    why: 'the activity log; a notification may still need those of a live hold',
    drop: [
      {
        ...{ since: 'createdAt', keptMs: HISTORY_MS },
        only: sql`not exists (select from jsonb_each(campaigns) as of(id, campaign)
          join holds on holds.id = (campaign ->> 'holdId')::bigint where holds.state <> 'ended')`,
      },
    ],
  },
  notifications: {
    why: 'the log of what was sent; its text for as long as it can be sent again; those of deleted users go at once',
    drop: [
      {
        ...{ since: 'createdAt', keptMs: days(DELIVERY_DAYS), empties: 'message' },
        only: sql`message is not null and ${IS_ENDED}`,
      },
      { since: 'createdAt', keptMs: HISTORY_MS, only: IS_ENDED },
      { since: 'createdAt', keptMs: 0, only: sql`${IS_ENDED} and user_id is null` },
    ],
  },
  deliveries: { why: 'deleted with its notification or its destination' },
  destinations: OF_USER,
  incidents: { why: 'deleted with the end of the incident, or its destination' },
  emailLinks: {
    why: 'the page of an expired link says so',
    drop: [{ since: 'expiresAt', keptMs: days(30), key: 'tokenHash' }],
  },
  outages: { why: 'the history of outages', drop: [{ since: 'endedAt', keptMs: HISTORY_MS }] },
  outageUsers: { why: 'deleted with its outage or its user' },
  outageEstimates: { why: 'deleted with its outage or its user' },
  statusObservations: {
    why: 'outages quote them; the last known level is still in force',
    drop: [
      {
        ...{ since: 'at', keptMs: HISTORY_MS },
        only: sql`at < (select max(at) from status_observations where true_level <> 'UNKNOWN')`,
      },
    ],
  },
  statusFiles: {
    why: 'no other archive of the status page exists',
    drop: [
      { since: 'lastAt', keptMs: HISTORY_MS },
      { since: 'lastAt', keptMs: 0, only: sql`id <= (select max(id) from status_files) - ${FILES_MOST}` },
    ],
  },
  statusReads: { why: 'one row a month' },
  platformStatus: { why: 'one row' },
  appState: { why: 'one row' },
  detection: { why: 'one row' },
  callVotes: { why: 'a minute is tested with the ten before it', drop: dropOldVotes },
  callMinutes: {
    why: 'the usual share of failing calls is the median of 28 days',
    drop: [{ since: 'minute', keptMs: days(35), key: 'minute' }],
  },
};

/** Deletes what the list keeps no longer. */
export async function dropOldRows(
  db: Db,
  now: Instant,
  tables = Object.keys(RETENTION) as Table[],
): Promise<void> {
  for (const table of tables) {
    const { drop = [] } = RETENTION[table];
    if (typeof drop === 'function') await drop(db, now);
    else for (const expiry of drop) await dropExpired(db, table, expiry, now);
  }
}

async function dropExpired(db: Db, table: Table, expiry: Expiry, now: Instant): Promise<void> {
  let dropped: number;
  do {
    const { numAffectedRows = 0n } = await expiredRows(table, expiry, now).execute(db);
    dropped = Number(numAffectedRows);
  } while (dropped === ROWS_AT_ONCE);
}

/** The statement for some of them. */
export function expiredRows(table: Table, expiry: Expiry, now: Instant) {
  const { since, keptMs, key = 'id', only, empties } = expiry;
  const drop =
    empties === undefined
      ? sql`delete from ${sql.table(table)}`
      : sql`update ${sql.table(table)} set ${sql.ref(empties)} = null`;
  return sql`${drop} where ${sql.ref(key)} in (
    select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(since)} < ${timestamp(now - keptMs)}
      ${only === undefined ? sql`` : sql`and ${only}`}
    order by ${sql.ref(since)} limit ${ROWS_AT_ONCE} for update skip locked)`;
}

/** With their settings, a day after the last activity about them; some of them, the next run drops more. */
async function dropGoneCampaigns(db: Db, now: Instant): Promise<void> {
  await sql`
    with gone as (
      delete from campaigns where id in (
        select id from campaigns where not is_listed and unlisted_at < ${timestamp(now - HISTORY_MS - days(1))}
          and not exists (select from holds h where h.campaign_id = campaigns.id and h.state <> 'ended')
        order by unlisted_at limit ${ROWS_AT_ONCE} for update skip locked)
      returning id, account_id)
    delete from smartpause_settings sp using gone where sp.account_id = gone.account_id and sp.campaign_id = gone.id`.execute(
    db,
  );
}
