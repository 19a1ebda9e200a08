import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { Hold, HoldStep, LetGo, LetGoReason, LiveStatus } from './hold.ts';
import { LATE_SIGHT_MS, inDoubtOf } from './hold.ts';

/** What one hold is measured against. */
export interface Circumstances {
  setting: SmartPauseSetting;
  /** The threshold is met by the known level. */
  matched: boolean;
  /** Matched, and everything else a pause needs is there. */
  pauseWanted: boolean;
  /** The hold may be resumed from then on; null: not while things stand as they do. */
  resumeFrom: Instant | null;
  /** Somebody else was the last to change the campaign's status since it is held. */
  isTheirs: boolean;
  /** A resume of ours that nobody answered was the last change, however long nobody could look since. */
  isLateOfOurs: boolean;
  /** A write of ours was the last change, and has undone what a hand had set meanwhile. */
  isUndone: boolean;
  /** A pause of ours was carried out since it is held, whatever came after that. */
  wasPausedByUs: boolean;
  /** The status is known: UNKNOWN starts no pause. A pause that was begun before is finished. */
  mayStartPause: boolean;
  now: Instant;
  /** When the campaigns were asked for. */
  readAt: Instant;
}

export interface Decision {
  step: HoldStep | null;
  lookAt: Instant | null;
}

export const nothing: Decision = { step: null, lookAt: null };
export const take = (step: HoldStep): Decision => ({ step, lookAt: null });
export const wait = (lookAt: Instant): Decision => ({ step: null, lookAt });

/** @param until when a write that nobody had answered could still be carried out; null: there was none */
export function mayHaveCome(until: Instant | null, now: Instant): boolean {
  return until !== null && now < until + LATE_SIGHT_MS;
}

export function letGo(hold: Hold, reason: LetGoReason, live: LiveStatus | undefined): LetGo {
  const isSeen = live === 'ACTIVE' || live === 'PAUSED';
  return { kind: 'let_go', reason, unsettled: isSeen ? null : inDoubtOf(hold) };
}

/** What is found running is to be held by a new hold: the one before is over at once. */
export function isHeldAnew(
  live: LiveStatus | undefined,
  given: Pick<Circumstances, 'setting' | 'pauseWanted' | 'mayStartPause'>,
): boolean {
  return given.setting === 'ON' && given.pauseWanted && given.mayStartPause && live === 'ACTIVE';
}

export function writeWhenDue(hold: Hold, step: HoldStep, now: Instant): Decision {
  return hold.retryAt !== null && hold.retryAt > now ? wait(hold.retryAt) : take(step);
}
