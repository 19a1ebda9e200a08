/** What says that campaigns should be paused, beside the status page, and why each hold began. */
export const SIGNALS = [
  `create table signals (
  id bigint generated always as identity primary key,
  source text not null check (source in ('user', 'api_errors', 'delivery')), -- 'user': their own word, 'Pause all now'
  scope text not null check (scope in ('everyone', 'account', 'user')),
  user_id bigint references users on delete cascade,
  account_id text,
  state text not null check (state in ('WATCH', 'SUSPECTED', 'UNKNOWN', 'SAID')),
  since timestamptz not null,
  until timestamptz,                  -- may lie ahead: a chosen end; null: it goes on
  evidence jsonb not null default '{}',
  check ((scope = 'user') = (user_id is not null)),
  check ((scope = 'account') = (account_id is not null)),
  check (until >= since)
);`,
  `create index signals_user on signals (user_id, until) where user_id is not null;`,
  `create index signals_until on signals (until);`,
  `create trigger live_insert after insert or delete on signals for each row execute function notify_user('campaigns');`,
  `create trigger live_change after update on signals for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');`,
  // A hold of the former version is of the status page.
  `alter table holds add column cause text not null default 'status' check (cause in ('status', 'user', 'early_warning'));`,
];
