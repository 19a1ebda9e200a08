/** Early warnings that notify and pause: who wants it, whether an admin lets it, and what delivery says beside calls. */
export const ACTING_ON_EARLY_WARNINGS = [
  // 'official': of the status page only; 'pause': like an outage.
  `alter table users add column early_warning text not null default 'official'
    check (early_warning in ('official', 'pause', 'notify')),
    -- From when to when early warnings pause for the user, by their choice; null: never, and still.
    add column lets_pause_since timestamptz,
    add column lets_pause_until timestamptz`,
  // Since when early warnings notify and pause; null: they are only recorded.
  `alter table detection add column acting_since timestamptz,
    add column weighed_at timestamptz -- when all sources were put together last`,
  // One ad account alone is no outage: of its own there is no signal.
  `alter table signals drop column account_id,
    drop constraint signals_scope_check,
    add constraint signals_scope_check check (scope in ('everyone', 'user')),
    drop constraint signals_source_check,
    add constraint signals_source_check check (source in ('user', 'calls', 'canary', 'delivery', 'early_warning')),
    drop constraint signals_state_check,
    add constraint signals_state_check check (state in ('WATCH', 'SUSPECTED', 'PROBABLE', 'UNKNOWN', 'SAID')),
    add column acts boolean not null default false`,
  `create index signals_acting on signals (until) where acts`,
  `create trigger live_warning_begins after insert on signals for each row
    when (new.acts) execute function notify_all('status')`,
  `create trigger live_warning_ends after update on signals for each row
    when (new.acts and old.until is distinct from new.until) execute function notify_all('status')`,
  // What the campaigns of an ad account have delivered today until then, by their ids: [spend in minor units, impressions].
  `create table delivery_looks (
    id bigint generated always as identity primary key,
    account_id text not null,
    at timestamptz not null,
    day date not null,       -- by the ad account's clock
    campaigns jsonb not null
  )`,
  `create index delivery_looks_account on delivery_looks (account_id, at)`,
  `alter table account_jobs drop constraint account_jobs_kind_check,
    add constraint account_jobs_kind_check check (kind in ('new_campaigns', 'other_schedules', 'spend', 'delivery'))`,
];
