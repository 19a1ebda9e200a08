import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A status of Stripe's that none of the other words stands for.
  `alter table subscription drop constraint subscription_status_check`,
  `alter table subscription add check (status in ('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'unknown'))`,
];

export const unknownSubscription: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
