import { LIVE_UPDATES } from './0001-live-updates.ts';
import { USERS } from './0001-users.ts';

const BILLING = `
create table subscriptions (
  user_id bigint not null references users on delete cascade,
  source text not null check (source in ('stripe', 'grant')),
  status text not null check (status in ('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'unknown')),
  plan_type text not null check (plan_type in ('monthly', 'yearly')),
  current_period_end timestamptz not null,
  canceled_at timestamptz,
  trial_end timestamptz,
  renews boolean not null,
  is_paused boolean not null default false,
  open_invoice_url text,
  access_until timestamptz,
  primary key (user_id, source)
);

create table stripe_customers (
  user_id bigint primary key references users on delete cascade,
  customer_id text not null unique,
  synced_from timestamptz,            -- begin of the stored read; one that began earlier never replaces it
  sync_at timestamptz not null,
  failed_since timestamptz,
  last_error text
);
create index stripe_customers_sync on stripe_customers (sync_at);
create index stripe_customers_failing on stripe_customers (user_id) where failed_since is not null;

-- One trial for each Meta user, also after deletion and return.
create table used_trials (platform_user_hash bytea primary key, used_at timestamptz not null);`;

const CAMPAIGNS = `
create table ad_accounts (             -- one row for each user with access
  user_id bigint not null references users on delete cascade,
  id text not null,
  name text not null,
  currency text not null,
  may_pause boolean not null default true, -- the user's role allows changes of campaigns
  account_status int, disable_reason int, time_zone text, -- as Meta lists them; null: not known
  seen_at timestamptz not null,
  lost_at timestamptz,                -- Meta refuses the account to the user since then
  writes_blocked_until timestamptz,   -- Meta refuses the user's changes until they confirm the account
  missing_since timestamptz,          -- begin of the first list without it
  removed_at timestamptz,             -- begin of the second one: not shown any more, kept for 30 days
  primary key (user_id, id)
);
create index ad_accounts_id on ad_accounts (id);
create index ad_accounts_removed on ad_accounts (removed_at) where removed_at is not null;

create table campaigns (
  id text primary key,
  account_id text not null,
  name text not null,
  status text not null,
  objective text not null,
  daily_budget bigint,
  is_listed boolean not null default true,
  unlisted_at timestamptz,            -- since when the lists lack it
  seen_at timestamptz not null,
  paused_manually_at timestamptz,
  changed_in_ads_manager_at timestamptz,
  is_legacy_advantage boolean not null default false,
  start_time timestamptz,
  stop_time timestamptz,
  ended_first_at timestamptz,         -- begin of the first read by id that found it deleted, archived or away
  ended_last_at timestamptz,
  other_schedule jsonb                -- the hours in which another tool has it off
);
create index campaigns_account on campaigns (account_id);
create index campaigns_unlisted on campaigns (unlisted_at) where not is_listed;

create table campaign_lists (
  account_id text primary key,
  read_at timestamptz not null,
  was_whole boolean not null default true,
  shrunk_at timestamptz,              -- begin of a list that lost so much that it is looked at twice
  shrunk_ids text[],                  -- the campaigns that it lacked
  unanswered jsonb                    -- campaigns that reads by id had no answer for, and since when
);

create table account_jobs (            -- what is done for an ad account beside the reconciler
  account_id text not null,
  kind text not null check (kind in ('new_campaigns', 'other_schedules')),
  due_at timestamptz,                 -- null: not planned
  tried_at timestamptz,
  leased_by text,                     -- a process
  lease_until timestamptz,
  primary key (account_id, kind)
);
create index account_jobs_due on account_jobs (kind, due_at) where due_at is not null;

create table smartpause_settings (
  user_id bigint not null references users on delete cascade,
  campaign_id text not null,
  account_id text not null,
  setting text not null check (setting in ('ON', 'OFF', 'DEACTIVATED')),
  changed_at timestamptz not null,
  primary key (user_id, campaign_id)
);
create index smartpause_settings_account on smartpause_settings (account_id);
create index smartpause_settings_on on smartpause_settings (account_id, user_id) where setting = 'ON';`;

const STATUS = `
create table platform_status (
  id int primary key check (id = 1),
  true_level text not null,
  message text not null,
  quote text,                         -- text of the status page, unchanged
  known_is_from_backup boolean not null default false,
  override_level text,
  override_reason text,               -- the admin's own words
  override_by bigint,                 -- a user, if that still exists
  override_since timestamptz,
  effective_level text not null,
  known_level text not null,
  known_true_level text not null default 'UP', -- without overrides
  match_since jsonb not null,         -- by threshold
  login_disrupted boolean not null default false,
  checked_at timestamptz,
  since timestamptz,
  poller text,
  poller_until timestamptz,
  trouble text,                       -- what the last reading could not read
  unread_services text[] not null default '{}',
  components jsonb not null default '[]',
  file_dates jsonb not null default '{}',   -- the latest date of each file
  lower_reading jsonb,                -- the first of the two readings with which a level falls
  clean_since jsonb not null default '{}',  -- by watched service
  silent_incidents jsonb not null default '[]'
);
insert into platform_status (id, true_level, message, effective_level, known_level, match_since)
  values (1, 'UNKNOWN', 'The platform status has not been read yet.', 'UNKNOWN', 'UP',
          '{"LOW": null, "MEDIUM": null, "HIGH": null}');

create table app_state (               -- our app at Meta
  id int primary key default 1 check (id = 1),
  stopped text check (stopped in ('limited', 'blocked', 'misconfigured')), -- null: Meta serves it
  since timestamptz,
  probe_at timestamptz,               -- no process calls Meta before
  opened_at timestamptz,              -- end of the last stop by the limit
  said text,                          -- in Meta's own words
  used_percent float8,                -- of the app's limit
  used_at timestamptz,
  inspections_refused_since timestamptz, -- it refuses the app's own token
  jobs_waited_at timestamptz          -- account_jobs last waited for our app's limit or the end of its stop
);
insert into app_state default values;

create table status_observations (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  true_level text not null,
  override_level text,
  message text not null
);
create index status_observations_at on status_observations (at);
create index status_observations_known on status_observations (at) where true_level <> 'UNKNOWN';

create table status_files (            -- every distinct file, compressed: no other archive exists
  id bigint generated always as identity primary key,
  path text not null,
  sha256 bytea not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  body bytea not null,
  unique (path, sha256)
);

create table outages (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  peak text not null,
  levels jsonb not null,
  recorded_at timestamptz             -- every user has an outage_users row since then
);
create unique index outages_open on outages ((ended_at is null)) where ended_at is null;

create table outage_users (            -- why campaigns were not paused
  outage_id bigint not null references outages on delete cascade,
  user_id bigint not null references users on delete cascade,
  threshold text not null,
  reason text,
  not_paused jsonb not null default '{}',
  primary key (user_id, outage_id)
);
create index outage_users_outage on outage_users (outage_id);`;

const RECONCILER = `
create table work_items (              -- one for each ad account
  account_id text primary key,
  due_at timestamptz,            -- null: nothing to do
  priority bigint not null default 0, -- daily budgets under SmartPause
  generation int not null default 0,  -- grows with every change that a plan depends on
  leased_by text,
  lease_until timestamptz,
  fencing_token int not null default 0,
  failures int not null default 0,
  failure_kind text, failure_code text, -- of the last failure
  blocked_until timestamptz,
  usage jsonb,
  intent json                         -- writes that are being sent; null: their results are stored
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02); -- updated several times in each pass
create index work_items_due on work_items (due_at, priority desc) where due_at is not null;
create index work_items_failing on work_items (account_id) where failure_kind is not null;
create index work_items_blocked on work_items (blocked_until) where blocked_until is not null;

create table account_wakes (           -- status changes whose accounts are not all due yet
  id bigint generated always as identity primary key,
  thresholds text[] not null,         -- of the users concerned
  woken_to text not null default '',  -- the work items up to this account are due
  skipped text[] not null default '{}', -- except these, which were locked
  requested_at timestamptz not null
);

create table holds (                   -- SmartPause paused a campaign and owes a resume
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  account_id text not null,
  campaign_id text not null,
  state text not null check (state in ('pausing', 'paused', 'resuming', 'cancelling', 'ended')),
  threshold text not null check (threshold in ('LOW', 'MEDIUM', 'HIGH')), -- the user's when it was decided
  level text not null,
  is_override boolean not null default false,
  decided_at timestamptz not null,    -- for this user
  read_at timestamptz not null,       -- start of the read that showed the campaign running
  pause_sent_at timestamptz,
  paused_at timestamptz,
  resume_sent_at timestamptz,
  test_until timestamptz,             -- of a live test; null for a pause of an outage
  began_as_test boolean not null default false,
  surprise_status text,               -- a status that is not ours, before the second read of it
  surprise_since timestamptz,
  postponed_until timestamptz,        -- its resume is due, and another tool has the campaign off
  resume_asked_by bigint,             -- a user who has asked for the resume during the match; none of their rows
  resume_asked_at timestamptz,
  refusal text,                       -- of its last write, in Meta's own words
  failure_kind text, failure_code text, -- of the last failure
  ended_at timestamptz,
  outcome text check (outcome in ('resumed', 'released', 'not_needed')),
  release_reason text,
  outside jsonb,                      -- the external change that ended it, as Meta's log names it
  check ((state = 'ended') = (ended_at is not null and outcome is not null)),
  check ((release_reason is not null) = (outcome is not distinct from 'released'))
);
create unique index holds_one_live on holds (campaign_id) where state <> 'ended';
create index holds_live on holds (id) where ended_at is null; -- for statements about all of them, which say so
create index holds_live_account on holds (account_id) where state <> 'ended';
create index holds_live_user on holds (user_id) where state <> 'ended';
create index holds_live_test on holds (user_id) where began_as_test;
create index holds_user on holds (user_id, decided_at);
create index holds_ended on holds (ended_at) where state = 'ended';
-- Without an outage PostgreSQL would learn that none is live, and in an outage read all live ones for each campaign.
alter table holds alter column state set statistics 0;
create index holds_left_alone on holds (account_id, ended_at)
  where release_reason in ('pause_refused', 'resumed_by_schedule', 'resumed_now', 'resumed_by_other');

create table campaign_writes (         -- the last write of a campaign; it outlives its hold
  campaign_id text primary key,
  account_id text not null,
  origin text not null check (origin in ('hold', 'test', 'manual', 'restore')),
  user_id bigint not null references users on delete cascade, -- who asked for it
  requested_at timestamptz not null,
  target text not null check (target in ('ACTIVE', 'PAUSED')),
  state text not null check (state in ('open', 'done', 'cancelled', 'failed')),
  status_before text not null,        -- when the first copy was sent
  first_sent_at timestamptz,          -- of the copies without an answer
  unanswered_until timestamptz,       -- they may arrive until then
  unclear_since timestamptz,          -- the activity log does not fit the campaign's status
  retry_at timestamptz,
  planned_retry_at timestamptz,       -- when it was due before its user asked for a try
  refusals int not null,
  final_refusals int not null default 0, -- the last ones of these
  failures int not null,
  refusal text,                       -- in Meta's own words
  failure_kind text, failure_code text, -- of the last failure
  confirmed_status text,
  confirmed_at timestamptz
);
create index campaign_writes_account on campaign_writes (account_id);
create index campaign_writes_user on campaign_writes (user_id);

create table manual_changes (          -- a user's press of a button, which becomes a write of the campaign
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  account_id text not null,
  campaign_id text not null,
  status text not null check (status in ('ACTIVE', 'PAUSED')),
  is_of_many boolean not null default false, -- no request waits for it
  requested_at timestamptz not null,
  ended_at timestamptz,
  failure text,                       -- code of the API error; null: carried out
  refusal text                        -- in Meta's own words
);
create unique index manual_changes_pending on manual_changes (campaign_id) where ended_at is null;
create index manual_changes_account on manual_changes (account_id) where ended_at is null;
create index manual_changes_user on manual_changes (user_id);
create index manual_changes_ended on manual_changes (ended_at) where ended_at is not null;

create table campaign_changes (        -- one request of a user for several campaigns; its parts tell its result
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  action text not null check (action in ('on', 'off', 'off_and_resume', 'pause', 'resume', 'resume_now')),
  started_at timestamptz not null,
  campaign_ids text[] not null,
  manual_change_ids bigint[] not null, -- of each campaign, as the next ones; null: it has none
  hold_ids bigint[] not null,         -- whose resume is asked for
  failures text[] not null,           -- code of the API error when it was stored; null: accepted
  messages text[] not null
);
create index campaign_changes_user on campaign_changes (user_id, started_at);
create index campaign_changes_started on campaign_changes (started_at);`;

const NOTIFICATIONS = `
create table notifications (           -- the outbox: written emails
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  kind text not null,
  created_at timestamptz not null,    -- when it was written
  due_at timestamptz,                 -- null: sent or failed
  to_address text not null,
  subject text not null,
  text text,                          -- null: sent or failed
  html text,
  attempts int not null default 0,
  lease_until timestamptz,
  last_error text,
  sent_at timestamptz,
  failed_at timestamptz
);
create index notifications_due on notifications (due_at) where due_at is not null;
create index notifications_unsent on notifications (to_address) where due_at is not null;
create index notifications_failed on notifications (failed_at) where failed_at is not null;
create index notifications_created on notifications (created_at);
create index notifications_of_deleted on notifications (created_at) where user_id is null;
create index notifications_user on notifications (user_id, kind, created_at desc);

create table activities (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  message text not null,              -- in the words of that time; '{campaigns}' stands for what it is about
  detail text,                        -- why
  created_at timestamptz not null,
  account_id text,
  campaigns jsonb,                    -- of one batch: {"<campaign id>": {"name": "Spring", "holdId": "5"}}
                                      -- with facts and detail of its own where they are not those of the row
  event text not null,                -- of the table in src/core/events.ts
  facts jsonb not null default '{}',  -- of the event
  dedupe_key text,                    -- the event happens once for the user and this; null: it may happen again
  actor text not null check (actor in ('user', 'smartpause', 'meta', 'stripe', 'operator')),
  pending_notification text,          -- the kind of the notification that is to report it; null: none, or it is reported
  notification_id bigint references notifications on delete set null -- reports it
);
create unique index activities_once on activities (user_id, event, dedupe_key) where dedupe_key is not null;
create index activities_pending on activities (user_id, pending_notification) where pending_notification is not null;
create index activities_created on activities (created_at desc);
create index activities_user on activities (user_id, id);
create index activities_account on activities (user_id, account_id, created_at);
create index activities_notification on activities (notification_id) where notification_id is not null;`;

export const INITIAL = [USERS, BILLING, CAMPAIGNS, STATUS, RECONCILER, NOTIFICATIONS, LIVE_UPDATES];
