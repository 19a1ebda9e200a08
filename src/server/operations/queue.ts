import type { QueueState } from '#contract/admin.ts';
import type { Instant } from '#core/time.ts';
import type { Line } from '../db/queue.ts';
import { readJobQueue, readLaneQueue, readMailQueue } from '../db/queue.ts';
import type { OperationDeps } from './deps.ts';

/** What waits to be done, what is being done and by which process. */
export async function getQueue({ db, clock }: OperationDeps): Promise<QueueState> {
  const now = clock.now();
  const lanes = await readLaneQueue(db, now);
  const mails = await readMailQueue(db, now);
  const jobs = await readJobQueue(db, now);
  return {
    due: toLine(lanes.due),
    workers: lanes.workers.map((one) => ({ ...one, until: iso(one.until) })),
    waiting: {
      count: lanes.waiting.count,
      next: lanes.waiting.next.map((one) => ({ ...one, at: iso(one.at) })),
    },
    blocked: { count: lanes.blocked.count, until: maybeIso(lanes.blocked.until) },
    mails: {
      open: toLine(mails.open),
      due: toLine(mails.due),
      waiting: toLine(mails.waiting),
      beingSent: toLine(mails.beingSent),
    },
    jobs: jobs.map(({ oldestAt, nextAt, ...rest }) => ({
      ...rest,
      oldestAt: maybeIso(oldestAt),
      nextAt: maybeIso(nextAt),
    })),
  };
}

function toLine({ count, oldestAt }: Line): QueueState['due'] {
  return { count, oldestAt: maybeIso(oldestAt) };
}

function iso(at: Instant): string {
  return new Date(at).toISOString();
}

function maybeIso(at: Instant | null): string | null {
  return at === null ? null : iso(at);
}
