import { changedByOthers } from '#core/smartpause/hands.ts';
import type { Plan } from '#core/smartpause/plan.ts';
import { disputable, plan } from '#core/smartpause/plan.ts';
import type { Usage } from '#core/platform-usage.ts';
import { seconds } from '#core/time.ts';
import type { PlatformFailure } from '../adapters/meta/errors.ts';
import type { Log } from '../log.ts';
import type { CarryOutDeps, Errand } from './carry-out.ts';

/** So much the clocks of the platform and ours may differ. */
const CLOCKS_MS = seconds(60);
/** The log may be what is broken; nobody is kept from their campaigns for ever because of it. */
const PATIENT_FAILURES = 3;
const WORTH_WAITING: readonly PlatformFailure['kind'][] = ['transient', 'rate_limited', 'token_invalid'];

type Looked =
  | { ok: true; plan: Plan; usage: Usage | null }
  | { ok: false; failure: PlatformFailure; usage: Usage | null };

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
  const { world } = errand;
  const planned = plan(world, deps.clock.now());
  const asked = new Set(disputable(planned).map(({ id }) => id));
  if (asked.size === 0) return { ok: true, plan: planned, usage: null };
  const holds = errand.stored.holds.filter(({ id }) => asked.has(id));
  const since = Math.min(...holds.map(({ readAt }) => readAt)) - CLOCKS_MS;
  const log = await deps.platform.readStatusChanges(token, accountId, since);
  if (log.ok) {
    const theirs = changedByOthers(log.value, holds);
    return {
      ok: true,
      plan: plan({ ...world, changedByOthers: theirs }, deps.clock.now()),
      usage: log.usage,
    };
  }
  if (WORTH_WAITING.includes(log.failure.kind) && failures < PATIENT_FAILURES) return log;
  deps.log.info(
    { account: accountId, failure: log.failure.kind },
    'who changed the campaigns cannot be read',
  );
  return { ok: true, plan: plan(world, deps.clock.now()), usage: log.usage };
}
