/** A summary of each month, which a user can turn off, and how often the status page was read in it. */
export const MONTHLY_SUMMARY = `
alter table users add column has_monthly_summary boolean not null default true; -- their own addresses get it
create table status_reads (
  month text primary key,       -- of New York's calendar: '2026-11'
  count integer not null,       -- of reads that stated a level
  since timestamptz not null    -- the first of them
);`;
