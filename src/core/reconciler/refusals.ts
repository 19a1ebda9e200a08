import type { DeliveryTimes } from '../campaign.ts';
import { undelivered } from '../campaign.ts';
import type { Instant } from '../time.ts';
import { days, hours, minutes } from '../time.ts';
import type { CampaignWrite, Target } from './hold.ts';

/** A write that is refused for a final reason is tried this often. */
export const FINAL_TRIES = 2;
const FINAL_RETRY_MS = minutes(1);
/** Any other refusal may pass: the time until the next try, the last one from then on. */
const RETRY_MS = [minutes(1), minutes(10), hours(1)] as const;
/** Seven days. Only tries count: there are none while the token, the ad account or the app is blocked. */
const RESUME_TRIES = RETRY_MS.length + days(7) / hours(1);

/**
 * The write after Meta has refused it. A try that its user asked for leaves the next one when it was due.
 * @param isFinal for a reason that is known to last
 */
export function refusedWrite(write: CampaignWrite, isFinal: boolean, now: Instant): CampaignWrite {
  const isExtra = (write.plannedRetryAt ?? now) > now && !isFinal;
  const refusals = isExtra ? write.refusals : write.refusals + 1;
  const waitMs = isFinal ? FINAL_RETRY_MS : (RETRY_MS[refusals - 1] ?? hours(1));
  const finalRefusals = isFinal ? write.finalRefusals + 1 : 0;
  return { ...retriedAt(write, now + waitMs, now), refusals, finalRefusals };
}

/** After a try that has failed. */
export function retriedAt(write: CampaignWrite, at: Instant, now: Instant): CampaignWrite {
  const planned = write.plannedRetryAt ?? now;
  return { ...write, retryAt: planned > now ? Math.min(planned, at) : at, plannedRetryAt: null };
}

/** Until when no write of the user is sent, after all of these were blocked. A try that a user asked for leaves the next one when it was due. */
export function blockedUntil(sent: readonly CampaignWrite[], retryAfterMs: number, now: Instant): Instant {
  const planned = sent.flatMap(({ plannedRetryAt }) => plannedRetryAt ?? []).filter((at) => at > now);
  return Math.min(...planned, now + retryAfterMs);
}

/** Users who leave do not wait for days. */
const LEAVING_TRIES = RETRY_MS.length + 1;

/** The write is not tried any more. A pause is tried as long as it is wanted. */
export function isGivenUp(write: CampaignWrite | null, isLeaving = false): boolean {
  if (write?.state !== 'open') return false;
  const resumeTries = isLeaving ? LEAVING_TRIES : RESUME_TRIES;
  return write.finalRefusals >= FINAL_TRIES || (write.target === 'ACTIVE' && write.refusals >= resumeTries);
}

/** An open write that Meta has refused, and that is tried again. */
export function isRetried(write: CampaignWrite | null): write is CampaignWrite {
  return write?.state === 'open' && write.refusals > 0 && !isGivenUp(write);
}

/** So long the user is shown that a campaign stays paused because Meta refused its resume for good. */
export const NOT_RESUMED_MS = days(7);

/** A hold of the user ended then because Meta refused the resume for good, and its campaign is paused. */
export interface RefusedResume extends Pick<DeliveryTimes, 'stopTime'> {
  campaignId: string;
  at: Instant;
  /** When SmartPause last changed the campaign, and when a read last showed a change outside it. */
  confirmedAt: Instant | null;
  changedOutsideAt: Instant | null;
  /** When the user last turned SmartPause on or off for it. */
  turnedAt: Instant | null;
}

/** Its resume is still owed, and only the user can try it, also with SmartPause on. */
export function isNotResumed(refused: RefusedResume, now: Instant): boolean {
  const { at, confirmedAt, changedOutsideAt, turnedAt } = refused;
  const isSame = [confirmedAt, changedOutsideAt, turnedAt].every((since) => (since ?? 0) <= at);
  return isSame && now < at + NOT_RESUMED_MS && undelivered(refused, now) !== 'ended';
}

/** By campaign. */
export function notResumed<Refused extends RefusedResume>(
  all: readonly Refused[],
  now: Instant,
): Map<string, Refused> {
  return new Map(all.filter((one) => isNotResumed(one, now)).map((one) => [one.campaignId, one]));
}

interface PlannedWrite {
  send: Target | null;
  write: CampaignWrite | null;
}

/**
 * Of the writes that Meta may refuse again, one is tried at a time: the cause may be the ad account's. They take turns.
 * One whose try a user asked for goes first, then a manual change, which may be one of many.
 * @param isDoubtful whether Meta may refuse it again
 */
export function oneRetryAtATime<Planned extends PlannedWrite>(
  changes: readonly Planned[],
  isDoubtful: (write: CampaignWrite) => boolean,
): Planned[] {
  const retries = changes.filter(({ send, write }) => send !== null && write !== null && isDoubtful(write));
  const turn = Math.max(0, ...retries.map(({ write }) => write?.refusals ?? 0)) % retries.length;
  const next =
    retries.find(({ write }) => write?.plannedRetryAt != null) ??
    retries.find(({ write }) => write?.origin === 'manual') ??
    retries[turn];
  return changes.filter((change) => change === next || !retries.includes(change));
}

/** After Meta has accepted a write, the user's other writes are tried at once. */
export function acceptedWith<Write extends CampaignWrite>(
  tried: CampaignWrite,
  others: Iterable<Write>,
  now: Instant,
): Write[] {
  return [...others].flatMap((write) => {
    const isRefused = write.state === 'open' && write.failures > 0 && write.finalRefusals === 0;
    const isWaiting = isRefused && write.unansweredUntil === null && (write.retryAt ?? 0) > now;
    return isWaiting && write.requestedBy === tried.requestedBy ? [{ ...write, retryAt: now }] : [];
  });
}

/** What a refused try says about the user's other writes that were due with it: the same, as if they were tried. */
export function refusedWith<Write extends CampaignWrite>(
  tried: CampaignWrite,
  others: Iterable<Write>,
  now: Instant,
): Write[] {
  return [...others].flatMap((write) => {
    const isDue = isRetried(write) && write.unansweredUntil === null && (write.retryAt ?? 0) <= now;
    const isSame = write.requestedBy === tried.requestedBy && write.finalRefusals === 0;
    return isDue && isSame ? [{ ...write, ...refusedWrite(write, false, now) }] : [];
  });
}
