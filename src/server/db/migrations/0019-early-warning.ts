/** What calls to Meta say about Meta, for early warnings. */
export const EARLY_WARNING = [
  // Meta's own id; null: not known, or the ad account belongs to a person.
  `alter table ad_accounts add column business_id text`,
  `create table call_votes (
    minute timestamptz not null,
    business text,           -- null: other hosts did not answer the process either, so its calls say nothing
    kind text not null,
    good integer not null,
    bad integer not null,
    token integer not null   -- calls whose token Meta refused
  )`,
  `create index call_votes_minute on call_votes (minute)`,
  // What the test made of a minute: the sum of each business's one vote.
  `create table call_minutes (
    minute timestamptz primary key,
    votes double precision not null,
    bad double precision not null
  )`,
  `create table detection (
    id integer primary key default 1 check (id = 1),
    minute timestamptz,      -- the last that was tested
    tests jsonb not null default '{}',
    canary_at timestamptz,    -- when its next run is due; null: at once
    canary jsonb             -- what the canary's last calls found
  )`,
  `insert into detection default values`,
  `alter table signals drop constraint signals_source_check,
    add constraint signals_source_check check (source in ('user', 'calls', 'canary', 'delivery'))`,
  // A deletion finds the rows of its user.
  `drop index signals_user`,
  `create index signals_user on signals (user_id, until)`,
  `create index signals_everyone on signals (id) where scope = 'everyone'`,
  `create unique index signals_open on signals (source) where scope = 'everyone' and until is null`,
];
