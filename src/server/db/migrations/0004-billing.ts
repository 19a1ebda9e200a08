import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A person may have a subscription at Stripe and a grant of our own beside it. What there was is our own.
  `alter table subscription add column source text not null default 'grant' check (source in ('stripe', 'grant'))`,
  `alter table subscription alter column source drop default`,
  `alter table subscription drop constraint subscription_pkey`,
  `alter table subscription add primary key (person_id, source)`,

  // Who a person is at Stripe. customer_id is null between asking for a customer and hearing of it; request_key makes
  // asking again the same request. sync_no counts readings begun, written_no says which one stands: a reading that
  // began earlier never replaces one that began later. sync_at: when Stripe is to be read again, come what may.
  // checkout_until: until then one request alone may begin a checkout.
  `create table billing_customer (
    person_id bigint primary key references person on delete cascade,
    customer_id text unique,
    request_key text not null,
    sync_no int not null default 0,
    written_no int not null default 0,
    sync_at timestamptz not null,
    checkout_until timestamptz
  )`,
  `create index billing_customer_sync on billing_customer (sync_at)`,

  `alter table activity drop constraint activity_actor_check`,
  `alter table activity add check (actor in ('person', 'smartpause', 'meta', 'stripe', 'operator'))`,

  // Webhooks that were dealt with, by what they were signed with: Stripe signs every attempt anew, so the same
  // signature twice is somebody's replay.
  `create table webhook_delivery (
    signature_hash bytea primary key,
    event_id text not null,
    type text not null,
    received_at timestamptz not null
  )`,
  `create index webhook_delivery_event on webhook_delivery (event_id)`,
  `create index webhook_delivery_received on webhook_delivery (received_at)`,
];

export const billing: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
