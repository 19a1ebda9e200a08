import type { StatusChange } from './change-log.ts';
import { LOG_LAG_MS, LOG_TOLERANCE_MS, changeAfterPause, wasPausedByOther } from './change-log.ts';
import { earliest } from '../time.ts';
import type { ActualStatus, Hold, ReleaseReason, Target } from './hold.ts';
import { AWAY_MS, READ_LAG_MS, STALE_READ_MS, hasDecidedToKeep, isLive, isTest } from './hold.ts';
import { endHold, markDone, outsideResume } from './outcomes.ts';
import { FINAL_TRIES, isGivenUp, isRetried } from './refusals.ts';
import type { End, Holder, Step, Work } from './work.ts';
import { arriving, lookAgain, nextLook, readLog, send, whenToSend, withReport } from './work.ts';

/** A pause that is not known to be carried out is dropped or wanted again, as the circumstances change. */
export function followWanted(work: Work): Step {
  const { hold, holder } = work;
  if (!isLive(hold) || holder === null) return { continue: work };
  const state = wantedState(work, hold, holder);
  return { continue: state === hold.state ? work : { ...work, hold: { ...hold, state } } };
}

function wantedState(work: Work, hold: Hold, holder: Holder): Hold['state'] {
  const isUndone = !holder.isOn && !hasDecidedToKeep(hold, holder.turnedAt);
  if (hold.state === 'paused' && isUndone) return 'cancelling';
  if (hold.pausedAt !== null) return hold.state;
  const isWanted = holder.isOn && holder.isPauseWanted && !work.hasEnded;
  if (hold.state === 'pausing' && !isWanted) return 'cancelling';
  return hold.state === 'cancelling' && isWanted ? 'pausing' : hold.state;
}

export function followHold(before: Work): Step {
  const work = forgetSurprise(before);
  const { hold, holder, actual } = work;
  if (!isLive(hold) || holder === null) return { continue: work };
  if (holder.isAbandoned) return { continue: endHold(work, 'access_lost') };
  const isKnown = hold.pausedAt !== null;
  // Turning SmartPause off, which has its own activity, leaves a known pause in place. An unknown one is undone.
  const isLeft = !holder.isOn && hold.resumeAsked === null && hold.state !== 'cancelling';
  if (isLeft && isKnown && arriving(work) !== 'ACTIVE') return { continue: endHold(work, 'smartpause_off') };
  if (hold.state === 'cancelling' && !isKnown && arriving(work) === null) return endUnneeded(work, hold);
  if (actual === null) return { continue: work };
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') return followGone(work, hold, actual);
  if (hold.state === 'pausing') return followPausing(work, hold, actual);
  if (hold.state === 'paused') return followPaused(work, hold, holder, actual);
  return isKnown ? followResuming(work, hold, holder, actual) : { continue: work };
}

/** A campaign that was seen running and is paused again was touched: the log gets time to tell by whom. */
function forgetSurprise(work: Work): Work {
  const { hold, actual, readAt } = work;
  const surprise = hold?.surprise ?? null;
  if (hold === null || surprise === null || actual === null) return work;
  const isOld =
    surprise.status === 'PAUSED' && hold.state !== 'pausing' && readAt >= surprise.since + 2 * LOG_LAG_MS;
  if (surprise.status === actual && !isOld) return work;
  const isTouched = surprise.status === 'ACTIVE' && actual === 'PAUSED';
  return { ...work, hold: { ...hold, surprise: isTouched ? { status: actual, since: readAt } : null } };
}

/** The pause is not wanted, and it was not carried out. */
function endUnneeded(work: Work, hold: Hold): Step {
  const open = work.write?.state === 'open' ? work.write : null;
  // A live test is shorter than the interval of the tries.
  const isRefused = isTest(hold) ? (open?.refusals ?? 0) > 0 : (open?.finalRefusals ?? 0) >= FINAL_TRIES;
  if (isRefused) return { continue: endHold(work, 'pause_refused') };
  if (hold.resumeAsked !== null && work.actual !== 'ACTIVE') return endAsked(work, hold);
  return { continue: endHold(work, work.hasEnded ? 'ended' : 'not_needed') };
}

/** A resume is asked for a campaign that we have not paused, and that is not running. */
function endAsked(work: Work, hold: Hold): Step {
  const { actual, log } = work;
  if (actual === null) return { continue: work };
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') return followGone(work, hold, actual);
  if (log === 'unread') return readLog(work);
  // The log may lack who paused it, and a read may show what was before.
  const isByOther = wasPausedSince(log, hold) === 'by_other';
  const doubted = isByOther ? null : doubt(work, hold, 'PAUSED', READ_LAG_MS);
  return doubted ?? { continue: endHold(work, 'paused_outside') };
}

function followGone(work: Work, hold: Hold, actual: 'ARCHIVED' | 'DELETED' | 'AWAY'): Step {
  const doubted = doubt(work, hold, actual, actual === 'AWAY' ? AWAY_MS : STALE_READ_MS);
  return doubted ?? { continue: endHold(work, actual === 'ARCHIVED' ? 'archived' : 'deleted') };
}

/** The surprising status is believed so long after the first read of it; null: it is believed now. */
function doubt(work: Work, hold: Hold, status: ActualStatus, forMs: number): End | null {
  const isNew = hold.surprise?.status !== status;
  const since = isNew ? work.readAt : (hold.surprise?.since ?? work.readAt);
  if (work.readAt >= since + forMs) return null;
  const noted = isNew ? { ...work, hold: { ...hold, surprise: { status, since } } } : work;
  return lookAgain(noted, since + forMs);
}

function followPausing(work: Work, hold: Hold, actual: Target): Step {
  const mayArrive = arriving(work);
  if (actual === 'PAUSED') {
    const doubted = mayArrive === null ? doubt(work, hold, actual, STALE_READ_MS) : null;
    if (doubted !== null) return doubted;
    if (work.log === 'unread') return readLog(work);
    const isPaused = wasPausedSince(work.log, hold);
    if (mayArrive === 'PAUSED' && isPaused !== null) return { continue: markDone(work) };
    // Not sent, or refused: someone else has paused it.
    if (mayArrive === null && (isPaused === 'by_other' || isTest(hold)))
      return { continue: endHold(work, 'paused_outside') };
    if (mayArrive === null)
      return lookAgain(work, nextLook(hold.surprise?.since ?? work.readAt, work.readAt));
  }
  if (!isGivenUp(work.write)) return send(work, 'PAUSED');
  return { continue: mayArrive === null ? endHold(work, 'pause_refused') : work };
}

/** Whose pause the log names as the newest change since the campaign was seen running; null: it does not. */
function wasPausedSince(log: Work['log'], { readAt }: Hold): 'by_us' | 'by_other' | null {
  const last: StatusChange | undefined = typeof log === 'string' ? undefined : log[0];
  if (last === undefined || last.at < readAt - READ_LAG_MS - LOG_TOLERANCE_MS) return null;
  if (last.to !== 'PAUSED' && last.to !== null) return null;
  return last.isOurs ? 'by_us' : 'by_other';
}

function followPaused(work: Work, hold: Hold, holder: Holder, actual: Target): Step {
  if (arriving(work) !== null) return { continue: work };
  const isDue = holder.resumeAt !== null && holder.resumeAt <= work.now;
  if (actual === 'ACTIVE') {
    const doubted = doubt(work, hold, actual, STALE_READ_MS);
    if (doubted !== null) return doubted;
    if (work.log === 'unread') return readLog(work);
    const ended = endByLog(work, hold);
    if (ended !== null) return { continue: ended };
    const again = nextLook(hold.surprise?.since ?? work.readAt, work.readAt);
    if (!isDue) return lookAgain(work, earliest([holder.resumeAt, again]));
  }
  if (!isDue) return lookAgain(notePostponed(work, hold, holder), holder.resumeAt);
  return work.hasEnded ? { continue: endHold(work, 'ended') } : resumeIfOurs(work, hold, actual);
}

/** Told once, when the resume would be due without the schedule of another tool. */
function notePostponed(work: Work, hold: Hold, { isPostponed, resumeAt }: Holder): Work {
  const until = isPostponed ? resumeAt : null;
  if (hold.postponedUntil === until) return work;
  const noted = { ...work, hold: { ...hold, postponedUntil: until } };
  return hold.postponedUntil === null ? withReport(noted, 'postponed') : noted;
}

/** Ends the hold if the log names a change after our pause; null: it does not. A read that shows the campaign running proves nothing. */
function endByLog(work: Work, hold: Hold): Work | null {
  const { log, write, now } = work;
  const confirmed = write?.confirmed?.status === 'PAUSED' ? write.confirmed.at : 0;
  const knownAt = Math.max(confirmed, hold.pausedAt ?? now);
  const change = typeof log === 'string' ? null : changeAfterPause(log, { ...hold, knownAt }, now);
  if (change === null || change.to === 'ARCHIVED' || change.to === 'DELETED') return null;
  if (change.isOurs) return change.to === 'ACTIVE' ? endHold(work, 'resumed') : null;
  if (change.to === 'PAUSED') return endHold(work, 'paused_outside');
  return endHold(work, outsideResume(work, change.at, resumedOutside(work, hold)));
}

/** A resume of ours was on its way, or SmartPause was turned off during the hold and is on again: it stays on. */
function resumedOutside({ holder }: Work, hold: Hold): ReleaseReason {
  if (hold.state !== 'paused') return 'already_active';
  return (holder?.turnedAt ?? 0) > hold.decidedAt ? 'smartpause_off' : 'resumed_outside';
}

/** Also a pause that was carried out although it was no longer wanted. */
function followResuming(work: Work, hold: Hold, holder: Holder, actual: Target): Step {
  const mayArrive = arriving(work);
  if (mayArrive === 'PAUSED') return { continue: work };
  if (actual === 'ACTIVE') {
    if (work.log === 'unread') return readLog(work);
    const ended = endByLog(work, hold);
    if (ended !== null) return { continue: ended };
  }
  if (mayArrive === null) {
    if (isGivenUp(work.write, holder.isLeaving)) return { continue: endHold(work, 'resume_refused') };
    if (holder.isOn && holder.resumeAt === null) return keepPaused(work, hold, holder, actual);
    if (work.hasEnded) return { continue: endHold(work, 'ended') };
  }
  const isDue = hold.state === 'cancelling' || (holder.resumeAt !== null && holder.resumeAt <= work.now);
  if (!isDue)
    return lookAgain(notePostponed(work, hold, holder), mayArrive === null ? holder.resumeAt : null);
  return work.hasEnded || isGivenUp(work.write) ? { continue: work } : resumeIfOurs(work, hold, actual);
}

/** A new match. The next resume is tried at once, and a refusal of it is news. */
function keepPaused(work: Work, hold: Hold, holder: Holder, actual: Target): Step {
  const kept: Hold = { ...hold, state: 'paused', refusal: null };
  const write: Work['write'] = isRetried(work.write)
    ? { ...work.write, state: 'cancelled', retryAt: null }
    : work.write;
  return followPaused({ ...work, hold: kept, write }, kept, holder, actual);
}

/** The hours of another tool are over. */
const withoutPostponement = (work: Work, hold: Hold): Work =>
  hold.postponedUntil === null ? work : { ...work, hold: { ...hold, postponedUntil: null } };

/** The last change must be ours: a campaign that someone else has paused since stays paused. */
function resumeIfOurs(work: Work, hold: Hold, actual: Target): Step {
  const { log, now } = work;
  const when = whenToSend(work, hold.userId, 'ACTIVE');
  if (when !== 'now') return lookAgain(withoutPostponement(work, hold), when);
  const doubtedUntil = hold.surprise?.status === 'PAUSED' ? hold.surprise.since + LOG_LAG_MS : 0;
  if (doubtedUntil > work.readAt) return lookAgain(work, doubtedUntil);
  if (log === 'unread') return readLog(work);
  const isTheirs = log === 'unreadable' ? false : wasPausedByOther(log, hold, now);
  const doubted = isTheirs === 'unclear' ? doubt(work, hold, actual, LOG_LAG_MS) : null;
  if (doubted !== null) return doubted;
  if (isTheirs === true) return { continue: endHold(work, 'paused_outside') };
  const state = hold.state === 'paused' ? 'resuming' : hold.state;
  return send({ ...work, hold: { ...hold, state, surprise: null, postponedUntil: null } }, 'ACTIVE');
}
