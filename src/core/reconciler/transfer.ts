import type { Instant } from '../time.ts';
import type { AccountUser, AccountWorld } from './account.ts';
import { causeOf, isBlocked, isOn, resumeTimeOf, userOf, wantsPauses } from './account.ts';
import type { Hold } from './hold.ts';
import { hasDecidedToKeep, isTest } from './hold.ts';
import type { Report } from './work.ts';

/**
 * The hold before its next step: an outage keeps what a live test has paused, and another user takes over what the
 * holder need not or cannot hold any more. Neither writes to the platform.
 */
export function keptHold(
  world: AccountWorld,
  campaignId: string,
  hold: Hold,
  now: Instant,
): { hold: Hold; reports: Report[] } {
  const reports: Report[] = [];
  let kept = hold;
  const keep = (user: AccountUser, report: Report): void => {
    kept = { ...kept, ...causeOf(world, user, now) };
    if (hold.pausedAt !== null) reports.push(report);
  };
  const heir = heirOf(world, campaignId, hold, now);
  if (heir !== undefined) keep(heir, 'taken_over');
  const holder = userOf(world, kept.userId);
  const isTestOn = isTest(hold) && !isResumed(hold);
  if (isTestOn && holder !== undefined && isOn(holder, campaignId) && wantsPauses(world, holder)) {
    keep(holder, 'paused');
    kept.testUntil = null;
  }
  return { hold: kept, reports };
}

/** A user with a match of their own; from a holder who cannot send the next write any user who can. */
function heirOf(world: AccountWorld, campaignId: string, hold: Hold, now: Instant): AccountUser | undefined {
  const holder = userOf(world, hold.userId);
  const resumeAt = holder === undefined ? null : resumeTimeOf(world, holder, hold, now);
  const isDue = hold.pausedAt === null || (resumeAt !== null && resumeAt <= now);
  const isStuck = holder?.hasAccess !== true || (isDue && isBlocked(holder, now));
  const isOff = holder !== undefined && !isTest(hold) && !isOn(holder, campaignId);
  if (isOff && hasDecidedToKeep(hold, holder.settings.get(campaignId)?.changedAt ?? null)) return undefined;
  const isOver = !isResumed(hold) && !isTest(hold) && (resumeAt !== null || isOff);
  if (!isStuck && !isOver) return undefined;
  const others = world.users
    .filter((user) => user.id !== hold.userId && isOn(user, campaignId) && user.hasAccess && !user.isLeaving)
    .filter((user) => !isDue || !isBlocked(user, now));
  const matched = others.find((user) => wantsPauses(world, user));
  return matched ?? (isStuck ? others[0] : undefined);
}

function isResumed({ state, pausedAt }: Hold): boolean {
  return state === 'resuming' || (state === 'cancelling' && pausedAt !== null);
}
