import type { Instant } from '../time.ts';
import { minutes, seconds } from '../time.ts';
import type { OtherSchedule } from '../smartpause/other-schedule.ts';
import type { ChangeLog } from './change-log.ts';
import type { ActualStatus, CampaignWrite, Hold, Target, WishFailure } from './hold.ts';
import { LATE_WRITE_MS, STALE_READ_MS, UNTRIED, isLive, isTest } from './hold.ts';

/** What the activities tell. A report about a hold is of the hold as decided, with its reason. */
export type Report =
  | 'paused'
  | 'resumed'
  | 'released'
  | 'deactivated'
  | 'refused'
  | 'retrying'
  | 'postponed'
  | 'not_needed'
  | 'taken_over'
  | 'restored'
  | 'not_restored'
  /** A try that its user asked for. */
  | 'retry_failed'
  | 'manual_done'
  | { manualFailed: WishFailure };

/** What the hold's user wants for the campaign. */
export interface Holder {
  /** SmartPause is on for it; always in a live test. */
  isOn: boolean;
  /** When the user last turned it on or off; null: never, or it is a live test. */
  turnedAt: Instant | null;
  /** The threshold is met, and everything that a new hold needs is there. */
  isPauseWanted: boolean;
  /** The hold may be resumed from then on; null: no resume is scheduled. */
  resumeAt: Instant | null;
  /** It would be due without the schedule of another tool. */
  isPostponed: boolean;
  /** The user leaves SmartPause. */
  isLeaving: boolean;
  /** And cannot reach or change the campaign any more. */
  isAbandoned: boolean;
}

export interface Circumstances {
  now: Instant;
  /** When the read began. A slow answer does not make it newer. */
  readAt: Instant;
  /** Null: the campaign was not read. */
  actual: ActualStatus | null;
  log: ChangeLog;
  /** The hours in which another tool has it off; null: none are known. */
  schedule: OtherSchedule | null;
  /** The campaign's end date has passed: it is neither paused nor resumed. */
  hasEnded: boolean;
  /** Of the hold's user; null: there is no hold. */
  holder: Holder | null;
  /** The hold to begin if the campaign is running and free; null: none. */
  newHold: Hold | null;
  /** From when on the user's writes may be sent; null: not before the next login. */
  sendFrom: (userId: string) => Instant | null;
  /** Whether the user has SmartPause on, and so cannot resume manually, unless the campaign is not resumed. */
  isOn: (userId: string) => boolean;
  isNotResumed: (userId: string) => boolean;
  /** A manual change fails if it was not carried out so long after the click. */
  wishMs: number;
}

/** Hold and write of a campaign with what is reported. A decision or an answer gives others. */
export interface Change extends Pick<Circumstances, 'now' | 'holder'> {
  readonly hold: Hold | null;
  readonly write: CampaignWrite | null;
  readonly reports: readonly Report[];
  readonly log?: ChangeLog;
}

/** One decision in the making. */
export type Work = Readonly<Circumstances> & Change;

/** The decision: hold and write as they are now, and what follows. */
export interface End {
  end: Work;
  send?: Target;
  earlierUntil?: Instant | null;
  needsLog?: true;
  lookAt?: Instant | null;
}

/** What a step gives to the next one, or the decision. */
export type Step = { continue: Work } | End;

export function lookAgain(work: Work, lookAt: Instant | null): End {
  return { end: work, lookAt };
}

/** Decide again with the activity log. */
export function readLog(work: Work): End {
  return { end: work, needsLog: true };
}

export function withReport<Of extends Change>(work: Of, report: Report): Of {
  return { ...work, reports: [...work.reports, report] };
}

/** What may still arrive: a copy without an answer that has not been looked for since. */
export function arriving({ write }: Pick<Work, 'write'>): Target | null {
  return write === null || write.unansweredUntil === null ? null : write.target;
}

/** When a copy without an answer can no longer arrive: then the campaign is read. Without a read there is nothing to settle. */
export function settlesAt({ write, now, actual }: Work): Instant | null {
  const until = write?.unansweredUntil ?? null;
  if (until === null || until > now) return until;
  if (actual === null) return null;
  return actual === 'AWAY' || write?.unclearSince != null ? now + STALE_READ_MS : now;
}

/** When to look again at a read that is not believed: after 10, 30 and 60 s, each minute for ten, then every five. */
export function nextLook(since: Instant, readAt: Instant): Instant {
  const after = readAt - since;
  const first = FIRST_LOOKS_MS.find((ms) => ms > after);
  const everyMs = after < BEING_CHECKED_MS ? minutes(1) : minutes(5);
  return since + (first ?? (Math.floor(after / everyMs) + 1) * everyMs);
}

const FIRST_LOOKS_MS = [seconds(10), seconds(30)];
/** A held campaign that is read running for so long is shown so, as being checked. */
export const BEING_CHECKED_MS = minutes(10);

/** When the user's write may be sent; null: not before something happens. */
export function whenToSend(work: Work, userId: string, target: Target): Instant | 'now' | null {
  const { write, now } = work;
  const from = work.sendFrom(userId);
  if (from === null) return null;
  const isSame = write?.state === 'open' && write.target === target;
  // Only a final refusal says something about another user.
  const isBound = isSame && (write.requestedBy === userId || write.finalRefusals > 0);
  const at = Math.max(from, isBound ? (write.retryAt ?? 0) : 0);
  return at > now ? at : 'now';
}

/** Sends the write for the hold, or the open write without one. Never while the opposite may arrive. */
export function send(work: Work, target: Target): End {
  const { hold, write, now } = work;
  const isOfHold = isLive(hold) && !(write?.origin === 'manual' && write.state === 'open');
  const userId = isOfHold ? hold.userId : write?.requestedBy;
  const mayArrive = arriving(work);
  if (userId === undefined || (mayArrive !== null && mayArrive !== target)) return lookAgain(work, null);
  const when = whenToSend(work, userId, target);
  if (when !== 'now') return lookAgain(work, when);
  const statusBefore: Target = work.actual === 'ACTIVE' ? 'ACTIVE' : 'PAUSED';
  const first = mayArrive === null || write === null ? { statusBefore, firstSentAt: now } : write;
  const isSame = write?.state === 'open' && write.target === target;
  const sent: CampaignWrite = {
    ...(isSame ? write : { ...UNTRIED, requestedAt: now, confirmed: write?.confirmed ?? null, wanted: null }),
    origin: isOfHold ? (isTest(hold) ? 'test' : 'hold') : (write?.origin ?? 'hold'),
    requestedBy: userId,
    target,
    state: 'open',
    statusBefore: first.statusBefore,
    firstSentAt: first.firstSentAt ?? now,
    unansweredUntil: now + LATE_WRITE_MS,
    unclearSince: null,
    retryAt: null,
  };
  const sentAt = target === 'PAUSED' ? 'pauseSentAt' : 'resumeSentAt';
  const ofHold = isOfHold && { hold: { ...hold, [sentAt]: hold[sentAt] ?? now } };
  const end = { ...work, write: sent, ...ofHold };
  return { end, send: target, earlierUntil: write?.unansweredUntil ?? null };
}
