/** A partition for each month of the year, which is empty again when it comes back. */
const MONTHS = Array.from({ length: 12 }, (_, n) => {
  const month = String(n + 1);
  return `create table campaign_spend_${month.padStart(2, '0')} partition of campaign_spend for values in (${month});`;
});

/** Hourly spend, and the job that reads it. */
export const CAMPAIGN_SPEND = `
create table campaign_spend (          -- what a campaign spent on a day, as Meta said when it was asked
  read_at timestamptz not null,       -- the begin of the report
  day date not null,                  -- of its ad account's clock
  month int not null check (month = extract(month from day)),
  campaign_id text not null,
  spend bigint[],                     -- of its 24 hours, in Meta's unit of the currency; null: nothing at all
  impressions int[],
  primary key (campaign_id, day, month),
  check (cardinality(spend) = 24 and cardinality(impressions) = 24),
  check ((spend is null) = (impressions is null))
) partition by list (month);
${MONTHS.join('\n')}

-- The role that SmartPause runs as may not truncate tables of the owner.
create function drop_spend_of_month(of_month int) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$ begin
  execute format('truncate campaign_spend_%s', to_char(of_month, 'FM00'));
end $$;

alter table account_jobs drop constraint account_jobs_kind_check;
alter table account_jobs add constraint account_jobs_kind_check
  check (kind in ('new_campaigns', 'other_schedules', 'spend'));
alter table account_jobs add column progress jsonb; -- of a job that takes several steps; null: its first one is next`;
