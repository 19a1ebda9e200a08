import { decideGivenUp } from './decide-given-up.ts';
import type { Circumstances, Decision } from './decision.ts';
import { isHeldAnew, letGo, mayHaveCome, nothing, take, wait, writeWhenDue } from './decision.ts';
import type { Instant } from '../time.ts';
import type { Hold, HoldStep, LetGoReason, LiveStatus } from './hold.ts';
import {
  SECOND_SIGHT_MS,
  inDoubtOf,
  isUntoldPause,
  isWatched,
  lateWrites,
  lostUntil,
  mayArriveUntil,
} from './hold.ts';

/** The next step of one hold, given how its campaign was just found. */
export function decideHold(hold: Hold, live: LiveStatus | undefined, given: Circumstances): Decision {
  if (hold.givenUp !== null) return decideGivenUp(hold, hold.givenUp, live, given);
  if (given.setting !== 'ON') return decideTurnedOff(hold, live, given);
  if (live === undefined) return nothing;
  if (live === 'ARCHIVED' || live === 'DELETED' || live === 'GONE') return decideEnded(hold, live, given);
  if (hold.turnedOff) return decideTurnedOnAgain(hold, live, given);
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
function decideTurnedOff(hold: Hold, live: LiveStatus | undefined, given: Circumstances): Decision {
  const { now, isTheirs, isUndone } = given;
  const until = mayArriveUntil(hold, now);
  if (live === 'PAUSED' && hold.inDoubt && (hold.state === 'pausing' || until === null))
    return take({ kind: 'confirm_paused' });
  const isAnew = isHeldAnew(live, given) && (hold.state !== 'pausing' || lostUntil(hold) <= now);
  const isPauseLate = lateWrites(hold, now).latePauseUntil !== null;
  const mayBeLate = hold.pausedAt !== null && isLateResume(hold, now) && !isTheirs;
  const wasResumed = hold.state === 'resuming' ? hold.inDoubt : mayBeLate;
  if (live === 'ACTIVE' && wasResumed && (!isPauseLate || isAnew)) return take({ kind: 'confirm_resumed' });
  if (until !== null && !isAnew) return wait(until);
  // Undone by a hand before anybody had seen it.
  if (live === 'ACTIVE' && isUntoldPause(hold) && given.wasPausedByUs)
    return take({ kind: 'confirm_paused' });
  if (live === 'PAUSED' && isUndone && hold.latePauseUntil !== null)
    return take({ kind: 'give_up', reason: 'smartpause_off', hand: 'ACTIVE', unsettled: null });
  return take(letGo(hold, 'smartpause_off', live));
}

/**
 * What is still paused is held on. What runs was given back: it is held anew if that is due, and what may still be carried
 * out is known to the new hold. One reading may be stale.
 */
function decideTurnedOnAgain(hold: Hold, live: 'ACTIVE' | 'PAUSED', given: Circumstances): Decision {
  if (live === 'PAUSED') return take({ kind: 'hold_on' });
  const decision = decideTurnedOff(hold, live, given);
  if (decision.step?.kind !== 'let_go' || isHeldAnew(live, given)) return decision;
  return onSecondSight(hold, live, decision.step, given);
}

/** Found running, the campaign may have been resumed by a write of ours that arrived late. */
function isLateResume({ lateResumeUntil }: Hold, now: Instant): boolean {
  return mayHaveCome(lateResumeUntil, now);
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
  if (given.resumeFrom === null) return late === null ? nothing : wait(late);
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
  const { resumeFrom } = given;
  const isDue = resumeFrom !== null && resumeFrom <= given.now;
  if (!isDue && !given.mayStartPause) return resumeFrom === null ? nothing : wait(resumeFrom);
  return writeWhenDue(hold, { kind: isDue ? 'resume' : 'pause' }, given.now);
}

function decideResumingFoundActive(hold: Hold, given: Circumstances): Decision {
  const until = isWatched(hold) ? mayArriveUntil(hold, given.now) : hold.latePauseUntil;
  if (until !== null && until > given.now && !given.pauseWanted) return wait(until);
  if (isWatched(hold) && given.isUndone)
    return take({ kind: 'give_up', reason: 'paused_outside', hand: 'PAUSED', unsettled: null });
  if (hold.inDoubt) return take({ kind: 'confirm_resumed' });
  return take(letGo(hold, 'already_active', 'ACTIVE'));
}

/** A resume overtaken by a new match is taken back; if it may still arrive, by writing the pause once more. */
function decideResumingFoundPaused(hold: Hold, given: Circumstances): Decision {
  // Nothing of ours can have paused it since we resumed it: whoever did, the log tells in the end whether we undid it.
  if (isWatched(hold) && hold.latePauseUntil === null) {
    const until = mayArriveUntil(hold, given.now);
    return until === null ? take({ kind: 'confirm_resumed' }) : wait(until);
  }
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
  if (given.isTheirs) return leaveToHand(hold, given);
  return writeWhenDue(hold, { kind: 'resume' }, given.now);
}

/** As long as a resume of ours may arrive after their pause, it is waited for. */
function leaveToHand(hold: Hold, given: Circumstances): Decision {
  const reason = 'paused_outside';
  const isLate = lateWrites(hold, given.now).lateResumeUntil !== null;
  // It may have been resumed by us before they paused it, and nobody saw that.
  const mayHaveRun = hold.lateResumeUntil !== null || inDoubtOf(hold) === 'resuming';
  const unsettled = mayHaveRun && !isWatched(hold) ? 'resuming' : null;
  const step: HoldStep = isLate
    ? { kind: 'give_up', reason, hand: 'PAUSED', unsettled }
    : { kind: 'let_go', reason, unsettled };
  return onSecondSight(hold, 'PAUSED', step, given);
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
