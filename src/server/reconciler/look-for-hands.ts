import { readLog } from '#core/smartpause/hands.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import type { Plan } from '#core/smartpause/plan.ts';
import { disputable, plan } from '#core/smartpause/plan.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import type { Log } from '../observability/log.ts';
import type { StoredHold } from '../db/holds/holds.ts';
import type { CarryOutDeps, Errand } from './carry-out.ts';

/** So roughly is the platform's clock known. */
const CLOCKS_MS = seconds(60);
/** The log may be what is broken; nobody is kept from their campaigns for ever because of it. */
const PATIENT_FAILURES = 3;
const WORTH_WAITING: readonly PlatformFailure['kind'][] = ['transient', 'rate_limited', 'token_invalid'];

interface Looked {
  plan: Plan;
  usage: Usage | null;
  /** Why what depends on the log is not in the plan, and has to wait; null: nothing has to. */
  failure: PlatformFailure | null;
}

/**
 * What should be done now. Before a campaign is resumed: whether somebody else was the last to change it, which its
 * status does not tell. They may have paused it between our reading and our pause, or resumed and paused it between two
 * looks. One more call, and only then.
 */
export async function planMindingHands(
  deps: CarryOutDeps & { log: Log },
  errand: Errand,
  token: string,
): Promise<Looked> {
  const { accountId, failures } = errand.claim;
  const { world, stored } = errand;
  const planned = plan(world, deps.clock.now());
  if (disputable(planned).length === 0) return { plan: planned, usage: null, failure: null };
  // Of all that is held: by the time the log is read more of it may be due.
  const since = Math.min(...stored.holds.map(({ platformReadAt }) => platformReadAt)) - CLOCKS_MS;
  const log = await deps.platform.readStatusChanges(token, accountId, since);
  const now = deps.clock.now();
  if (log.ok) {
    const found = new Map(world.campaigns.map(({ id, status }): [string, LiveStatus] => [id, status]));
    const told = readLog(log.value, byPlatformClock(stored.holds, deps.platform.aheadMs()), found);
    return { plan: plan({ ...world, ...told }, now), usage: log.usage, failure: null };
  }
  const { usage, failure } = log;
  if (WORTH_WAITING.includes(failure.kind) && failures < PATIENT_FAILURES)
    return { plan: undisputed(planned), usage, failure };
  deps.log.info({ account: accountId, failure: failure.kind }, 'who changed the campaigns cannot be read');
  // What the log told at first sight stands.
  const theirs = stored.holds.filter(({ suspicion }) => suspicion?.status === 'PAUSED');
  const changedByOthers = new Set(theirs.map(({ campaignId }) => campaignId));
  return { plan: plan({ ...world, changedByOthers }, now), usage, failure: null };
}

function byPlatformClock(holds: readonly StoredHold[], aheadMs: number) {
  const there = (at: Instant | null): Instant | null => (at === null ? null : at + aheadMs);
  return holds.map(({ campaignId, platformReadAt, lateResumeUntil, pausedAt }) => {
    return {
      campaignId,
      platformReadAt,
      lateResumeUntil: there(lateResumeUntil),
      pausedAt: there(pausedAt),
    };
  });
}

function undisputed(planned: Plan): Plan {
  const disputed = new Set(disputable(planned).map(({ id }) => id));
  const changes = planned.changes.filter(({ hold }) => hold === null || !disputed.has(hold.id));
  return { ...planned, changes };
}
