import type { Instant } from '../time.ts';
import type { AccountUser, AccountWorld } from './account.ts';
import { causeOf, isOn, resumeTimeOf, wantsPauses } from './account.ts';
import type { Hold } from './hold.ts';
import { isTest } from './hold.ts';
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
  const holder = world.users.find(({ id }) => id === hold.userId);
  if (holder !== undefined && isKeptByOutage(world, campaignId, hold, holder)) {
    kept = { ...kept, ...causeOf(world, holder, now), testUntil: null };
    if (kept.pausedAt !== null) reports.push('paused');
  }
  const heir = heirOf(world, campaignId, kept, holder, now);
  if (heir === undefined) return { hold: kept, reports };
  if (kept.pausedAt !== null) reports.push('taken_over');
  return { hold: { ...kept, ...causeOf(world, heir, now) }, reports };
}

function isKeptByOutage(world: AccountWorld, campaignId: string, hold: Hold, holder: AccountUser): boolean {
  const isPause = hold.state === 'pausing' || hold.state === 'paused';
  return isTest(hold) && isPause && isOn(holder, campaignId) && wantsPauses(world, holder, holder.threshold);
}

/** A user with a match of their own; from a holder without access any user who can resume. */
function heirOf(
  world: AccountWorld,
  campaignId: string,
  hold: Hold,
  holder: AccountUser | undefined,
  now: Instant,
): AccountUser | undefined {
  const isStuck = holder === undefined || !holder.hasAccess;
  const isResumed = hold.state === 'resuming' || (hold.state === 'cancelling' && hold.pausedAt !== null);
  if (!isStuck) {
    const isOver = resumeTimeOf(world, holder, hold, now) !== null && !isTest(hold);
    if (!isOver || isResumed) return undefined;
  }
  // A user who turned SmartPause off has decided about a campaign that is known to be paused.
  const hasDecided = holder !== undefined && !isTest(hold) && !isOn(holder, campaignId);
  if (hasDecided && hold.pausedAt !== null) return undefined;
  const others = world.users
    .filter((user) => user.id !== hold.userId && isOn(user, campaignId) && user.hasAccess && !user.isLeaving)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const matched = others.find((user) => wantsPauses(world, user, user.threshold));
  return matched ?? (isStuck ? others[0] : undefined);
}
