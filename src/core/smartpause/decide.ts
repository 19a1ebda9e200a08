import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { Finding } from './activity-log.ts';
import type { Hold, HoldEnd, LiveStatus, ReleaseReason, Report } from './hold.ts';
import {
  VERIFICATION_READ_MS,
  confirmed,
  expiryOf,
  isRefused,
  isTest,
  sent,
  unconfirmedWriteOf,
  writtenStatus,
} from './hold.ts';

/** The inputs of the decision about one hold. */
export interface Circumstances {
  setting: SmartPauseSetting;
  /** The threshold is met, and all other conditions for a pause are met. */
  pauseWanted: boolean;
  /** The hold may be resumed from then on; null: no resume is scheduled. */
  resumeFrom: Instant | null;
  /** The status is known. UNKNOWN starts no pause, but a pause in progress is completed. */
  mayStartPause: boolean;
  /** The campaign's end date has passed: it is neither paused nor resumed. */
  hasEnded: boolean;
  /** From the activity log; null: it was not read. */
  finding: Finding | null;
  now: Instant;
  /** When the campaigns were requested. A slow response does not make an observation newer. */
  readAt: Instant;
}

/** One step of a hold. Only `send` calls the platform; the next decision builds on `change`. */
export type Step =
  | { kind: 'wait'; until: Instant | null }
  | { kind: 'read_log' }
  | { kind: 'send'; hold: Hold }
  | { kind: 'change'; hold: Hold; report?: Report }
  | { kind: 'end'; end: HoldEnd; reports: readonly Report[] };

const READ_LOG: Step = { kind: 'read_log' };
const wait = (until: Instant | null): Step => ({ kind: 'wait', until });
const change = (hold: Hold, report?: Report): Step =>
  report === undefined ? { kind: 'change', hold } : { kind: 'change', hold, report };
const resumed = (...reports: Report[]): Step => ({ kind: 'end', end: { outcome: 'resumed' }, reports });

/** The next step of one hold, given the campaign's status as just read; undefined: no information. */
export function decide(hold: Hold, live: LiveStatus | undefined, given: Circumstances): Step {
  if (hold.release !== null) return decideRelease(hold, hold.release, live, given);
  if (isGone(live)) return decideGone(hold, live, given);
  switch (hold.state) {
    case 'pausing':
      return decidePausing(hold, live, given);
    case 'paused':
      return decidePaused(hold, live, given);
    case 'resuming':
      return decideResuming(hold, live, given);
    case 'resumed':
      return decideResumed(hold, live, given);
  }
}

/** Until when a copy of our write can arrive after this read; null: none can. */
function arrivesUntil(hold: Hold, { now, readAt }: Circumstances): Instant | null {
  const until = expiryOf(hold);
  return until !== null && until > Math.min(now, readAt) ? until : null;
}

function decidePausing(hold: Hold, live: Readable, given: Circumstances): Step {
  const { finding } = given;
  const until = arrivesUntil(hold, given);
  if (live === undefined) return until === null && isOff(given) ? turnedOff(hold) : wait(until);
  // Without a copy that can arrive, the platform refused the pause: someone else paused the campaign.
  if (live === 'PAUSED')
    return hold.sentAt === null
      ? release('paused_outside', given)
      : change(confirmed(hold, given.now), 'paused');
  if (hold.sentAt !== null && until === null) {
    if (finding === null) return READ_LOG;
    // Our pause was carried out, and someone else resumed the campaign since.
    if (finding.pausedByUs) {
      const theirs = externalEnd(hold, 'resumed_outside', given);
      const step: Step = { ...theirs, reports: ['paused', ...theirs.reports] };
      return finding.external ? step : onVerificationRead(hold, live, step, given);
    }
  }
  if (isRefused(hold)) return until === null ? refused(hold, given) : wait(until);
  const { hasEnded, pauseWanted } = given;
  if (pauseWanted && !hasEnded && !isOff(given)) return sendWhenDue(hold, 'pausing', given);
  if (until !== null) return wait(until);
  // A live test is shorter than the interval of the two tries.
  if (isTest(hold) && hold.refusals > 0) return refused(hold, given);
  return release(hasEnded ? 'ended' : 'not_needed', given);
}

function decidePaused(hold: Hold, live: Readable, given: Circumstances): Step {
  const { finding, now, resumeFrom } = given;
  const until = arrivesUntil(hold, given);
  if (until !== null) return wait(until);
  if (hold.sentAt !== null && live !== undefined) {
    if (finding === null) return READ_LOG;
    if (finding.undone && live === 'PAUSED')
      return restore(hold, 'resuming', isOff(given) ? 'smartpause_off' : 'resumed_outside', given);
    if (finding.external && live === 'ACTIVE') return externalEnd(hold, 'resumed_outside', given);
    return change({ ...hold, sentAt: null });
  }
  if (isOff(given)) return turnedOff(hold);
  if (live === undefined) return wait(null);
  if (live === 'ACTIVE') return decidePausedFoundActive(hold, given);
  if (hold.turnedOff) return change({ ...hold, turnedOff: false });
  if (hold.suspicion !== null && hold.suspicion.status !== 'PAUSED')
    return change({ ...hold, suspicion: null });
  if (resumeFrom === null || resumeFrom > now) return wait(resumeFrom);
  if (given.hasEnded) return release('ended', given);
  return resumeUnlessTheirs(hold, given);
}

function decidePausedFoundActive(hold: Hold, given: Circumstances): Step {
  if (!hold.turnedOff)
    return onVerificationRead(hold, 'ACTIVE', externalEnd(hold, 'resumed_outside', given), given);
  const step = release('smartpause_off', given);
  // It gets a new hold at once.
  return given.pauseWanted && given.mayStartPause ? step : onVerificationRead(hold, 'ACTIVE', step, given);
}

function decideResuming(hold: Hold, live: Readable, given: Circumstances): Step {
  const { finding, now } = given;
  const until = arrivesUntil(hold, given);
  if (live === undefined) return until === null && isOff(given) ? turnedOff(hold) : wait(until);
  if (hold.sentAt !== null && until === null && finding === null) return READ_LOG;
  if (live === 'ACTIVE') {
    // The platform refused our resume: someone else resumed the campaign.
    if (hold.sentAt === null) return release('already_active', given);
    // Our copy may have undone their pause: the expiry tells.
    if (until !== null && hold.suspicion?.status === 'PAUSED') return wait(until);
    return change(confirmed(hold, now), 'resumed');
  }
  // Our resume was carried out, and someone else paused the campaign since, or this read is stale.
  if (hold.sentAt !== null && finding?.resumedByUs === true) {
    if (finding.external && until === null) return resumed('resumed');
    return onVerificationRead(hold, live, until === null ? resumed('resumed') : wait(until), given);
  }
  const isDue = given.resumeFrom !== null && given.resumeFrom <= now && !isOff(given);
  const mayResume = isDue && !given.hasEnded && !isRefused(hold);
  if (until !== null) return mayResume ? resumeAgain(hold, until, given) : wait(until);
  if (isOff(given)) return turnedOff({ ...hold, sentAt: null });
  if (isDue && given.hasEnded) return release('ended', given);
  if (isRefused(hold)) return refused(hold, given);
  return isDue
    ? resumeUnlessTheirs(hold, given)
    : change({ ...hold, state: 'paused', sentAt: null, retryAt: hold.refusals > 0 ? hold.retryAt : null });
}

/** A copy can still arrive. If someone else paused the campaign, it must not be sent again. */
function resumeAgain(hold: Hold, until: Instant, given: Circumstances): Step {
  const step = resumeUnlessTheirs(hold, given);
  if (step.kind === 'send' || step.kind === 'read_log' || step.kind === 'change') return step;
  return wait(step.kind === 'wait' ? step.until : until);
}

function decideResumed(hold: Hold, live: Readable, given: Circumstances): Step {
  const until = arrivesUntil(hold, given);
  if (until !== null) return wait(until);
  if (hold.sentAt !== null && given.finding === null) return READ_LOG;
  const isUndone = live === 'ACTIVE' && given.finding?.undone === true;
  return isUndone ? restore(hold, 'pausing', 'paused_outside', given) : resumed();
}

/** While the hold waits for its end, a late copy that undoes an external change is reverted. */
function decideRelease(
  hold: Hold,
  reason: ReleaseReason,
  live: LiveStatus | undefined,
  given: Circumstances,
): Step {
  const until = arrivesUntil(hold, given);
  if (until !== null) return wait(until);
  // The resume stands and was reported.
  const ended: HoldEnd =
    hold.state === 'resumed'
      ? { outcome: 'resumed' }
      : { outcome: 'released', reason, unconfirmedWrite: null };
  const end = (...reports: Report[]): Step => ({ kind: 'end', end: ended, reports });
  const { state } = hold;
  if (state === 'paused' || state === 'resumed' || live === undefined || isGone(live)) return end();
  if (live === writtenStatus(hold)) return hold.sentAt === null ? end() : end('restored');
  if (given.finding === null) return READ_LOG;
  if (!given.finding.undone) return end();
  return isRefused(hold) ? end('refused') : sendWhenDue(hold, state, given);
}

function decideGone(hold: Hold, live: Gone, given: Circumstances): Step {
  if (hold.state === 'resumed') return resumed();
  const until = arrivesUntil(hold, given);
  if (isOff(given)) return until === null ? turnedOff(hold) : wait(until);
  const reason = live === 'ARCHIVED' ? 'archived' : 'deleted';
  const ended = { outcome: 'released', reason, unconfirmedWrite: unconfirmedWriteOf(hold) } as const;
  const report = hold.state === 'paused' && !isTest(hold) ? 'deactivated' : 'released';
  return onVerificationRead(hold, live, { kind: 'end', end: ended, reports: [report] }, given);
}

/**
 * After an external change, the pause is external and stays. The change may also be a resume that this read
 * does not show yet: a verification read decides.
 */
function resumeUnlessTheirs(hold: Hold, given: Circumstances): Step {
  const { finding, now } = given;
  if (hold.retryAt !== null && hold.retryAt > now) return wait(hold.retryAt);
  if (finding === null) return READ_LOG;
  return finding.external
    ? onVerificationRead(hold, 'PAUSED', release('paused_outside', given), given)
    : { kind: 'send', hold: sent(hold, 'resuming', now) };
}

function sendWhenDue(hold: Hold, state: 'pausing' | 'resuming', { now }: Circumstances): Step {
  if (hold.retryAt !== null && hold.retryAt > now) return wait(hold.retryAt);
  return { kind: 'send', hold: sent(hold, state, now) };
}

/** Our late copy undid an external change: the external status is written again, then the hold ends. */
function restore(
  hold: Hold,
  state: 'pausing' | 'resuming',
  reason: ReleaseReason,
  given: Circumstances,
): Step {
  const next = { ...hold, state, sentAt: null, retryAt: null, refusals: 0, suspicion: null, release: reason };
  if (hold.resumedAt !== null) return change(next);
  const report = reason === 'resumed_outside' && !isTest(hold) ? 'deactivated' : 'released';
  return change({ ...next, resumedAt: given.now }, report);
}

type Ended = Extract<Step, { kind: 'end' }>;

/** The external change stays, and SmartPause is deactivated. With SmartPause off or a test, the hold only ends. */
function externalEnd(hold: Hold, reason: ReleaseReason, given: Circumstances): Ended {
  if (isOff(given) || isTest(hold)) return release(reason, given);
  return {
    kind: 'end',
    end: { outcome: 'released', reason, unconfirmedWrite: null },
    reports: ['deactivated'],
  };
}

function release(reason: ReleaseReason, given: Circumstances): Ended {
  const because = isOff(given) ? 'smartpause_off' : reason;
  const reports: Report[] = because === 'smartpause_off' ? [] : ['released'];
  return { kind: 'end', end: { outcome: 'released', reason: because, unconfirmedWrite: null }, reports };
}

/** Meta has refused the write for good, so the campaign stays as it is. */
function refused(hold: Hold, given: Circumstances): Ended {
  if (isOff(given)) return turnedOff({ ...hold, sentAt: null });
  const reason = hold.state === 'pausing' ? 'pause_refused' : 'resume_refused';
  return { kind: 'end', end: { outcome: 'released', reason, unconfirmedWrite: null }, reports: ['refused'] };
}

/** The activity log names the switch already; only a write with an unknown result is reported. */
function turnedOff(hold: Hold): Ended {
  const unconfirmedWrite = unconfirmedWriteOf(hold);
  const end = { outcome: 'released', reason: 'smartpause_off', unconfirmedWrite } as const;
  return { kind: 'end', end, reports: unconfirmedWrite === null ? [] : ['released'] };
}

/** The end of a hold that can no longer be read. */
export function endUnread(hold: Hold, reason: ReleaseReason): Ended {
  if (hold.state === 'resumed') return { kind: 'end', end: { outcome: 'resumed' }, reports: [] };
  if (hold.release !== null)
    return {
      kind: 'end',
      end: { outcome: 'released', reason: hold.release, unconfirmedWrite: null },
      reports: [],
    };
  const ended = turnedOff(hold);
  if (reason === 'smartpause_off') return ended;
  const unconfirmedWrite = unconfirmedWriteOf(hold);
  return { kind: 'end', end: { outcome: 'released', reason, unconfirmedWrite }, reports: ['released'] };
}

function onVerificationRead(hold: Hold, live: LiveStatus, step: Step, { now, readAt }: Circumstances): Step {
  if (hold.suspicion?.status !== live) return change({ ...hold, suspicion: { status: live, since: now } });
  const verifiedAt = hold.suspicion.since + VERIFICATION_READ_MS;
  return verifiedAt > Math.min(now, readAt) ? wait(verifiedAt) : step;
}

type Gone = 'ARCHIVED' | 'DELETED' | 'GONE';
type Readable = Exclude<LiveStatus, Gone> | undefined;

function isGone(live: LiveStatus | undefined): live is Gone {
  return live === 'ARCHIVED' || live === 'DELETED' || live === 'GONE';
}

function isOff({ setting }: Circumstances): boolean {
  return setting !== 'ON';
}
