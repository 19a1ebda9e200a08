import type { WriteFate } from './change-log.ts';
import { fateOf } from './change-log.ts';
import { LOG_LAG_MS } from './change-log.ts';
import type { CampaignWrite, Target } from './hold.ts';
import { AWAY_MS, LATE_WRITE_MS, STALE_READ_MS, UNTRIED, isLive } from './hold.ts';
import { failManual, finishManual } from './manual-write.ts';
import type { Stop, Work } from './work.ts';
import { confirmPause, endResumed, release, releaseForOther } from './work.ts';

/** A copy without an answer can no longer arrive: the campaign and the log tell what became of it. */
export function settleExpiredWrite(work: Work): Stop {
  const { write, actual, now, log } = work;
  const until = write?.unansweredUntil ?? null;
  if (write === null || until === null || actual === null || work.readAt < until) return;
  if (actual === 'AWAY' && now < until + AWAY_MS) return;
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') {
    // A manual change fails in its own step, which tells the user.
    const isDropped = write.state === 'open' && write.origin !== 'manual';
    work.write = { ...write, state: isDropped ? 'cancelled' : write.state, ...SETTLED };
    return;
  }
  if (log === 'unread') return { needsLog: true };
  const fate: WriteFate =
    log === 'unreadable' ? { kind: 'undisturbed' } : fateOf(sentOf(write, until), log, actual);
  const unclearSince = write.unclearSince ?? now;
  if (fate.kind === 'unclear' && now < unclearSince + LOG_LAG_MS) {
    if (write.unclearSince === null) work.write = { ...write, unclearSince };
    return { lookAt: now + STALE_READ_MS };
  }
  work.write = { ...write, ...SETTLED };
  if (fate.kind === 'external') acceptExternal(work, actual, fate.wasCarriedOut);
  else if (fate.kind === 'overrode' && write.origin !== 'manual') restore(work, fate.status);
  else if (actual === write.target) carriedOut(work);
}

const SETTLED = { unansweredUntil: null, firstSentAt: null, unclearSince: null };

function sentOf({ target, statusBefore, firstSentAt }: CampaignWrite, until: number) {
  return { target, statusBefore, firstSentAt: firstSentAt ?? until - LATE_WRITE_MS };
}

function carriedOut(work: Work): void {
  const { write } = work;
  if (write === null) return;
  const wasOpen = write.state === 'open';
  work.write = {
    ...write,
    state: wasOpen ? 'done' : write.state,
    confirmed: { status: write.target, at: work.readAt },
  };
  if (write.target === 'PAUSED') confirmPause(work);
  if (!wasOpen) return;
  if (write.origin === 'manual') finishManual(work);
  else if (write.origin === 'restore') work.reports.push('restored');
  else if (write.target === 'ACTIVE' && isLive(work.hold)) endResumed(work);
}

/** Someone else has changed the campaign since the first copy: their change stands. */
function acceptExternal(work: Work, actual: Target, wasCarriedOut: boolean): void {
  const { hold, write } = work;
  if (write === null) return;
  if (write.origin === 'manual' && write.state === 'open') {
    if (actual === write.target) finishManual(work);
    else failManual(work, 'unconfirmed');
    return;
  }
  if (!isLive(hold)) {
    if (write.state === 'open') work.write = { ...write, state: 'cancelled' };
    return;
  }
  if (write.target === 'ACTIVE') {
    if (wasCarriedOut) endResumed(work);
    else release(work, actual === 'ACTIVE' ? 'already_active' : 'paused_outside');
    return;
  }
  if (wasCarriedOut) confirmPause(work);
  if (actual === 'ACTIVE') releaseForOther(work, 'resumed_outside');
  else release(work, 'paused_outside');
}

/** Our late copy undid an external change: the hold ends, and that change is written again. */
function restore(work: Work, status: Target): void {
  const { hold, write } = work;
  if (write === null) return;
  if (isLive(hold)) {
    if (status === 'ACTIVE') releaseForOther(work, 'resumed_outside');
    else release(work, 'paused_outside');
  }
  work.write = {
    ...write,
    origin: 'restore',
    requestedBy: hold?.userId ?? write.requestedBy,
    requestedAt: work.now,
    target: status,
    state: 'open',
    ...UNTRIED,
    ...SETTLED,
  };
}
