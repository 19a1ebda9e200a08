import type { DeliveryProgress } from '#core/detection/delivery.ts';
import type { SpendProgress } from '#core/spend/reading.ts';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { claimable } from './claim.ts';
import type { Db } from './database.ts';
import { fromNow } from './database.ts';
import type { Schema } from './schema.ts';

/** What is done for an ad account at times of its own, beside the reconciler. */
export type JobKind = Schema['accountJobs']['kind'];

/** A process has the job until its lease ends. */
export interface AccountJob {
  accountId: string;
  kind: JobKind;
  /** The process. */
  owner: string;
}

/** It stays due as it is. */
export const AS_BEFORE = 'as before';

/** When a job is due again, in ms; null: not before it is planned again. */
export type NextJob = number | null | typeof AS_BEFORE;

/** Makes the jobs of these accounts due, or `afterMs` after they were last tried. @param accounts a query */
export async function planJobs(
  db: Db,
  kind: JobKind,
  accounts: RawBuilder<unknown>,
  afterMs = 0,
): Promise<void> {
  await sql`
    insert into account_jobs (account_id, kind, due_at)
    select account_id, ${kind}, now() from (${accounts}) wanted(account_id) order by account_id
    on conflict (account_id, kind) do update set due_at = least(account_jobs.due_at,
      greatest(now(), account_jobs.tried_at + ${afterMs}::float8 * interval '1 millisecond'))`.execute(db);
}

/** Jobs wait for our app's limit or the end of its stop: until now they are not late. */
export async function noteJobsWait(db: Db): Promise<void> {
  await sql`update app_state set jobs_waited_at = now()
    where coalesce(jobs_waited_at < now() - interval '1 minute', true)`.execute(db);
}

/** Those that are due longest. They stay due, so that another process does the work of a dead one. */
export async function claimJobs(
  db: Db,
  kind: JobKind,
  limit: number,
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<AccountJob[]> {
  const ids = claimable({
    table: 'account_jobs',
    key: 'account_id',
    due: 'due_at',
    limit,
    also: sql`kind = ${kind}`,
  });
  const { rows } = await sql<AccountJob>`
    update account_jobs set leased_by = ${owner}, lease_until = ${fromNow(leaseMs)}, tried_at = now()
    where kind = ${kind} and account_id = any(${ids})
    returning account_id, kind, leased_by as owner`.execute(db);
  return rows;
}

export async function renewJob(db: Db, job: AccountJob, leaseMs: number): Promise<void> {
  await update(db, job)
    .set({ leaseUntil: fromNow(leaseMs) })
    .execute();
}

/** Another process may have claimed the job since its lease ended: then it stays as it is. */
export async function releaseJob(db: Db, job: AccountJob, next: NextJob): Promise<void> {
  const dueAt = typeof next === 'number' ? fromNow(next) : null;
  await update(db, job)
    .set({ leasedBy: null, leaseUntil: null, ...(next !== AS_BEFORE && { dueAt }) })
    .execute();
}

/** What a job remembers until it is due again. */
interface Progress {
  spend: SpendProgress;
  delivery: DeliveryProgress;
}

export async function readProgress<Kind extends keyof Progress>(
  db: Db,
  accountId: string,
  kind: Kind,
): Promise<Progress[Kind] | null> {
  const query = db.selectFrom('accountJobs').select('progress').where('accountId', '=', accountId);
  const row = await query.where('kind', '=', kind).executeTakeFirst();
  return (row?.progress ?? null) as Progress[Kind] | null;
}

/** Not of a process whose lease has ended. */
export async function saveProgress<Kind extends keyof Progress>(
  db: Db,
  job: AccountJob & { kind: Kind },
  progress: Progress[Kind] | null,
): Promise<void> {
  await update(db, job)
    .set({ progress: progress === null ? null : JSON.stringify(progress) })
    .execute();
}

function update(db: Db, { accountId, kind, owner }: AccountJob) {
  const query = db.updateTable('accountJobs').where('accountId', '=', accountId).where('kind', '=', kind);
  return query.where('leasedBy', '=', owner);
}
