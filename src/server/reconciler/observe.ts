import type { Level } from '#core/smartpause/level.ts';
import { isSleptOver } from '#core/smartpause/status.ts';
import { UNABLE_TO_FETCH } from '../platforms/meta/status-page/status-page.ts';
import type { Observation, StatusPage } from '../platforms/meta/status-page/status-page.ts';
import type { Clock } from '../clock.ts';
import { pullBackTimes } from '../db/clock-put-back.ts';
import type { Db } from '../db/database.ts';
import { dropPollerLease, recordStatus, takePollerLease } from '../db/status/status.ts';
import { noteAnswer } from '../db/status/status-answers.ts';
import type { Log } from '../observability/log.ts';

export interface ObserverDeps {
  /** How long the engine takes an ad account for. */
  laneLeaseMs: number;
  db: Db;
  page: StatusPage;
  clock: Clock;
  log: Log;
  owner: string;
  pollMs: number;
  staleMs: number;
  /** Called after the effective status has changed. */
  onChange: () => void;
  onReading?: (level: Level) => void;
}

export interface Observer {
  close(): Promise<void>;
}

/** The lease outlives this many missed polls before another process takes over. */
const MISSED_POLLS = 3;

/** Reads the status page every poll interval, in one process of many. A reading that fails is UNKNOWN. */
export function startObserver(deps: ObserverDeps): Observer {
  let closed = false;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();

  const round = (): void => {
    const startedAt = deps.clock.now();
    looking = observeOnce(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, 'the status could not be recorded'))
      .then(() => {
        const spent = deps.clock.now() - startedAt;
        if (!closed) cancel = deps.clock.after(Math.max(0, deps.pollMs - spent), round);
      });
  };
  round();

  return {
    async close() {
      closed = true;
      cancel();
      await looking;
      await dropPollerLease(deps.db, deps.owner);
    },
  };
}

export async function observeOnce(deps: ObserverDeps): Promise<void> {
  const now = deps.clock.now();
  const leaseMs = deps.pollMs * MISSED_POLLS;
  if (await pullBackTimes(deps.db, now, { pollerMs: leaseMs, laneMs: deps.laneLeaseMs })) {
    deps.log.warn({}, 'the clock has been put back: what it had planned for later is due now');
    deps.onChange();
  }
  const lease = { owner: deps.owner, until: now + leaseMs };
  if (!(await takePollerLease(deps.db, lease, now))) return;
  const askedAt = deps.clock.now();
  const seen = await lookSafely(deps);
  if (seen === null) return;
  const readAt = deps.clock.now();
  deps.onReading?.(seen.level);
  const news = {
    trueLevel: seen.level,
    message: seen.message,
    quote: seen.quote,
    ...(seen.loginDisrupted === null ? {} : { loginDisrupted: seen.loginDisrupted }),
  };
  const changed = await recordStatus(deps.db, news, readAt, { staleMs: deps.staleMs });
  if (changed) {
    deps.log.info({ status: seen.level, message: seen.message }, 'the platform status changed');
    deps.onChange();
  }
  // For whoever wants to know why the status is what it is; nothing is decided by it, so nothing waits for it.
  await noteAnswer(deps.db, { ...seen, tookMs: Math.max(0, readAt - askedAt) }, readAt);
}

/** Null: nothing that says anything about now. */
async function lookSafely(deps: ObserverDeps): Promise<Observation | null> {
  const askedAt = deps.clock.now();
  try {
    const seen = await deps.page.observe();
    return isSleptOver(askedAt, deps.clock.now()) ? null : seen;
  } catch (error) {
    deps.log.error({ err: error }, 'reading the status page failed in an unforeseen way');
    const nothing = {
      quote: null,
      loginDisrupted: null,
      services: [],
      trouble: 'a fault of ours: see the log',
    };
    return { level: 'UNKNOWN', message: UNABLE_TO_FETCH, ...nothing };
  }
}
