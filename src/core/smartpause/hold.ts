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
  /** Resumed, or given up, and only watched for a while since a lost write may still arrive. Nothing is held then. */
  resumedAt: Instant | null;
  /**
   * Somebody's hand has set the campaign, and only a lost write of ours that may undo that keeps this alive. Paused by
   * hand the hold is `paused`, resumed by hand it is `resuming`.
   */
  givenUp: LetGoReason | null;
  /**
   * SmartPause was turned off since it is held, and a write may still be carried out. Turned on again, what is still
   * paused is held on; found running it is not, whoever had resumed it.
   */
  turnedOff: boolean;
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
  /** The write of ours of which nobody can see any more whether it was carried out; null: there is none. */
  unsettled: Unsettled | null;
}

export type Unsettled = 'pausing' | 'resuming';

/** One legal step of a hold. `pause` and `resume` call the platform, the others only write down what is. */
export type HoldStep =
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'confirm_paused' }
  | { kind: 'confirm_resumed' }
  | { kind: 'stay_paused' }
  | { kind: 'hold_on' }
  | { kind: 'suspect'; status: LiveStatus }
  | { kind: 'trust' }
  | (Omit<LetGo, 'kind'> & { kind: 'give_up'; hand: 'ACTIVE' | 'PAUSED' })
  | LetGo
  | { kind: 'deactivate'; reason: LetGoReason };

/** Until when the last write may still be carried out, if nobody has answered it; 0: somebody has. */
export function lostUntil(hold: Pick<Hold, 'inDoubt' | 'sentAt' | 'resumedAt' | 'givenUp'>): Instant {
  return hold.inDoubt && hold.sentAt !== null && !isWatched(hold) ? hold.sentAt + LATE_WRITE_MS : 0;
}

/** What nobody has answered yet; null: nothing. */
export function inDoubtOf({ inDoubt, state }: Pick<Hold, 'inDoubt' | 'state'>): Unsettled | null {
  if (!inDoubt) return null;
  return state === 'resuming' ? 'resuming' : 'pausing';
}

/** Whether the campaign was paused at all is still to be told. */
export function isUntoldPause({ inDoubt, state, pausedAt }: Pick<Hold, 'inDoubt' | 'state' | 'pausedAt'>) {
  return inDoubt && state === 'pausing' && pausedAt === null;
}

/** What a hand has set the campaign to, of a hold that was given up. */
export function handOf({ state }: Pick<Hold, 'state'>): 'ACTIVE' | 'PAUSED' {
  return state === 'resuming' ? 'ACTIVE' : 'PAUSED';
}

/** Until when a lost write of ours may undo that; null: none can. */
export function lateAgainst(
  hold: Pick<Hold, 'state' | 'latePauseUntil' | 'lateResumeUntil'>,
): Instant | null {
  return handOf(hold) === 'ACTIVE' ? hold.latePauseUntil : hold.lateResumeUntil;
}

/** The platform has said that it is resumed: only a write before that may still arrive. */
export function isWatched({ resumedAt, givenUp }: Pick<Hold, 'resumedAt' | 'givenUp'>): boolean {
  return resumedAt !== null && givenUp === null;
}

/** Until when any write of ours that nobody has answered may still be carried out; null: none can. */
export function mayArriveUntil(hold: Hold, now: Instant): Instant | null {
  const until = Math.max(lostUntil(hold), hold.latePauseUntil ?? 0, hold.lateResumeUntil ?? 0);
  return until > now ? until : null;
}

/** Until when a write that nobody has answered may still be carried out behind the back of what comes now. */
export function lateWrites(hold: Hold, now: Instant): Pick<Hold, 'latePauseUntil' | 'lateResumeUntil'> {
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
 * The hold after the platform has carried out what we wrote; null: it has ended. While a lost write may still arrive
 * after the resume it lives on in doubt, so that the campaign is looked at once more.
 */
export function afterWriteDone(hold: Hold, now: Instant): Hold | null {
  if (hold.givenUp !== null) return asTheHandLeftIt(hold, now);
  if (hold.state !== 'resuming') return settledPaused(hold);
  const mayBeUndone = Math.max(hold.latePauseUntil ?? 0, hold.lateResumeUntil ?? 0) > now;
  return mayBeUndone ? watched(hold, now) : null;
}

function watched(hold: Hold, now: Instant): Hold {
  return { ...hold, inDoubt: true, resumedAt: now, retryAt: null, suspicion: null };
}

/** Given up, with nothing of ours under way. */
function asTheHandLeftIt(hold: Hold, now: Instant): Hold | null {
  const late = lateAgainst(hold);
  if (late === null || late <= now) return null;
  const state = handOf(hold) === 'ACTIVE' ? 'resuming' : 'paused';
  return { ...hold, state, inDoubt: false, sentAt: null, retryAt: null, suspicion: null };
}

/** The lost write against which it is done stays remembered until it is done. */
function afterTakingBack(hold: Hold, step: HoldStep, now: Instant): Hold | null {
  if (step.kind === 'pause') return { ...hold, ...sentNow(now), state: 'pausing' };
  if (step.kind === 'resume') return { ...hold, ...sentNow(now), state: 'resuming' };
  const isDone = step.kind === 'confirm_paused' || step.kind === 'confirm_resumed';
  return isDone ? asTheHandLeftIt(hold, now) : null;
}

function sentNow(now: Instant): Pick<Hold, 'inDoubt' | 'sentAt' | 'retryAt' | 'suspicion'> {
  return { inDoubt: true, sentAt: now, retryAt: null, suspicion: null };
}

function settledPaused(hold: Hold): Hold {
  return { ...hold, state: 'paused', inDoubt: false, retryAt: null, suspicion: null };
}

/** The hold after a step that needs no platform; null: it has ended. */
export function afterStep(hold: Hold, step: HoldStep, now: Instant): Hold | null {
  if (hold.givenUp !== null) return afterTakingBack(hold, step, now);
  const write = sentNow(now);
  switch (step.kind) {
    case 'pause': {
      const late = lateWrites(hold, now);
      // However long ago it was sent: of two, either may be the one that is seen to be done.
      const isWrittenTwice = hold.state === 'pausing' && hold.inDoubt;
      const latePauseUntil = late.latePauseUntil ?? (isWrittenTwice ? now : null);
      return { ...hold, ...write, ...late, latePauseUntil, resumedAt: null, state: 'pausing' };
    }
    case 'resume': {
      const late = lateWrites(hold, now);
      const isWrittenTwice = hold.state === 'resuming' && lostUntil(hold) > 0;
      const lateResumeUntil = late.lateResumeUntil ?? (isWrittenTwice ? now : null);
      return { ...hold, ...write, ...late, lateResumeUntil, resumedAt: null, state: 'resuming' };
    }
    case 'confirm_paused':
      // Paused before, or written twice, it would be seen so also if the last pause was yet to be carried out.
      return hold.pausedAt === null && hold.latePauseUntil === null
        ? settledPaused(hold)
        : { ...settledPaused(hold), latePauseUntil: lateWrites(hold, now).latePauseUntil };
    case 'stay_paused':
      return settledPaused(hold);
    case 'hold_on':
      return { ...hold, turnedOff: false };
    case 'suspect':
      return { ...hold, suspicion: { status: step.status, since: now } };
    case 'trust':
      return { ...hold, suspicion: null };
    case 'give_up':
      return {
        ...settledPaused(hold),
        state: step.hand === 'ACTIVE' ? 'resuming' : 'paused',
        sentAt: null,
        lateResumeUntil: lateWrites(hold, now).lateResumeUntil ?? hold.lateResumeUntil,
        givenUp: step.reason,
        resumedAt: hold.resumedAt ?? now,
      };
    case 'confirm_resumed': {
      // Written twice, one of the two may be yet to come.
      const isTwice = hold.state === 'resuming' && !isWatched(hold) && hold.lateResumeUntil !== null;
      const { lateResumeUntil } = lateWrites(hold, now);
      return isTwice && lateResumeUntil !== null ? { ...watched(hold, now), lateResumeUntil } : null;
    }
    case 'let_go':
    case 'deactivate':
      return null;
  }
}
