/** What PagerDuty has accepted: an incident is there from its begin to its end. */
export const INCIDENT_ANSWERS = `
alter table incidents
  add column is_opened boolean not null default true, -- its begin was accepted; the former version does not tell
  add column ending_at timestamptz;                   -- its end waits to be accepted; null: none is written`;
