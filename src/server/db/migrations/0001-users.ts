/** Users, what they log in with, and their subscriptions. */
export const USERS = `
create table users (
  id bigint generated always as identity primary key,
  platform_user_id text not null unique,
  name text not null,
  email text,
  roles text[] not null default '{}',
  initialized_at timestamptz,
  threshold text not null default 'MEDIUM' check (threshold in ('LOW', 'MEDIUM', 'HIGH')),
  resume_settings jsonb not null,
  on_for_new_campaigns boolean not null default false,
  leaving text check (leaving in ('deauthorize', 'delete')),
  leaving_at timestamptz,
  leaving_by text check (leaving_by in ('user', 'meta')),
  leaving_failures int not null default 0,
  leaving_retry_at timestamptz,
  leaving_error text,
  logged_in_at timestamptz not null,
  created_at timestamptz not null
);
create index users_leaving on users (id) where leaving is not null;
create index users_on_for_new_campaigns on users (id) where on_for_new_campaigns;

create table sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires on sessions (expires_at);

create table login_attempts (
  state_hash bytea primary key,
  browser_hash bytea not null,
  return_to text not null,
  expires_at timestamptz not null,
  code_hash bytea,
  claimed_at timestamptz,
  outcome text                        -- for a callback that arrives twice
);
create index login_attempts_end on login_attempts (expires_at);
create index login_attempts_browser on login_attempts (browser_hash);
create index login_attempts_done on login_attempts (expires_at) where outcome = 'done';

create table platform_tokens (
  user_id bigint primary key references users on delete cascade,
  ciphertext bytea not null,
  key_id text not null,
  expires_at timestamptz,
  saved_at timestamptz not null,
  rejected_at timestamptz,
  rejected_reason text,
  check_at timestamptz not null,
  checked_at timestamptz,
  is_short_lived boolean not null default false -- it is still to be exchanged for a longer one
);
create index platform_tokens_check on platform_tokens (check_at) where rejected_at is null;

-- Outlives the user, with a keyed hash only.
create table deletion_requests (
  code text primary key,
  platform_user_hash bytea not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  superseded boolean not null
);
create index deletion_requests_open on deletion_requests (platform_user_hash) where finished_at is null;`;
