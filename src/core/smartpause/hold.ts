import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';

/** The configured status of a campaign on the platform; GONE: the platform says there is no such campaign. */
export const LIVE_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'GONE'] as const;
export type LiveStatus = (typeof LIVE_STATUSES)[number];

export const HOLD_STATES = ['pausing', 'paused', 'resuming'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** The record that we paused one campaign; it lives from the intent to pause until the end. */
export interface Hold {
  id: string;
  campaignId: string;
  state: HoldState;
  /**
   * A write of ours may or may not have reached the platform. Until that is settled an unexpected state is
   * never taken for somebody's hand.
   */
  inDoubt: boolean;
  /** When the last write was sent; null: none yet. */
  sentAt: Instant | null;
  /** A pause whose answer was lost, overtaken by a later write, may still be carried out until then. Null: none. */
  latePauseUntil: Instant | null;
  /** The same for a resume. */
  lateResumeUntil: Instant | null;
  /** The next write must wait until then. */
  retryAt: Instant | null;
  /** First sight of a state that is not of our making; one reading is not enough, since reads can be stale. */
  suspicion: { status: LiveStatus; since: Instant } | null;
  /** When it was first known to be paused; null: not yet. */
  pausedAt: Instant | null;
  /** Somebody has paused the campaign by hand, and only a resume of ours that may still arrive keeps this alive. */
  givenUp: LetGoReason | null;
}

export const LET_GO_REASONS = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'not_needed',
  'paused_outside',
  'already_active',
  'resumed_outside',
  'archived',
  'deleted',
  'access_lost',
] as const;
export type LetGoReason = (typeof LET_GO_REASONS)[number];

/** The two sights of an outside change lie at least this far apart. */
export const SECOND_SIGHT_MS = seconds(10);
/** A write whose answer was lost may still be carried out by the platform for this long. */
export const LATE_WRITE_MS = seconds(60);
/** And is seen for what it is if it is met this soon after that. */
export const LATE_SIGHT_MS = seconds(60);

export interface LetGo {
  kind: 'let_go';
  reason: LetGoReason;
  /** A write of ours was under way, and nobody can see any more whether it was carried out. */
  isUnsettled: boolean;
}

/** One legal step of a hold. `pause` and `resume` call the platform, the others only write down what is. */
export type HoldStep =
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'confirm_paused' }
  | { kind: 'confirm_resumed' }
  | { kind: 'stay_paused' }
  | { kind: 'suspect'; status: LiveStatus }
  | { kind: 'trust' }
  | LetGo
  | { kind: 'deactivate'; reason: LetGoReason };

/** Until when the last write may still be carried out, if nobody has answered it; 0: somebody has. */
export function lostUntil({ inDoubt, sentAt }: Pick<Hold, 'inDoubt' | 'sentAt'>): Instant {
  return inDoubt && sentAt !== null ? sentAt + LATE_WRITE_MS : 0;
}

/** Until when any write of ours that nobody has answered may still be carried out; null: none can. */
export function mayArriveUntil(hold: Hold, now: Instant): Instant | null {
  const until = Math.max(lostUntil(hold), hold.latePauseUntil ?? 0, hold.lateResumeUntil ?? 0);
  return until > now ? until : null;
}

/** Until when a write that nobody has answered may still be carried out behind the back of a new one. */
function lateWrites(hold: Hold, now: Instant): Pick<Hold, 'latePauseUntil' | 'lateResumeUntil'> {
  const still = (before: Instant | null, state: HoldState): Instant | null => {
    const until = Math.max(before ?? 0, hold.state === state ? lostUntil(hold) : 0);
    return until > now ? until : null;
  };
  return {
    latePauseUntil: still(hold.latePauseUntil, 'pausing'),
    lateResumeUntil: still(hold.lateResumeUntil, 'resuming'),
  };
}

/**
 * The hold after the platform has carried out what we wrote; null: it has ended. While a lost pause may still arrive
 * after the resume it lives on in doubt, so that the campaign is looked at once more.
 */
export function afterWriteDone(hold: Hold, now: Instant): Hold | null {
  if (hold.state !== 'resuming') return settledPaused(hold);
  const mayBeOvertaken = hold.latePauseUntil !== null && hold.latePauseUntil > now;
  return mayBeOvertaken ? { ...hold, inDoubt: true, retryAt: null, suspicion: null } : null;
}

function settledPaused(hold: Hold): Hold {
  return { ...hold, state: 'paused', inDoubt: false, retryAt: null, suspicion: null };
}

/** The hold after a step that needs no platform; null: it has ended. */
export function afterStep(hold: Hold, step: HoldStep, now: Instant): Hold | null {
  const write = { inDoubt: true, sentAt: now, retryAt: null, suspicion: null } as const;
  switch (step.kind) {
    case 'pause': {
      const late = lateWrites(hold, now);
      // However long ago it was sent: of two, either may be the one that is seen to be done.
      const isWrittenTwice = hold.state === 'pausing' && hold.inDoubt;
      const latePauseUntil = late.latePauseUntil ?? (isWrittenTwice ? now : null);
      return { ...hold, ...write, ...late, latePauseUntil, state: 'pausing' };
    }
    case 'resume':
      return { ...hold, ...write, ...lateWrites(hold, now), state: 'resuming' };
    case 'confirm_paused':
      // Paused before, or written twice, it would be seen so also if the last pause was yet to be carried out.
      return hold.pausedAt === null && hold.latePauseUntil === null
        ? settledPaused(hold)
        : { ...settledPaused(hold), latePauseUntil: lateWrites(hold, now).latePauseUntil };
    case 'stay_paused':
      return settledPaused(hold);
    case 'suspect':
      return { ...hold, suspicion: { status: step.status, since: now } };
    case 'trust':
      return { ...hold, suspicion: null };
    case 'confirm_resumed':
    case 'let_go':
    case 'deactivate':
      return null;
  }
}
