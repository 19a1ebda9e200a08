import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Since when the platform refuses this person the account; null: it does not. What they hold there goes to others.
  `alter table ad_account add column lost_at timestamptz`,

  // A request made before somebody's last login is an old one, also when their token is gone.
  `alter table person add column logged_in_at timestamptz`,
  `update person set logged_in_at = coalesce(
    (select saved_at from platform_token where person_id = person.id), created_at)`,
  `alter table person alter column logged_in_at set not null`,

  // Leaving that the platform does not let us finish is tried again later and later.
  `alter table person add column leaving_failures int not null default 0`,
  `alter table person add column leaving_retry_at timestamptz`,

  // The level for which the campaign was paused: by the time Meta confirms it, it may be another.
  `alter table hold add column paused_for text`,

  // Who sends a mail has it until then; due_at says when it is to be sent, whoever does.
  `alter table mail add column lease_until timestamptz`,
  `create index mail_unsent on mail (to_address) where due_at is not null and sealed_at is not null`,
];

export const lostAccess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
