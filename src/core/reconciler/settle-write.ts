import type { Instant } from '../time.ts';
import type { WriteFate } from './change-log.ts';
import { LOG_LAG_MS, fateOf } from './change-log.ts';
import type { CampaignWrite, Target } from './hold.ts';
import { AWAY_MS, LATE_WRITE_MS, RESTORE_MS, UNTRIED, isLive } from './hold.ts';
import { confirmPause, endHold, failManual, markDone, outsideResume } from './outcomes.ts';
import { isGivenUp } from './refusals.ts';
import type { Step, Work } from './work.ts';
import { lookAgain, nextLook, readLog, send, settlesAt, whenToSend, withReport } from './work.ts';

const SETTLED = { unansweredUntil: null, firstSentAt: null, unclearSince: null };

/** A copy without an answer can no longer arrive: the campaign and the log tell what became of it. */
export function settleExpiredWrite(work: Work): Step {
  const { write, actual, now, log } = work;
  const until = write?.unansweredUntil ?? null;
  if (write === null || until === null || actual === null || work.readAt < until) return { continue: work };
  if (actual === 'AWAY' && now < until + AWAY_MS) return { continue: work };
  if (actual !== 'ACTIVE' && actual !== 'PAUSED')
    return { continue: { ...work, write: { ...write, ...SETTLED } } };
  if (log === 'unread') return readLog(work);
  const firstSentAt = write.firstSentAt ?? until - LATE_WRITE_MS;
  const fate: WriteFate =
    log === 'unreadable' ? { kind: 'unclear' } : fateOf({ ...write, firstSentAt }, log, actual);
  const unclearSince = write.unclearSince ?? now;
  if (isDoubtful(fate, write, actual) && now < unclearSince + LOG_LAG_MS) {
    const doubted = write.unclearSince === null ? { ...work, write: { ...write, unclearSince } } : work;
    // The same write may be repeated in the meantime.
    if (fate.kind === 'untouched' && work.hold?.state === 'pausing') return { continue: doubted };
    return lookAgain(doubted, Math.min(nextLook(unclearSince, work.readAt), unclearSince + LOG_LAG_MS));
  }
  return { continue: settled(work, { ...write, ...SETTLED }, actual, fate) };
}

function settled(work: Work, write: CampaignWrite, actual: Target, fate: WriteFate): Work {
  if (fate.kind === 'external') return acceptExternal({ ...work, write }, write, { status: actual, ...fate });
  if (fate.kind === 'overrode' && !isOwn(work, write, fate.at))
    return restore({ ...work, write }, write, fate);
  if (actual !== write.target) return { ...work, write };
  const done = { ...work, write: { ...write, confirmed: { status: actual, at: work.readAt } } };
  return markDone(actual === 'PAUSED' ? confirmPause(done) : done);
}

/** The user's own choice, which no earlier change outside undoes. */
function isOwn({ hold }: Work, { origin, target }: CampaignWrite, changedAt: Instant): boolean {
  return origin === 'manual' || (target === 'ACTIVE' && (hold?.resumeAsked?.at ?? 0) > changedAt);
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
): Work {
  if (write.origin === 'manual' && write.state === 'open')
    return status === write.target ? markDone(work) : failManual(work, 'unconfirmed');
  const cancelled: Work =
    write.state === 'open' ? { ...work, write: { ...write, state: 'cancelled' } } : work;
  const known = write.target === 'PAUSED' && wasCarriedOut ? confirmPause(cancelled) : cancelled;
  // Paused by someone else after our resume: a user who has asked for it since learns that it is not running.
  const isAskedAgain = status === 'PAUSED' && known.hold !== null && known.hold.resumeAsked !== null;
  if (write.target === 'ACTIVE' && wasCarriedOut && !isAskedAgain) return endHold(known, 'resumed');
  if (status === 'PAUSED') return endHold(known, 'paused_outside');
  const otherwise = write.target === 'ACTIVE' ? 'already_active' : 'resumed_outside';
  return endHold(known, outsideResume(known, at, otherwise));
}

/** Our late copy undid an external change: the hold ends, and that change is written again. */
function restore(work: Work, write: CampaignWrite, { status, at }: { status: Target; at: Instant }): Work {
  const accepted = acceptExternal(work, write, { status, at, wasCarriedOut: false });
  const again: CampaignWrite = {
    ...write,
    origin: 'restore',
    requestedBy: accepted.hold?.userId ?? write.requestedBy,
    requestedAt: work.now,
    target: status,
    state: 'open',
    ...UNTRIED,
  };
  return { ...accepted, write: again };
}

export function followRestore(work: Work): Step {
  const { write, actual, log } = work;
  if (isLive(work.hold) || write?.state !== 'open' || write.origin !== 'restore') return { continue: work };
  if (actual === write.target) {
    if (log === 'unread') return readLog(work);
    // A read alone may be older than our late copy. Written once more, it changes nothing.
    if (typeof log === 'object' && log[0]?.to === write.target) return { continue: markDone(work) };
  }
  // Someone has changed it again.
  const isTheirs = typeof log === 'object' && log[0]?.isOurs === false;
  if (actual === 'ARCHIVED' || actual === 'DELETED' || isTheirs)
    return { continue: { ...work, write: { ...write, state: 'cancelled' } } };
  const endsAt = write.requestedAt + RESTORE_MS;
  if (isGivenUp(write) || work.now >= endsAt) {
    if (settlesAt(work) !== null) return { continue: work };
    return { continue: withReport({ ...work, write: { ...write, state: 'failed' } }, 'not_restored') };
  }
  const when = whenToSend(work, write.requestedBy, write.target);
  if (when !== 'now') return lookAgain(work, when ?? endsAt);
  if (actual === null || actual === 'AWAY') return { continue: work };
  return log === 'unread' ? readLog(work) : send(work, write.target);
}
