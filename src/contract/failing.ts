/** The kinds of problems, the most far-reaching first. */
export const FAILING_PARTS = [
  'database',
  'meta',
  'status_page',
  'stripe',
  'tokens_closed',
  'accounts_behind',
  'accounts_failing',
  'accounts_limited',
  'holds_in_doubt',
  'mail_waiting',
  'mail_given_up',
  'readings_failing',
  'leaving_failing',
] as const;
export type FailingPart = (typeof FAILING_PARTS)[number];

/** The kinds with a row for each ad account, hold, email or user. */
export const STUCK_PARTS = [
  'accounts_behind',
  'accounts_failing',
  'accounts_limited',
  'holds_in_doubt',
  'mail_waiting',
  'mail_given_up',
  'readings_failing',
  'leaving_failing',
] as const satisfies readonly FailingPart[];
export type StuckPart = (typeof STUCK_PARTS)[number];

/** The kinds that an admin can retry. */
export const RETRIED_PARTS = [
  'accounts_behind',
  'accounts_failing',
  'holds_in_doubt',
  'mail_waiting',
  'mail_given_up',
  'readings_failing',
  'leaving_failing',
] as const satisfies readonly StuckPart[];
export type RetriedPart = (typeof RETRIED_PARTS)[number];
