import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { StuckPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';

/** Work is begun within a second, and a write is answered within half a minute, when all is well. */
export const LATE_MS = minutes(1);
const GIVEN_UP_SHOWN_MS = days(7);
/** Once is nothing: it is tried again within seconds. */
const LEAVING_FAILED = 2;

/** Which rows belong to a part, each kind found by an index of its own: those that are counted are those that are listed. */
export function stuckWhere(part: StuckPart, now: Instant): RawBuilder<unknown> {
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
    case 'holds_in_doubt':
      return sql`state <> 'ended' and state in ('pausing', 'resuming') and in_doubt and sent_at <= ${late}`;
    case 'mail_waiting':
      return sql`due_at is not null and sealed_at is not null and attempts > 0`;
    case 'mail_given_up':
      return sql`failed_at > ${new Date(now - GIVEN_UP_SHOWN_MS)}::timestamptz and sent_at is null`;
    case 'readings_failing':
      return sql`failed_since is not null`;
    case 'leaving_failing':
      return sql`leaving is not null and leaving_failures >= ${LEAVING_FAILED}`;
  }
}
