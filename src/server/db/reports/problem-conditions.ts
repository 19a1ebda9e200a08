import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ProblemPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';

/** Normally work begins within a second, and Meta answers a write within 30 seconds. */
export const LATE_MS = minutes(1);
const FAILED_SHOWN_MS = days(7);
/** One failure is normal: the retry follows within seconds. */
const LEAVING_FAILED = 2;

/** Selects the rows of a problem part, by an index for each kind. Counts and lists share it. */
export function problemCondition(part: ProblemPart, now: Instant): RawBuilder<unknown> {
  const at = sql`${new Date(now)}::timestamptz`;
  const late = sql`${new Date(now - LATE_MS)}::timestamptz`;
  switch (part) {
    case 'accounts_behind':
      return sql`next_due_at <= ${late} and (lease_until is null or lease_until <= ${at})
        and not coalesce(blocked_until > ${at}, false)`;
    case 'accounts_failing':
      return sql`last_error is not null`;
    case 'accounts_limited':
      return sql`blocked_until > ${at}`;
    case 'holds_unconfirmed':
      return sql`state <> 'ended' and state in ('pausing', 'resuming') and sent_at <= ${late}`;
    case 'notification_waiting':
      return sql`due_at is not null and finalized_at is not null and attempts > 0`;
    case 'notification_failed':
      return sql`failed_at > ${new Date(now - FAILED_SHOWN_MS)}::timestamptz and sent_at is null`;
    case 'readings_failing':
      return sql`failed_since is not null`;
    case 'leaving_failing':
      return sql`leaving is not null and leaving_failures >= ${LEAVING_FAILED}`;
  }
}
