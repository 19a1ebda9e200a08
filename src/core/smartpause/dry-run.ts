import { hasEnded } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { DryRunReason } from './blockers.ts';
import type { World } from './plan.ts';
import { blockerOf, plan } from './plan.ts';
import { nextStatus } from './status.ts';

export interface DryRun {
  /** Ids in the order of the pauses: highest budget first. */
  paused: string[];
  notPaused: { id: string; reason: DryRunReason }[];
}

/** What `plan` would do if the status met every threshold now. Archived campaigns never run again and are left out. */
export function dryRun(world: World, given: { isSetUp: boolean }, now: Instant): DryRun {
  const status = nextStatus(world.status, { directive: null, trueLevel: 'HIGH_DISRUPTION' }, now);
  const { changes } = plan({ ...world, status }, now);
  const paused = changes.filter(({ before, send }) => before === null && send).map((one) => one.campaignId);
  const isPaused = new Set(paused);
  const held = new Set(world.holds.map((hold) => hold.campaignId));
  const forAll = ownersBlocker(world, given);
  const notPaused = world.campaigns
    .filter(({ id, status: live }) => !isPaused.has(id) && !hasEnded(live) && live !== 'GONE')
    .map((campaign) => {
      const own = blockerOf(world, { ...campaign, isHeld: held.has(campaign.id) }, now);
      return { id: campaign.id, reason: own ?? forAll ?? ('access_refused' as const) };
    });
  return { paused, notPaused };
}

/** What the user can change about the campaign comes first; these concern all campaigns. */
function ownersBlocker({ owner }: World, { isSetUp }: { isSetUp: boolean }): DryRunReason | null {
  if (!isSetUp) return 'not_set_up';
  if (!owner.tokenUsable || owner.leaving) return 'access_refused';
  return owner.mayHold ? null : 'no_subscription';
}
