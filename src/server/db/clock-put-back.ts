import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import type { Db } from './database.ts';
import { inTransaction } from './database.ts';
import { readStatus } from './status/status.ts';

/** Moves `read_at` back this far, so that an external change counts as newer than the last read. */
const AHEAD_MS = days(1);
/** Clocks of several machines differ by less than this. */
const TOLERANCE_MS = minutes(2);

interface Leases {
  pollerMs: number;
  workItemMs: number;
}

/**
 * Corrects times in the future after the system clock was set back; the wait would last hours or days.
 * A status read or lease too far ahead reveals it. All times then become due; an early check is harmless.
 * @param leases maximum durations of the poller lease and of work item leases
 * @returns true if times were corrected
 */
export async function pullBackTimes(db: Db, now: Instant, leases: Leases): Promise<boolean> {
  const isAhead = { now, ...leases };
  if (!(await findTimesAhead(db, isAhead))) return false;
  return inTransaction(db, async (tx) => {
    const status = await readStatus(tx, { lock: true });
    // Another process may have corrected the times.
    if (!(await findTimesAhead(tx, isAhead))) return false;
    // Keep nulls: least() ignores a null.
    const atMost = (column: string, until: Instant): RawBuilder<unknown> =>
      sql`${sql.ref(column)} = case when ${sql.ref(column)} is not null
        then least(${sql.ref(column)}, ${new Date(until)}::timestamptz) end`;
    // Lock order: users before work items.
    await sql`update app_user set ${atMost('leaving_retry_at', now)}, ${atMost('threshold_edited_at', now)},
      ${atMost('match_ended_at', now)}, ${atMost('match_since_at_edit', now)}`.execute(tx);
    await sql`
      with locked as materialized (select account_id from work_item order by account_id for update)
      update work_item set lease_owner = null, lease_until = null, next_due_at = ${new Date(now)}::timestamptz,
        ${atMost('blocked_until', now)}
      from locked where work_item.account_id = locked.account_id`.execute(tx);
    await sql`update hold set ${atMost('sent_at', now)}, ${atMost('retry_at', now)},
      ${atMost('suspected_since', now)}, ${atMost('read_at', now - AHEAD_MS)} where state <> 'ended'`.execute(
      tx,
    );
    await sql`update manual_change set ${atMost('requested_at', now)}, ${atMost('sent_at', now)}
      where ended_at is null or sent_at > ${new Date(now)}`.execute(tx);
    await sql`update campaign set ${atMost('paused_manually_at', now)} where paused_manually_at is not null`.execute(
      tx,
    );
    await sql`update smart_pause set ${atMost('changed_at', now)} where changed_at > ${new Date(now)}`.execute(
      tx,
    );
    await sql`update notification set ${atMost('due_at', now)}, lease_until = null where due_at is not null`.execute(
      tx,
    );
    const matchSince = Object.entries(status.matchSince).map(([threshold, since]) => [
      threshold,
      since === null ? null : Math.min(since, now),
    ]);
    await tx
      .updateTable('platform_status')
      .set({
        poller: null,
        poller_until: null,
        // A status read in the future says nothing about now.
        checked_at: null,
        since: new Date(Math.min(status.since ?? now, now)),
        match_since: JSON.stringify(Object.fromEntries(matchSince)),
      })
      .where('id', '=', 1)
      .execute();
    return true;
  });
}

async function findTimesAhead(
  db: Db,
  { now, pollerMs, workItemMs }: { now: Instant } & Leases,
): Promise<boolean> {
  const latest = sql`${new Date(now + TOLERANCE_MS)}::timestamptz`;
  const latestPoller = sql`${new Date(now + TOLERANCE_MS + pollerMs)}::timestamptz`;
  const latestWorkItem = sql`${new Date(now + TOLERANCE_MS + workItemMs)}::timestamptz`;
  const { rows } = await sql<{ found: boolean }>`
    select coalesce(checked_at > ${latest}, false) or coalesce(poller_until > ${latestPoller}, false)
      or exists (select from work_item where lease_until > ${latestWorkItem}) as found
    from platform_status where id = 1`.execute(db);
  return rows[0]?.found === true;
}
