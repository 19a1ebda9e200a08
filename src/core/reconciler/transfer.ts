import type { Instant } from '../time.ts';
import type { AccountUser, AccountWorld } from './account.ts';
import { causeOf, isBlocked, isOn, resumeTimeOf, wantsPauses } from './account.ts';
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
  const holder = world.users.find(({ id }) => id === hold.userId);
  const heir = heirOf(world, campaignId, hold, holder, now);
  const kept = heir === undefined ? hold : { ...hold, ...causeOf(world, heir, now) };
  if (heir !== undefined && kept.pausedAt !== null) reports.push('taken_over');
  const owner = heir ?? holder;
  if (owner === undefined || !isKeptByOutage(world, campaignId, kept, owner)) return { hold: kept, reports };
  if (kept.pausedAt !== null) reports.push('paused');
  return { hold: { ...kept, ...causeOf(world, owner, now), testUntil: null }, reports };
}

function isKeptByOutage(world: AccountWorld, campaignId: string, hold: Hold, holder: AccountUser): boolean {
  return (
    isTest(hold) &&
    !isResumed(hold) &&
    isOn(holder, campaignId) &&
    wantsPauses(world, holder, holder.threshold)
  );
}

/** A user with a match of their own; from a holder who cannot send the next write any user who can. */
function heirOf(
  world: AccountWorld,
  campaignId: string,
  hold: Hold,
  holder: AccountUser | undefined,
  now: Instant,
): AccountUser | undefined {
  const resumeAt = holder === undefined ? null : resumeTimeOf(world, holder, hold, now);
  const isDue = hold.pausedAt === null || (resumeAt !== null && resumeAt <= now);
  const isStuck = holder?.hasAccess !== true || (isDue && isBlocked(holder, now));
  const isOver = resumeAt !== null && !isTest(hold);
  if (!isStuck && (!isOver || isResumed(hold))) return undefined;
  // A user who turned SmartPause off has decided about a campaign that is known to be paused.
  const hasDecided = holder !== undefined && !isTest(hold) && !isOn(holder, campaignId);
  if (hasDecided && hold.pausedAt !== null) return undefined;
  const others = world.users
    .filter((user) => user.id !== hold.userId && isOn(user, campaignId) && user.hasAccess && !user.isLeaving)
    .filter((user) => !isDue || !isBlocked(user, now))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const matched = others.find((user) => wantsPauses(world, user, user.threshold));
  return matched ?? (isStuck ? others[0] : undefined);
}

function isResumed({ state, pausedAt }: Hold): boolean {
  return state === 'resuming' || (state === 'cancelling' && pausedAt !== null);
}
