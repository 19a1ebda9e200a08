/** When early warnings paused for a user by an earlier choice: a match of then may go on, or delay a resume. */
export const EARLIER_CHOICES = `alter table users
  add column lets_pause_earlier tstzmultirange not null default '{}'`;
