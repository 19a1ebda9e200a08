import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What the status page answered. Readings that brought the same one after the other are one row, so that a page
  // which is quiet for days costs no more than one; `trouble` is the last of them.
  `create table status_answer (
    id bigint generated always as identity primary key,
    first_at timestamptz not null,
    last_at timestamptz not null,
    times int not null default 1,
    level text not null,
    message text not null,
    services jsonb not null,
    trouble text,
    took_ms int not null,
    longest_ms int not null
  )`,

  // Since when Stripe does not tell us of this customer, and why it did not the last time.
  `alter table billing_customer add column failed_since timestamptz`,
  `alter table billing_customer add column last_error text`,
  `create index billing_customer_failing on billing_customer (person_id) where failed_since is not null`,

  // What administrators ask for every few seconds is found without looking at what is well.
  `create index hold_live on hold (state, id) where state <> 'ended'`,
  `create index lane_failing on lane (account_id) where last_error is not null`,
  `create index lane_blocked on lane (blocked_until) where blocked_until is not null`,
  `create index mail_given_up on mail (failed_at) where failed_at is not null`,
];

export const toldToAdministrators: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
