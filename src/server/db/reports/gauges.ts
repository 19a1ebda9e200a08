import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { stuckWhere } from './stuck-where.ts';

/** What the rows say of all processes together. */
export interface Gauges {
  statusCheckedAt: Instant | null;
  trueLevel: string;
  effectiveLevel: string;
  hasDirective: boolean;
  /** Those that are not ended, by state. */
  holds: Record<'pausing' | 'paused' | 'resuming', number>;
  /** As /admin counts them: a write that is just being answered is none. */
  holdsInDoubt: number;
  lanes: Record<'due' | 'working' | 'limited' | 'planned', number>;
  lanesFailing: number;
  /** Of the lane that has been due for longest. */
  oldestDueAt: Instant | null;
  mailsWaiting: number;
  oldestMailAt: Instant | null;
}

interface Row {
  checked_at: Date | null;
  true_level: string;
  effective: string;
  has_directive: boolean;
  pausing: string;
  paused: string;
  resuming: string;
  in_doubt: string;
  due: string;
  working: string;
  limited: string;
  planned: string;
  failing: string;
  oldest_due_at: Date | null;
  mails_waiting: string;
  oldest_mail_at: Date | null;
}

/** Reads each table concerned once, and of holds and mails only what is not over. */
export async function readGauges(db: Db, now: Instant): Promise<Gauges> {
  const at = sql`${new Date(now)}::timestamptz`;
  const isWorking = sql`coalesce(lease_until > ${at}, false)`;
  const isLimited = sql`coalesce(blocked_until > ${at}, false)`;
  const isDue = sql`(next_due_at <= ${at} and not ${isWorking} and not ${isLimited})`;
  const { rows } = await sql<Row>`
    select s.checked_at, s.true_level, s.effective, s.directive is not null as has_directive, h.*, l.*, m.*
    from platform_status s
    cross join (
      select count(*) filter (where state = 'pausing') as pausing, count(*) filter (where state = 'paused') as paused,
        count(*) filter (where state = 'resuming') as resuming, count(*) filter (where ${stuckWhere('holds_in_doubt', now)}) as in_doubt
      from hold where state <> 'ended') h
    cross join (
      select count(*) filter (where ${isDue}) as due, count(*) filter (where ${isWorking}) as working,
        count(*) filter (where ${isLimited} and not ${isWorking}) as limited,
        count(*) filter (where next_due_at > ${at} and not ${isWorking} and not ${isLimited}) as planned,
        count(*) filter (where last_error is not null) as failing,
        min(next_due_at) filter (where ${isDue}) as oldest_due_at
      from lane) l
    cross join (
      select count(*) as mails_waiting, min(created_at) as oldest_mail_at from mail
      where due_at is not null and sealed_at is not null) m
    where s.id = 1`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the platform status has no row');
  return {
    statusCheckedAt: instant(row.checked_at),
    trueLevel: row.true_level,
    effectiveLevel: row.effective,
    hasDirective: row.has_directive,
    holds: { pausing: Number(row.pausing), paused: Number(row.paused), resuming: Number(row.resuming) },
    holdsInDoubt: Number(row.in_doubt),
    lanes: {
      due: Number(row.due),
      working: Number(row.working),
      limited: Number(row.limited),
      planned: Number(row.planned),
    },
    lanesFailing: Number(row.failing),
    oldestDueAt: instant(row.oldest_due_at),
    mailsWaiting: Number(row.mails_waiting),
    oldestMailAt: instant(row.oldest_mail_at),
  };
}
