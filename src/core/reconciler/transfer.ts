import { meetsThreshold } from '../smartpause/level.ts';
import type { Instant } from '../time.ts';
import type { WorldUser, World } from './world.ts';
import {
  causeOf,
  hasResumed,
  holdingOf,
  isBlocked,
  isOn,
  resumeTimeOf,
  userOf,
  wantsPauses,
} from './world.ts';
import type { Hold } from './hold.ts';
import { hasDecidedToKeep, isTest } from './hold.ts';
import { isRetried } from './refusals.ts';
import type { Report } from './work.ts';

/**
 * The hold before its next step: an outage keeps what a live test has paused, and another user takes over what the
 * holder need not or cannot hold any more. Neither writes to the platform.
 */
export function keptHold(
  world: World,
  campaignId: string,
  hold: Hold,
  now: Instant,
): { hold: Hold; reports: Report[] } {
  const reports: Report[] = [];
  let kept = hold;
  const keep = (user: WorldUser, report: Report): void => {
    kept = { ...kept, ...causeOf(world, holdingOf(world, user, campaignId, now), now), refusal: null };
    if (hold.pausedAt !== null) reports.push(report);
  };
  const heir = heirOf(world, campaignId, hold, now);
  if (heir !== undefined) keep(heir, 'taken_over');
  // Only for the write: the match of a user who wants the campaign to run does not keep it paused for longer.
  if (heir !== undefined && hasResumed(world, heir, campaignId, now)) kept.threshold = hold.threshold;
  if (heir !== undefined && !wantsPauses(world, heir, now)) kept.cause = hold.cause;
  const holder = userOf(world, kept.userId);
  const isTestOn = isTest(hold) && !isResumed(hold);
  const wantsIt = (user: WorldUser): boolean =>
    isOn(user, campaignId) && wantsPauses(world, user, now) && !hasResumed(world, user, campaignId, now);
  if (isTestOn && holder !== undefined && wantsIt(holder)) {
    keep(holder, 'paused');
    kept.testUntil = null;
  }
  return { hold: kept, reports };
}

/** The hold after its step: once the page reports the outage of an early warning, it is of that outage. */
export function confirmedHold(world: World, campaignId: string, hold: Hold, now: Instant): Hold {
  const holder = userOf(world, hold.userId);
  const isPaused = hold.state === 'pausing' || hold.state === 'paused';
  if (hold.cause !== 'early_warning' || isTest(hold) || !isPaused || holder === undefined) return hold;
  const isReported = meetsThreshold(world.status.known, holder.threshold);
  if (!isReported || !isOn(holder, campaignId) || holder.isLeaving) return hold;
  const cause = causeOf(world, holdingOf(world, holder, campaignId, now), now);
  return cause.cause === 'status' ? { ...hold, ...cause } : hold;
}

/** A user with a match of their own; from a holder who cannot send the next write any user who can. */
function heirOf(world: World, campaignId: string, hold: Hold, now: Instant): WorldUser | undefined {
  const holder = userOf(world, hold.userId);
  const resumeAt = holder === undefined ? null : resumeTimeOf(world, holder, { campaignId, hold }, now);
  const isDue = hold.pausedAt === null || (resumeAt !== null && resumeAt <= now);
  const isBlockedNow = holder !== undefined && isDue && isBlocked(holder, now);
  const isRefused = isRefusedOnce(world, campaignId, hold);
  const isStuck = holder?.hasAccess !== true || isBlockedNow || (isRefused && isResumed(hold));
  const isOff = holder !== undefined && !isTest(hold) && !isOn(holder, campaignId);
  const asker = hold.resumeAsked?.by ?? null;
  if (isOff && asker === null && hasDecidedToKeep(hold, holder.settings.get(campaignId)?.changedAt ?? null))
    return undefined;
  const isOver = !isResumed(hold) && !isTest(hold) && (resumeAt !== null || isOff);
  if (!isStuck && !isOver && !isRefused) return undefined;
  const others = world.users
    .filter((user) => user.id !== hold.userId && user.hasAccess && !user.isLeaving)
    .filter((user) => isOn(user, campaignId) || user.id === asker)
    .filter((user) => !isDue || !isBlocked(user, now));
  if (asker !== null) return isStuck ? (others.find(({ id }) => id === asker) ?? others[0]) : undefined;
  const matched = others.find(
    (user) => wantsPauses(world, user, now) && !hasResumed(world, user, campaignId, now),
  );
  return matched ?? (isStuck ? others[0] : undefined);
}

/** Meta has refused the holder's write, and there are users whose write it has not refused. */
function isRefusedOnce({ users, writes }: World, campaignId: string, hold: Hold): boolean {
  const write = writes.get(campaignId) ?? null;
  const able = users.filter((user) => isOn(user, campaignId) && user.hasAccess && !user.isLeaving);
  if (!isRetried(write) || write.finalRefusals > 0 || write.origin !== 'hold') return false;
  return write.requestedBy === hold.userId && write.refusals < able.length;
}

function isResumed({ state, pausedAt }: Hold): boolean {
  return state === 'resuming' || (state === 'cancelling' && pausedAt !== null);
}
