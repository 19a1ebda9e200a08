/** For which holds users were told that Meta's refusal of our app holds up the resume, and the live holds by what makes them due. */
export const HELD_UP = [
  `alter table holds add column held_up_since timestamptz; -- begin of the last such stop that an email to its user named`,
  `create index holds_untold on holds (threshold, held_up_since) where ended_at is null and paused_at is not null;`,
  `create index holds_asked on holds (id) where ended_at is null and resume_asked_at is not null;`,
];
