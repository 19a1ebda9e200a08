import type { Instant } from '../time.ts';
import { followHold, followWanted } from './follow-hold.ts';
import type { ActualStatus, CampaignWrite, Hold, Target } from './hold.ts';
import { REFUSED_RETRY_MS, RESTORE_MS, STALE_READ_MS, isLive } from './hold.ts';
import { failManual, finishManual, followManualWrite, takeUpWish } from './manual-write.ts';
import { settleExpiredWrite } from './settle-write.ts';
import type { Change, Circumstances, Report, Stop, Work } from './work.ts';
import { arriving, confirmPause, endResumed, isRefused, send, settlesAt, whenToSend } from './work.ts';

/** What is stored about one campaign. */
export interface CampaignState {
  /** The live hold. A decision also gives the ended one, to be stored. */
  hold: Hold | null;
  write: CampaignWrite | null;
}

export interface Decision extends CampaignState {
  /** To be sent once hold and write are stored. */
  send: Target | null;
  /** Until when earlier copies of what is sent may arrive; null: none can. */
  earlierUntil: Instant | null;
  /** Decide again with the activity log. Nothing of this decision is stored. */
  needsLog: boolean;
  reports: Report[];
  lookAt: Instant | null;
}

const STEPS: readonly ((work: Work) => Stop)[] = [
  followWanted,
  settleExpiredWrite,
  takeUpWish,
  followManualWrite,
  followHold,
  beginHold,
  followRestore,
];

/** The next step of one campaign. Idempotent: with the same circumstances its result is at rest, or is sent again. */
export function decideCampaign({ hold, write }: CampaignState, given: Circumstances): Decision {
  const work: Work = { ...given, actual: trusted(given, write), hold, write, reports: [] };
  let stop: Stop;
  for (const step of STEPS) {
    stop = step(work);
    if (stop !== undefined) break;
  }
  if (stop !== undefined && 'needsLog' in stop)
    return { hold, write, send: null, earlierUntil: null, needsLog: true, reports: [], lookAt: null };
  const decided = { hold: work.hold, write: work.write, needsLog: false, reports: work.reports };
  if (stop !== undefined && 'send' in stop) return { ...decided, ...stop, lookAt: null };
  return { ...decided, send: null, earlierUntil: null, lookAt: stop?.lookAt ?? settlesAt(work) };
}

/** A read that began shortly after a confirmed write may be older than the write. */
function trusted({ actual, readAt }: Circumstances, write: CampaignWrite | null): ActualStatus | null {
  const confirmed = write?.confirmed ?? null;
  if (confirmed === null || (actual !== 'ACTIVE' && actual !== 'PAUSED')) return actual;
  return readAt < confirmed.at + STALE_READ_MS ? confirmed.status : actual;
}

function beginHold(work: Work): Stop {
  const { hold, newHold, write } = work;
  const isFree = hold === null && arriving(work) === null && write?.state !== 'open' && write?.wanted == null;
  if (newHold === null || !isFree || work.actual !== 'ACTIVE') return;
  const later = whenToSend(work, newHold.userId, 'PAUSED');
  if (later !== undefined) return later;
  work.hold = newHold;
  return send(work, 'PAUSED');
}

/** An external change that a late copy of ours undid is written again. */
function followRestore(work: Work): Stop {
  const { write, actual, log } = work;
  if (isLive(work.hold) || write?.state !== 'open' || write.origin !== 'restore') return;
  if (actual === write.target) {
    work.write = { ...write, state: 'done' };
    work.reports.push('restored');
    return;
  }
  const cancel = (): Stop => {
    work.write = { ...write, state: 'cancelled' };
    return undefined;
  };
  if (actual === 'ARCHIVED' || actual === 'DELETED') return cancel();
  const endsAt = write.requestedAt + RESTORE_MS;
  if (isRefused(write) || work.now >= endsAt) {
    if (settlesAt(work) !== null) return;
    work.write = { ...write, state: 'failed' };
    work.reports.push('not_restored');
    return;
  }
  const later = whenToSend(work, write.requestedBy, write.target);
  if (later !== undefined) return { lookAt: later.lookAt ?? endsAt };
  if (actual === null || actual === 'AWAY') return;
  if (log === 'unread') return { needsLog: true };
  // Someone has changed it again.
  if (log !== 'unreadable' && log[0]?.isOurs === false) return cancel();
  return send(work, write.target);
}

/** What the platform answered to one copy. */
export type Answer =
  | 'done'
  /** For good: it is not tried for long. */
  | 'refused'
  /** This copy was certainly not carried out. */
  | 'not_done'
  | 'unanswered';

/**
 * Hold and write after the answer to the copy that was sent. An earlier copy without an answer may still arrive.
 */
export function afterAnswer(
  { hold, write, earlierUntil }: { hold: Hold | null; write: CampaignWrite; earlierUntil: Instant | null },
  answer: Answer,
  given: Pick<Circumstances, 'now' | 'holder'> & { retryAt: Instant },
): CampaignState & { reports: Report[] } {
  if (answer === 'unanswered') return { hold, write: { ...write, retryAt: given.retryAt }, reports: [] };
  const followed = {
    unansweredUntil: earlierUntil,
    firstSentAt: earlierUntil === null ? null : write.firstSentAt,
  };
  if (answer !== 'done') {
    const isForGood = answer === 'refused';
    const retryAt = isForGood ? given.now + REFUSED_RETRY_MS : given.retryAt;
    const refusals = write.refusals + (isForGood ? 1 : 0);
    const work: Change = { ...given, hold, write: { ...write, ...followed, retryAt, refusals }, reports: [] };
    // A user waits for the result.
    if (write.origin === 'manual' && isForGood && earlierUntil === null) failManual(work, 'refused');
    return { hold: work.hold, write: work.write, reports: work.reports };
  }
  const confirmed = { status: write.target, at: given.now };
  const done: CampaignWrite = { ...write, ...followed, state: 'done', retryAt: null, refusals: 0, confirmed };
  const work: Change = { ...given, hold, write: done, reports: [] };
  if (write.origin === 'manual') finishManual(work);
  else if (write.origin === 'restore') work.reports.push('restored');
  else if (write.target === 'PAUSED') confirmPause(work);
  else if (isLive(hold)) endResumed(work);
  return { hold: work.hold, write: work.write, reports: work.reports };
}
