/** What an outage kept from being spent. */
export const OUTAGE_ESTIMATES = `
create table outage_estimates (
  outage_id bigint not null references outages on delete cascade,
  user_id bigint not null references users on delete cascade,
  currency text not null,             -- of the ad accounts: amounts of two are never added
  estimate jsonb not null,            -- amounts in Meta's unit of the currency
  computed_at timestamptz not null,
  primary key (outage_id, user_id, currency)
);
create index outage_estimates_user on outage_estimates (user_id);`;
