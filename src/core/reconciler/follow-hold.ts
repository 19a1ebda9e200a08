import type { StatusChange } from './change-log.ts';
import { LOG_LAG_MS, LOG_TOLERANCE_MS, changeAfterPause, wasPausedByOther } from './change-log.ts';
import type { Instant } from '../time.ts';
import { earliest } from '../time.ts';
import type { ActualStatus, Hold, ReleaseReason, Target } from './hold.ts';
import { AWAY_MS, READ_LAG_MS, STALE_READ_MS, hasDecidedToKeep, isLive, isTest } from './hold.ts';
import { endHold, markDone, outsideResume } from './outcomes.ts';
import { FINAL_TRIES, isGivenUp, isRetried } from './refusals.ts';
import type { Holder, Stop, Work } from './work.ts';
import { arriving, nextLook, send, whenToSend } from './work.ts';

/** A pause that is not known to be carried out is dropped or wanted again, as the circumstances change. */
export function followWanted(work: Work): Stop {
  const { hold, holder } = work;
  if (!isLive(hold) || holder === null) return;
  const isUndone = !holder.isOn && !hasDecidedToKeep(hold, holder.turnedAt);
  if (hold.state === 'paused' && isUndone) work.hold = { ...hold, state: 'cancelling' };
  if (hold.pausedAt !== null) return;
  const isWanted = holder.isOn && holder.isPauseWanted && !work.hasEnded;
  if (hold.state === 'pausing' && !isWanted) work.hold = { ...hold, state: 'cancelling' };
  if (hold.state === 'cancelling' && isWanted) work.hold = { ...hold, state: 'pausing' };
}

export function followHold(work: Work): Stop {
  const { holder, actual } = work;
  forgetSurprise(work);
  const { hold } = work;
  if (!isLive(hold) || holder === null) return;
  if (holder.isAbandoned) return endHold(work, 'access_lost');
  const isKnown = hold.pausedAt !== null;
  // Turning SmartPause off, which has its own activity, leaves a known pause in place. An unknown one is undone.
  const isLeft = !holder.isOn && hold.resumeAsked === null && hold.state !== 'cancelling';
  if (isLeft && isKnown && arriving(work) !== 'ACTIVE') return endHold(work, 'smartpause_off');
  if (hold.state === 'cancelling' && !isKnown && arriving(work) === null) return endUnneeded(work, hold);
  if (actual === null) return;
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') return followGone(work, hold, actual);
  if (hold.state === 'pausing') return followPausing(work, hold, actual);
  if (hold.state === 'paused') return followPaused(work, hold, holder, actual);
  return isKnown ? followResuming(work, hold, holder, actual) : undefined;
}

/** A campaign that was seen running and is paused again was touched: the log gets time to tell by whom. */
function forgetSurprise(work: Work): void {
  const { hold, actual, readAt } = work;
  const surprise = hold?.surprise ?? null;
  if (hold === null || surprise === null || actual === null) return;
  const isOld =
    surprise.status === 'PAUSED' && hold.state !== 'pausing' && readAt >= surprise.since + 2 * LOG_LAG_MS;
  if (surprise.status === actual && !isOld) return;
  const isTouched = surprise.status === 'ACTIVE' && actual === 'PAUSED';
  work.hold = { ...hold, surprise: isTouched ? { status: actual, since: readAt } : null };
}

/** The pause is not wanted, and it was not carried out. */
function endUnneeded(work: Work, hold: Hold): Stop {
  const open = work.write?.state === 'open' ? work.write : null;
  // A live test is shorter than the interval of the tries.
  const isRefused = isTest(hold) ? (open?.refusals ?? 0) > 0 : (open?.finalRefusals ?? 0) >= FINAL_TRIES;
  if (isRefused) return endHold(work, 'pause_refused');
  return hold.resumeAsked === null
    ? endHold(work, work.hasEnded ? 'ended' : 'not_needed')
    : endAsked(work, hold);
}

/** A resume is asked for a campaign that we have not paused: the end says that it runs. */
function endAsked(work: Work, hold: Hold): Stop {
  const { actual, log } = work;
  if (actual === null) return;
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') return followGone(work, hold, actual);
  if (actual === 'ACTIVE') return endHold(work, work.hasEnded ? 'ended' : 'not_needed');
  if (log === 'unread') return { needsLog: true };
  // The log may lack who paused it, and a read may show what was before.
  const isByOther = wasPausedSince(log, hold) === 'by_other';
  const until = isByOther ? null : surprise(work, hold, 'PAUSED', STALE_READ_MS);
  return until === null ? endHold(work, 'paused_outside') : { lookAt: until };
}

function followGone(work: Work, hold: Hold, actual: 'ARCHIVED' | 'DELETED' | 'AWAY'): Stop {
  const until = surprise(work, hold, actual, actual === 'AWAY' ? AWAY_MS : STALE_READ_MS);
  if (until !== null) return { lookAt: until };
  return endHold(work, actual === 'ARCHIVED' ? 'archived' : 'deleted');
}

/** When the surprising status is believed, from the first read of it; null: now. */
function surprise(work: Work, hold: Hold, status: ActualStatus, forMs: number): Instant | null {
  const since = hold.surprise?.status === status ? hold.surprise.since : work.readAt;
  if (work.readAt >= since + forMs) return null;
  if (hold.surprise?.status !== status) work.hold = { ...hold, surprise: { status, since } };
  return since + forMs;
}

function followPausing(work: Work, hold: Hold, actual: Target): Stop {
  const mayArrive = arriving(work);
  if (actual === 'PAUSED') {
    const until = mayArrive === null ? surprise(work, hold, actual, STALE_READ_MS) : null;
    if (until !== null) return { lookAt: until };
    if (work.log === 'unread') return { needsLog: true };
    const isPaused = wasPausedSince(work.log, hold);
    if (mayArrive === 'PAUSED' && isPaused !== null) return markDone(work);
    // Not sent, or refused: someone else has paused it.
    if (mayArrive === null && (isPaused === 'by_other' || isTest(hold)))
      return endHold(work, 'paused_outside');
    if (mayArrive === null) return { lookAt: nextLook(hold.surprise?.since ?? work.readAt, work.readAt) };
  }
  if (!isGivenUp(work.write)) return send(work, 'PAUSED');
  return mayArrive === null ? endHold(work, 'pause_refused') : undefined;
}

/** Whose pause the log names as the newest change since the campaign was seen running; null: it does not. */
function wasPausedSince(log: Work['log'], { readAt }: Hold): 'by_us' | 'by_other' | null {
  const last: StatusChange | undefined = typeof log === 'string' ? undefined : log[0];
  if (last === undefined || last.at < readAt - READ_LAG_MS - LOG_TOLERANCE_MS) return null;
  if (last.to !== 'PAUSED' && last.to !== null) return null;
  return last.isOurs ? 'by_us' : 'by_other';
}

function followPaused(work: Work, hold: Hold, holder: Holder, actual: Target): Stop {
  if (arriving(work) !== null) return;
  const isDue = holder.resumeAt !== null && holder.resumeAt <= work.now;
  if (actual === 'ACTIVE') {
    const until = surprise(work, hold, actual, STALE_READ_MS);
    if (until !== null) return { lookAt: until };
    if (work.log === 'unread') return { needsLog: true };
    if (endByLog(work, hold)) return;
    if (!isDue)
      return {
        lookAt: earliest([holder.resumeAt, nextLook(hold.surprise?.since ?? work.readAt, work.readAt)]),
      };
  }
  if (isDue) return work.hasEnded ? endHold(work, 'ended') : resumeIfOurs(work, hold, actual);
  notePostponed(work, holder);
  return { lookAt: holder.resumeAt };
}

/** Told once, when the resume would be due without the schedule of another tool. */
function notePostponed(work: Work, { isPostponed, resumeAt }: Holder): void {
  const { hold } = work;
  const until = isPostponed ? resumeAt : null;
  if (hold === null || hold.postponedUntil === until) return;
  if (hold.postponedUntil === null) work.reports.push('postponed');
  work.hold = { ...hold, postponedUntil: until };
}

/** Ends the hold if the log names a change after our pause. A read that shows the campaign running proves nothing. */
function endByLog(work: Work, hold: Hold): boolean {
  const { log, write, now } = work;
  const confirmed = write?.confirmed?.status === 'PAUSED' ? write.confirmed.at : 0;
  const knownAt = Math.max(confirmed, hold.pausedAt ?? now);
  const change = typeof log === 'string' ? null : changeAfterPause(log, { ...hold, knownAt }, now);
  if (change === null || change.to === 'ARCHIVED' || change.to === 'DELETED') return false;
  if (change.isOurs && change.to !== 'ACTIVE') return false;
  if (change.isOurs) endHold(work, 'resumed');
  else if (change.to === 'PAUSED') endHold(work, 'paused_outside');
  else endHold(work, outsideResume(work, change.at, resumedOutside(work, hold)));
  return true;
}

/** A resume of ours was on its way, or SmartPause was turned off during the hold and is on again: it stays on. */
function resumedOutside({ holder }: Work, hold: Hold): ReleaseReason {
  if (hold.state !== 'paused') return 'already_active';
  return (holder?.turnedAt ?? 0) > hold.decidedAt ? 'smartpause_off' : 'resumed_outside';
}

/** Also a pause that was carried out although it was no longer wanted. */
function followResuming(work: Work, hold: Hold, holder: Holder, actual: Target): Stop {
  const mayArrive = arriving(work);
  if (mayArrive === 'PAUSED') return;
  if (actual === 'ACTIVE') {
    if (work.log === 'unread') return { needsLog: true };
    if (endByLog(work, hold)) return;
  }
  if (mayArrive === null) {
    if (isGivenUp(work.write, holder.isLeaving)) return endHold(work, 'resume_refused');
    if (holder.isOn && holder.resumeAt === null) {
      // The next resume is tried at once, and a refusal of it is news.
      work.hold = { ...hold, state: 'paused', refusal: null };
      if (isRetried(work.write)) work.write = { ...work.write, state: 'cancelled', retryAt: null };
      return followPaused(work, work.hold, holder, actual);
    }
    if (work.hasEnded) return endHold(work, 'ended');
  }
  const isDue = hold.state === 'cancelling' || (holder.resumeAt !== null && holder.resumeAt <= work.now);
  if (!isDue) {
    notePostponed(work, holder);
    return { lookAt: mayArrive === null ? holder.resumeAt : null };
  }
  return work.hasEnded || isGivenUp(work.write) ? undefined : resumeIfOurs(work, hold, actual);
}

/** The last change must be ours: a campaign that someone else has paused since stays paused. */
function resumeIfOurs(work: Work, hold: Hold, actual: Target): Stop {
  const { log, now } = work;
  const later = whenToSend(work, hold.userId, 'ACTIVE');
  if (later !== undefined) return later;
  const doubtedUntil = hold.surprise?.status === 'PAUSED' ? hold.surprise.since + LOG_LAG_MS : 0;
  if (doubtedUntil > work.readAt) return { lookAt: doubtedUntil };
  if (log === 'unread') return { needsLog: true };
  const isTheirs = log === 'unreadable' ? false : wasPausedByOther(log, hold, now);
  const unclearUntil = isTheirs === 'unclear' ? surprise(work, hold, actual, LOG_LAG_MS) : null;
  if (unclearUntil !== null) return { lookAt: unclearUntil };
  if (isTheirs === true) return endHold(work, 'paused_outside');
  const state = hold.state === 'paused' ? 'resuming' : hold.state;
  work.hold = { ...hold, state, surprise: null, postponedUntil: null };
  return send(work, 'ACTIVE');
}
