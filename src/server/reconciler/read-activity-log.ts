import { NOTHING_FOUND, readLog } from '#core/smartpause/activity-log.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { Plan } from '#core/smartpause/plan.ts';
import { plan } from '#core/smartpause/plan.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import type { Log } from '../observability/log.ts';
import type { StoredHold } from '../db/holds/holds.ts';
import type { ApplyDeps, AccountWork } from './apply-plan.ts';

/** Accuracy to which the platform's clock is known. */
const CLOCKS_MS = seconds(60);
/**
 * After this many failures, the reconciler continues without the activity log, which may be unavailable for
 * long.
 */
const MAX_LOG_FAILURES = 3;
const WORTH_WAITING: readonly PlatformFailure['kind'][] = ['transient', 'rate_limited', 'token_invalid'];

/** The activity log of the account since a time. */
export type ReadChanges = (since: Instant) => ReturnType<AdPlatform['readStatusChanges']>;

interface PlanWithLog {
  plan: Plan;
  usage: Usage | null;
  /** Why changes that need the activity log are missing from the plan; null: none are missing. */
  failure: PlatformFailure | null;
}

/**
 * Before a resume, the activity log shows whether the last change is external, which the status does not
 * show. The extra call is made only when needed.
 */
export async function planWithActivityLog(
  deps: ApplyDeps & { log: Log },
  work: AccountWork,
  readChanges: ReadChanges,
): Promise<PlanWithLog> {
  const { accountId, failures } = work.claim;
  const { world, stored } = work;
  const planned = plan(world, deps.clock.now());
  if (!planned.needsLog) return { plan: planned, usage: null, failure: null };
  // From the earliest hold on: more holds may be due when the log is read.
  const since = Math.min(...stored.holds.map(({ platformReadAt }) => platformReadAt)) - CLOCKS_MS;
  const answer = await readChanges(since);
  const now = deps.clock.now();
  if (answer.ok) {
    const found = new Map(world.campaigns.map(({ id, status }): [string, LiveStatus] => [id, status]));
    const log = readLog(answer.value, byPlatformClock(stored.holds, deps.platform.aheadMs()), found);
    return { plan: plan({ ...world, log }, now), usage: answer.usage, failure: null };
  }
  const { usage, failure } = answer;
  if (WORTH_WAITING.includes(failure.kind) && failures < MAX_LOG_FAILURES)
    return { plan: planned, usage, failure };
  deps.log.info({ account: accountId, failure: failure.kind }, 'reconciling without the activity log');
  // The first result of the activity log stays valid.
  const theirs = stored.holds.filter(({ suspicion }) => suspicion?.status === 'PAUSED');
  const log = new Map(theirs.map(({ campaignId }) => [campaignId, { ...NOTHING_FOUND, external: true }]));
  return { plan: plan({ ...world, log }, now), usage, failure: null };
}

function byPlatformClock(holds: readonly StoredHold[], aheadMs: number) {
  return holds.map(({ campaignId, platformReadAt, pausedAt }) => {
    return { campaignId, platformReadAt, pausedAt: pausedAt === null ? null : pausedAt + aheadMs };
  });
}
