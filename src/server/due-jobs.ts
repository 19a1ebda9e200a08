import { minutes } from '#core/time.ts';
import type { Clock } from './clock.ts';
import type { AccountJob, JobKind, NextJob } from './db/account-jobs.ts';
import { claimJobs, releaseJob, renewJob } from './db/account-jobs.ts';
import type { Db } from './db/database.ts';
import type { Log } from './observability/log.ts';

interface JobDeps {
  db: Db;
  clock: Clock;
  /** Names this process in leases. */
  owner: string;
  log: Pick<Log, 'error'>;
}

/** The work of a dead process is done by another one after this time. */
const LEASE_MS = minutes(2);
const RETRY_MS = minutes(15);

/**
 * Does jobs that are due, all at once, and renews their leases. Any number of processes may call it: they do different
 * jobs. A job that throws is tried again later.
 * @returns how many it did
 */
export async function doDueJobs(
  deps: JobDeps,
  kind: JobKind,
  limit: number,
  act: (accountId: string) => Promise<NextJob>,
): Promise<number> {
  const jobs = await claimJobs(deps.db, kind, limit, { owner: deps.owner, leaseMs: LEASE_MS });
  await Promise.all(jobs.map((job) => doJob(deps, job, act)));
  return jobs.length;
}

async function doJob(deps: JobDeps, job: AccountJob, act: (accountId: string) => Promise<NextJob>) {
  const { accountId, kind } = job;
  const failed = (error: unknown): void =>
    deps.log.error({ err: error, account: accountId, kind }, 'account job failed');
  const renewLater = (): (() => void) =>
    deps.clock.after(LEASE_MS / 2, () => {
      cancel = renewLater();
      renewJob(deps.db, job, LEASE_MS).catch(failed);
    });
  let cancel = renewLater();
  let next: NextJob = RETRY_MS;
  try {
    next = await act(accountId);
  } catch (error) {
    failed(error);
  } finally {
    cancel();
  }
  // Without it the lease ends by itself.
  await releaseJob(deps.db, job, next).catch(failed);
}
