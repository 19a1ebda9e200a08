import { sql } from 'kysely';
import type { Level } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from '../database.ts';

/** The level of one watched service. */
export interface ServiceAnswer {
  service: string;
  /** Null: not understood. */
  level: Level | null;
  /** The texts of the page, unchanged. */
  said: string[];
}

export interface StatusAnswer {
  level: Level;
  message: string;
  services: readonly ServiceAnswer[];
  /** The part of the page that could not be read; null: none. */
  trouble: string | null;
  tookMs: number;
}

const KEPT_MS = days(14);
/** Limit for a page that changes with every read for days. */
const KEPT_MOST = 20_000;

/** Stores one status observation. An equal one increases the count and keeps the last error text. */
export async function noteAnswer(db: Db, answer: StatusAnswer, now: Instant): Promise<void> {
  const { level, message, trouble, tookMs } = answer;
  const at = sql`${new Date(now)}::timestamptz`;
  const services = sql`${JSON.stringify(answer.services)}::jsonb`;
  await sql`
    with again as (
      update status_answers set last_at = ${at}, times = times + 1, trouble = ${trouble}, took_ms = ${tookMs},
        longest_ms = greatest(longest_ms, ${tookMs})
      where id = (select max(id) from status_answers)
        and level = ${level} and message = ${message} and services = ${services} and (trouble is null) = ${trouble === null}
      returning id
    )
    insert into status_answers (first_at, last_at, level, message, services, trouble, took_ms, longest_ms)
    select ${at}, ${at}, ${level}, ${message}, ${services}, ${trouble}, ${tookMs}, ${tookMs}
    where not exists (select from again)`.execute(db);
}

export async function dropOldAnswers(db: Db, now: Instant): Promise<void> {
  await sql`
    delete from status_answers where id < (select max(id) from status_answers)
      and (last_at < ${new Date(now - KEPT_MS)}::timestamptz or id <= (select max(id) from status_answers) - ${KEPT_MOST})`.execute(
    db,
  );
}
