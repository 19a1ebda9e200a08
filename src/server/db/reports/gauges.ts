import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Dated, Db } from '../database.ts';
import { onlyRow, withInstants } from '../database.ts';
import { problemCondition } from './problem-conditions.ts';

/** Totals over all processes, from the database. */
export interface Gauges {
  statusCheckedAt: Instant | null;
  trueLevel: string;
  effectiveLevel: string;
  hasDirective: boolean;
  /** Live holds by state, without live tests. */
  holds: Record<'pausing' | 'paused' | 'resuming', number>;
  /** As /admin counts them: a write that has just been sent does not count. */
  holdsUnconfirmed: number;
  workItems: Record<'due' | 'working' | 'limited' | 'planned', number>;
  failingWorkItems: number;
  /** The due time of the work item that has waited longest. */
  oldestDueAt: Instant | null;
  notificationsWaiting: number;
  oldestNotificationAt: Instant | null;
}

type Row = Dated<Gauges, 'statusCheckedAt' | 'oldestDueAt' | 'oldestNotificationAt'>;

/** Reads each table once; of holds and notifications only the live rows. */
export async function readGauges(db: Db, now: Instant): Promise<Gauges> {
  const at = sql`${new Date(now)}::timestamptz`;
  const isWorking = sql`coalesce(lease_until > ${at}, false)`;
  const isLimited = sql`coalesce(blocked_until > ${at}, false)`;
  const isForOutage = sql`test_until is null`;
  const isDue = sql`(next_due_at <= ${at} and not ${isWorking} and not ${isLimited})`;
  const row = await sql<Row>`
    select s.checked_at as "statusCheckedAt", s.true_level as "trueLevel", s.effective as "effectiveLevel",
      s.directive is not null as "hasDirective", h.*, w.*, n.*
    from platform_status s
    cross join (
      select json_build_object('pausing', count(*) filter (where state = 'pausing' and ${isForOutage}),
          'paused', count(*) filter (where state = 'paused' and ${isForOutage}),
          'resuming', count(*) filter (where state = 'resuming' and ${isForOutage})) as holds,
        count(*) filter (where ${problemCondition('holds_unconfirmed', now)})::int as "holdsUnconfirmed"
      from hold where state <> 'ended') h
    cross join (
      select json_build_object('due', count(*) filter (where ${isDue}),
          'working', count(*) filter (where ${isWorking}),
          'limited', count(*) filter (where ${isLimited} and not ${isWorking}),
          'planned', count(*) filter (where next_due_at > ${at} and not ${isWorking} and not ${isLimited})) as "workItems",
        count(*) filter (where last_error is not null)::int as "failingWorkItems",
        min(next_due_at) filter (where ${isDue}) as "oldestDueAt"
      from work_item) w
    cross join (
      select count(*)::int as "notificationsWaiting", min(created_at) as "oldestNotificationAt" from notification
      where due_at is not null and finalized_at is not null) n
    where s.id = 1`
    .execute(db)
    .then(onlyRow);
  return withInstants(row);
}
