/** What stays open at PagerDuty until its end is said there. */
export const INCIDENTS = `
create table incidents (
  destination_id bigint not null references destinations on delete cascade,
  about text not null,                -- incidentOf in src/core/destinations.ts
  since timestamptz not null,         -- of an outage its start
  primary key (destination_id, about)
);`;
