import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Leaving: since when, and by whose wish ----------------------------------------------------------------
  `alter table person add column leaving_at timestamptz`,
  `alter table person add column leaving_by text check (leaving_by in ('person', 'meta'))`,
  `update person set leaving_at = created_at, leaving_by = 'person' where leaving is not null`,

  // A session as its person sees it in Settings -----------------------------------------------------------
  `alter table session add column id bigint generated always as identity unique`,
  `alter table session add column device text not null default 'An unknown device'`,
  `alter table session add column last_used_at timestamptz`,
  `update session set last_used_at = created_at`,
  `alter table session alter column last_used_at set not null`,
  `create index session_expires on session (expires_at)`,

  // The verifier of a login is derived from what its browser brings back; nothing secret is stored of it.
  `alter table login_attempt drop column code_verifier`,

  // When the platform is to be asked again what a token is worth -------------------------------------------
  `alter table platform_token add column check_at timestamptz`,
  `update platform_token set check_at = saved_at`,
  `alter table platform_token alter column check_at set not null`,
  `create index platform_token_check on platform_token (check_at) where refused_at is null`,

  // Deletions that the platform asked for; they outlive the person. No more than a keyed hash of who it was.
  `create table deletion_request (
    code text primary key,
    platform_user_hash bytea not null,
    requested_at timestamptz not null,
    finished_at timestamptz,
    superseded boolean not null
  )`,
  `create index deletion_request_open on deletion_request (platform_user_hash) where finished_at is null`,

  // The outbox ---------------------------------------------------------------------------------------------
  // Open (sealed_at is null): acts may still join it. Sealed: its words stand. due_at null: nothing left to do.
  `create table mail (
    id bigint generated always as identity primary key,
    person_id bigint references person on delete set null,
    kind text not null,
    event text,
    created_at timestamptz not null,
    due_at timestamptz,
    sealed_at timestamptz,
    to_address text,
    subject text,
    text text,
    html text,
    attempts int not null default 0,
    last_error text,
    sent_at timestamptz,
    failed_at timestamptz
  )`,
  `create index mail_due on mail (due_at) where due_at is not null`,
  `create unique index mail_one_open on mail (person_id, kind) where sealed_at is null and event is null`,
  `create unique index mail_once on mail (person_id, kind, event) where event is not null`,
  `create index mail_person on mail (person_id, created_at desc)`,

  // Lost writes that may still be carried out behind the back of later ones; and a resume that is done, but is still
  // watched because of one
  `alter table hold add column late_pause_until timestamptz`,
  `alter table hold add column late_resume_until timestamptz`,
  `alter table hold add column resumed_at timestamptz`,

  // Who did it, why, and which mail tells of it ------------------------------------------------------------
  `alter table activity add column actor text not null default 'smartpause'
    check (actor in ('person', 'smartpause', 'meta', 'operator'))`,
  `alter table activity alter column actor drop default`,
  `alter table activity add column reason text`,
  `alter table activity add column mail_id bigint references mail on delete set null`,
  `create index activity_mail on activity (mail_id) where mail_id is not null`,
];

export const peopleAndMail: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
