import type { PlantedFault } from '../fixtures/planted-fault.ts';

const fault =
  (file: string) =>
  (find: string, replace: string): PlantedFault => ({
    file: `src/core/reconciler/${file}.ts`,
    find,
    replace,
  });
const hold = fault('hold');
const log = fault('change-log');
const decide = fault('decide-campaign');
const follow = fault('follow-hold');
const manual = fault('manual-write');
const settle = fault('settle-write');
const work = fault('work');
const account = fault('account');
const plan = fault('plan-account');
const transfer = fault('transfer');

/** Faults that are planted in the decision, to see that the model check finds them. */
export const MUTANTS: Record<string, PlantedFault> = {
  'opposite-at-once': work('write === null || write.unansweredUntil === null ? null : write.target', 'null'),
  'forgotten-intent': work('unansweredUntil: now + LATE_WRITE_MS,', 'unansweredUntil: null,'),
  'no-cancelling': follow(
    "'pausing' && !isWanted) work.hold = { ...hold, state: 'cancelling' };",
    "'pausing' && !isWanted) endNotNeeded(work);",
  ),
  'turned-off-before-the-answer': follow("hold.state === 'paused' && isUndone", 'false'),
  'no-log-before-resume': follow("if (isTheirs === true) return release(work, 'paused_outside');", ''),
  'no-restore': settle(
    "fate.kind === 'overrode' && write.origin !== 'manual'",
    "fate.kind === 'overrode' && now < 0",
  ),
  'trust-every-read': decide('readAt < confirmed.at + STALE_READ_MS ?', 'readAt < 0 ?'),
  'refused-counts-as-sent': decide(
    'unansweredUntil: earlierUntil,',
    'unansweredUntil: write.unansweredUntil,',
  ),
  'one-read-is-enough': follow('if (work.readAt >= since + forMs) return null;', 'return null;'),
  'no-verification-after-a-confirming-read': work(
    "work.write = { ...write, state: 'done' };",
    "work.write = { ...write, state: 'done', unansweredUntil: null };",
  ),
  'late-writes-for-20-s': hold('SEND_WITHIN_MS + seconds(60)', 'SEND_WITHIN_MS + seconds(15)'),
  'former-write-counts': log(
    `LOG_TOLERANCE_MS ||
      // No opposite writes are in flight at once, so an opposite one of ours was sent and carried out earlier.
      (isOurs && to !== null && to !== target)`,
    '60_000',
  ),
  'clocks-a-minute-apart': log('LOG_TOLERANCE_MS = seconds(3)', 'LOG_TOLERANCE_MS = seconds(60)'),
  'wish-overtakes-a-write': manual(
    'write.unansweredUntil !== null && write.target !== wish.status',
    'write.target === undefined',
  ),
  'wish-of-an-hour-ago': hold('WISH_MS = minutes(2)', 'WISH_MS = hours(1)'),
  'manual-change-keeps-the-hold': manual('if (!isLive(hold)) return;', 'if (hold !== undefined) return;'),
  'external-resume-is-paused-again': work("? 'deactivated' : 'released'", "? 'released' : 'released'"),
  'heir-without-smartpause': transfer(' && isOn(user, campaignId) && user.hasAccess', ' && user.hasAccess'),
  'away-is-deleted': follow("actual === 'AWAY' ? AWAY_MS : STALE_READ_MS", 'STALE_READ_MS'),
  'five-tries': hold('REFUSED_TRIES = 2', 'REFUSED_TRIES = 5'),
  'ended-campaigns-count': plan(
    "undelivered(campaign ?? {}, now) === 'ended',",
    "undelivered({}, now) === 'ended',",
  ),
  'unknown-starts-pauses': account(
    "return status.effective !== 'UNKNOWN';",
    "return status.effective !== 'UP';",
  ),
  'limits-do-not-bind': work('Math.max(from, retryAt ?? 0)', 'retryAt ?? 0'),
  'leavers-may-hold': account(' && user.hasAccess && !user.isLeaving', ' && user.hasAccess'),
  'resume-in-the-match': follow(
    'holder.resumeAt === null || holder.resumeAt > work.now',
    'holder.resumeAt !== null && holder.resumeAt > work.now',
  ),
  'hold-begins-while-a-resume-may-arrive': decide(
    'const isFree = hold === null && arriving(work) === null &&',
    'const isFree = hold === null &&',
  ),
};
