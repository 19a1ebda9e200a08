import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Plain SQL for PostgreSQL 15 and newer, one statement after the other. */
const statements = [
  // People -------------------------------------------------------------------------------------------------
  `create table person (
    id bigint generated always as identity primary key,
    platform_user_id text not null unique,
    name text not null,
    email text,
    roles text[] not null default '{}',
    initialized_at timestamptz,
    threshold text not null default 'MEDIUM' check (threshold in ('LOW', 'MEDIUM', 'HIGH')),
    resume_settings jsonb not null,
    match_ended_by_edit_at timestamptz,
    leaving text check (leaving in ('deauthorize', 'delete')),
    created_at timestamptz not null
  )`,
  `create index person_leaving on person (id) where leaving is not null`,
  `create table session (
    token_hash bytea primary key,
    person_id bigint not null references person on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index session_person on session (person_id)`,
  `create table login_attempt (
    state_hash bytea primary key,
    browser_hash bytea not null,
    code_verifier text not null,
    return_to text not null,
    expires_at timestamptz not null
  )`,
  `create table platform_token (
    person_id bigint primary key references person on delete cascade,
    sealed bytea not null,
    key_id text not null,
    expires_at timestamptz,
    saved_at timestamptz not null,
    refused_at timestamptz,
    refused_reason text
  )`,
  `create table subscription (
    person_id bigint primary key references person on delete cascade,
    status text not null check (status in ('active', 'trialing', 'past_due', 'canceled', 'unpaid')),
    plan_type text not null check (plan_type in ('monthly', 'yearly')),
    current_period_end timestamptz not null,
    canceled_at timestamptz,
    trial_end timestamptz,
    renews boolean not null
  )`,
  // Outlives the person: one trial each, also after deleting and returning. Holds no more than a keyed hash.
  `create table trial_used (platform_user_hash bytea primary key, at timestamptz not null)`,

  // Ad accounts and campaigns: our copy of what the platform last said ------------------------------------
  `create table ad_account (
    person_id bigint not null references person on delete cascade,
    id text not null,
    name text not null,
    currency text not null,
    account_status int not null,
    seen_at timestamptz not null,
    primary key (person_id, id)
  )`,
  `create index ad_account_id on ad_account (id)`,
  `create table campaign (
    id text primary key,
    account_id text not null,
    name text not null,
    status text not null,
    objective text not null,
    daily_budget bigint,
    listed boolean not null default true,
    seen_at timestamptz not null
  )`,
  `create index campaign_account on campaign (account_id)`,
  `create table campaign_list (
    account_id text primary key,
    read_at timestamptz not null
  )`,
  `create table smart_pause (
    person_id bigint not null references person on delete cascade,
    campaign_id text not null,
    account_id text not null,
    setting text not null check (setting in ('ON', 'OFF', 'DEACTIVATED')),
    changed_at timestamptz not null,
    primary key (person_id, campaign_id)
  )`,
  `create index smart_pause_on on smart_pause (account_id, person_id) where setting = 'ON'`,

  // What the platform's status page says ------------------------------------------------------------------
  `create table platform_status (
    id int primary key check (id = 1),
    true_level text not null,
    message text not null,
    directive text,
    effective text not null,
    known text not null,
    match_since jsonb not null,
    login_disrupted boolean not null default false,
    checked_at timestamptz,
    since timestamptz,
    poller text,
    poller_until timestamptz
  )`,
  `create table observation (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    true_level text not null,
    directive text,
    effective text not null,
    known text not null,
    message text not null
  )`,
  `create table outage (
    id bigint generated always as identity primary key,
    started_at timestamptz not null,
    ended_at timestamptz,
    peak text not null,
    levels jsonb not null
  )`,
  `create unique index outage_open on outage ((ended_at is null)) where ended_at is null`,

  // The engine's ledger -----------------------------------------------------------------------------------
  `create table lane (
    account_id text primary key,
    next_due_at timestamptz,
    priority bigint not null default 0,
    lease_owner text,
    lease_until timestamptz,
    lease_no int not null default 0,
    failures int not null default 0,
    last_error text,
    blocked_until timestamptz,
    usage jsonb
  )`,
  `create index lane_due on lane (next_due_at, priority desc) where next_due_at is not null`,
  `create table hold (
    id bigint generated always as identity primary key,
    person_id bigint not null references person on delete cascade,
    account_id text not null,
    campaign_id text not null,
    state text not null check (state in ('pausing', 'paused', 'resuming', 'ended')),
    outcome text check (outcome in ('resumed', 'let_go')),
    reason text,
    attempt int not null default 0,
    failures int not null default 0,
    in_doubt boolean not null default false,
    sent_at timestamptz,
    retry_at timestamptz,
    suspected_status text,
    suspected_since timestamptz,
    last_error text,
    created_at timestamptz not null,
    paused_at timestamptz,
    ended_at timestamptz,
    check ((state = 'ended') = (ended_at is not null and outcome is not null))
  )`,
  `create unique index hold_one_live on hold (campaign_id) where state <> 'ended'`,
  `create index hold_live_account on hold (account_id) where state <> 'ended'`,
  `create index hold_live_person on hold (person_id) where state <> 'ended'`,

  // What was done -----------------------------------------------------------------------------------------
  `create table activity (
    id bigint generated always as identity primary key,
    person_id bigint references person on delete cascade,
    type text not null check (type in ('pause', 'resume', 'login', 'setting', 'other')),
    message text not null,
    at timestamptz not null,
    account_id text,
    campaign_id text,
    hold_id bigint,
    event text not null,
    unique (hold_id, event)
  )`,
  `create index activity_at on activity (at desc)`,
  `create index activity_person on activity (person_id, at desc)`,
];

export const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
    await sql`insert into platform_status (id, true_level, message, effective, known, match_since)
      values (1, 'UNKNOWN', 'The platform status has not been read yet.', 'UNKNOWN', 'UP',
              '{"LOW": null, "MEDIUM": null, "HIGH": null}')`.execute(db);
  },
};
