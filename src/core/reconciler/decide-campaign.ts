import type { Instant } from '../time.ts';
import { LOG_TOLERANCE_MS } from './change-log.ts';
import { followHold, followWanted } from './follow-hold.ts';
import type { ActualStatus, CampaignWrite, Hold, Target } from './hold.ts';
import { READ_LAG_MS, STALE_READ_MS, isLive, isTest } from './hold.ts';
import { followManualWrite, takeUpWish } from './manual-write.ts';
import { failManual, markDone } from './outcomes.ts';
import { refusedWrite } from './refusals.ts';
import { followRestore, settleExpiredWrite } from './settle-write.ts';
import type { Change, Circumstances, Report, Stop, Work } from './work.ts';
import { arriving, nextLook, send, settlesAt, whenToSend } from './work.ts';

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
export function decideCampaign(state: CampaignState, given: Circumstances): Decision {
  const work: Work = { ...given, ...state, actual: trusted(given, state.write), reports: [] };
  let stop: Stop;
  for (const step of STEPS) {
    stop = step(work);
    if (stop !== undefined) break;
  }
  const { send: target = null, earlierUntil = null, needsLog = false, lookAt = null } = stop ?? {};
  if (needsLog) return { ...state, send: null, earlierUntil, needsLog, reports: [], lookAt };
  const { hold, write, reports } = work;
  const decided = { hold, write, send: target, earlierUntil, needsLog, reports };
  // A copy that is not sent yet, and perhaps not allowed now, cannot arrive.
  return { ...decided, lookAt: target === null ? (lookAt ?? settlesAt(work)) : null };
}

/** A read that began shortly after a confirmed write may be older than the write. */
function trusted({ actual, readAt }: Circumstances, write: CampaignWrite | null): ActualStatus | null {
  const confirmed = write?.confirmed ?? null;
  if (confirmed === null || (actual !== 'ACTIVE' && actual !== 'PAUSED')) return actual;
  return readAt < confirmed.at + STALE_READ_MS ? confirmed.status : actual;
}

function beginHold(work: Work): Stop {
  const { hold, newHold, write } = work;
  const isFree = hold === null && arriving(work) === null && write?.state !== 'open';
  if (newHold === null || !isFree || work.actual !== 'ACTIVE') return;
  const later = whenToSend(work, newHold.userId, 'PAUSED') ?? doubtRunning(work);
  if (later !== undefined) return later;
  work.hold = newHold;
  return send(work, 'PAUSED');
}

/** We have just paused it, with a button for example: a read may be behind, and then a hold would undo that pause. */
function doubtRunning({ write, readAt, log }: Work): Stop {
  const confirmed = write?.confirmed ?? null;
  if (confirmed?.status !== 'PAUSED' || readAt >= confirmed.at + READ_LAG_MS) return;
  if (log === 'unread') return { needsLog: true };
  const last = log === 'unreadable' ? undefined : log[0];
  const isResumed = last?.to === 'ACTIVE' && last.at >= confirmed.at - LOG_TOLERANCE_MS;
  return isResumed ? undefined : { lookAt: nextLook(confirmed.at, readAt) };
}

/** What is known after one copy was sent. */
export type Answer =
  | 'done'
  /** For a reason that may pass: it is tried again. */
  | 'refused'
  /** For a final reason: it is tried again once at most. */
  | 'refused_for_good'
  /** This copy was certainly not carried out. */
  | 'not_done'
  | 'unanswered';

/**
 * Hold and write after the answer to the copy that was sent. An earlier copy without an answer may still arrive.
 */
export function afterAnswer(
  { hold, write, earlierUntil }: { hold: Hold | null; write: CampaignWrite; earlierUntil: Instant | null },
  answer: Answer,
  { now, holder, retryAt }: Pick<Circumstances, 'now' | 'holder'> & { retryAt: Instant },
): CampaignState & { reports: Report[] } {
  if (answer === 'unanswered') return { hold, write: { ...write, retryAt }, reports: [] };
  const firstSentAt = earlierUntil === null ? null : write.firstSentAt;
  const answered = { ...write, unansweredUntil: earlierUntil, firstSentAt, retryAt };
  const work: Change = { now, holder, hold, write: answered, reports: [] };
  if (answer === 'done') {
    work.write = { ...answered, refusals: 0, confirmed: { status: write.target, at: now } };
    markDone(work);
  }
  if (answer === 'refused' || answer === 'refused_for_good') {
    work.write = refusedWrite(answered, answer === 'refused_for_good', now);
    // A user waits for the result.
    if (write.origin === 'manual' && earlierUntil === null) failManual(work, 'refused');
    else if (answer === 'refused' && isReported(hold, write)) work.reports.push('retrying');
  }
  return { hold: work.hold, write: work.write, reports: work.reports };
}

/** The user learns of it at once. The end of a live test tells about its pause. */
function isReported(hold: Hold | null, write: CampaignWrite): boolean {
  if (!isLive(hold) || write.origin === 'manual' || (isTest(hold) && write.target === 'PAUSED')) return false;
  return hold.refusal === null || write.refusals === write.finalRefusals;
}
