import { hasEnded } from '../campaign.ts';
import type { WorldUser, World } from './world.ts';
import type { Hold } from './hold.ts';
import { blockerOf, planAccount } from './plan-account.ts';
import type { Instant } from '../time.ts';
import type { Blocker, DryRunReason, NotProtected } from '../outages/reasons.ts';
import { nextStatus } from '../smartpause/status.ts';

export interface DryRun {
  /** Ids in the order of the pauses: highest budget first. */
  paused: string[];
  notPaused: { id: string; reason: DryRunReason }[];
}

interface Given {
  isSetUp: boolean;
  /** Null: Meta accepts changes in the ad account. */
  notProtected: NotProtected | null;
}

/**
 * What the reconciler would do for this user if the status met every threshold now. Archived campaigns never run
 * again and are left out.
 */
export function dryRun(world: Omit<World, 'users'>, user: WorldUser, given: Given, now: Instant): DryRun {
  const status = nextStatus(world.status, { directive: null, trueLevel: 'HIGH_DISRUPTION' }, now);
  const matched: World = {
    ...world,
    status,
    users: [{ ...user, mayHold: user.mayHold && given.notProtected === null }],
  };
  const paused = planAccount(matched, now)
    .changes.filter(({ before, send }) => before.hold === null && send === 'PAUSED')
    .map(({ campaignId }) => campaignId);
  const isPaused = new Set(paused);
  const forAll = blockerOfAll(user, given);
  const notPaused = (world.campaigns ?? [])
    .filter(({ id, status: live }) => !isPaused.has(id) && !hasEnded(live) && live !== 'AWAY')
    .map((campaign) => {
      const own = blockerOf(matched, user, campaign, now);
      const held = campaign.status === 'ACTIVE' ? world.holds.get(campaign.id) : undefined;
      const reason = whyHeldRuns(held, own) ?? own ?? forAll ?? 'access_refused';
      return { id: campaign.id, reason };
    });
  return { paused, notPaused };
}

/** Of a running campaign; null: it has no hold, or the hold is not why. */
function whyHeldRuns(hold: Hold | undefined, own: Blocker | null): DryRunReason | null {
  if (hold?.state === 'pausing' && hold.refusal !== null) return 'pause_refused';
  return hold?.state === 'paused' && own === 'held' ? 'held_running' : null;
}

/** What the user can change about the campaign comes first; these concern all campaigns. */
function blockerOfAll(user: WorldUser, { isSetUp, notProtected }: Given): DryRunReason | null {
  if (!isSetUp) return 'not_set_up';
  if (!user.hasAccess || user.isLeaving) return 'access_refused';
  if (!user.mayHold) return 'no_subscription';
  return notProtected;
}
