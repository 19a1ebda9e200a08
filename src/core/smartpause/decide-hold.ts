import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { Hold, HoldStep, LetGo, LetGoReason, LiveStatus } from './hold.ts';
import { LATE_SIGHT_MS, SECOND_SIGHT_MS, lostUntil, mayArriveUntil } from './hold.ts';

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
  /** A new decision to resume may be taken: the status is known, or the person is leaving us. */
  mayDecide: boolean;
  now: Instant;
  /** When the campaigns were asked for. */
  readAt: Instant;
}

export interface Decision {
  step: HoldStep | null;
  lookAt: Instant | null;
}

const nothing: Decision = { step: null, lookAt: null };
const take = (step: HoldStep): Decision => ({ step, lookAt: null });
const wait = (lookAt: Instant): Decision => ({ step: null, lookAt });

/** The next step of one hold, given how its campaign was just found. */
export function decideHold(hold: Hold, live: LiveStatus | undefined, given: Circumstances): Decision {
  if (hold.givenUp !== null) return decideGivenUp(hold, hold.givenUp, live, given);
  if (given.setting !== 'ON') return decideTurnedOff(hold, live, given.now);
  if (live === undefined) return nothing;
  if (live === 'ARCHIVED' || live === 'DELETED' || live === 'GONE') return decideEnded(hold, live, given);
  switch (hold.state) {
    case 'pausing':
      return live === 'PAUSED'
        ? decidePausingFoundPaused(hold, given.now)
        : decidePausingFoundActive(hold, given);
    case 'paused':
      return live === 'PAUSED' ? decidePaused(hold, given) : decidePausedFoundActive(hold, given);
    case 'resuming':
      return live === 'ACTIVE'
        ? decideResumingFoundActive(hold, given)
        : decideResumingFoundPaused(hold, given);
  }
}

/**
 * The campaign stays as it is. What turns out to have been done before is told first, and as long as a lost write may
 * still be carried out, it is waited for: it would be told nowhere otherwise.
 */
function decideTurnedOff(hold: Hold, live: LiveStatus | undefined, now: Instant): Decision {
  const until = mayArriveUntil(hold, now);
  if (live === 'PAUSED' && hold.inDoubt && (hold.state === 'pausing' || until === null))
    return take({ kind: 'confirm_paused' });
  const isPauseLate = hold.latePauseUntil !== null && hold.latePauseUntil > now;
  const wasResumed = hold.state === 'resuming' ? hold.inDoubt : isLateResume(hold, now);
  if (live === 'ACTIVE' && wasResumed && !isPauseLate) return take({ kind: 'confirm_resumed' });
  return until === null ? take(letGo(hold, 'smartpause_off', live)) : wait(until);
}

/** A pause by hand is undone by nobody: a lost resume of ours that is carried out after it is taken back. */
function decideGivenUp(
  hold: Hold,
  reason: LetGoReason,
  live: LiveStatus | undefined,
  given: Circumstances,
): Decision {
  const isOurs = given.setting === 'ON' && !given.isTheirs;
  if (live === 'ACTIVE' && isOurs && isLateResume(hold, given.now))
    return writeWhenDue(hold, { kind: 'pause' }, given.now);
  if (live === 'PAUSED' && hold.inDoubt) return take({ kind: 'confirm_paused' });
  const until = isOurs ? mayArriveUntil(hold, given.now) : null;
  return until === null ? take(letGo(hold, reason, live)) : wait(until);
}

/** Found running, the campaign may have been resumed by a write of ours that arrived late. */
function isLateResume({ lateResumeUntil }: Hold, now: Instant): boolean {
  return mayHaveCome(lateResumeUntil, now);
}

/** @param until when a write that nobody had answered could still be carried out; null: there was none */
function mayHaveCome(until: Instant | null, now: Instant): boolean {
  return until !== null && now < until + LATE_SIGHT_MS;
}

/** Not in doubt means the platform refused our write for certain, so this pause is somebody else's, or one that came late. */
function decidePausingFoundPaused(hold: Hold, now: Instant): Decision {
  if (hold.inDoubt || mayHaveCome(hold.latePauseUntil, now)) return take({ kind: 'confirm_paused' });
  return take(letGo(hold, 'paused_outside', 'PAUSED'));
}

function decidePausingFoundActive(hold: Hold, given: Circumstances): Decision {
  if (given.pauseWanted) return writeWhenDue(hold, { kind: 'pause' }, given.now);
  const lateUntil = Math.max(lostUntil(hold), hold.latePauseUntil ?? 0);
  if (lateUntil > given.now) return wait(lateUntil);
  return take(letGo(hold, 'not_needed', 'ACTIVE'));
}

function decidePaused(hold: Hold, given: Circumstances): Decision {
  if (hold.suspicion !== null && hold.suspicion.status !== 'PAUSED') return take({ kind: 'trust' });
  const { lateResumeUntil } = hold;
  const late = lateResumeUntil !== null && lateResumeUntil > given.now ? lateResumeUntil : null;
  if (given.resumeFrom === null || !given.mayDecide) return late === null ? nothing : wait(late);
  if (given.resumeFrom > given.now) return wait(Math.min(given.resumeFrom, late ?? given.resumeFrom));
  return resumeUnlessTheirs(hold, given);
}

/**
 * A resume of ours that arrived late is no hand: it is taken back, or, when it is due by now, written once more, since
 * what is seen may be what was before our last pause.
 */
function decidePausedFoundActive(hold: Hold, given: Circumstances): Decision {
  const isOurs = (isLateResume(hold, given.now) || given.isLateOfOurs) && !given.isTheirs;
  if (!isOurs) return decideFoundChanged(hold, 'ACTIVE', given);
  if (!given.mayDecide) return nothing;
  const isDue = given.resumeFrom !== null && given.resumeFrom <= given.now;
  return writeWhenDue(hold, { kind: isDue ? 'resume' : 'pause' }, given.now);
}

function decideResumingFoundActive(hold: Hold, given: Circumstances): Decision {
  const { latePauseUntil } = hold;
  const mayBeOvertaken = latePauseUntil !== null && latePauseUntil > given.now;
  if (mayBeOvertaken && !given.pauseWanted) return wait(latePauseUntil);
  if (hold.inDoubt) return take({ kind: 'confirm_resumed' });
  return take(letGo(hold, 'already_active', 'ACTIVE'));
}

/** A resume overtaken by a new match is taken back; if it may still arrive, by writing the pause once more. */
function decideResumingFoundPaused(hold: Hold, given: Circumstances): Decision {
  const { resumeFrom } = given;
  // A match came and went meanwhile: what it scheduled counts now.
  const isScheduled = resumeFrom !== null && resumeFrom > given.now;
  if (isScheduled && !hold.inDoubt) return take({ kind: 'stay_paused' });
  if (resumeFrom !== null && !isScheduled) return resumeUnlessTheirs(hold, given);
  return hold.inDoubt ? writeWhenDue(hold, { kind: 'pause' }, given.now) : take({ kind: 'stay_paused' });
}

/**
 * A hand came between our last look and our pause, or between two looks: the pause is theirs, and stays. It may have come
 * after this reading, and have resumed what is still seen as PAUSED: a second sight tells.
 */
function resumeUnlessTheirs(hold: Hold, given: Circumstances): Decision {
  if (given.isTheirs) return onSecondSight(hold, 'PAUSED', letGo(hold, 'paused_outside', 'PAUSED'), given);
  return writeWhenDue(hold, { kind: 'resume' }, given.now);
}

function decideEnded(hold: Hold, live: 'ARCHIVED' | 'DELETED' | 'GONE', given: Circumstances): Decision {
  const reason = live === 'ARCHIVED' ? 'archived' : 'deleted';
  if (hold.state === 'paused') return decideFoundChanged(hold, live, given);
  return onSecondSight(hold, live, letGo(hold, reason, live), given);
}

function decideFoundChanged(hold: Hold, live: LiveStatus, given: Circumstances): Decision {
  const reasons: Record<LiveStatus, LetGoReason> = {
    ACTIVE: 'resumed_outside',
    PAUSED: 'paused_outside',
    ARCHIVED: 'archived',
    DELETED: 'deleted',
    GONE: 'deleted',
  };
  return onSecondSight(hold, live, { kind: 'deactivate', reason: reasons[live] }, given);
}

/** The sights are counted by when they were asked for: a slow answer makes one no younger. */
function onSecondSight(hold: Hold, live: LiveStatus, step: HoldStep, given: Circumstances): Decision {
  if (hold.suspicion?.status !== live) return take({ kind: 'suspect', status: live });
  const secondSight = hold.suspicion.since + SECOND_SIGHT_MS;
  return secondSight > Math.min(given.now, given.readAt) ? wait(secondSight) : take(step);
}

function letGo(hold: Hold, reason: LetGoReason, live: LiveStatus | undefined): LetGo {
  return { kind: 'let_go', reason, isUnsettled: hold.inDoubt && live !== 'ACTIVE' && live !== 'PAUSED' };
}

function writeWhenDue(hold: Hold, step: HoldStep, now: Instant): Decision {
  return hold.retryAt !== null && hold.retryAt > now ? wait(hold.retryAt) : take(step);
}
