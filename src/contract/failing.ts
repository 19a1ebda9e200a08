/** Problems of the whole installation. */
const GENERAL_PARTS = ['database', 'meta', 'status_page', 'stripe', 'tokens_closed'] as const;

/** Problems with a row for each ad account, hold, notification or user. */
export const PROBLEM_PARTS = [
  'accounts_behind',
  'accounts_failing',
  'accounts_limited',
  'holds_unconfirmed',
  'notification_waiting',
  'notification_failed',
  'readings_failing',
  'leaving_failing',
] as const;
export type ProblemPart = (typeof PROBLEM_PARTS)[number];

/** The kinds of problems, widest impact first. */
export const FAILING_PARTS = [...GENERAL_PARTS, ...PROBLEM_PARTS] as const;
export type FailingPart = (typeof FAILING_PARTS)[number];

/** The kinds that an admin can retry: a limit of Meta ends by itself. */
export type RetriedPart = Exclude<ProblemPart, 'accounts_limited'>;
export const RETRIED_PARTS = PROBLEM_PARTS.filter((part): part is RetriedPart => part !== 'accounts_limited');
