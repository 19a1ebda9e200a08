import { turnsOnAt } from '../smartpause/other-schedule.ts';
import type { Instant } from '../time.ts';
import { lastOutside } from './change-log.ts';
import type { CampaignWrite, Hold, OutsideChange, ReleaseReason, WishFailure } from './hold.ts';
import { OURS, isLive, isTest } from './hold.ts';
import type { Change, Circumstances, Holder, Report } from './work.ts';
import { withReport } from './work.ts';

/** The write is known to be carried out, from its answer or from a read. */
export function markDone<Of extends Change>(work: Of): Of {
  const { hold, write } = work;
  if (write === null) return work;
  const wasOpen = write.state === 'open';
  const done: Of = wasOpen ? { ...work, write: { ...write, state: 'done', retryAt: null } } : work;
  if (wasOpen && write.origin === 'manual') return finishManual(done, write.requestedBy);
  if (wasOpen && write.origin === 'restore') return withReport(done, 'restored');
  if (write.target === 'PAUSED') return confirmPause(done);
  return wasOpen && isLive(hold) ? endHold(done, 'resumed') : done;
}

/** SmartPause does not undo manual changes: the hold of any user ends. */
function finishManual<Of extends Change>(work: Of, userId: string): Of {
  const done = withReport(work, 'manual_done');
  const isOwn = work.hold?.userId === userId;
  if (work.write?.target === 'PAUSED') return endHold(done, isOwn ? 'manual_pause' : 'paused_by_other');
  if (isOwn) return endHold(done, 'smartpause_off');
  return endHold(done, 'resumed_outside', { at: work.now, tool: OURS, person: null });
}

export function confirmPause<Of extends Change>(work: Of): Of {
  const { hold, now } = work;
  if (!isLive(hold) || hold.pausedAt !== null) return work;
  const state = hold.state === 'pausing' ? 'paused' : hold.state;
  const paused = { ...hold, state, pausedAt: now, surprise: null, refusal: null };
  return withReport({ ...work, hold: paused }, 'paused');
}

export function failManual<Of extends Change>(work: Of, manualFailed: WishFailure): Of {
  const write: CampaignWrite | null = work.write && { ...work.write, state: 'failed', retryAt: null };
  return withReport({ ...work, write }, { manualFailed });
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
export function endHold<Of extends Change>(work: Of, end: HoldEnd, outside: OutsideChange | null = null): Of {
  const { hold, write, holder } = work;
  if (!isLive(hold)) return work;
  const how = endOf(hold, end);
  const isReleased = how !== 'resumed' && how !== 'not_needed';
  const isOutside = isReleased && OUTSIDE.includes(how);
  const ended: Hold = {
    ...hold,
    state: 'ended',
    outcome: isReleased ? 'released' : how,
    releaseReason: isReleased ? how : null,
    outside: isOutside ? (outside ?? askedByOther(hold) ?? lastOutside(work.log, hold)) : null,
  };
  let closed: CampaignWrite | null =
    write?.state === 'open'
      ? { ...write, state: end === 'resumed' ? 'done' : 'cancelled', retryAt: null }
      : write;
  // Asked for after a pause outside: if a late copy of it undoes that, it is not written again.
  if (closed?.target === 'ACTIVE' && how !== end) closed = { ...closed, origin: 'manual' };
  const report = reportOf(how, hold, holder);
  const after = { ...work, hold: ended, write: closed };
  return report === null ? after : withReport(after, report);
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
