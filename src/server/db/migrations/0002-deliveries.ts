/**
 * A notification is apart from its deliveries. Expand: a process of the former version goes on with its own rows, which
 * have an address and a due time. What only it needs is removed in the version after next, with former-emails.ts.
 */
export const DELIVERIES = `
-- Of this version's rows: without address and text; due_at is 'infinity' until all deliveries have ended, so that the
-- former version neither sends nor deletes them.
alter table notifications alter column to_address drop not null;
alter table notifications add column message jsonb; -- what each channel renders; null: no delivery needs it any more

create table destinations (            -- where a user also wants notifications, besides their own email address
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null,                 -- of src/core/destinations.ts
  name text not null,
  ciphertext bytea not null, key_id text not null, -- its target: an address, or a URL with its secrets
  events text[] not null,
  state text not null default 'on' check (state in ('on', 'off', 'disabled')), -- off: by its user
  disabled_reason text,               -- why SmartPause disabled it
  verified_at timestamptz,            -- its owner has confirmed it
  quiet_until timestamptz,
  created_at timestamptz not null,
  check ((state = 'disabled') = (disabled_reason is not null))
);
create index destinations_user on destinations (user_id);

create table deliveries (              -- the outbox: one notification to one destination
  id bigint generated always as identity primary key,
  notification_id bigint not null references notifications on delete cascade,
  channel text not null,              -- as the kind of a destination
  destination_id bigint references destinations on delete cascade,
  to_address text,                    -- the user's own, as it was when the notification was written
  created_at timestamptz not null,
  due_at timestamptz,                 -- null: sent or failed
  not_before timestamptz,             -- the receiver asked to wait until then
  attempts int not null default 0,
  lease_until timestamptz,
  last_error text,
  sent_at timestamptz,
  failed_at timestamptz,
  check ((destination_id is null) = (to_address is not null))
);
create index deliveries_due on deliveries (channel, due_at, notification_id) where due_at is not null;
create index deliveries_open on deliveries ((coalesce(to_address, destination_id::text))) where due_at is not null;
create index deliveries_failed on deliveries (failed_at) where failed_at is not null;
create index deliveries_notification on deliveries (notification_id);
create index deliveries_destination on deliveries (destination_id, id) where destination_id is not null;`;
