import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { LATE_WRITE_MS } from '#core/smartpause/hold.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import type { Db } from './database.ts';
import { inTransaction } from './database.ts';
import { readStatus } from './status/status.ts';

/** A hand that came while the clock was ahead came after what was read then. Our own later changes show in the log. */
const AHEAD_MS = days(1);
/** Clocks of several machines differ by less. */
const TOLERANCE_MS = minutes(2);

interface Leases {
  pollerMs: number;
  laneMs: number;
}

/**
 * Leases and appointments that were made by a clock that has been put back since would last until it is as late again:
 * for hours or days nobody would look. They are seen by a reading or a lease that lies too far ahead; then all of them
 * are due now. Looking too soon does no harm. True when it was so.
 * @param leases how far ahead the lease on reading the status, and that on an ad account, may end
 */
export async function pullBackTimes(db: Db, now: Instant, leases: Leases): Promise<boolean> {
  const isAhead = { now, ...leases };
  if (!(await findTimesAhead(db, isAhead))) return false;
  return inTransaction(db, async (tx) => {
    const status = await readStatus(tx, { lock: true });
    // Another process may have done it meanwhile.
    if (!(await findTimesAhead(tx, isAhead))) return false;
    // What is not set stays so: least() would pass over a null.
    const atMost = (column: string, until: Instant): RawBuilder<unknown> =>
      sql`${sql.ref(column)} = case when ${sql.ref(column)} is not null
        then least(${sql.ref(column)}, ${new Date(until)}::timestamptz) end`;
    const lateUntil = now + LATE_WRITE_MS;
    // People before lanes, as everybody else takes them.
    await sql`update person set ${atMost('leaving_retry_at', now)}, ${atMost('threshold_edited_at', now)},
      ${atMost('match_ended_at', now)}, ${atMost('match_since_at_edit', now)}`.execute(tx);
    await sql`
      with locked as materialized (select account_id from lane order by account_id for update)
      update lane set lease_owner = null, lease_until = null, next_due_at = ${new Date(now)}::timestamptz,
        ${atMost('blocked_until', now)}
      from locked where lane.account_id = locked.account_id`.execute(tx);
    await sql`update hold set ${atMost('sent_at', now)}, ${atMost('retry_at', now)},
      ${atMost('suspected_since', now)}, ${atMost('read_at', now - AHEAD_MS)}, ${atMost('late_pause_until', lateUntil)},
      ${atMost('late_resume_until', lateUntil)} where state <> 'ended'`.execute(tx);
    await sql`update campaign set ${atMost('paused_by_hand_at', now)} where paused_by_hand_at is not null`.execute(
      tx,
    );
    await sql`update smart_pause set ${atMost('changed_at', now)} where changed_at > ${new Date(now)}`.execute(
      tx,
    );
    await sql`update mail set ${atMost('due_at', now)}, lease_until = null where due_at is not null`.execute(
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
        // What was read then says nothing about now.
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
  { now, pollerMs, laneMs }: { now: Instant } & Leases,
): Promise<boolean> {
  const latest = sql`${new Date(now + TOLERANCE_MS)}::timestamptz`;
  const latestPoller = sql`${new Date(now + TOLERANCE_MS + pollerMs)}::timestamptz`;
  const latestLane = sql`${new Date(now + TOLERANCE_MS + laneMs)}::timestamptz`;
  const { rows } = await sql<{ found: boolean }>`
    select coalesce(checked_at > ${latest}, false) or coalesce(poller_until > ${latestPoller}, false)
      or exists (select from lane where lease_until > ${latestLane}) as found
    from platform_status where id = 1`.execute(db);
  return rows[0]?.found === true;
}
