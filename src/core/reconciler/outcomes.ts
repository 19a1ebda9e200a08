import { turnsOnAt } from '../smartpause/other-schedule.ts';
import type { Instant } from '../time.ts';
import { lastOutside } from './change-log.ts';
import type { Hold, OutsideChange, ReleaseReason, WishFailure } from './hold.ts';
import { OURS, isLive, isTest } from './hold.ts';
import type { Change, Circumstances, Holder, Report, Stop } from './work.ts';

/** The write is known to be carried out, from its answer or from a read. */
export function markDone(work: Change): Stop {
  const { hold, write } = work;
  if (write === null) return;
  const wasOpen = write.state === 'open';
  if (wasOpen) work.write = { ...write, state: 'done', retryAt: null };
  if (wasOpen && write.origin === 'manual') finishManual(work, write.requestedBy);
  else if (wasOpen && write.origin === 'restore') work.reports.push('restored');
  else if (write.target === 'PAUSED') confirmPause(work);
  else if (wasOpen && isLive(hold)) endHold(work, 'resumed');
}

/** SmartPause does not undo manual changes: the hold of any user ends. */
function finishManual(work: Change, userId: string): void {
  work.reports.push('manual_done');
  const isOwn = work.hold?.userId === userId;
  if (work.write?.target === 'PAUSED') endHold(work, isOwn ? 'manual_pause' : 'paused_by_other');
  else if (isOwn) endHold(work, 'smartpause_off');
  else endHold(work, 'resumed_outside', { at: work.now, tool: OURS, person: null });
}

export function confirmPause(work: Change): void {
  const { hold, now } = work;
  if (!isLive(hold) || hold.pausedAt !== null) return;
  const state = hold.state === 'pausing' ? 'paused' : hold.state;
  work.hold = { ...hold, state, pausedAt: now, surprise: null, refusal: null };
  work.reports.push('paused');
}

export function failManual(work: Change, manualFailed: WishFailure): Stop {
  if (work.write !== null) work.write = { ...work.write, state: 'failed', retryAt: null };
  work.reports.push({ manualFailed });
  return undefined;
}

/** How a hold ends whose campaign was resumed outside then. By the schedule of another tool, SmartPause stays on. */
export function outsideResume(
  { schedule }: Pick<Circumstances, 'schedule'>,
  at: Instant,
  otherwise: ReleaseReason,
): ReleaseReason {
  return schedule !== null && turnsOnAt(schedule, at) ? 'resumed_by_schedule' : otherwise;
}

const OUTSIDE: readonly ReleaseReason[] = [
  ...(['paused_outside', 'already_active', 'resumed_outside', 'resumed_by_schedule'] as const),
  'resumed_by_other',
];

function askedByOther({ userId, resumeAsked }: Hold): OutsideChange | null {
  if (resumeAsked === null || resumeAsked.by === userId) return null;
  return { at: resumeAsked.at, tool: OURS, person: null };
}

type HoldEnd = 'resumed' | 'not_needed' | ReleaseReason;

/** After these the campaign runs. */
const RUNS: readonly HoldEnd[] = [
  ...(['resumed', 'not_needed', 'pause_refused', 'already_active', 'resumed_outside'] as const),
  ...(['resumed_by_schedule', 'smartpause_off'] as const),
];

/** A resume that a user has asked for is theirs, also if another change made the campaign run in the end. */
function endOf({ userId, resumeAsked }: Hold, end: HoldEnd): HoldEnd {
  if (resumeAsked === null || !RUNS.includes(end)) return end;
  return resumeAsked.by === userId ? 'resumed_now' : 'resumed_by_other';
}

/** Ends the live hold and reports it. Its open write is closed. */
export function endHold(work: Change, end: HoldEnd, outside: OutsideChange | null = null): Stop {
  const { hold, write, holder } = work;
  if (!isLive(hold)) return;
  const how = endOf(hold, end);
  const isReleased = how !== 'resumed' && how !== 'not_needed';
  const isOutside = isReleased && OUTSIDE.includes(how);
  work.hold = {
    ...hold,
    state: 'ended',
    outcome: isReleased ? 'released' : how,
    releaseReason: isReleased ? how : null,
    outside: isOutside ? (outside ?? askedByOther(hold) ?? lastOutside(work.log, hold)) : null,
  };
  const report = reportOf(how, hold, holder);
  if (report !== null) work.reports.push(report);
  if (write?.state === 'open')
    work.write = { ...write, state: end === 'resumed' ? 'done' : 'cancelled', retryAt: null };
}

/** Null: what the user did has an activity of its own. */
function reportOf(how: HoldEnd, hold: Hold, holder: Holder | null): Report | null {
  switch (how) {
    case 'resumed':
    case 'not_needed':
      return how;
    case 'smartpause_off':
    case 'manual_pause':
      return null;
    case 'pause_refused':
    case 'resume_refused':
      return 'refused';
    case 'archived':
    case 'deleted':
      return hold.pausedAt === null ? 'released' : reportOf('resumed_outside', hold, holder);
    case 'resumed_outside':
      // SmartPause is disabled for it, so that the same match does not pause it again.
      return holder?.isOn === true && !isTest(hold) ? 'deactivated' : 'released';
    case 'paused_by_other':
    case 'paused_outside':
    case 'already_active':
    case 'resumed_by_schedule':
    case 'resumed_now':
    case 'resumed_by_other':
    case 'access_lost':
    case 'ended':
      return 'released';
  }
}
