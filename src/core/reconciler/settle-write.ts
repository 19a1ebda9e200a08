import type { Instant } from '../time.ts';
import type { WriteFate } from './change-log.ts';
import { LOG_LAG_MS, fateOf } from './change-log.ts';
import type { CampaignWrite, Target } from './hold.ts';
import { AWAY_MS, LATE_WRITE_MS, RESTORE_MS, UNTRIED, isLive } from './hold.ts';
import { confirmPause, endHold, failManual, markDone, outsideResume } from './outcomes.ts';
import { isGivenUp } from './refusals.ts';
import type { Stop, Work } from './work.ts';
import { nextLook, send, settlesAt, whenToSend } from './work.ts';

const SETTLED = { unansweredUntil: null, firstSentAt: null, unclearSince: null };

/** A copy without an answer can no longer arrive: the campaign and the log tell what became of it. */
export function settleExpiredWrite(work: Work): Stop {
  const { write, actual, now, log } = work;
  const until = write?.unansweredUntil ?? null;
  if (write === null || until === null || actual === null || work.readAt < until) return;
  if (actual === 'AWAY' && now < until + AWAY_MS) return;
  if (actual !== 'ACTIVE' && actual !== 'PAUSED') {
    work.write = { ...write, ...SETTLED };
    return;
  }
  if (log === 'unread') return { needsLog: true };
  const firstSentAt = write.firstSentAt ?? until - LATE_WRITE_MS;
  const fate: WriteFate =
    log === 'unreadable' ? { kind: 'unclear' } : fateOf({ ...write, firstSentAt }, log, actual);
  const unclearSince = write.unclearSince ?? now;
  if (isDoubtful(fate, write, actual) && now < unclearSince + LOG_LAG_MS) {
    if (write.unclearSince === null) work.write = { ...write, unclearSince };
    // The same write may be repeated in the meantime.
    if (fate.kind === 'untouched' && work.hold?.state === 'pausing') return;
    return { lookAt: Math.min(nextLook(unclearSince, work.readAt), unclearSince + LOG_LAG_MS) };
  }
  work.write = { ...write, ...SETTLED };
  if (fate.kind === 'external') acceptExternal(work, work.write, { status: actual, ...fate });
  else if (fate.kind === 'overrode' && write.origin !== 'manual') restore(work, work.write, fate);
  else if (actual === write.target) {
    work.write = { ...work.write, confirmed: { status: actual, at: work.readAt } };
    if (actual === 'PAUSED') confirmPause(work);
    markDone(work);
  }
  return undefined;
}

/** A pause that is taken for not carried out, or for undone, would never be resumed. Any other write is sent again. */
function isDoubtful({ kind }: WriteFate, { target, origin }: CampaignWrite, actual: Target): boolean {
  if (kind === 'unclear' || origin === 'manual') return kind === 'unclear';
  const mayBePaused = target === 'PAUSED' && actual === 'ACTIVE';
  return mayBePaused && (kind === 'untouched' || kind === 'external');
}

/** Someone else has changed the campaign since the first copy: their change stands. */
function acceptExternal(
  work: Work,
  write: CampaignWrite,
  { status, at, wasCarriedOut }: { status: Target; at: Instant; wasCarriedOut: boolean },
): void {
  if (write.origin === 'manual' && write.state === 'open') {
    if (status === write.target) markDone(work);
    else failManual(work, 'unconfirmed');
    return;
  }
  if (write.state === 'open') work.write = { ...write, state: 'cancelled' };
  if (write.target === 'PAUSED' && wasCarriedOut) confirmPause(work);
  // Paused by someone else after our resume: a user who has asked for it since learns that it is not running.
  const isAskedAgain = status === 'PAUSED' && work.hold !== null && work.hold.resumeAsked !== null;
  if (write.target === 'ACTIVE' && wasCarriedOut && !isAskedAgain) endHold(work, 'resumed');
  else if (status === 'PAUSED') endHold(work, 'paused_outside');
  else
    endHold(work, outsideResume(work, at, write.target === 'ACTIVE' ? 'already_active' : 'resumed_outside'));
}

/** Our late copy undid an external change: the hold ends, and that change is written again. */
function restore(work: Work, write: CampaignWrite, { status, at }: { status: Target; at: Instant }): void {
  acceptExternal(work, write, { status, at, wasCarriedOut: false });
  work.write = {
    ...write,
    origin: 'restore',
    requestedBy: work.hold?.userId ?? write.requestedBy,
    requestedAt: work.now,
    target: status,
    state: 'open',
    ...UNTRIED,
  };
}

export function followRestore(work: Work): Stop {
  const { write, actual, log } = work;
  if (isLive(work.hold) || write?.state !== 'open' || write.origin !== 'restore') return;
  if (actual === write.target) {
    if (log === 'unread') return { needsLog: true };
    // A read alone may be older than our late copy. Written once more, it changes nothing.
    if (typeof log === 'object' && log[0]?.to === write.target) return markDone(work);
  }
  // Someone has changed it again.
  const isTheirs = typeof log === 'object' && log[0]?.isOurs === false;
  if (actual === 'ARCHIVED' || actual === 'DELETED' || isTheirs) {
    work.write = { ...write, state: 'cancelled' };
    return;
  }
  const endsAt = write.requestedAt + RESTORE_MS;
  if (isGivenUp(write) || work.now >= endsAt) {
    if (settlesAt(work) !== null) return;
    work.write = { ...write, state: 'failed' };
    work.reports.push('not_restored');
    return;
  }
  const later = whenToSend(work, write.requestedBy, write.target);
  if (later !== undefined) return { lookAt: later.lookAt ?? endsAt };
  if (actual === null || actual === 'AWAY') return;
  return log === 'unread' ? { needsLog: true } : send(work, write.target);
}
