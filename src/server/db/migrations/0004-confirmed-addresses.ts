/** An email address is known to work. Each state names its address: a process of the former version changes that alone. */
export const CONFIRMED_ADDRESSES = `
alter table users add column confirmed_email text; -- by a link in an email to it
alter table users add column asked_email text;     -- the last confirmation went to it
alter table users add column asked_at timestamptz;
alter table users add column refused_email text;   -- by its mail server, for good
alter table users add column refused_at timestamptz;

create table email_links (            -- confirm an address; each attempt to send one makes its own
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  destination_id bigint references destinations on delete cascade, -- null: the user's own address
  address_hash bytea not null,        -- of the token with the address that it was sent to
  expires_at timestamptz not null
);
create index email_links_user on email_links (user_id);
create index email_links_destination on email_links (destination_id) where destination_id is not null;
create index email_links_expires on email_links (expires_at);`;
