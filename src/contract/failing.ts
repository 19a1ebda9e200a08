/** What can fail around us, the most far-reaching first. */
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
] as const;
export type FailingPart = (typeof FAILING_PARTS)[number];
