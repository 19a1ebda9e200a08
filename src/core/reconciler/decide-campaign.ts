import type { Instant } from '../time.ts';
import { LOG_TOLERANCE_MS } from './change-log.ts';
import { followHold, followWanted } from './follow-hold.ts';
import type { ActualStatus, CampaignWrite, Hold, Target } from './hold.ts';
import { READ_LAG_MS, STALE_READ_MS, isLive, isTest } from './hold.ts';
import { followManualWrite, takeUpWish } from './manual-write.ts';
import { failManual, markDone } from './outcomes.ts';
import { refusedWrite, retriedAt } from './refusals.ts';
import { followRestore, settleExpiredWrite } from './settle-write.ts';
import type { Change, Circumstances, End, Report, Step, Work } from './work.ts';
import { arriving, lookAgain, nextLook, readLog, send, settlesAt, whenToSend, withReport } from './work.ts';

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
  reports: readonly Report[];
  lookAt: Instant | null;
}

const STEPS: readonly ((work: Work) => Step)[] = [
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
  const { end, ...then } = endOfSteps({
    ...given,
    ...state,
    actual: trusted(given, state.write),
    reports: [],
  });
  const { send: target = null, earlierUntil = null, needsLog = false, lookAt = null } = then;
  if (needsLog) return { ...state, send: null, earlierUntil, needsLog, reports: [], lookAt };
  const { hold, write, reports } = end;
  const decided = { hold, write, send: target, earlierUntil, needsLog, reports };
  // A copy that is not sent yet, and perhaps not allowed now, cannot arrive.
  return { ...decided, lookAt: target === null ? (lookAt ?? settlesAt(end)) : null };
}

/** After the last step the campaign is at rest. */
function endOfSteps(begun: Work): End {
  let work = begun;
  for (const step of STEPS) {
    const next = step(work);
    if ('end' in next) return next;
    work = next.continue;
  }
  return { end: work };
}

/** A read that began shortly after a confirmed write may be older than the write. */
function trusted({ actual, readAt }: Circumstances, write: CampaignWrite | null): ActualStatus | null {
  const confirmed = write?.confirmed ?? null;
  if (confirmed === null || (actual !== 'ACTIVE' && actual !== 'PAUSED')) return actual;
  return readAt < confirmed.at + STALE_READ_MS ? confirmed.status : actual;
}

function beginHold(work: Work): Step {
  const { hold, newHold, write } = work;
  const isFree = hold === null && arriving(work) === null && write?.state !== 'open';
  if (newHold === null || !isFree || work.actual !== 'ACTIVE') return { continue: work };
  const when = whenToSend(work, newHold.userId, 'PAUSED');
  if (when !== 'now') return lookAgain(work, when);
  return doubtRunning(work) ?? send({ ...work, hold: newHold }, 'PAUSED');
}

/** We have just paused it, with a button for example: a read may be behind, and then a hold would undo that pause. */
function doubtRunning(work: Work): End | null {
  const { write, readAt, log } = work;
  const confirmed = write?.confirmed ?? null;
  if (confirmed?.status !== 'PAUSED' || readAt >= confirmed.at + READ_LAG_MS) return null;
  if (log === 'unread') return readLog(work);
  const last = log === 'unreadable' ? undefined : log[0];
  const isResumed = last?.to === 'ACTIVE' && last.at >= confirmed.at - LOG_TOLERANCE_MS;
  return isResumed ? null : lookAgain(work, nextLook(confirmed.at, readAt));
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
  { earlierUntil, ...state }: { hold: Hold | null; write: CampaignWrite; earlierUntil: Instant | null },
  answer: Answer,
  { now, holder, retryAt }: Pick<Circumstances, 'now' | 'holder'> & { retryAt: Instant },
): Pick<Change, 'hold' | 'write' | 'reports'> {
  const firstSentAt = earlierUntil === null ? null : state.write.firstSentAt;
  const known = answer === 'unanswered' ? {} : { unansweredUntil: earlierUntil, firstSentAt };
  const write = { ...state.write, ...known };
  const { hold, reports, ...after } = answered(
    { ...state, now, holder, write, reports: [] },
    { answer, retryAt },
  );
  return { hold, write: after.write, reports };
}

function answered(
  work: Change & { write: CampaignWrite },
  { answer, retryAt }: { answer: Answer; retryAt: Instant },
): Change {
  const { write, now, hold } = work;
  const isAsked = write.plannedRetryAt !== null;
  if (answer === 'unanswered' || answer === 'not_done') {
    const failed: Change = { ...work, write: retriedAt(write, retryAt, now) };
    return isAsked && answer === 'not_done' ? withReport(failed, 'retry_failed') : failed;
  }
  if (answer === 'done')
    return markDone<Change>({
      ...work,
      write: { ...write, refusals: 0, plannedRetryAt: null, confirmed: { status: write.target, at: now } },
    });
  const refused: Change = { ...work, write: refusedWrite(write, answer === 'refused_for_good', now) };
  // A user waits for the result.
  if (write.origin === 'manual' && write.unansweredUntil === null) return failManual(refused, 'refused');
  if (answer === 'refused' && isReported(hold, write)) return withReport(refused, 'retrying');
  return isAsked ? withReport(refused, 'retry_failed') : refused;
}

/** The user learns of it at once. The end of a live test tells about its pause. */
function isReported(hold: Hold | null, write: CampaignWrite): boolean {
  if (!isLive(hold) || write.origin === 'manual' || (isTest(hold) && write.target === 'PAUSED')) return false;
  return hold.refusal === null || hold.failureKind === 'blocked' || write.refusals === write.finalRefusals;
}
